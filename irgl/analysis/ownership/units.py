"""Structs that iterations touch as one atomic unit, and where: 8 bytes at most fit one instruction.

With ids of 32 bits the checker sees that they fit (conversions.packed_bytes). How wide ids are, is known when a program
runs, or is built: what has both an id and something else is then too wide where ids have 64 bits.
"""

from __future__ import annotations

from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.source import Span


def atomic_units(checked: Checked) -> dict[str, Span]:
    """By the name of a struct that has an id beside something else, where it is first touched as a whole."""
    found: dict[str, Span] = {}
    for node in walk(checked.program):
        touched = _touched(checked, node)
        t = checked.types.get(touched) if touched is not None else None
        fields = checked.fields(t) if t is not None else None
        ids = [f for f in (fields or {}).values() if isinstance(f, T.NodeT | T.EdgeT)]
        if fields is not None and len(fields) > 1 and ids and node.span is not None:
            found.setdefault(str(t), node.span)
    return found


def _touched(checked: Checked, node: A.Node) -> A.Expr | None:
    match node:
        case A.Reduce():
            return node.target
        case A.Relaxed():
            return node.location
        case A.Call(function="cas"):
            return node.args[0]
        case A.Assign() if node.access != "plain" or node.target in checked.concurrent:
            return node.target
        case A.Name() | A.Member() | A.Index() if node in checked.concurrent:
            return node
        case _:
            return None
