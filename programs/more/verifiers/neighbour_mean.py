"""Means of neighbours' features, in double precision.

Roles
  features  node property of several values
  means     node property of as many values: the mean of the features of a node's neighbours, 0 without any
  incoming  (optional) whether neighbours are those from which arcs lead to the node

Parallel arcs count each. A value is right when it is off by no more than the tolerance times the mean of the absolute
values. O(K * m).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"features", "means"})
OPTIONAL = frozenset({"incoming"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when all means are right, else a sentence that names the value furthest off."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n = graph.num_nodes
    rows, said = (np.asarray(claim[role]).astype(np.float64) for role in ("features", "means"))
    if rows.shape != said.shape or rows.ndim != 2 or len(rows) != n:
        return f"features are of the shape {rows.shape} and means of {said.shape}, in a graph of {n} nodes"
    near = np.repeat(np.arange(n), np.diff(graph.row))
    far = np.asarray(graph.dst)
    if claim.get("incoming"):
        near, far = far, near
    many = np.bincount(near, minlength=n)
    for k in range(rows.shape[1]):
        column = rows[:, k]
        sums = np.bincount(near, weights=column[far], minlength=n)
        sizes = np.bincount(near, weights=np.abs(column[far]), minlength=n)
        truth = sums / np.maximum(many, 1)
        off = np.abs(said[:, k] - truth)
        wrong = ~(off <= tolerance * sizes / np.maximum(many, 1)) & ~(np.isnan(said[:, k]) & np.isnan(truth))
        if wrong.any():
            v = int(np.argmax(np.where(wrong, np.nan_to_num(off, nan=np.inf), -1)))
            return (f"value {k} of node {graph.file_id(v)} is {said[v, k]:.7g}, but its {many[v]} neighbours have "
                    f"{truth[v]:.7g} in the mean")
    return None
