"""Sides that are measured in turns, so that a machine which changes its speed changes it for all of them."""

from __future__ import annotations

import statistics
from collections.abc import Callable


def in_turns(turns: int, *sides: Callable[[], float | None]) -> list[float]:
    """The median of each side's times, the sides one after the other in each turn. Raises AssertionError where one
    tells no time: it has told one before."""
    times = [[_told(side()) for side in sides] for _ in range(turns)]
    return [round(statistics.median(own), 3) for own in zip(*times, strict=True)]


def _told(ms: float | None) -> float:
    assert ms is not None, "who told a time before tells none now"
    return ms
