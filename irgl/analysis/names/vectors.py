"""Properties of several values: `node float x[20];`, of which `n.x[k]` is one.

What an iteration owns of a node it owns of all its values, so that analyses speak of the property: `location` is the
member that one of its values lies in.
"""

from __future__ import annotations

from typing import TypeGuard

from irgl.analysis.names.conversions import literal_value
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T


def of_vector(e: A.Node, checked: Checked) -> TypeGuard[A.Index]:
    """Is it one value of a property of several?"""
    return isinstance(e, A.Index) and isinstance(checked.types.get(e.object), T.Vector)


def location(checked: Checked, e: A.Expr) -> A.Expr:
    """The property that one of its values belongs to; anything else itself."""
    return e.object if of_vector(e, checked) else e


def is_inside(checked: Checked, e: A.Index) -> bool:
    """Does the text tell that such a value is there, so that no run has to look?"""
    of = checked.types[e.object]
    assert isinstance(of, T.Vector)
    known = literal_value(e.index)
    if known is not None:
        return 0 <= known < of.length
    symbol = checked.symbols.get(e.index) if isinstance(e.index, A.Name) else None
    match symbol.loop.iterator if symbol is not None and symbol.kind == "loop" and symbol.loop is not None else None:
        case A.Call(function="range", args=args) if "range" not in checked.functions:
            bounds = [literal_value(a) for a in args]
            first, last = (0, *bounds)[-2:]
            return first is not None and last is not None and first >= 0 and last <= of.length
        case _:
            return False
