"""PageRank: the stationary distribution of a walk that follows a random arc, or with some probability jumps anywhere.

Roles
  ranks     node property: the rank
  damping   (optional) the probability of following an arc; 0.85 without it
  dangling  (optional) what a node without arcs out does with its rank: "uniform" (or 1, and without this role) spreads
            it over all nodes, so that ranks sum to 1, as NetworkX does; "dropped" (or 0) loses it

The rank is the one solution of x[v] = (1 - damping) / n + damping * (sum of x[u] / outdegree(u) over arcs u -> v
+ what dangling nodes give); parallel arcs count each, self-loops too. One step of that equation shrinks distances to
the solution by the damping at least (in the sum of absolute differences, L1). So the solution is iterated until
what is missing is certainly below a hundredth of the tolerance, and the claim is right when
its L1 distance from that is at most the tolerance (L1 is at least the largest single difference). O(n + m) a step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"ranks"})
OPTIONAL = frozenset({"damping", "dangling"})
SPREADING: dict[Any, bool] = {"uniform": True, "dropped": False, 1: True, 0: False}
FINEST = 1e-14


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when the ranks are within the tolerance, else a sentence that names the node furthest off."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n, name = graph.num_nodes, graph.file_id
    ranks = np.asarray(claim["ranks"]).astype(np.float64)
    if ranks.shape != (n,):
        return f"role ranks holds {ranks.size} values, but the graph has {n} nodes"
    damping, dangling = float(claim.get("damping", 0.85)), claim.get("dangling", "uniform")
    if not 0 <= damping < 1:
        return f"the damping {damping} is not in 0 <= damping < 1"
    if dangling not in SPREADING:
        return f"role dangling is {dangling!r}, neither uniform (1) nor dropped (0)"
    if n == 0:
        return None
    if not np.isfinite(ranks).all():
        bad = int(np.argmin(np.isfinite(ranks)))
        return f"node {name(bad)} has rank {ranks[bad]}"
    truth = _solution(_step_of(graph, damping, SPREADING[dangling]), damping, ranks, tolerance)
    off = np.abs(ranks - truth)
    if not (total := float(off.sum())) <= tolerance:
        bad = int(np.argmax(off))
        return (
            f"node {name(bad)} has rank {ranks[bad]:.6g}, but it is {truth[bad]:.6g}; "
            f"all differences together are {total:.2g}, which is over {tolerance:g}"
        )
    return None


def _solution(step: Callable[[Any], Any], damping: float, ranks: Any, tolerance: float) -> Any:
    """The fixed point of `step`, from the claim if that is near, else from the uniform distribution."""
    following = step(ranks)
    if not np.abs(following - ranks).sum() < 1:
        following = np.full(ranks.size, 1 / ranks.size)
    goal = max(tolerance / 100, FINEST) * (1 - damping)
    missing = np.inf
    while missing > goal:
        present, following = following, step(following)
        before, missing = missing, float(np.abs(following - present).sum())
        if missing >= before and missing < 1e3 * FINEST:  # rounding is all that is left
            break
    return following


def _step_of(graph: Graph, damping: float, spread: bool) -> Callable[[Any], Any]:
    n = graph.num_nodes
    degree = np.diff(graph.row)
    arcs = csr_array((np.ones(graph.num_edges), graph.dst, graph.row), shape=(n, n)).T.tocsr()
    share = np.divide(damping, degree, out=np.zeros(n), where=degree > 0)
    sinks = np.flatnonzero(degree == 0)

    def step(ranks: Any) -> Any:
        given = damping * ranks[sinks].sum() if spread else 0.0
        return arcs @ (ranks * share) + (1 - damping + given) / n

    return step
