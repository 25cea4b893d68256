"""An edge attribute as weights: numbers of one type, or the reason why they are not."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
#: Sums of integers are exact as doubles: below 2**53 along any path.
_ROOM = 2**53


@dataclass(frozen=True, slots=True)
class Weights:
    """lightest: of parallel edges the lightest. total: their sum.

    Arrays of int64 or float64. exact: all were Python ints, or all floats, so that sums have one type. refused: why
    there are none ("").
    """

    lightest: Array
    total: Array
    exact: bool
    refused: str = ""

    @property
    def negative(self) -> bool:
        return bool(len(self.lightest)) and bool(self.lightest.min() < 0)


def read_weights(adjacency: Any, name: str, default: Any, *, multigraph: bool) -> Weights:
    """The attribute of every edge, in the order of the rows."""
    inner: Any = chain.from_iterable(row.values() for row in adjacency.values())
    if not multigraph:
        return _weights([data.get(name, default) for data in inner], None)
    groups = [list(keyed.values()) for keyed in inner]
    found = [data.get(name, default) for group in groups for data in group]
    return _weights(found, np.fromiter(map(len, groups), np.int64, len(groups)))


def _weights(values: list[Any], counts: Array | None) -> Weights:
    nothing = np.empty(0)
    kinds = set(map(type, values))
    if not kinds <= {int, float}:
        odd = ", ".join(sorted(k.__name__ for k in kinds - {int, float}))
        return Weights(nothing, nothing, False, f"weights are int or float, not {odd}")
    if float in kinds:
        data = np.array(values, np.float64)
        if not np.isfinite(data).all():
            return Weights(nothing, nothing, False, "weights are not all finite")
    elif sum(map(abs, values)) >= _ROOM:
        return Weights(nothing, nothing, False, "weights are too large: they add up to 2**53 or more")
    else:
        data = np.array(values, np.int64)
    exact = len(kinds) <= 1
    if counts is None or not len(counts):
        return Weights(data, data, exact)
    starts = np.cumsum(counts) - counts
    return Weights(np.minimum.reduceat(data, starts), np.add.reduceat(data, starts), exact)
