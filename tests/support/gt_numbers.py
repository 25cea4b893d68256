"""Numbers of GraphIt's programs as C++ computes them: a second opinion, which asks nothing of irgl."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

#: Kinds of numbers, from that which gives way to all others.
KINDS = ("bool", "int", "uint", "uint_64", "float", "double")
WHOLE = ("int", "uint", "uint_64")
FLOATS = ("float", "double")
BITS = {"int": 32, "uint": 32, "uint_64": 64}


class Vague(Exception):
    """What C++ leaves open, or what a float can't hold exactly: no program of the sweep comes to it."""


def common(one: str, other: str) -> str:
    """What both operands of an operator become."""
    found = max(one, other, key=KINDS.index)
    return "int" if found == "bool" else found


def exact(x: float) -> float:
    """A number of at most 24 bits, so that sums of some are the same in every order. Raises Vague for any other."""
    if abs(x) > 1 << 19 or x * 16 != int(x * 16):
        raise Vague
    return x


def converted(x: Any, want: str) -> Any:
    """A number as one of another kind."""
    if want == "bool":
        return bool(x)
    if want in FLOATS:
        return exact(float(x))
    if isinstance(x, float) and x <= -1 and want != "int":
        raise Vague
    low = int(x) & ((1 << BITS[want]) - 1)
    return low - (1 << 32) if want == "int" and low >> 31 else low


def _divided(a: Any, b: Any) -> Any:
    if isinstance(a, float):
        return a / b
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_COMPUTES: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": _divided, "max": max, "min": min}
_COMPARES: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge}
COMPARES = tuple(_COMPARES)


def computed(op: str, a: Any, b: Any, one: str, other: str) -> Any:
    """a op b of numbers of two kinds: arithmetic, or a comparison."""
    kind = common(one, other)
    a, b = converted(a, kind), converted(b, kind)
    return _COMPARES[op](a, b) if op in _COMPARES else converted(_COMPUTES[op](a, b), kind)


def updated(op: str, old: Any, new: Any, kind: str) -> Any:
    """What `place op new` leaves where `old` was, both of the place's kind."""
    if kind == "bool":
        return old or new
    return converted(_COMPUTES[op.rstrip("=").removeprefix("async").lower()](old, new), kind)
