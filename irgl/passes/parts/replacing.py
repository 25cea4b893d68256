"""Other statements in the place of a kernel's outermost ForAlls, whose paths stay."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.fresh import Fresh
from irgl.ast.visit import rebuild, walk

#: What stands in the place of a loop: of the loop and the label that it has, or would have.
Instead = Callable[[A.ForAll, str], Iterable[A.Stmt]]


def labels_of(kernel: A.Kernel) -> dict[A.ForAll, str]:
    """A label for each outermost ForAll of a kernel: its path's last word, which no loop inside one has."""
    words = {loop: path.rpartition(".")[2] for path, loop in outer_loops(kernel)}
    inside = {n.label for n in walk(kernel) if isinstance(n, A.Labeled) and n.body not in words}
    return {loop: f"{word}_" if word in inside else word for loop, word in words.items()}


def fresh_in(checked: Checked, kernel: A.Kernel) -> Fresh:
    """New names for a kernel whose loops get their labels."""
    fresh = Fresh(checked.program, kernel)
    fresh.taken.update(labels_of(kernel).values())
    return fresh


def replaced(kernel: A.Kernel, instead: dict[A.ForAll, Instead]) -> A.Kernel:
    """The kernel with other statements in the place of some of its outermost ForAlls; the others get their labels."""
    labels = labels_of(kernel)

    def visit(node: A.Node) -> A.Node | tuple[A.Stmt, ...]:
        loop = node.body if isinstance(node, A.Labeled) else node
        if not isinstance(loop, A.ForAll):
            return rebuild(node, visit)
        if loop in instead:
            return tuple(instead[loop](loop, labels[loop]))
        return A.Labeled(labels[loop], loop, span=node.span)

    new = rebuild(kernel, visit)
    assert isinstance(new, A.Kernel)
    return new
