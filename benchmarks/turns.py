"""Sides that are measured in turns, so that a machine which changes its speed changes it for all of them."""

from __future__ import annotations

import statistics
from collections.abc import Callable

from handover import Near


def in_turns(turns: int, *sides: Callable[[], float | None], near: Near | None = None) -> list[float]:
    """The median of each side's times, the sides one after the other in each turn. near: a turn begins and ends while
    the cores are near, or is taken again. Raises AssertionError where one tells no time: it has told one before."""
    near, times = near or Near(), list[list[float]]()
    while len(times) < turns:
        near.wait()
        told = [_told(side()) for side in sides]
        if near.ended():
            times.append(told)
    return [round(statistics.median(own), 3) for own in zip(*times, strict=True)]


def _told(ms: float | None) -> float:
    assert ms is not None, "who told a time before tells none now"
    return ms
