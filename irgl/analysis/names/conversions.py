"""What converts to what, which graph a type belongs to, and what fits one atomic instruction."""

from __future__ import annotations

from dataclasses import replace

from irgl.ast import nodes as A
from irgl.ast import types as T

PACKED_HINT = "a struct is updated as a whole where its fields fill 8, 16, 32 or 64 bits without a gap"


def packed_bytes(fields: dict[str, T.Type]) -> int | None:
    """The size of a struct that one atomic instruction can update; None where it is too wide or has gaps."""
    at = 0
    for t in fields.values():
        size = t.bits // 8 if isinstance(t, T.Int | T.Float) else 1 if isinstance(t, T.Bool) else 4
        if at % size:
            return None
        at += size
    return at if at in (1, 2, 4, 8) else None


def same_graph(a: str, b: str) -> bool:
    """Can a node of `a` be one of `b`? (graph variables; '' is not known)"""
    return a == b or not a or not b


def graph_of(t: T.Type) -> str:
    """The graph variable that a node, an edge or a worklist's items belong to; '' where it is not known."""
    match t:
        case T.NodeT() | T.EdgeT():
            return t.graph
        case T.Id():
            return t.of.graph
        case T.Worklist():
            return graph_of(t.item)
        case _:
            return ""


def bind(t: T.Type, graphs: dict[str, str], home: str) -> T.Type:
    """A parameter's type as its caller sees it: `graphs` maps graph parameters to the caller's graph variables.

    `home` is the graph of nodes that name none.
    """
    match t:
        case T.NodeT():
            return T.NodeT(graphs.get(t.graph, t.graph) if t.graph else home)
        case T.EdgeT():
            return T.EdgeT(t.incoming, graphs.get(t.graph, t.graph) if t.graph else home)
        case T.Worklist():
            return replace(t, item=bind(t.item, graphs, home))
        case T.Named():
            return T.Named(t.name, tuple(bind(a, graphs, home) for a in t.args))
        case _:
            return t


def arguments(count: int) -> str:
    """`count` arguments, in words."""
    return "no arguments" if count == 0 else "1 argument" if count == 1 else f"{count} arguments"


def is_real_literal(e: A.Expr) -> bool:
    """Is it a number with a fraction, perhaps with a sign?"""
    return isinstance(e.operand if isinstance(e, A.Unary) and e.op == "-" else e, A.FloatLit)


def literal_value(e: A.Expr) -> int | None:
    match e:
        case A.IntLit():
            return e.value
        case A.Unary(op="-", operand=A.IntLit() as inner):
            return -inner.value
        case _:
            return None
