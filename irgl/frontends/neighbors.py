"""`n.neighbors` and `n.in_neighbors`: loops over the far ends of a node's edges, made loops over these edges."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk

L = TypeVar("L", bound=A.For | A.ForAll)
#: By the word: the edges that the loop runs over, and the end of each that it means.
_EDGES = {"neighbors": ("edges", "dst"), "in_neighbors": ("in_edges", "src")}


def over_edges(loop: L) -> L:
    """`ForAll (m In n.neighbors) { ... }` as `ForAll (e In n.edges) { node m = e.dst; ... }`; any other loop as it is.

    The edge has a name that the body does not use.
    """
    of = loop.iterator
    if not isinstance(of, A.Member) or of.name not in _EDGES:
        return loop
    edges, end = _EDGES[of.name]
    edge = _unused(f"edge_of_{loop.var}", loop.body)
    far = A.Member(A.Name(edge, span=of.span), end, span=of.span)
    met = A.VarDecl(T.NodeT(), loop.var, far, span=of.span)
    return type(loop)(edge, A.Member(of.object, edges, span=of.span), (met, *loop.body), span=loop.span)


def _unused(name: str, body: Iterable[A.Stmt]) -> str:
    used = {getattr(node, field) for part in body for node in walk(part) for field in ("id", "name", "var", "kernel",
            "function") if isinstance(getattr(node, field, None), str)}
    while name in used:
        name += "_"
    return name
