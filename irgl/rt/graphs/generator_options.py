"""The options of a generator text, and the random streams that generators draw from."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.native import random
from irgl.rt.graphs.native.rate import with_rate
from irgl.source import IrglError

Array = NDArray[Any]
_RANGE = ("min", "max")


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one generator text; each accessor checks its value. IrglError names the option and its range."""

    spec: str
    values: dict[str, str]

    def fail(self, message: str) -> IrglError:
        return IrglError(message, file=self.spec)

    def given(self, name: str) -> bool:
        return name in self.values

    def integer(self, name: str, low: int, high: int, default: int | None = None) -> int:
        text = self.values.get(name, str(default) if default is not None else None)
        if text is None:
            raise self.fail(f"needs {name}=...")
        power = text.removeprefix("2e") if text.startswith("2e") and name == "scale" else text
        if not (power.isascii() and power.isdigit()) or len(power) > 19 or not low <= int(power) <= high:
            raise self.fail(f"{name}={text}: an integer of {low}..{high} is wanted")
        return int(power)

    def real(self, name: str, default: float | None = None) -> float:
        text = self.values.get(name, str(default))
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise self.fail(f"{name}={text}: a number is wanted")
        return value

    def word(self, name: str, known: tuple[str, ...]) -> str:
        text = self.values.get(name, known[0])
        if text not in known:
            raise self.fail(f"{name}={text}: known are {', '.join(known)}")
        return text

    def pair(self, name: str) -> tuple[int, int]:
        parts = self.values.get(name, "").split("x")
        if len(parts) != 2 or not all(p.isascii() and p.isdigit() and len(p) < 10 for p in parts):
            raise self.fail(f"{name}={self.values.get(name, '')}: WIDTHxHEIGHT is wanted")
        return int(parts[0]), int(parts[1])


def parse(spec: str, name: str, rest: str, positional: str, defaults: dict[str, str]) -> Options:
    """The options of `rest`: `key=value` parted by commas; the first may be the bare value of `positional`."""
    known = {positional, *defaults, *_RANGE}
    values: dict[str, str] = {}
    for place, part in enumerate(rest.split(",") if rest else []):
        key, equals, value = part.partition("=")
        if not equals and place == 0:
            key, value = positional, part
        if key not in known:
            hint = f"options are {', '.join(sorted(known))}"
            raise IrglError(f"'{key}' is no option of {name}", hint=hint, file=spec)
        if key in values:
            raise IrglError(f"option {key} is given twice", file=spec)
        values[key] = value
    if positional not in values:
        raise IrglError(f"{name} needs its {positional}, as in {name}:{positional}=...", file=spec)
    return Options(spec, {**defaults, **values})


class Stream:
    """Random numbers that never change: raw PCG64 words, seeded by (seed, branch). progress: who watches long work."""

    def __init__(self, seed: int, branch: int = 0, progress: Callable[[str, float | None], None] | None = None) -> None:
        self._progress = progress
        self._bits = np.random.PCG64(np.random.SeedSequence([seed, branch]))

    def unit(self, count: int) -> Array:
        """(count,) float64 in [0, 1), 53 random bits each."""
        found = random.units(self._bits, count)
        if found is not None:
            return found
        return (self._bits.random_raw(count) >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def below(self, bound: int, count: int) -> Array:
        """(count,) integers in 0..bound-1; off uniform by less than bound / 2**53."""
        found = random.below(self._bits, bound, count)
        return found if found is not None else (self.unit(count) * bound).astype(np.int64)

    def permutation(self, count: int) -> Array:
        """(count,) int64: 0..count-1 in random order, the order of random keys."""
        return np.argsort(self._bits.random_raw(count), kind="stable")

    def recursive(
        self, scale: int, count: int, chances: tuple[float, float, float], permute: bool
    ) -> tuple[Array, Array]:
        """The ends of `count` edges among 2**scale nodes: each bit of both falls into one of four quadrants, those that
        the chances (a, a + b, a + b + c) of a number bound. permute: the nodes then get other names."""
        names = self._ahead(scale * count).permutation(1 << scale) if permute else None
        tell = with_rate(self._progress, "generate", count / 1e6, "million edges")
        found = random.recursive(self._bits, scale, count, chances, names, tell)
        if found is not None:
            return found
        src, dst = np.zeros(count, np.int64), np.zeros(count, np.int64)
        for _ in range(scale):
            chance = self.unit(count)
            down = chance >= chances[1]
            right = ((chance >= chances[0]) & ~down) | (chance >= chances[2])
            src = 2 * src + down
            dst = 2 * dst + right
        return (src, dst) if names is None else (names[src], names[dst])

    def _ahead(self, count: int) -> Stream:
        """The stream as it is behind so many numbers more."""
        found = Stream(0)
        found._bits.state = self._bits.state
        found._bits.advance(count)
        return found
