"""Sums of a graph convolution: D^-1/2 (A + I) D^-1/2 X, in double precision.

Roles
  features  node property of several values: X
  sums      node property of as many values

A has a 1 for each edge, parallel ones added up, and D the sums of the rows of A + I on its diagonal. A value is right
when it is off by no more than the tolerance times what the absolute values come to. O(K * m).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array, diags_array, eye_array

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"features", "sums"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when all sums are right, else a sentence that names the value furthest off."""
    if odd := sorted(REQUIRED ^ claim.keys()):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n = graph.num_nodes
    rows, said = (np.asarray(claim[role]).astype(np.float64) for role in ("features", "sums"))
    if rows.shape != said.shape or rows.ndim != 2 or len(rows) != n:
        return f"features are of the shape {rows.shape} and sums of {said.shape}, in a graph of {n} nodes"
    if n == 0:
        return None
    looped = csr_array((np.ones(graph.num_edges), graph.dst, graph.row), shape=(n, n)) + eye_array(n, format="csr")
    root = diags_array(1 / np.sqrt(looped.sum(axis=1)))
    matrix = (root @ looped @ root).tocsr()
    truth, size = matrix @ rows, matrix @ abs(rows)
    right = (np.abs(said - truth) <= tolerance * size) | (np.isnan(said) & np.isnan(truth))
    if right.all():
        return None
    off = np.where(right, 0.0, np.nan_to_num(np.abs(said - truth), nan=np.inf))
    v, k = np.unravel_index(int(np.argmax(off)), off.shape)
    return f"value {k} of node {graph.file_id(int(v))} is {said[v, k]:.7g}, but the sum is {truth[v, k]:.7g}"
