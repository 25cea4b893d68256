"""The product of a sparse matrix and a dense one, as SciPy has it in double precision.

Roles
  features    node property of several values: the rows of the dense matrix
  product     node property of as many values: the rows of the product
  transposed  (optional) whether the sparse matrix is taken transposed

A value is right when it is off by no more than the tolerance times what the absolute values of all that is added up
come to. O(K * m).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"features", "product"})
OPTIONAL = frozenset({"transposed"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when all rows are right, else a sentence that names the value furthest off."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n = graph.num_nodes
    rows, said = (np.asarray(claim[role]).astype(np.float64) for role in ("features", "product"))
    if rows.shape != said.shape or rows.ndim != 2 or len(rows) != n:
        return f"features are of the shape {rows.shape} and the product of {said.shape}, in a graph of {n} nodes"
    weights = np.ones(graph.num_edges) if graph.weight is None else np.asarray(graph.weight).astype(np.float64)
    matrix, sizes = (csr_array((w, graph.dst, graph.row), shape=(n, n)) for w in (weights, np.abs(weights)))
    if claim.get("transposed"):
        matrix, sizes = matrix.T.tocsr(), sizes.T.tocsr()
    truth, size = matrix @ rows, sizes @ abs(rows)
    right = (np.abs(said - truth) <= tolerance * size) | (said == truth) | (np.isnan(said) & np.isnan(truth))
    if right.all():
        return None
    off = np.where(right, 0.0, np.nan_to_num(np.abs(said - truth) / np.where(size > 0, size, 1), nan=np.inf))
    v, k = np.unravel_index(int(np.argmax(off)), off.shape)
    return f"value {k} of node {graph.file_id(int(v))} is {said[v, k]:.7g}, but the product has {truth[v, k]:.7g}"
