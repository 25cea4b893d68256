"""Whether what is offered may have wrapped around, where conditions stand before it."""

from __future__ import annotations

from collections.abc import Iterable

from irgl.analysis.idle.one_way import FALLS, Move, OneWay, beside_inf, readings, says_no_wrap
from irgl.analysis.loops.edge_bodies import MIRRORED
from irgl.analysis.names.conversions import literal_value
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.dump import dump
from irgl.ast.visit import equal, walk


def why_wraps(values: OneWay, found: Move, value: A.Expr, holds: Iterable[A.Expr]) -> str | None:
    """Why a value may have wrapped around under conditions that hold; found: which way it goes. None: it hasn't."""
    if not found.sums:
        return None
    for test in holds:
        if not isinstance(test, A.Binary):
            continue
        asks = test.op in MIRRORED and (equal(test.left, value) or equal(test.right, value))
        if (asks and says_no_wrap(values, test)) or (len(found.sums) == 1 and _leaves_one(values, test, found, value)):
            return None
    less = "less" if found.way == FALLS else "more"
    return (f"`{dump(found.sums[0])}` may wrap around: have the node's value in a variable, and offer nothing that is "
            f"{less} than that")


def _leaves_one(values: OneWay, test: A.Binary, found: Move, value: A.Expr) -> bool:
    """`here < x` leaves room for `here + 1`."""
    total, own = found.sums[0], values.values()
    if total.op != ("+" if found.way == FALLS else "-") or literal_value(total.right) != 1:
        return False
    if test.op == "!=" and found.way == FALLS:
        place, other = beside_inf(test), None
    elif test.op in ("<", ">"):
        less, more = (test.left, test.right) if test.op == "<" else (test.right, test.left)
        place, other = (less, more) if found.way == FALLS else (more, less)
    else:
        return False
    asked, mine = own.own(place) if place is not None else None, own.own(total.left)
    if place is None or asked is None or mine is None or asked.name != mine.name:
        return False
    types = values.checked.types
    kinds = {T.bare(types[e]) for e in (place, mine, total.left, total, *([] if other is None else [other]))}
    if len(kinds) != 1 or (other is not None and not values.is_steady(other)):
        return False
    of = [*readings(values, total.left)]
    return of == [*readings(values, place)] or (total in walk(value) and total.left in of)
