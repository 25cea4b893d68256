"""Where random tests take their choices from: a seeded generator for long runs, or hypothesis, which can shrink them.

Everything is made from one primitive, `below(n)`; its 0 stands for the simplest choice, so that shrinking leads there.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import strategies as st

X = TypeVar("X")


class Choices(ABC):
    @abstractmethod
    def below(self, n: int) -> int:
        """An integer 0 <= x < n."""

    def between(self, low: int, high: int) -> int:
        """An integer low <= x <= high; low is the simplest."""
        return low + self.below(high - low + 1)

    def pick(self, options: Sequence[X]) -> X:
        """One of the options; the first is the simplest."""
        return options[self.below(len(options))]

    def chance(self, percent: int) -> bool:
        """True in about `percent` of cases; False is the simplest."""
        return self.below(100) >= 100 - percent


class Seeded(Choices):
    """Choices that a seed decides."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def below(self, n: int) -> int:
        return self._random.randrange(n)


class Drawn(Choices):
    """Choices that hypothesis draws."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def below(self, n: int) -> int:
        return self._draw(st.integers(0, n - 1)) if n > 1 else 0
