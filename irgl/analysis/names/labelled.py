"""The labels of a program by their paths (irgl/ast/labels.py), with the places of what they stand before.

A statement is within one that is labelled where it stands in it, or in a kernel that is invoked there; kernels that
nothing invokes stand in none. One label may have several places: statements that have the same labels around them.
"""

from __future__ import annotations

from irgl.analysis.names.paths import WORDS, paths
from irgl.ast import nodes as A
from irgl.ast.labels import SCOPE
from irgl.ast.visit import children, walk

_RUNS = (A.Invoke, A.InvokeResult, A.Iterate)
_TAKES = (A.VarDecl, A.Assign, A.ExprStmt)


def labels_of(program: A.Program) -> dict[str, tuple[str, ...]]:
    """By the paths of its labels, in the order of the text, the places of what has them; none for a statement that is
    neither a loop nor one of orchestration. One walk of each kernel for each path of labels around its invocations."""
    found: dict[str, dict[str, None]] = {}
    at = paths(program)
    kernels = {d.name: d for d in program.decls if isinstance(d, A.Kernel)}
    seen: set[tuple[str, tuple[str, ...]]] = set()

    def visit(node: A.Node, around: tuple[str, ...]) -> None:
        if isinstance(node, A.Labeled):
            around = (*around, node.label)
            places = found.setdefault(SCOPE.join(around), {})
            places |= dict.fromkeys(at[n] for n in _named(node))
        if isinstance(node, _RUNS):
            enter(node.kernel, around)
        for child in children(node):
            visit(child, around)

    def enter(name: str, around: tuple[str, ...]) -> None:
        if name in kernels and (name, around) not in seen:
            seen.add((name, around))
            for s in kernels[name].body:
                visit(s, around)

    for decl in program.decls:
        if isinstance(decl, A.Entry):
            for s in decl.body:
                visit(s, ())
    entered = {name for name, _ in seen}
    for name in kernels:
        if name not in entered:
            enter(name, ())
    return {path: tuple(places) for path, places in found.items()}


def _named(label: A.Labeled) -> list[A.Node]:
    """What a label names of what has places: the statement, or the invocations whose results it takes."""
    body: A.Node = label
    while isinstance(body, A.Labeled):
        body = body.body
    if type(body) in WORDS:
        return [body]
    return [n for n in walk(body) if isinstance(n, A.InvokeResult)] if isinstance(body, _TAKES) else []
