"""Trussness: for every edge the largest k such that it lies in a set of edges, each in k - 2 triangles of them.

Roles
  trusses  edge property: of each arc its edge's trussness
  largest  (optional) the largest, 0 in a graph without edges

Arcs join their ends in both directions; self-loops and parallel arcs count for nothing, and may have any number. The
tolerance is not used. For each k in turn triangles are counted by products of sparse matrices (SciPy), and weak edges
dropped until none is left: O(sum of squares of degrees) a round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"trusses"})
OPTIONAL = frozenset({"largest"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when every number is right, else a sentence that names the first wrong arc."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n, m, name = graph.num_nodes, graph.num_edges, graph.file_id
    trusses = np.asarray(claim["trusses"])
    if trusses.shape != (m,):
        return f"role trusses holds {trusses.size} values, but the graph has {m} arcs"
    edges, edge = _simple(graph)
    truth = np.zeros(edges.size, np.int64)
    left, k = np.ones(edges.size, bool), 2
    while left.any():
        truth[left] = k
        k += 1
        left = _strip(n, edges, left, k - 2)
    wrong = (edge >= 0) & (trusses != (truth[edge] if edges.size else 0))
    if wrong.any():
        bad = int(np.argmax(wrong))
        tail = int(np.searchsorted(graph.row, bad, side="right")) - 1
        arc = f"the arc from node {name(tail)} to node {name(int(graph.dst[bad]))}"
        return f"{arc} has trussness {trusses[bad]}, but it is {truth[edge[bad]]}"
    if "largest" in claim and claim["largest"] != (most := int(truth.max(initial=0))):
        return f"the largest trussness is said to be {claim['largest']}, but it is {most}"
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
