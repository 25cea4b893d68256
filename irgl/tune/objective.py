"""What a search makes small, and when a variant has lost: plain functions of times."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence


def mean_ratio(times: Mapping[str, float], reference: Mapping[str, float]) -> float:
    """The geometric mean, over inputs, of a plan's time to the reference plan's; infinite where it has no time.

    The same for all inputs alone, however long each takes: what "one plan for all" is judged by. Both give a positive
    time for each input; a plan that was not measured on one of them has infinity there.
    """
    logs = [math.log(times.get(name, math.inf) / of_reference) for name, of_reference in reference.items()]
    return math.exp(math.fsum(logs) / len(logs))


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
