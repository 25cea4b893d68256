"""PageRank after a number of rounds of the power iteration, from equal ranks on, whether or not it has settled by then.

Roles
  ranks     node property: the rank
  rounds    how many rounds there were
  damping   (optional) the probability of following an arc; 0.85 without it
  dangling  (optional) what a node without arcs out does with its rank: 1 (and without this role) spreads it over all
            nodes, 0 loses it

A round makes x[v] = (1 - damping) / n + damping * (sum of x[u] / outdegree(u) over arcs u -> v + what dangling nodes
give); parallel arcs count each, self-loops too. The claim is right when the sum of all absolute differences is at most
the tolerance. O(n + m) a round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"ranks", "rounds"})
OPTIONAL = frozenset({"damping", "dangling"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when the ranks are within the tolerance, else a sentence that names the node furthest off."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n, name = graph.num_nodes, graph.file_id
    ranks = np.asarray(claim["ranks"]).astype(np.float64)
    if ranks.shape != (n,):
        return f"role ranks holds {ranks.size} values, but the graph has {n} nodes"
    damping, dangling = float(claim.get("damping", 0.85)), claim.get("dangling", 1)
    if dangling not in (0, 1):
        return f"role dangling is {dangling!r}, neither 1 nor 0"
    if n == 0:
        return None
    degree = np.diff(graph.row)
    arcs = csr_array((np.ones(graph.num_edges), graph.dst, graph.row), shape=(n, n)).T.tocsr()
    truth = np.full(n, 1 / n)
    for _ in range(int(claim["rounds"])):
        given = arcs @ np.where(degree > 0, truth / np.maximum(degree, 1), 0)
        if dangling:
            given += truth[degree == 0].sum() / n
        truth = (1 - damping) / n + damping * given
    off = np.abs(ranks - truth)
    if not (total := float(off.sum())) <= tolerance:
        bad = int(np.argmax(np.where(np.isnan(off), np.inf, off)))
        return (f"node {name(bad)} has rank {ranks[bad]:.6g}, but after {claim['rounds']} rounds it is "
                f"{truth[bad]:.6g}; all differences together are {total:.2g}, which is over {tolerance:g}")
    return None
