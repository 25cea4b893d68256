"""Programs in which a property has several values of each node, of which one alone is used: they mean what they did."""

from __future__ import annotations

from dataclasses import replace

from irgl.analysis.check import check
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.dump import dump
from irgl.ast.visit import transform, walk
from irgl.frontends.text.load import load_text

LENGTH, AT = 3, 1
#: A program scalar that says which value is used.
WHICH = "which_value"


def vectored(text: str) -> tuple[str, frozenset[str]]:
    """The text of such a program, in which value AT is used, and its properties with several values."""
    checked = check(load_text(text))
    chosen = frozenset(p.name for g in checked.graph_types.values() for p in g.properties if _may(checked, p))

    def visit(n: A.Node) -> A.Node:
        if isinstance(n, A.Property) and n.name in chosen:
            return replace(n, type=T.Vector(n.type, LENGTH))
        if isinstance(n, A.Member) and n.name in chosen:
            named = len(n.name) % 2 == 0
            return A.Index(n, A.Name(WHICH) if named else A.IntLit(AT, T.INT))
        return n

    made = transform(checked.program, visit)
    assert isinstance(made, A.Program)
    which = A.Global(T.INT, WHICH, A.IntLit(AT, T.INT), False)
    decls = list(made.decls)
    decls.insert(next(i for i, d in enumerate(decls) if isinstance(d, A.GraphType)) + 1, which)
    return dump(replace(made, decls=tuple(decls))), chosen


def _may(checked: Checked, p: A.Property) -> bool:
    """Can it have several values, and is nothing else called so, nor a queue by it?"""
    if p.owner != "node" or p.given or not isinstance(p.type, T.Int | T.Float | T.Bool):
        return False
    named = [n for n in walk(checked.program) if isinstance(n, A.Field | A.Property) and n.name == p.name]
    lists = [t for n in walk(checked.program) if isinstance(n, A.Kernel | A.VarDecl) and isinstance(
        t := n.worklist if isinstance(n, A.Kernel) else n.type, T.Worklist)]
    roles = (r for r in walk(checked.program) if isinstance(r, A.Role))
    return len(named) == 1 and not any(t.by is not None and t.by.property == p.name for t in lists) and not any(
        isinstance(n, A.Name) and n.id == p.name for r in roles for n in walk(r))
