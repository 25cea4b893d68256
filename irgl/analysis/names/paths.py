"""A name for every loop and every orchestration statement, by which plans and messages speak of it.

`kernel.loop1.loop2` is the second ForAll in a kernel's first one, `program.pipe1.iterate2` the second Iterate in the
first Pipe of a Program. A label stands in the place of word and number. The levels are ForAll, Pipe and Iterate: what
stands under a condition or in a sequential loop is counted with what stands beside it, each kind by itself from 1,
labelled ones too, so that a label changes no other name. Passes keep kind, order and nesting, and so the names.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from irgl.analysis.names.symbols import fail
from irgl.ast import nodes as A
from irgl.ast.visit import children, walk

#: What has a path, and the word in it.
WORDS: dict[type[A.Node], str] = {
    A.ForAll: "loop",
    A.For: "for",
    A.CFor: "for",
    A.While: "while",
    A.DoWhile: "while",
    A.Invoke: "invoke",
    A.InvokeResult: "invoke",
    A.Iterate: "iterate",
    A.Pipe: "pipe",
}
_LEVELS = (A.ForAll, A.Iterate, A.Pipe)


def paths(program: A.Program) -> dict[A.Node, str]:
    """The path of every loop and orchestration statement of the kernels and the Program, in the order of the text.

    Raises IrglError for a label that reads like the path of something else.
    """
    found: dict[A.Node, str] = {}
    for decl in program.decls:
        if isinstance(decl, A.Kernel | A.Entry):
            found |= paths_of(decl)
    return found


@lru_cache(maxsize=256)  # all that speaks of places asks, of the same trees
def paths_of(decl: A.Kernel | A.Entry) -> Mapping[A.Node, str]:
    """The paths of one kernel, or of the Program."""
    found: dict[A.Node, str] = {}
    taken: dict[str, A.Node] = {}

    def visit(node: A.Node, place: str, counts: dict[str, int], label: str) -> None:
        if isinstance(node, A.Labeled):
            visit(node.body, place, counts, node.label)
            return
        word = WORDS.get(type(node))
        if word is not None:
            counts[word] = counts.get(word, 0) + 1
            path = f"{place}.{label or f'{word}{counts[word]}'}"
            if path in taken:
                fail(f"'{path}' names two places", node, "choose a label that doesn't look like a loop's number")
            found[node], taken[path] = path, node
        if isinstance(node, _LEVELS):
            place, counts = found[node], {}
        for child in children(node):
            visit(child, place, counts, "")

    top: dict[str, int] = {}
    for s in decl.body:
        visit(s, decl.name, top, "")
    return MappingProxyType(found)


@lru_cache(maxsize=256)
def nested_loops(kernel: A.Kernel) -> Mapping[A.ForAll, str]:
    """The ForAlls of a kernel that stand in others, with their paths."""
    inside = {n for s in walk(kernel) if isinstance(s, A.ForAll) for n in walk(s) if n is not s}
    return MappingProxyType(
        {s: path for s, path in paths_of(kernel).items() if isinstance(s, A.ForAll) and s in inside})


@lru_cache(maxsize=256)
def outer_loops(kernel: A.Kernel) -> tuple[tuple[str, A.ForAll], ...]:
    """The ForAlls of a kernel that stand in no other, with their paths."""
    nested = nested_loops(kernel)
    return tuple((path, s) for s, path in paths_of(kernel).items() if isinstance(s, A.ForAll) and s not in nested)
