"""Strongly connected components: nodes are in one exactly when paths lead from each to the other.

Roles
  labels  node property: one of the component's nodes, the same for all of its nodes
  count   (optional) how many components there are

The components are found by SciPy (Pearce's algorithm). The tolerance is not used. O(n + m).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"labels"})
OPTIONAL = frozenset({"count"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when the labels are right, else a sentence that names the first wrong node."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n, name = graph.num_nodes, graph.file_id
    labels = np.asarray(claim["labels"])
    if labels.shape != (n,):
        return f"role labels holds {labels.size} values, but the graph has {n} nodes"
    if (bad := _first(~((labels >= 0) & (labels < n)))) is not None:
        return f"node {name(bad)} is in no component"
    labels = labels.astype(np.int64)
    # SciPy takes two arcs for one of twice the weight, which is as good; its rows must not be larger than an int.
    arcs = csr_array((np.ones(graph.num_edges, np.int8), graph.dst, graph.row), shape=(n, n))
    number, truth = (0, np.zeros(0, np.int64)) if n == 0 else connected_components(arcs, connection="strong")
    if (bad := _first(truth[labels] != truth)) is not None:
        return f"node {name(bad)} is in the component of node {name(int(labels[bad]))}, but not both reach each other"
    if (bad := _first(labels[labels] != labels)) is not None:
        return f"node {name(int(labels[bad]))} stands for node {name(bad)}'s component, but not for its own"
    first = np.full(number, n, np.int64)
    np.minimum.at(first, truth, labels)
    if (bad := _first(labels != first[truth])) is not None:
        return f"nodes {name(bad)} and {name(int(first[truth][bad]))} reach each other, but have different components"
    if "count" in claim and claim["count"] != number:
        return f"there are said to be {claim['count']} components, but there are {number}"
    return None


def _first(wrong: Any) -> int | None:
    """The least index where `wrong` holds, or None."""
    at = int(np.argmax(wrong)) if wrong.size else 0
    return at if wrong.size and wrong[at] else None
