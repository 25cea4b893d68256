"""Arc counts: how many arcs the graph has, and how many enter each node.

Roles
  total     (one of the two at least) how many arcs there are; parallel arcs and self-loops count each,
            an undirected edge counts as the two arcs that the graph holds
  arrivals  node property: how many arcs lead to the node

The tolerance is not used. O(n + m).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED: frozenset[str] = frozenset()
OPTIONAL = frozenset({"total", "arrivals"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:  # noqa: ARG001
    """None when every claimed count is right, else a sentence that says which is wrong."""
    if odd := sorted(claim.keys() - OPTIONAL):
        return f"role {odd[0]} is unknown"
    if not claim:
        return "one of the roles total and arrivals is needed"
    n = graph.num_nodes
    if "arrivals" in claim:
        arrivals = np.asarray(claim["arrivals"])
        if arrivals.shape != (n,):
            return f"role arrivals holds {arrivals.size} values, but the graph has {n} nodes"
        counts = np.bincount(graph.dst, minlength=n)
        wrong = arrivals != counts
        if wrong.any():
            bad = int(np.argmax(wrong))
            return f"node {graph.file_id(bad)} is said to have {arrivals[bad]} arcs to it, but has {counts[bad]}"
    held = int(graph.row[-1])
    if "total" in claim and claim["total"] != held:
        return f"there are said to be {claim['total']} arcs, but there are {held}"
    return None
