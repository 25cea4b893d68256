"""Other statements in the place of a loop of the Program, whose path stays, and those of the loops beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from irgl.analysis.names.paths import WORDS, paths_of
from irgl.ast import nodes as A
from irgl.ast.visit import rebuild, walk

#: What stands in the place of a loop: of the label that it has, or would have.
Instead = Callable[[str], Iterable[A.Stmt]]
#: The words of what loops become here, which are counted together.
_COUNTED = ("while", "iterate")


def replaced(entry: A.Entry, loop: A.Stmt, instead: Instead) -> A.Entry:
    """The Program with other statements in the place of one loop; those beside it get their paths' last words as
    labels, so that no plan speaks of another."""
    paths = paths_of(entry)
    home = paths[loop].rpartition(".")[0]
    beside = {n: path.rpartition(".")[2] for n, path in paths.items()
              if path.rpartition(".")[0] == home and WORDS[type(n)] in _COUNTED and isinstance(n, A.Stmt)}
    inside = set(walk(loop))

    def visit(node: A.Node) -> A.Node | tuple[A.Stmt, ...]:
        s = node.body if isinstance(node, A.Labeled) else node
        if s is loop:
            return tuple(instead(beside[loop]))
        if isinstance(node, A.Labeled):
            return rebuild(node, lambda n: rebuild(n, visit) if n is node.body else n)
        new = rebuild(node, visit)
        if node in beside and node not in inside:
            assert isinstance(new, A.Stmt)
            return A.Labeled(beside[node], new, span=node.span)
        return new

    made = rebuild(entry, visit)
    assert isinstance(made, A.Entry)
    return made
