"""Jaccard similarity of joined nodes: common neighbours, divided by the neighbours of either.

Roles
  similarities  edge property: that of the arc's ends

The graph is taken as undirected; self-loops and parallel arcs add no neighbour, and each arc has the similarity of its
ends (of a self-loop it is 1). Common neighbours are counted by products of the adjacency matrix, some rows at a time:
O(sum of squared degrees). A similarity may differ by the tolerance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"similarities"})
PRODUCTS_AT_ONCE = 1 << 24


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when every similarity is right, else a sentence that names the first wrong arc."""
    if odd := sorted(REQUIRED ^ claim.keys()):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    m, name = graph.num_edges, graph.file_id
    said = np.asarray(claim["similarities"]).astype(np.float64)
    if said.shape != (m,):
        return f"role similarities holds {said.size} values, but the graph has {m} arcs"
    tails = np.repeat(np.arange(graph.num_nodes, dtype=np.int64), np.diff(graph.row))
    heads = np.asarray(graph.dst, dtype=np.int64)
    near = _adjacency(tails, heads, graph.num_nodes)
    degree = np.diff(near.indptr).astype(np.int64)
    common = _common(near, degree, tails, heads)
    either = degree[tails] + degree[heads] - common
    truth = np.divide(common, either, out=np.zeros(m), where=either > 0)
    truth[tails == heads] = 1.0
    if not (right := np.abs(said - truth) <= tolerance).all():
        bad = int(np.argmin(right))
        return (f"nodes {name(tails[bad])} and {name(heads[bad])} have similarity {said[bad]:.9g}, "
                f"but it is {truth[bad]:.9g}")
    return None


def _adjacency(tails: Any, heads: Any, n: int) -> Any:
    """Ones where two different nodes are joined, in either direction."""
    proper = tails != heads
    tails, heads = tails[proper], heads[proper]
    keys = np.unique(np.concatenate((tails * n + heads, heads * n + tails)))
    return csr_array((np.ones(keys.size, np.int64), (keys // max(n, 1), keys % max(n, 1))), shape=(n, n))


def _common(near: Any, degree: Any, tails: Any, heads: Any) -> Any:
    """How many neighbours the ends of each arc have in common. The arcs are sorted by their tails."""
    n = degree.size
    work = np.cumsum(near @ degree)  # products up to and with each row
    found = np.zeros(tails.size, np.int64)
    first = 0
    while first < n:
        done = work[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(work, done + PRODUCTS_AT_ONCE)))
        product = near[first:last] @ near
        product.sort_indices()
        keys = np.repeat(np.arange(first, last), np.diff(product.indptr)) * n + product.indices
        here = slice(*np.searchsorted(tails, (first, last)))
        asked = tails[here] * n + heads[here]
        at = np.minimum(np.searchsorted(keys, asked), max(keys.size - 1, 0))
        if keys.size:
            found[here] = np.where(keys[at] == asked, product.data[at], 0)
        first = last
    return found
