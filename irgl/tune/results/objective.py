"""When a variant has lost, and which of several objectives' values nothing beats: plain functions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence


def can_still_win(times_so_far: Sequence[float], best_median: float, noise: float) -> bool:
    """Can a variant with these times still have a median below the best one's?

    noise: how far a time lies from its median, as a ratio (0.05: a twentieth), typically. Other work on the machine
    makes single times longer, never shorter, so that a variant is judged by its fastest; the less there are, the more
    that one may lie above the rest. Without a time, or without a best, it can.
    """
    if not times_so_far or not math.isfinite(best_median):
        return True
    allowed = 1 + noise * (1 + 2 / len(times_so_far))
    return min(times_so_far) <= best_median * allowed


def front(values: Iterable[tuple[float, ...]]) -> list[int]:
    """The places of those values that no other one is at least as good as in all objectives and better in one."""
    found = list(values)
    return [k for k, one in enumerate(found)
            if not any(other != one and all(o <= v for o, v in zip(other, one, strict=True)) for other in found)]
