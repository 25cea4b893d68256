"""Distances: the least sum of arc weights on a path from a source to every node.

Roles
  source     where the paths start (a node, dense id)
  distances  node property: the length of a shortest path from the source
  unreached  (optional) what `distances` holds where no path leads; without it the largest value of the property's
             type, infinity for a floating one
  parents    (optional) node property: the node before it on one shortest path; any of several is right. At the
             source and at unreached nodes it is the node itself or no node (a value outside 0..n-1)
  reached    (optional) how many nodes are reached, the source included
  farthest   (optional) the largest distance of a reached node
  settled    (optional) node property: does the node claim to be right? One that doesn't may have any value that is no
             smaller than its distance. Not together with parents
  goal       (optional, with settled) a node that has to be settled

Paths follow arcs from tail to head; an arc of a graph without weights counts 1. Weights may be zero or negative; where
a negative cycle can be reached there are no distances, and every claim is wrong.
Integer distances over integer weights are right when the source has 0, no arc relaxes further (so claims are at most
the truth), and every reached node can be reached by arcs that are tight, d[u] + w = d[v] (so a path of the claimed
length exists, also round cycles of weight zero). O(n + m). All others, and those of which some are settled, are
compared with Dijkstra's algorithm (SciPy), or with Bellman and Ford's where a weight is negative: a distance may differ
by tolerance x max(1, |distance|).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, dijkstra

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"source", "distances"})
OPTIONAL = frozenset({"unreached", "parents", "reached", "farthest", "settled", "goal"})
FARTHEST_EXACT = 2**62


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when every claimed value is right, else a sentence that names the first wrong node."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n = graph.num_nodes
    dist = np.asarray(claim["distances"])
    if dist.shape != (n,):
        return f"role distances holds {dist.size} values, but the graph has {n} nodes"
    reached = dist != claim.get("unreached", _largest(dist.dtype))
    if n > 0:
        source = int(claim["source"])
        if not 0 <= source < n:
            return f"the source {source} is not a node of the graph"
        weights = np.ones(graph.num_edges, np.int64) if graph.weight is None else np.asarray(graph.weight)
        tails = np.repeat(np.arange(n), np.diff(graph.row))
        exact = dist.dtype.kind in "iu" and weights.dtype.kind in "biu"
        if "settled" in claim:
            return _wrong_settled(graph, source, tails, weights, dist, reached, claim, 0.0 if exact else tolerance)
        check = _wrong_exact if exact else _wrong_float
        if (wrong := check(graph, source, tails, weights, dist, reached, tolerance)) is not None:
            return wrong
        if "parents" in claim:
            slack = 0.0 if exact else tolerance
            wrong = _wrong_parent(graph, source, tails, weights, dist, reached, np.asarray(claim["parents"]), slack)
            if wrong is not None:
                return wrong
    if "reached" in claim and claim["reached"] != (count := int(np.count_nonzero(reached))):
        return f"{claim['reached']} nodes are said to be reached, but there are {count}"
    if "farthest" in claim and claim["farthest"] != (far := dist[reached].max() if n > 0 else 0):
        return f"the largest distance is said to be {claim['farthest']}, but it is {far}"
    return None


def _wrong_settled(graph: Graph, source: int, tails: Any, weights: Any, dist: Any, reached: Any,
                   claim: dict[str, Any], tolerance: float) -> str | None:
    """What is wrong with distances of which some are said to be right; integers are compared up to 2^53."""
    n, name = graph.num_nodes, graph.file_id
    settled = np.asarray(claim["settled"]).astype(bool)
    if settled.shape != (n,):
        return f"role settled holds {settled.size} values, but the graph has {n} nodes"
    truth = _lengths(graph, source, tails, weights.astype(np.float64))
    if truth is None:
        return "a cycle of negative weight can be reached from the source, so there are no distances"
    told = np.where(reached, dist.astype(np.float64), np.inf)
    slack = tolerance * np.maximum(1.0, np.abs(np.where(np.isinf(truth), 0.0, truth)))
    below = np.where(np.isinf(truth), ~np.isinf(told), told < truth - slack)
    if (bad := _first(below)) is not None:
        return f"node {name(bad)} has distance {dist[bad]}, but no path from the source is that short"
    above = settled & np.where(np.isinf(told), ~np.isinf(truth), told > truth + slack)
    if (bad := _first(above)) is not None:
        what = dist[bad] if reached[bad] else "none"
        return f"node {name(bad)} is settled with distance {what}, but it is {truth[bad]:g}"
    if "goal" in claim:
        goal = int(claim["goal"])
        if not 0 <= goal < n:
            return f"the goal {goal} is not a node of the graph"
        if not settled[goal]:
            return f"the goal, node {name(goal)}, is not settled"
    return None


def _wrong_exact(
    graph: Graph, source: int, tails: Any, weights: Any, dist: Any, reached: Any, _tolerance: float
) -> str | None:
    n, name, heads = graph.num_nodes, graph.file_id, graph.dst
    if not reached[source]:
        return f"the source, node {name(source)}, is not reached"
    if dist[source] != 0:
        return f"the source, node {name(source)}, has distance {dist[source]} instead of 0"
    huge = (dist > FARTHEST_EXACT) | (dist < -FARTHEST_EXACT)
    if (bad := _first(reached & huge)) is not None:
        return f"node {name(bad)} has distance {dist[bad]}, beyond the {FARTHEST_EXACT} that can be checked exactly"
    if (arc := _first((weights > FARTHEST_EXACT) | (weights < -FARTHEST_EXACT))) is not None:
        return f"an arc from node {name(int(tails[arc]))} has weight {weights[arc]}, too large to be checked exactly"
    lengths = np.where(reached, dist, 0).astype(np.int64)
    if (arc := _first(reached[tails] & ~reached[heads])) is not None:
        return f"node {name(int(heads[arc]))} is not reached, but node {name(int(tails[arc]))} is and has an arc to it"
    through = lengths[tails] + weights.astype(np.int64)
    if (arc := _first(reached[tails] & (through < lengths[heads]))) is not None:
        u, v = int(tails[arc]), int(heads[arc])
        return f"node {name(v)} has distance {dist[v]}, but the arc from node {name(u)} gives {through[arc]}"
    tight = reached[tails] & (through == lengths[heads])
    upto = np.concatenate(([0], np.cumsum(tight)))[graph.row]
    tight_arcs = csr_array((np.ones(upto[-1]), heads[tight], upto), shape=(n, n))
    found = np.zeros(n, bool)
    found[breadth_first_order(tight_arcs, source, return_predecessors=False)] = True
    if (bad := _first(reached & ~found)) is not None:
        return f"node {name(bad)} has distance {dist[bad]}, but no path from the source is that short"
    return None


def _wrong_float(
    graph: Graph, source: int, tails: Any, weights: Any, dist: Any, reached: Any, tolerance: float
) -> str | None:
    name = graph.file_id
    if (arc := _first(~np.isfinite(weights))) is not None:
        return f"an arc from node {name(int(tails[arc]))} has weight {weights[arc]}"
    truth = _lengths(graph, source, tails, weights.astype(np.float64))
    if truth is None:
        return "a cycle of negative weight can be reached from the source, so there are no distances"
    if (bad := _first(reached & np.isinf(truth))) is not None:
        return f"node {name(bad)} has distance {dist[bad]}, but no path leads to it"
    if (bad := _first(~reached & np.isfinite(truth))) is not None:
        return f"node {name(bad)} is not reached, but its distance is {truth[bad]}"
    there = np.where(reached, truth, 0.0)
    near = np.abs(np.where(reached, dist, 0) - there) <= tolerance * np.maximum(1.0, np.abs(there))
    if (bad := _first(~near)) is not None:
        return f"node {name(bad)} has distance {dist[bad]}, but it is {truth[bad]}"
    return None


def _lengths(graph: Graph, source: int, tails: Any, weights: Any) -> Any | None:
    """Shortest distances in double precision; None where a negative cycle can be reached."""
    n, heads = graph.num_nodes, graph.dst
    if weights.min(initial=0.0) >= 0.0:
        return dijkstra(csr_array((weights, heads, graph.row), shape=(n, n)), indices=[source])[0]
    best = np.full(n, np.inf)
    best[source] = 0.0
    for _ in range(n):
        through = best[tails] + weights
        better = through < best[heads]
        # An improvement must exceed rounding, or a cycle of weight zero could look negative.
        better[better] = ~(best[heads[better]] - through[better] <= 1e-12 * np.abs(through[better]))
        if not better.any():
            return best
        np.minimum.at(best, heads[better], through[better])
    return None


def _wrong_parent(
    graph: Graph,
    source: int,
    tails: Any,
    weights: Any,
    dist: Any,
    reached: Any,
    parents: Any,
    slack: float,
) -> str | None:
    """What is wrong with the parents, the distances being right."""
    n, name, heads = graph.num_nodes, graph.file_id, graph.dst
    if parents.shape != (n,):
        return f"role parents holds {parents.size} values, but the graph has {n} nodes"
    given = (parents >= 0) & (parents < n)
    inner = reached & (np.arange(n) != source)
    if (bad := _first(inner & ~given)) is not None:
        return f"node {name(bad)} is reached but has no parent"
    if (bad := _first(~inner & given & (parents != np.arange(n)))) is not None:
        what = "the source" if bad == source else "not reached"
        return f"node {name(bad)} is {what} but has the parent {name(int(parents[bad]))}"
    wide = np.float64 if slack > 0 or dist.dtype.kind == "f" or weights.dtype.kind == "f" else np.int64
    lengths = np.where(reached, dist, 0).astype(wide)
    gap = np.abs(lengths[tails] + weights.astype(wide) - lengths[heads])
    from_parent = inner[heads] & reached[tails] & (parents[heads] == tails)
    from_parent &= gap <= 2 * slack * np.maximum(1.0, np.abs(lengths[heads]))
    joined = np.zeros(n, bool)
    joined[heads[from_parent]] = True
    if (bad := _first(inner & ~joined)) is not None:
        return f"node {name(bad)} has the parent {name(int(parents[bad]))}, from which no arc gives {dist[bad]}"
    root = np.where(inner, parents, np.arange(n)).astype(np.int64)
    for _ in range(n.bit_length()):  # each doubling halves the way to the root
        root = root[root]
    if (bad := _first(inner & (root != source))) is not None:
        return f"the parents of node {name(bad)} do not lead back to the source"
    return None


def _largest(dtype: np.dtype[Any]) -> Any:
    return np.iinfo(dtype).max if np.issubdtype(dtype, np.integer) else np.inf


def _first(wrong: Any) -> int | None:
    """The least index where `wrong` holds, or None."""
    at = int(np.argmax(wrong)) if wrong.size else 0
    return at if wrong.size and wrong[at] else None
