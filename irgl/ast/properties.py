"""What properties are, by their declarations."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.source import IrglError, Span


def takes_weights(p: A.Property) -> bool:
    """Has the property the weights of the graph's file: an edge's, without a first value, and no input?"""
    return p.owner == "edge" and p.init is None and not p.given and not isinstance(p.type, T.Lock)


def declared(owner: str, kind: T.Type, name: str, init: A.Expr | None, given: bool, span: Span | None) -> A.Property:
    """A property as it is written: one that begins as `coordinate(K)` is an input that the graph itself gives.

    Raises IrglError for another number of arguments, or what is no number.
    """
    if not (isinstance(init, A.Call) and init.function == "coordinate"):
        return A.Property(owner, kind, name, init, given, None, span=span)
    match init.args:
        case (A.IntLit(value=axis),):
            return A.Property(owner, kind, name, None, True, axis, span=span)
        case _:
            raise IrglError("which of its coordinates is meant?", init.span or span,
                            "write coordinate(0) or coordinate(1)")
