"""Floats of 16 bits, rounded by looking for them in the list of all: the oracle of tests/rt/emulate/test_half.py."""

from __future__ import annotations

import math
import operator
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint64]
Reals = NDArray[np.float64]
Whole = type[np.integer[Any]]
NO_NUMBER = 0x7FFF
NEAREST, ZERO, UP, DOWN = range(4)
_OF_REALS: dict[str, Callable[[Reals, Reals], Reals]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}
_OF_FRACTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


@dataclass(frozen=True)
class Format:
    """One of the two formats."""

    name: str
    infinity: int  # its bits
    one: int

    @cached_property
    def all(self) -> Reals:
        """What each of the 65536 patterns of bits is."""
        codes = np.arange(65536, dtype=np.uint32)
        v = codes.astype(np.uint16).view(np.float16) if self.name == "half" else (codes << 16).view(np.float32)
        return np.where(np.isnan(v), np.nan, np.nan_to_num(v, posinf=np.inf, neginf=-np.inf).astype(np.float64))

    @cached_property
    def sizes(self) -> Reals:
        """What the patterns of the positive numbers are; the one of infinity is the next power of two."""
        last = self.all[self.infinity - 1]
        return np.append(self.all[:self.infinity], 2 * last - self.all[self.infinity - 2])

    def rounded(self, values: Reals, mode: int = NEAREST) -> Codes:
        """The patterns that numbers are rounded to."""
        size, negative = np.abs(values), np.signbit(values)
        low = np.searchsorted(self.sizes, size, "right") - 1  # of no number: the last
        below = np.minimum(low, self.infinity - 1)
        middle = (self.sizes[below] + self.sizes[below + 1]) / 2
        if mode == NEAREST:
            above = (size > middle) | ((size == middle) & (below % 2 == 1))
        else:
            above = (size > self.sizes[below]) & (mode != ZERO) & (negative == (mode == DOWN))
        code = np.where(np.isinf(size), self.infinity, below + above) | np.where(negative, 0x8000, 0)
        return np.where(np.isnan(values), NO_NUMBER, code).astype(np.uint64)

    @cached_property
    def exact(self) -> list[Fraction]:
        return [Fraction(float(v)) for v in self.sizes]

    def rounded_once(self, value: Fraction, mode: int = NEAREST) -> int:
        """The pattern that an exact number is rounded to; 0 is positive."""
        size, negative = abs(value), value < 0
        low = min(bisect_right(self.exact, size) - 1, self.infinity - 1)
        middle = (self.exact[low] + self.exact[low + 1]) / 2
        if mode == NEAREST:
            above = size > middle or (size == middle and low % 2 == 1)
        else:
            above = size > self.exact[low] and mode != ZERO and negative == (mode == DOWN)
        return (low + int(above)) | (0x8000 if negative else 0)

    def is_finite(self, code: int) -> bool:
        return code & 0x7FFF < self.infinity

    def result(self, sign: str, a: int, b: int) -> int:
        """The pattern of a sum, difference, product or quotient, rounded once."""
        x, y = float(self.all[a]), float(self.all[b])
        if not (self.is_finite(a) and self.is_finite(b)) or (sign == "/" and y == 0):
            with np.errstate(all="ignore"):  # inf and nan, as in double
                return int(self.rounded(_OF_REALS[sign](self.all[a:a + 1], self.all[b:b + 1]))[0])
        exact = _OF_FRACTIONS[sign](Fraction(x), Fraction(y))
        if exact == 0:
            return 0x8000 if math.copysign(1, _OF_FRACTIONS[sign](x, y)) < 0 else 0
        return self.rounded_once(exact)

    def sum_of_product(self, a: int, b: int, c: int) -> int:
        """The pattern of a * b + c, rounded once."""
        x, y, z = (float(self.all[v]) for v in (a, b, c))
        if not (self.is_finite(a) and self.is_finite(b) and self.is_finite(c)):
            return int(self.rounded(np.array([x * y + z]))[0])  # inf and nan, as in double
        exact = Fraction(x) * Fraction(y) + Fraction(z)
        if exact == 0:
            return 0x8000 if math.copysign(1, x * y + z) < 0 else 0
        return self.rounded_once(exact)


