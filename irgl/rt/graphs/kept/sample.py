"""A few edges that stand for all edges of a graph: the same each time, spread evenly."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: How many.
ASKED = 4096
_MIXED = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1))


def places(edges: int) -> NDArray[np.int64]:
    """Where they stand among so many edges, ascending: one somewhere in each of as many stretches of equal length, so
    that they keep step with nothing that comes back from row to row. Of fewer edges some come more than once.

    Graphs in the cache hold the edges at these places (kept_graph.py): other places want another MAGIC there.
    """
    if edges == 0:
        return np.zeros(0, np.int64)
    found: NDArray[Any] = (np.arange(ASKED) + _inside()) * (edges / ASKED)
    return np.minimum(found.astype(np.int64), edges - 1)


def _inside() -> NDArray[Any]:
    """A number from 0 to 1 for each stretch, by splitmix64: G. Steele, D. Lea and C. Flood, Fast splittable
    pseudorandom number generators, OOPSLA 2014."""
    x = np.arange(1, ASKED + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in _MIXED:
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    return (x >> np.uint64(11)) * 2.0**-53
