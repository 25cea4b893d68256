"""Medians and how sure they are: intervals from order statistics, and of ratios from resampling."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Sequence

#: How sure an interval is to hold the median.
LEVEL = 0.95
_RESAMPLES = 1000

Interval = tuple[float, float]


def median_interval(values: Sequence[float], level: float = LEVEL) -> Interval:
    """Between which of the values their distribution's median lies; all of them where they are too few to say.

    The k-th smallest and the k-th largest of n hold it with a probability that depends on n and k alone.
    """
    ordered = sorted(values)
    n = len(ordered)
    if n == 0:
        return 0.0, math.inf
    inside, k = 1.0, 0
    while k < n // 2:
        inside -= 2 * math.comb(n, k) / 2**n
        if inside < level:
            break
        k += 1
    at = max(0, k - 1)
    return ordered[at], ordered[n - 1 - at]


def ratio_interval(over: Sequence[float], under: Sequence[float], level: float = LEVEL, seed: int = 0) -> Interval:
    """For the ratio of two medians, measured in turn: drawn anew from the rounds, so that drift drops out."""
    n = min(len(over), len(under))
    if n == 0:
        return 0.0, math.inf
    rng = random.Random(seed)
    drawn = []
    for _ in range(_RESAMPLES):
        rounds = rng.choices(range(n), k=n)
        drawn.append(ratio([over[r] for r in rounds], [under[r] for r in rounds]))
    drawn.sort()
    cut = round((1 - level) / 2 * _RESAMPLES)
    return drawn[cut], drawn[-1 - cut]


def ratio(over: Sequence[float], under: Sequence[float]) -> float:
    """Of two medians; what took no time at all is as fast as its like."""
    a, b = statistics.median(over), statistics.median(under)
    return a / b if b > 0 else 1.0 if a == b else math.inf


def geometric_mean(values: Sequence[float]) -> float:
    """Infinite where one of them is; 1 of nothing."""
    if any(v == math.inf for v in values):
        return math.inf
    return math.exp(sum(math.log(max(v, 1e-12)) for v in values) / len(values)) if values else 1.0
