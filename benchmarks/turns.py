"""Sides that are measured in turns, so that a machine which changes its speed changes it for all of them."""

from __future__ import annotations

import statistics
from collections.abc import Callable


def in_turns(turns: int, *sides: Callable[[], float]) -> list[float]:
    """The median of each side's times, the sides one after the other in each turn."""
    times = [[side() for side in sides] for _ in range(turns)]
    return [round(statistics.median(own), 3) for own in zip(*times, strict=True)]
