"""The scores of a graph convolutional network of two layers: S relu(S X W1 + b1) W2 + b2, in double precision.

Roles
  features        node property of several values: X
  w1, b1, w2, b2  the weights, row behind row, and what is added behind each layer
  scores          node property of as many values as b2 has

S is D^-1/2 (A + I) D^-1/2, of which A has a 1 for each edge, parallel ones added up, and D the sums of the rows of
A + I. A value is right when it is off by no more than the tolerance times what all absolute values come to.
O(n * K * H + m * H) for hidden rows of H values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array, diags_array, eye_array

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"features", "w1", "b1", "w2", "b2", "scores"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when all scores are right, else a sentence that names the one furthest off."""
    if odd := sorted(REQUIRED ^ claim.keys()):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n = graph.num_nodes
    x, said, w1, b1, w2, b2 = (np.asarray(claim[role]).astype(np.float64)
                               for role in ("features", "scores", "w1", "b1", "w2", "b2"))
    if x.ndim != 2 or said.shape != (n, b2.size) or w1.size != x.shape[1] * b1.size or w2.size != b1.size * b2.size:
        return (f"features of the shape {x.shape}, scores of {said.shape} and layers of {w1.size}, {b1.size}, "
                f"{w2.size} and {b2.size} numbers don't go together, in a graph of {n} nodes")
    if n == 0:
        return None
    w1, w2 = w1.reshape(x.shape[1], b1.size), w2.reshape(b1.size, b2.size)
    looped = csr_array((np.ones(graph.num_edges), graph.dst, graph.row), shape=(n, n)) + eye_array(n, format="csr")
    root = diags_array(1 / np.sqrt(looped.sum(axis=1)))
    s = (root @ looped @ root).tocsr()
    truth = s @ np.maximum(s @ (x @ w1) + b1, 0) @ w2 + b2
    size = s @ (s @ (abs(x) @ abs(w1)) + abs(b1)) @ abs(w2) + abs(b2)
    right = (np.abs(said - truth) <= tolerance * size) | (np.isnan(said) & np.isnan(truth))
    if right.all():
        return None
    off = np.where(right, 0.0, np.nan_to_num(np.abs(said - truth), nan=np.inf))
    v, k = np.unravel_index(int(np.argmax(off)), off.shape)
    return f"score {k} of node {graph.file_id(int(v))} is {said[v, k]:.7g}, but the network gives {truth[v, k]:.7g}"
