"""How sure it is that one variant is faster than another: from the trials of both."""

from __future__ import annotations

from collections.abc import Iterable

from irgl.tune.results.statistic import Interval, geometric_mean, ratio_interval
from irgl.tune.results.trial import Trial


def speedup_interval(fast: Trial, slow: Trial | None) -> Interval:
    """For the ratio of two trials' times, or (slow: None) of the reference's to one's; what was not measured in the
    same rounds is compared by the references beside it."""
    if slow is None:
        return ratio_interval(fast.reference, fast.times)
    if slow.reference == fast.reference or not slow.reference or not fast.reference:
        return ratio_interval(slow.times, fast.times)
    low, high = ratio_interval(slow.times, slow.reference)
    least, most = ratio_interval(fast.times, fast.reference)
    return low / most, high / least


def together(intervals: Iterable[Interval]) -> Interval:
    """For the geometric mean of what has these intervals; 1 of nothing."""
    found = list(intervals)
    return geometric_mean([low for low, _ in found]), geometric_mean([high for _, high in found])


def surely_faster(trials: Iterable[Trial]) -> bool:
    """Is a variant faster than the reference that was measured in turn with it, over all trials, and not by luck?"""
    return together(speedup_interval(t, None) for t in trials)[0] > 1
