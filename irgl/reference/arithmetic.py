"""Numbers as the language defines them, in Python: the arithmetic of the reference interpreter.

bool is Python's bool, every integer type a Python int in its range, float a Python float that binary32 can hold,
double a Python float. Integers wrap (two's complement), float to integer saturates, NaN gives 0. A binary32 sum,
difference, product, quotient or root of binary32 numbers is the binary64 one rounded once more (Figueroa, "When is
double rounding innocuous?", SIGNUM Newsletter 30(3), 1995), which is how they are made here.
"""

from __future__ import annotations

import ctypes
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from irgl.ast import types as T

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15

_WHOLE: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Fault(Exception):
    """A run-time error without its place yet: the interpreter adds the span of the expression."""


def wrap(value: int, t: T.Int) -> int:
    """`value` modulo 2**bits, in the range of `t`."""
    value &= (1 << t.bits) - 1
    return value - (1 << t.bits) if t.signed and value > t.max else value


def single(value: float) -> float:
    """The binary32 number nearest to `value`, ties to even."""
    if isinstance(value, int):
        kind = np.uint64 if value > T.LONG.max else np.int64
        return float(kind(value).astype(np.float32))
    return ctypes.c_float(value).value


def to_float(value: float, t: T.Float) -> float:
    return single(value) if t.bits == 32 else float(value)


def to_int(value: float, t: T.Int) -> int:
    """Truncated and saturated; NaN gives 0."""
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return t.max if value > 0 else t.min
    return min(max(int(value), t.min), t.max)


def infinity(t: T.Type) -> float:
    """INF where a `t` is wanted."""
    if isinstance(t, T.Int):
        return t.max
    assert isinstance(t, T.Float)
    return math.inf


def compare(op: str, a: Any, b: Any) -> bool:
    return _COMPARE[op](a, b)


def negate(op: str, a: Any, t: T.Type) -> Any:
    """Unary + - ~ of a value of the promoted type `t`."""
    if isinstance(t, T.Int):
        return wrap({"+": a, "-": -a, "~": ~a}[op], t)
    return -a if op == "-" else a


def arith(op: str, a: Any, b: Any, t: T.Type) -> Any:
    """a op b, both of type `t` (for a shift, b is any integer). Raises Fault for an integer division by zero."""
    if isinstance(t, T.Float):
        return to_float(_float_arith(op, a, b), t)
    assert isinstance(t, T.Int), t
    if op in _WHOLE:
        return wrap(_WHOLE[op](a, b), t)
    if op == "<<":
        return wrap(a << (b & (t.bits - 1)), t)
    if op == ">>":
        return a >> (b & (t.bits - 1))
    if b == 0:
        raise Fault("division by zero")
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return wrap(quotient if op == "/" else a - quotient * b, t)


def _float_arith(op: str, a: float, b: float) -> float:
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
    assert op == "/"
    if b != 0:
        return a / b
    return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1, b)


def mix(x: int) -> int:
    """The 64-bit finaliser of splitmix64 after its increment (Steele, Lea, Flood, OOPSLA 2014)."""
    x = (x + _GOLDEN) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


class Random:
    """random(k): the i-th call, from 0, yields mix(seed + i) modulo k; it yields 0, and counts for none, for k <= 0."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, k: int) -> int:
        if k <= 0:
            return 0
        self.state += 1
        return mix(self.state - 1) % k


def update_types(op: str, t: T.Type, of: T.Type) -> tuple[T.Type, T.Type]:
    """The type in which `location op= value` of types t and `of` is computed, and the one the value is taken in.

    It is the location's type; an integer with a wider or unsigned value goes by C's usual conversions."""
    value = T.common(t, of) if isinstance(t, T.Int) and T.is_number(of) else T.promoted(t)
    return (T.promoted(t) if op in ("<<", ">>") else value), value


#: Functions that have another name in NumPy.
_NUMPYS = {"pow": "power", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2"}


def function(name: str, args: list[Any], of: list[T.Type], t: T.Type) -> Any:
    """A builtin function of numbers. `of` are the arguments' types; `t` is the result's."""
    if name in ("min", "max"):
        a, b = args
        return (b if b < a else a) if name == "min" else (b if a < b else a)
    x = args[0]
    match name:
        case "abs":
            return wrap(abs(x), t) if isinstance(t, T.Int) else abs(x)
        case "hash":
            return mix(x) & 0xFFFFFFFF
        case "popcount":
            width = T.promoted(of[0])
            assert isinstance(width, T.Int)
            return (x & ((1 << width.bits) - 1)).bit_count()
        case "isinf":
            return math.isinf(x)
        case "isnan":
            return math.isnan(x)
    assert isinstance(t, T.Float), name
    with np.errstate(all="ignore"):
        return to_float(float(getattr(np, _NUMPYS.get(name, name))(*map(np.float64, args))), t)
