"""Between which numbers a whole number lies, as far as its text tells: `min(n.p, 1000) + (e.w & 7)` is below 1008."""

from __future__ import annotations

from irgl.analysis.names.conversions import literal_value
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T

Extent = tuple[int, int]


def fits(checked: Checked, e: A.Binary) -> bool:
    """Does a sum, difference or product of whole numbers stay within its type, so that it can't wrap around?"""
    t = T.promoted(checked.types[e])
    if not isinstance(t, T.Int):
        return False
    low, high = _computed(e.op, extent(checked, e.left), extent(checked, e.right))
    return t.min <= low and high <= t.max


def extent(checked: Checked, e: A.Expr) -> Extent:
    """The least and the largest number that an expression may be."""
    whole = _of_type(checked.types[e])
    number = literal_value(e)
    if number is not None:
        return number, number
    match e:
        case A.Name(id="INF"):
            return whole[1], whole[1]
        case A.Name() if (symbol := checked.symbols.get(e)) is not None and symbol.kind == "local" and (
                not symbol.assigned and symbol.origin is not None):
            return _within(extent(checked, symbol.origin), whole)
        case A.Cast():
            return _within(extent(checked, e.operand), whole)
        case A.Call(function="min" | "max" as word, args=(left, right)):
            a, b = (_within(extent(checked, x), whole) for x in (left, right))
            pick = min if word == "min" else max
            return pick(a[0], b[0]), pick(a[1], b[1])
        case A.Binary(op="+" | "-" | "*"):
            return _within(_computed(e.op, extent(checked, e.left), extent(checked, e.right)), whole)
        case A.Binary(op="&"):
            masks = [m for m in (literal_value(e.left), literal_value(e.right)) if m is not None and m >= 0]
            return (0, min(masks)) if masks else whole
        case A.Binary(op="%") if (by := literal_value(e.right)) is not None and by > 0:
            return (0 if extent(checked, e.left)[0] >= 0 else 1 - by), by - 1
        case A.Conditional():
            a, b = (_within(extent(checked, x), whole) for x in (e.then, e.orelse))
            return min(a[0], b[0]), max(a[1], b[1])
        case _:
            return whole


def _computed(op: str, a: Extent, b: Extent) -> Extent:
    if op == "+":
        return a[0] + b[0], a[1] + b[1]
    if op == "-":
        return a[0] - b[1], a[1] - b[0]
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def _within(found: Extent, whole: Extent) -> Extent:
    """What a number is once its type has it: itself, or any where it might not fit."""
    return found if whole[0] <= found[0] and found[1] <= whole[1] else whole


def _of_type(t: T.Type) -> Extent:
    match t:
        case T.Bool():
            return 0, 1
        case T.Int():
            return t.min, t.max
        case T.Id():
            return 0, 2**48  # no graph in memory has more nodes or edges
        case _:
            return -(2**80), 2**80
