"""The k-truss: the largest set of edges of which each is in at least k - 2 triangles of them.

Roles
  inside  edge property: tells of each arc whether its edge is in the k-truss
  k       the number
  edges   (optional) how many edges are in it
  nodes   (optional) how many nodes have such an edge

Arcs join their ends in both directions; self-loops and parallel arcs count for nothing. The tolerance is not used.
Triangles are counted by products of sparse matrices (SciPy), and weak edges dropped, until none is left:
O(sum of squares of degrees) a round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"inside", "k"})
OPTIONAL = frozenset({"edges", "nodes"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when the arcs are right, else a sentence that names the first wrong one."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n, m, name = graph.num_nodes, graph.num_edges, graph.file_id
    inside, k = np.asarray(claim["inside"]), int(claim["k"])
    if inside.shape != (m,):
        return f"role inside holds {inside.size} values, but the graph has {m} arcs"
    edges, edge = _simple(graph)
    left = _strip(n, edges, np.ones(edges.size, bool), k - 2)
    truth = np.zeros(m, bool)
    truth[edge >= 0] = left[edge[edge >= 0]]
    wrong = (inside != 0) != truth
    if wrong.any():
        bad = int(np.argmax(wrong))
        tail = int(np.searchsorted(graph.row, bad, side="right")) - 1
        said, found = ("outside", "inside") if truth[bad] else ("inside", "outside")
        arc = f"the arc from node {name(tail)} to node {name(int(graph.dst[bad]))}"
        return f"{arc} is said to be {said} the {k}-truss, but it is {found}"
    if "edges" in claim and claim["edges"] != (count := int(np.count_nonzero(left))):
        return f"the {k}-truss is said to have {claim['edges']} edges, but it has {count}"
    ends = np.unique(np.concatenate((edges[left] // max(n, 1), edges[left] % max(n, 1))))
    if "nodes" in claim and claim["nodes"] != ends.size:
        return f"the {k}-truss is said to have {claim['nodes']} nodes, but it has {ends.size}"
    return None


def _simple(graph: Graph) -> tuple[Any, Any]:
    """Each edge of the undirected graph without self-loops and parallel arcs as low end * n + high end, ascending; and
    by arc which edge it is, -1 for a self-loop."""
    n = graph.num_nodes
    tails, heads = np.repeat(np.arange(n, dtype=np.int64), np.diff(graph.row)), np.asarray(graph.dst, np.int64)
    keys = np.where(tails == heads, -1, np.minimum(tails, heads) * n + np.maximum(tails, heads))
    edges = np.unique(keys[keys >= 0])
    return edges, np.where(keys < 0, -1, np.searchsorted(edges, keys))


def _triangles(n: int, edges: Any, left: Any) -> Any:
    """By edge: how many triangles of edges that are left it is in; 0 for the others."""
    lows, highs = edges[left] // n, edges[left] % n
    ones = np.ones(lows.size, np.int32)
    half = csr_array((ones, (lows, highs)), shape=(n, n))
    whole = csr_array(half + half.T)
    found = np.zeros(edges.size, np.int64)
    paths = (whole @ whole).multiply(half).tocoo()
    found[np.searchsorted(edges, paths.row.astype(np.int64) * n + paths.col)] = paths.data
    return found


def _strip(n: int, edges: Any, left: Any, least: int) -> Any:
    """What is left (bool, by edge) when edges in fewer than `least` triangles go out until none does."""
    while (weak := left & (_triangles(n, edges, left) < least)).any():
        left = left & ~weak
    return left
