"""A breadth-first tree: for every node that a source reaches, the node before it on a path of the fewest arcs.

Roles
  source   where the paths start (a node, dense id)
  parents  node property: the node before it on one such path; any of several is right. At the source and at nodes that
           no path reaches it is the node itself or no node (a value outside 0..n-1)
  reached  (optional) how many nodes are reached, the source included

Paths follow arcs from tail to head; an undirected graph holds each edge as two arcs. The tolerance is not used.
The least numbers of arcs are found level by level; the claim is right when exactly the nodes that are reached have
parents, each parent is one arc nearer to the source, and has an arc to its child. O(n + m) time and memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"source", "parents"})
OPTIONAL = frozenset({"reached"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:  # noqa: ARG001
    """None when every claimed value is right, else a sentence that names the first wrong node."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n = graph.num_nodes
    parents = np.asarray(claim["parents"])
    if parents.shape != (n,):
        return f"role parents holds {parents.size} values, but the graph has {n} nodes"
    levels = np.zeros(0, np.int64)
    if n > 0:
        source = int(claim["source"])
        if not 0 <= source < n:
            return f"the source {source} is not a node of the graph"
        levels = _levels(graph, source)
        if (wrong := _wrong_parent(graph, source, levels, parents)) is not None:
            return wrong
    if "reached" in claim and claim["reached"] != (count := int(np.count_nonzero(levels >= 0))):
        return f"{claim['reached']} nodes are said to be reached, but there are {count}"
    return None


def _levels(graph: Graph, source: int) -> Any:
    """The least number of arcs from the source to every node, -1 where no path leads."""
    row, heads = np.asarray(graph.row, np.int64), np.asarray(graph.dst)
    found = np.full(graph.num_nodes, -1, np.int64)
    taken = np.zeros(graph.num_nodes, np.int64)
    found[source] = level = 0
    frontier = np.array([source])
    while frontier.size:
        level += 1
        counts = row[frontier + 1] - row[frontier]
        before = np.cumsum(counts) - counts
        near = heads[np.repeat(row[frontier] - before, counts) + np.arange(counts.sum())]
        near = near[found[near] < 0]
        found[near] = level
        taken[near] = np.arange(near.size)
        frontier = near[taken[near] == np.arange(near.size)]
    return found


def _wrong_parent(graph: Graph, source: int, levels: Any, parents: Any) -> str | None:
    n, name = graph.num_nodes, graph.file_id
    given = (parents >= 0) & (parents < n)
    inner = levels > 0
    if (bad := _first(inner & ~given)) is not None:
        return f"node {name(bad)} is reached but has no parent"
    if (bad := _first(~inner & given & (parents != np.arange(n)))) is not None:
        what = "the source" if bad == source else "not reached"
        return f"node {name(bad)} is {what} but has the parent {name(int(parents[bad]))}"
    tails = np.repeat(np.arange(n), np.diff(graph.row))
    joined = np.zeros(n, bool)
    joined[graph.dst[parents[graph.dst] == tails]] = True
    if (bad := _first(inner & ~joined)) is not None:
        return f"node {name(bad)} has the parent {name(int(parents[bad]))}, which has no arc to it"
    chosen = np.where(inner, parents, 0).astype(np.int64)
    if (bad := _first(inner & (levels[chosen] + 1 != levels))) is not None:
        up = int(parents[bad])
        return f"node {name(bad)} is {levels[bad]} arcs from the source, but its parent {name(up)} is {levels[up]}"
    return None


def _first(wrong: Any) -> int | None:
    """The least index where `wrong` holds, or None."""
    at = int(np.argmax(wrong)) if wrong.size else 0
    return at if wrong.size and wrong[at] else None
