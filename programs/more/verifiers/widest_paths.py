"""Widest paths: to every node the greatest width of a path from a source, which is that of its narrowest arc.

Roles
  source   where the paths start (a node, dense id)
  widths   node property: the width of a widest path from the source; at the source the largest value of its type
  reached  (optional) how many nodes are reached, the source included

Nodes that no path reaches have 0. An arc of a graph without weights is 1 wide; an arc of width 0 or less
is as good as none. The tolerance is not used: a width is some arc's.
A claim w is right when the source has the largest value, no arc u -> v can widen (min(w[u], c) <= w[v]), so that claims
are at least the truth, and the arcs that give a node its width (min(w[u], c) = w[v]) lead from the source to all of
nodes with a width, so that a path that wide exists. O(n + m).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"source", "widths"})
OPTIONAL = frozenset({"reached"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when every width is right, else a sentence that names the first wrong node."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n, name = graph.num_nodes, graph.file_id
    widths = np.asarray(claim["widths"])
    if widths.shape != (n,):
        return f"role widths holds {widths.size} values, but the graph has {n} nodes"
    if n > 0:
        source = int(claim["source"])
        if not 0 <= source < n:
            return f"the source {source} is not a node of the graph"
        largest = np.iinfo(widths.dtype).max if widths.dtype.kind in "iu" else np.inf
        if widths[source] != largest:
            return f"the source, node {name(source)}, has width {widths[source]}, but nothing narrows it"
        if (wrong := _wrong(graph, source, widths)) is not None:
            return wrong
    if "reached" in claim and claim["reached"] != (count := int(np.count_nonzero(widths > 0))):
        return f"{claim['reached']} nodes are said to be reached, but there are {count}"
    return None


def _wrong(graph: Graph, source: int, widths: Any) -> str | None:
    n, name, heads = graph.num_nodes, graph.file_id, graph.dst
    wide = np.ones(graph.num_edges, np.int64) if graph.weight is None else np.asarray(graph.weight)
    wide = np.maximum(wide, 0)
    tails = np.repeat(np.arange(n), np.diff(graph.row))
    if (bad := _first(~(widths >= 0))) is not None:
        return f"node {name(bad)} has width {widths[bad]}"
    through = np.minimum(widths[tails], wide)
    if (arc := _first(through > widths[heads])) is not None:
        u, v = int(tails[arc]), int(heads[arc])
        return f"node {name(v)} has width {widths[v]}, but the arc from node {name(u)} gives {through[arc]}"
    gives = (through == widths[heads]) & (through > 0)
    upto = np.concatenate(([0], np.cumsum(gives)))[graph.row]
    found = np.zeros(n, bool)
    giving = csr_array((np.ones(upto[-1]), heads[gives], upto), shape=(n, n))
    found[breadth_first_order(giving, source, return_predecessors=False)] = True
    if (bad := _first((widths > 0) & ~found)) is not None:
        return f"node {name(bad)} has width {widths[bad]}, but no path from the source is that wide"
    return None


def _first(wrong: Any) -> int | None:
    """The least index where `wrong` holds, or None."""
    at = int(np.argmax(wrong)) if wrong.size else 0
    return at if wrong.size and wrong[at] else None
