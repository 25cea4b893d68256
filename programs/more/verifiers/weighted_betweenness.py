"""Betweenness where arcs have lengths: how much of the shortest paths between other nodes runs through each node.

Roles
  scores   node property: the sum over sources s and targets t, both other than v, of the share of the shortest paths
           from s to t that run through v
  sources  (optional) how many nodes are sources, at even steps: floor(i n / k) for i < k; 0, or more than there are
           nodes, for all

Weights are the lengths, 1 where there are none; they must be positive. Parallel arcs make different paths (a program
that means otherwise asks for a simple graph). Distances are SciPy's (Dijkstra); the arcs on shortest paths, in the
order of distances, are a triangular matrix T, so that the numbers of paths p solve (I - T') p = e_s and the
dependencies d, by x = (1 + d) / p, (I - T) x = 1 / p. Paths are equally long where their sums in double precision are.
A score may differ by tolerance x max(1, |score|). O((n + m) log n) a source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array, eye_array
from scipy.sparse.csgraph import dijkstra
from scipy.sparse.linalg import spsolve_triangular

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"scores"})
OPTIONAL = frozenset({"sources"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when every score is within the tolerance, else a sentence that names the node furthest off."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n, name = graph.num_nodes, graph.file_id
    scores = np.asarray(claim["scores"]).astype(np.float64)
    if scores.shape != (n,):
        return f"role scores holds {scores.size} values, but the graph has {n} nodes"
    if n == 0:
        return None
    lengths = np.ones(graph.num_edges) if graph.weight is None else np.asarray(graph.weight).astype(np.float64)
    if not (lengths > 0).all():
        return f"arc {int(np.argmin(lengths > 0))} has the length {lengths.min():g}, which is not positive"
    tails = np.repeat(np.arange(n), np.diff(graph.row))
    heads = np.asarray(graph.dst).astype(np.int64)
    shortest = _lightest(tails, heads, lengths, n)
    asked = int(claim.get("sources", 0))
    count = asked if 0 < asked <= n else n
    truth = np.zeros(n)
    for i in range(count):
        source = i * n // count
        truth += _dependencies(tails, heads, lengths, dijkstra(shortest, indices=source), source)
    if not np.isfinite(truth).all():
        return "there are more shortest paths than double precision can count, so the scores cannot be checked"
    off = np.abs(scores - truth) / np.maximum(1.0, truth)
    if not (off <= tolerance).all():
        bad = int(np.argmax(np.where(np.isnan(off), np.inf, off)))
        return f"node {name(bad)} has score {scores[bad]:.9g}, but it is {truth[bad]:.9g}"
    return None


def _lightest(tails: Any, heads: Any, lengths: Any, n: int) -> Any:
    """The graph as a matrix, with the lightest of parallel arcs."""
    order = np.lexsort((lengths, heads, tails))
    t, h, w = tails[order], heads[order], lengths[order]
    first = np.ones(t.size, bool)
    first[1:] = (t[1:] != t[:-1]) | (h[1:] != h[:-1])
    return csr_array((w[first], (t[first], h[first])), shape=(n, n))


def _dependencies(tails: Any, heads: Any, lengths: Any, far: Any, source: int) -> Any:
    """Brandes' dependency of each node, for one source from which the nodes are `far`."""
    n = far.size
    order = np.argsort(far, kind="stable")[: np.count_nonzero(np.isfinite(far))]  # the source comes first
    place = np.full(n, -1)
    place[order] = np.arange(order.size)
    tight = np.isfinite(far[tails]) & (far[tails] + lengths == far[heads])
    ones = np.ones(int(tight.sum()))
    size = (order.size, order.size)
    steps = csr_array((ones, (place[tails[tight]], place[heads[tight]])), shape=size)
    unit = eye_array(order.size, format="csr")
    begin = np.zeros(order.size)
    begin[0] = 1.0
    with np.errstate(all="ignore"):
        paths = spsolve_triangular((unit - steps.T).tocsr(), begin, lower=True, unit_diagonal=True)
        shares = spsolve_triangular((unit - steps).tocsr(), 1 / paths, lower=False, unit_diagonal=True)
        found = paths * shares - 1.0
    depends = np.zeros(n)
    depends[order] = found
    depends[source] = 0.0
    return depends
