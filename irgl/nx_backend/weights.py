"""An edge attribute as weights: numbers of one type, or the reason why they are not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, compress
from operator import methodcaller
from typing import Any

import numpy as np

from irgl.rt.graphs.graph import Graph

Array = np.ndarray[Any, Any]
_VALUES = methodcaller("values")
#: Sums of integers are exact as doubles: below 2**53 along any path.
_ROOM = 2**53
_TOO_LARGE = "weights are too large: they add up to 2**53 or more"


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


def read_weights(adjacency: Any, rows: Graph, name: str, default: Any, *, multigraph: bool) -> Weights:
    """The attribute of every edge, in the order of the rows that were made of the same adjacency."""

    def edges() -> Iterator[Any]:
        return chain.from_iterable(map(_VALUES, adjacency.values()))

    if not multigraph:
        if type(default) is int:
            # Each look costs a miss of the cache: both ends of an undirected edge hold the same attributes.
            once: Any = edges() if rows.directed else compress(edges(), (rows.sources() <= rows.dst).tobytes())
            if not any(once):
                plain = np.full(rows.num_edges, default, np.int64)
                return Weights(plain, plain, True)
        return _weights([data.get(name, default) for data in edges()], None)
    groups = [list(keyed.values()) for keyed in edges()]
    found = [data.get(name, default) for group in groups for data in group]
    return _weights(found, np.fromiter(map(len, groups), np.int64, len(groups)))


def _weights(values: list[Any], counts: Array | None) -> Weights:
    kinds = set(map(type, values))
    if not kinds <= {int, float}:
        odd = ", ".join(sorted(k.__name__ for k in kinds - {int, float}))
        return _refused(f"weights are int or float, not {odd}")
    data: Array
    try:
        data = np.fromiter(values, np.float64 if float in kinds else np.int64, len(values))
    except OverflowError:
        return _refused(_TOO_LARGE)
    if not np.isfinite(data).all():
        return _refused("weights are not all finite")
    if float not in kinds and float(np.abs(data.astype(np.float64)).sum()) >= _ROOM:
        return _refused(_TOO_LARGE)
    exact = len(kinds) <= 1
    if counts is None or not len(counts):
        return Weights(data, data, exact)
    starts = np.cumsum(counts) - counts
    return Weights(np.minimum.reduceat(data, starts), np.add.reduceat(data, starts), exact)


def _refused(reason: str) -> Weights:
    return Weights(np.empty(0), np.empty(0), False, reason)
