"""Hops: the least number of arcs on a path from a source to every node (breadth-first levels).

Roles
  source     where the paths start (a node, dense id)
  hops       node property: the least number of arcs from the source
  unreached  (optional) what `hops` holds where no path leads; without it the largest value of the property's
             type, infinity for a floating one
  parents    (optional) node property: the node before it on one least path; any of several is right. At the source
             and at unreached nodes it is the node itself or no node (a value outside 0..n-1)
  reached    (optional) how many nodes are reached, the source included
  deepest    (optional) the largest number of hops of a reached node

Paths follow arcs from tail to head; an undirected graph holds each edge as two arcs. The tolerance is not used.
The claim is right when the source has 0 hops, no arc leads from a reached node to one more than a hop further
(so claims are at most the truth), and each other reached node has an in-neighbour exactly one hop nearer
(so, by induction, a path of the claimed length exists). O(n + m) time and memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"source", "hops"})
OPTIONAL = frozenset({"unreached", "parents", "reached", "deepest"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:  # noqa: ARG001
    """None when every claimed value is right, else a sentence that names the first wrong node."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n = graph.num_nodes
    hops = np.asarray(claim["hops"])
    if hops.shape != (n,):
        return f"role hops holds {hops.size} values, but the graph has {n} nodes"
    reached = hops != claim.get("unreached", _largest(hops.dtype))
    steps = np.full(n, -1, np.int64)
    if n > 0:
        source = int(claim["source"])
        if not 0 <= source < n:
            return f"the source {source} is not a node of the graph"
        whole = reached & (hops >= 0) & (hops < n)
        whole[whole] = hops[whole] == np.floor(hops[whole])
        if (bad := _first(reached & ~whole)) is not None:
            return f"node {graph.file_id(bad)} has {hops[bad]} hops, which is no whole number from 0 to {n - 1}"
        steps[whole] = hops[whole].astype(np.int64)
        if (wrong := _wrong_step(graph, source, reached, steps)) is not None:
            return wrong
        if "parents" in claim and (wrong := _wrong_parent(graph, source, steps, claim["parents"])) is not None:
            return wrong
    if "reached" in claim and claim["reached"] != (count := int(np.count_nonzero(reached))):
        return f"{claim['reached']} nodes are said to be reached, but there are {count}"
    if "deepest" in claim and claim["deepest"] != (depth := int(steps.max(initial=0))):
        return f"the largest number of hops is said to be {claim['deepest']}, but it is {depth}"
    return None


def _wrong_step(graph: Graph, source: int, reached: Any, steps: Any) -> str | None:
    """What is wrong with the hops alone."""
    name = graph.file_id
    if not reached[source]:
        return f"the source, node {name(source)}, is not reached"
    if steps[source] != 0:
        return f"the source, node {name(source)}, has {steps[source]} hops instead of 0"
    tails = np.repeat(np.arange(graph.num_nodes), np.diff(graph.row))
    heads = graph.dst
    if (arc := _first(reached[tails] & ~reached[heads])) is not None:
        return f"node {name(int(heads[arc]))} is not reached, but node {name(int(tails[arc]))} is and has an arc to it"
    if (arc := _first(reached[tails] & (steps[heads] > steps[tails] + 1))) is not None:
        u, v = int(tails[arc]), int(heads[arc])
        return f"node {name(v)} has {steps[v]} hops, but the arc from node {name(u)} gives {steps[u] + 1}"
    entered = np.zeros(graph.num_nodes, bool)
    entered[source] = True
    entered[heads[reached[tails] & (steps[heads] == steps[tails] + 1)]] = True
    if (bad := _first(reached & ~entered)) is not None:
        if steps[bad] == 0:
            return f"node {name(bad)} has 0 hops, but is not the source"
        return f"node {name(bad)} has {steps[bad]} hops, but no arc comes from a node with {steps[bad] - 1}"
    return None


def _wrong_parent(graph: Graph, source: int, steps: Any, claimed: Any) -> str | None:
    """What is wrong with the parents, the hops being right."""
    n, name = graph.num_nodes, graph.file_id
    parents = np.asarray(claimed)
    if parents.shape != (n,):
        return f"role parents holds {parents.size} values, but the graph has {n} nodes"
    given = (parents >= 0) & (parents < n)
    inner = steps > 0
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
    if (bad := _first(inner & (steps[chosen] + 1 != steps))) is not None:
        up = int(parents[bad])
        return f"node {name(bad)} has {steps[bad]} hops, but its parent {name(up)} has {steps[up]}"
    return None


def _largest(dtype: np.dtype[Any]) -> Any:
    return np.iinfo(dtype).max if np.issubdtype(dtype, np.integer) else np.inf


def _first(wrong: Any) -> int | None:
    """The least index where `wrong` holds, or None."""
    at = int(np.argmax(wrong)) if wrong.size else 0
    return at if wrong.size and wrong[at] else None
