"""Triangles: sets of three nodes, each two of which are joined.

Roles
  triangles  how many triangles the graph has

Arcs join their ends in both directions; self-loops and parallel arcs make no further triangles. The tolerance is not
used. Every edge is pointed from its end of lower degree to the other (ties by number): each triangle u-v-w is then
found once, as the path u -> v -> w closed by u -> w, and no node has more than sqrt(2m) arcs. The sum of A*A over the
places of A is taken in blocks of rows (SciPy's product), so that memory stays bounded. O(m^1.5) at worst.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"triangles"})
OPTIONAL: frozenset[str] = frozenset()
PATHS_AT_ONCE = 1 << 23


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:  # noqa: ARG001
    """None when the count is right, else a sentence with the right one."""
    if odd := sorted(REQUIRED ^ claim.keys()):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    if claim["triangles"] != (count := _count(graph)):
        return f"there are said to be {claim['triangles']} triangles, but there are {count}"
    return None


def _count(graph: Graph) -> int:
    low, high = _ranked_edges(graph)
    if low.size == 0:
        return 0
    n = graph.num_nodes
    row = np.searchsorted(low, np.arange(n + 1))
    up = csr_array((np.ones(low.size, np.int32), high, row), shape=(n, n))
    paths = np.concatenate(([0], np.cumsum(np.diff(row)[high])))[row]  # paths of two arcs out of the rows before
    total, start = 0, 0
    while start < n:
        stop = max(start + 1, int(np.searchsorted(paths, paths[start] + PATHS_AT_ONCE, side="right")) - 1)
        if paths[stop] > paths[start]:
            block = up[start:stop]
            total += int((block @ up).multiply(block).sum(dtype=np.int64))
        start = stop
    return total


def _ranked_edges(graph: Graph) -> tuple[Any, Any]:
    """Every edge once, from lower to higher rank (by degree, then number), sorted; nodes are renumbered by rank."""
    n = graph.num_nodes
    tails = np.repeat(np.arange(n, dtype=np.int64), np.diff(graph.row))
    heads = np.asarray(graph.dst, dtype=np.int64)
    proper = tails != heads
    a, b = np.minimum(tails, heads)[proper], np.maximum(tails, heads)[proper]
    keys = _distinct(a * n + b)
    a, b = keys // max(n, 1), keys % max(n, 1)
    degree = np.bincount(a, minlength=n) + np.bincount(b, minlength=n)
    rank = np.empty(n, np.int64)
    rank[np.argsort(degree, kind="stable")] = np.arange(n)
    ranked = np.sort(np.minimum(rank[a], rank[b]) * n + np.maximum(rank[a], rank[b]))
    return ranked // max(n, 1), ranked % max(n, 1)


def _distinct(keys: Any) -> Any:
    """The keys sorted, each once. (numpy.unique hashes first, which takes ten times as long for millions.)"""
    keys = np.sort(keys)
    first = np.ones(keys.size, bool)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return keys[first]
