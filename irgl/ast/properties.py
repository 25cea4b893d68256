"""What properties are, by their declarations."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T


def takes_weights(p: A.Property) -> bool:
    """Has the property the weights of the graph's file: an edge's, without a first value, and no input?"""
    return p.owner == "edge" and p.init is None and not p.given and not isinstance(p.type, T.Lock)
