"""HITS: hub values and authorities, the first singular vectors of the adjacency matrix, each divided by its sum.

Roles
  hubs         node property: the hub value
  authorities  node property: the authority

Parallel arcs count each, self-loops too; without any arc all are 0. Asked is whether both are not negative and sum to
1, whether each is within the tolerance (in the sum of absolute differences) of what the other makes of it - h of A a,
a of A^T h, divided by their sums - and whether the singular value that they belong to is the first, to a
thousandth: that is found by Lanczos' algorithm, or for small graphs by that for all singular values. Where several
vectors belong to it, any will do. O(n + m) for each step of Lanczos'.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.linalg import svds

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"hubs", "authorities"})
SMALL = 100
NEAR = 1e-3


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when the values are right, else a sentence that names the node furthest off."""
    if odd := sorted(REQUIRED ^ claim.keys()):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n, name = graph.num_nodes, graph.file_id
    said = {role: np.asarray(claim[role]).astype(np.float64) for role in sorted(REQUIRED)}
    arcs = csr_array((np.ones(graph.num_edges), graph.dst, graph.row), shape=(n, n))
    wanted = 1.0 if graph.num_edges else 0.0
    for role, values in said.items():
        if values.shape != (n,):
            return f"role {role} holds {values.size} values, but the graph has {n} nodes"
        if (odd_ones := ~np.isfinite(values) | (values < 0)).any():
            bad = int(np.argmax(odd_ones))
            return f"node {name(bad)} has {values[bad]:.6g} among the {role}"
        if not abs(values.sum() - wanted) <= max(tolerance, 1e-9):
            return f"the {role} sum to {values.sum():.9g}, but should to {wanted:g}"
    if not graph.num_edges:
        return None
    towards, back = arcs @ said["authorities"], arcs.T @ said["hubs"]
    for role, sums in (("hubs", towards), ("authorities", back)):
        made = sums / sums.sum() if sums.sum() > 0 else sums
        off = np.abs(said[role] - made)
        if not (total := float(off.sum())) <= tolerance:
            bad = int(np.argmax(off))
            return (f"node {name(bad)} has {said[role][bad]:.6g} among the {role}, but its neighbours make it "
                    f"{made[bad]:.6g}; all differences together are {total:.2g}, which is over {tolerance:g}")
    value = float(np.sqrt(towards.sum() * back.sum() / (said["authorities"].sum() * said["hubs"].sum())))
    first = _first_singular_value(arcs)
    if value < first * (1 - NEAR):
        return f"the values belong to the singular value {value:.6g}, but the first is {first:.6g}"
    return None


def _first_singular_value(arcs: Any) -> float:
    if arcs.shape[0] <= SMALL:
        return float(np.linalg.svd(arcs.toarray(), compute_uv=False)[0])
    start = np.random.default_rng(1).random(arcs.shape[0])
    return float(svds(arcs, k=1, v0=start, tol=1e-4, return_singular_vectors=False)[0])
