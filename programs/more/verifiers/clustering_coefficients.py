"""Clustering: how many of the pairs of a node's neighbours are joined themselves.

Roles
  coefficients  node property: joined pairs of neighbours, divided by all pairs; 0 where there is no pair
  triangles     (optional) node property: the joined pairs themselves
  average       (optional) the mean of the coefficients over all nodes, 0 in an empty graph
  transitivity  (optional) joined pairs over all nodes, divided by all pairs over all nodes; 0 where there is none

Arcs join their ends in both directions; self-loops and parallel arcs count for nothing. The joined pairs are counted
by products of the adjacency matrix, some rows at a time: O(sum of squared degrees). A coefficient may differ by the
tolerance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"coefficients"})
OPTIONAL = frozenset({"triangles", "average", "transitivity"})
PRODUCTS_AT_ONCE = 1 << 24


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when all that is claimed is right, else a sentence that names the first wrong node or number."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n, name = graph.num_nodes, graph.file_id
    for role in ("coefficients", "triangles"):
        if role in claim and np.asarray(claim[role]).shape != (n,):
            return f"role {role} holds {np.asarray(claim[role]).size} values, but the graph has {n} nodes"
    near = _adjacency(graph)
    degree = np.diff(near.indptr).astype(np.int64)
    joined, pairs = _joined_pairs(near, degree), degree * (degree - 1) // 2
    if "triangles" in claim and (wrong := np.asarray(claim["triangles"]) != joined).any():
        bad = int(np.argmax(wrong))
        return f"node {name(bad)} is said to be in {claim['triangles'][bad]} triangles, but it is in {joined[bad]}"
    truth = np.divide(joined, pairs, out=np.zeros(n), where=pairs > 0)
    said = np.asarray(claim["coefficients"]).astype(np.float64)
    if not (right := np.abs(said - truth) <= tolerance).all():
        bad = int(np.argmin(right))
        return f"node {name(bad)} has coefficient {said[bad]:.9g}, but it is {truth[bad]:.9g}"
    whole = {"average": truth.mean() if n else 0.0, "transitivity": joined.sum() / max(1, pairs.sum())}
    for role, value in whole.items():
        if role in claim and not abs(claim[role] - value) <= tolerance:
            return f"the {role} is said to be {claim[role]:.9g}, but it is {value:.9g}"
    return None


def _adjacency(graph: Graph) -> Any:
    """Ones where two different nodes are joined, in either direction."""
    n = graph.num_nodes
    tails = np.repeat(np.arange(n, dtype=np.int64), np.diff(graph.row))
    heads = np.asarray(graph.dst, dtype=np.int64)
    proper = tails != heads
    tails, heads = tails[proper], heads[proper]
    keys = np.unique(np.concatenate((tails * n + heads, heads * n + tails)))
    return csr_array((np.ones(keys.size, np.int64), (keys // max(n, 1), keys % max(n, 1))), shape=(n, n))


def _joined_pairs(near: Any, degree: Any) -> Any:
    """For each node, how many pairs of its neighbours are joined."""
    work = np.cumsum(near @ degree)  # products up to and with each row
    found = np.zeros(degree.size, np.int64)
    first = 0
    while first < degree.size:
        done = work[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(work, done + PRODUCTS_AT_ONCE)))
        rows = near[first:last]
        found[first:last] = (rows @ near).multiply(rows).sum(axis=1) // 2
        first = last
    return found
