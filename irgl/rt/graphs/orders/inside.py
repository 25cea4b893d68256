"""How much of a graph an order of its nodes brings together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def inside(src: Array, dst: Array, bits: int, place: Array | None = None) -> float:
    """The share of edges whose ends lie in one cluster of 2^bits nodes on the diagonal; 1 where there are no edges.

    place: of each node its place in the order, None: the node itself. O(len(src)).
    """
    if not len(src):
        return 1.0
    cluster = None if place is None else place >> bits
    same = (src >> bits) == (dst >> bits) if cluster is None else cluster[src] == cluster[dst]
    return float(np.count_nonzero(same) / len(src))
