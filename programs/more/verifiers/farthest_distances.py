"""Eccentricities: how far it is, in edges, from each node to the farthest one that can be reached from it.

Roles
  distances   node property: the eccentricity; 0 for a node that reaches no other
  diameter    (optional) the largest eccentricity, 0 in an empty graph
  radius      (optional) the smallest eccentricity, 0 in an empty graph
  components  (optional) the number of connected components

Arcs join their ends in both directions. The tolerance is not used. All nodes are searched from, 64 at a time: a bit of
a word says whether that search has come to a node, and a step joins the words of neighbours. O(n / 64 * (n + m) * d)
for the diameter d. A graph of more than 20,000 nodes is searched from some of them, which must be exactly right; the
claims of the others must then lie within the bounds that these searches give.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"distances"})
OPTIONAL = frozenset({"diameter", "radius", "components"})
ALL_UP_TO = 20_000
SEARCHES = 256
WORD = 64


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when every eccentricity is right, else a sentence that names the first wrong node or number."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n = graph.num_nodes
    said = np.asarray(claim["distances"])
    if said.shape != (n,):
        return f"role distances holds {said.size} values, but the graph has {n} nodes"
    near = _adjacency(graph)
    if "components" in claim and claim["components"] != (parts := connected_components(near, False)[0] if n else 0):
        return f"there are said to be {claim['components']} components, but there are {parts}"
    searched = np.arange(n) if n <= ALL_UP_TO else np.unique(np.linspace(0, n - 1, SEARCHES).astype(np.int64))
    lower, upper = np.zeros(n, np.int64), np.full(n, n)
    for at in range(0, searched.size, WORD):
        if (wrong := _search(graph, near, searched[at : at + WORD], said, lower, upper)) is not None:
            return wrong
    outside = (said < lower) | (said > upper)
    if outside.any():
        bad = int(np.argmax(outside))
        return (f"node {graph.file_id(bad)} has eccentricity {said[bad]}, but it is from {lower[bad]} to {upper[bad]}")
    for role, value in (("diameter", said.max(initial=0)), ("radius", said.min(initial=said.max(initial=0)))):
        if role in claim and claim[role] != value:
            return f"the {role} is said to be {claim[role]}, but it is {value}"
    return None


def _adjacency(graph: Graph) -> Any:
    """Ones where two nodes are joined, in either direction."""
    n = graph.num_nodes
    arcs = csr_array((np.ones(graph.num_edges, np.int8), graph.dst, graph.row), shape=(n, n))
    both = (arcs + arcs.T).tocsr()
    both.data[:] = 1
    return both


def _search(graph: Graph, near: Any, starts: Any, said: Any, lower: Any, upper: Any) -> str | None:
    """Searches from up to 64 nodes at once; what is wrong with one of them. Moves the bounds of all nodes reached."""
    n = near.shape[0]
    seen = np.zeros(n, np.uint64)
    bits = np.left_shift(np.uint64(1), np.arange(starts.size, dtype=np.uint64))
    seen[starts] = bits
    hops = np.full((starts.size, n), -1, np.int32)
    hops[np.arange(starts.size), starts] = 0
    front, step = starts, 0
    found = np.zeros(starts.size, np.int64)
    while front.size:
        step += 1
        rows = near[front]
        tails = np.repeat(front, np.diff(rows.indptr))
        got = np.zeros(n, np.uint64)
        np.bitwise_or.at(got, rows.indices, seen[tails])
        new = got & ~seen
        front = np.flatnonzero(new)
        seen |= new
        for k, bit in enumerate(bits):
            here = front[(new[front] & bit) != 0]
            if here.size:
                hops[k, here] = step
                found[k] = step
    for k, start in enumerate(starts):
        if said[start] != found[k]:
            return f"node {graph.file_id(start)} has eccentricity {said[start]}, but it is {found[k]}"
        reached = hops[k] >= 0
        lower[reached] = np.maximum(lower[reached], np.maximum(hops[k, reached], found[k] - hops[k, reached]))
        upper[reached] = np.minimum(upper[reached], found[k] + hops[k, reached])
    return None
