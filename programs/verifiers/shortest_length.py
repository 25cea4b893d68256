"""The length of a shortest path from one node to another.

Roles
  source     where the path starts (a node, dense id)
  goal       where it ends (a node, dense id)
  length     the least sum of arc weights on a path between them
  unreached  (optional) what `length` is where no path leads; without it 2147483647, or infinity for real numbers

Paths follow arcs from tail to head; an arc of a graph without weights counts 1. The length is compared with that of
Dijkstra's algorithm (SciPy), or of Bellman and Ford's where a weight is negative; where a negative cycle can be reached
every claim is wrong. One that is no whole number, or of such weights, may differ by tolerance x max(1, |length|).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import NegativeCycleError, bellman_ford, dijkstra

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"source", "goal", "length"})
OPTIONAL = frozenset({"unreached"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when the length is right, else a sentence with the right one."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n, length = graph.num_nodes, claim["length"]
    if n == 0:
        return None
    for role in ("source", "goal"):
        if not 0 <= int(claim[role]) < n:
            return f"the {role} {int(claim[role])} is not a node of the graph"
    source, goal = int(claim["source"]), int(claim["goal"])
    whole = isinstance(length, int | np.integer)
    far = claim.get("unreached", 2**31 - 1 if whole else np.inf)
    between = f"from node {graph.file_id(source)} to node {graph.file_id(goal)}"
    try:
        truth = _length(graph, source, goal)
    except NegativeCycleError:
        return f"there is no shortest path {between}: a cycle of negative length can be reached"
    if np.isinf(truth):
        return None if length == far else f"no path leads {between}, but one of length {length} is claimed"
    weight = graph.weight
    exact = whole and (weight is None or np.asarray(weight).dtype.kind in "biu")
    off = abs(float(length) - truth)
    if length == far or not off <= (0 if exact else tolerance * max(1.0, abs(truth))):
        return f"the shortest path {between} is said to have length {length}, but it has {truth:.15g}"
    return None


def _length(graph: Graph, source: int, goal: int) -> float:
    """Of parallel arcs the lightest counts; SciPy would add them, and leave out those of length 0."""
    n = graph.num_nodes
    weights = np.ones(graph.num_edges) if graph.weight is None else np.asarray(graph.weight, np.float64)
    tails = np.repeat(np.arange(n), np.diff(graph.row))
    heads = np.asarray(graph.dst)
    order = np.lexsort((weights, heads, tails))
    tails, heads, weights = tails[order], heads[order], weights[order]
    first = np.ones(tails.size, bool)
    first[1:] = (tails[1:] != tails[:-1]) | (heads[1:] != heads[:-1])
    row = np.searchsorted(tails[first], np.arange(n + 1))
    arcs = csr_array((weights[first], heads[first], row), shape=(n, n))
    search = dijkstra if not (weights < 0).any() else bellman_ford
    return float(search(arcs, directed=True, indices=source)[goal])