HALF, BFLOAT16 = Format("half", 0x7C00, 0x3C00), Format("bfloat16", 0x7F80, 0x3F80)


def words(values: list[int]) -> Codes:
    return np.array(values, np.uint64)


@cache
def given(kind: Format) -> tuple[Reals, Codes, Codes, Codes]:
    """Doubles, whole numbers, pairs and triples of patterns."""
    rng = np.random.default_rng(1)
    middles = (kind.sizes[1:] + kind.sizes[:-1]) / 2
    near = np.concatenate([middles, np.nextafter(middles, 0), np.nextafter(middles, np.inf), kind.sizes])
    floats = rng.integers(0, 1 << 32, 20000, np.uint32).view(np.float32)
    ends = np.array([0.0, np.inf, np.nan, 1e-320, 1e300, 65504, 65519.999, 65520, 2.0**-25, 2.0**-134])
    with np.errstate(invalid="ignore"):
        reals = np.concatenate([near, -near[::5], floats.astype(np.float64), ends, -ends])
    powers = [(m << k) + d for m, k, d in product((1, 255, 257, 2049, 6147), range(0, 51, 4), (-1, 0, 1))]
    wholes = np.concatenate([rng.integers(0, 1 << 63, 3000, dtype=np.uint64) >> rng.integers(0, 63, 3000, np.uint64),
                             words(powers), words([2**64 - 1, 2**63, 2**63 - 1]), ~words(powers)])
    pairs = rng.integers(0, 65536, (2500, 2), np.uint64)
    pairs[1000:, 1] = (pairs[1000:, 0] & 0x7C00) | (pairs[1000:, 1] & 0x83FF)  # of about one size
    special = np.array([0, 0x8000, kind.infinity, kind.infinity | 0x8000, kind.one, 0x7FFF, 1, 0xFFFF], np.uint64)
    pairs[:64] = list(product(special, repeat=2))
    triples = rng.integers(0, 65536, (2500, 3), np.uint64)
    triples[1000:, 1] = (triples[1000:, 1] & 0x83FF) | (kind.one & 0x7C00)
    triples[1000:2000, 2] = (triples[1000:2000, 0] & 0x7C00) | (triples[1000:2000, 2] & 0x83FF)
    return reals, wholes, pairs, np.concatenate([triples, ties(kind)])


def ties(kind: Format) -> Codes:
    """Products in the middle between two numbers, and what is added so small that a double does not hold both."""
    bits = 11 if kind is HALF else 8
    low, odd = 1 << bits, range(3, 1 << bits, 2)
    factors = [(u, v) for u, v in product(odd, odd) if low < u * v < 2 * low][::40 if kind is HALF else 5]
    found = [(u, v * 2.0**size, c) for u, v in factors for size in (-8, 0, 4) for c in (1, 0x8001, 0x0400, 0x9000)]
    return np.array([[int(kind.rounded(np.array([x]))[0]) for x in (u, v)] + [c] for u, v, c in found[:3000]],
                    np.uint64)


def whole(values: Reals, kind: Whole) -> Codes:
    """As a GPU converts to whole numbers: to the nearest that there is; no number to 0, or the uppermost bit of 64."""
    info = np.iinfo(kind)
    inside = np.where((values > info.min) & (values < info.max), values, 0)
    exact = (inside.astype(np.int64).view(np.uint64) if info.min < 0 else inside.astype(np.uint64)).copy()
    exact[values >= info.max] = np.uint64(info.max)
    exact[values <= info.min] = np.uint64(info.min % 2**64)
    exact[np.isnan(values)] = np.uint64(2**63 if info.bits == 64 else 0)
    return exact


def same(found: Codes, expected: Codes | NDArray[np.bool_], what: str) -> None:
    wrong = np.flatnonzero(found != np.asarray(expected).astype(np.uint64))
    assert not wrong.size, f"{what}: {wrong.size}, first {wrong[0]}: {found[wrong[0]]:#x}, not {expected[wrong[0]]:#x}"
