"""Components: which nodes are joined, arcs being followed both ways (weak components).

Roles
  labels      node property: a node (dense id) of the node's own component, the same one for all of its nodes
  components  (optional) how many components there are; a node without arcs is one
  biggest     (optional) how many nodes the largest component has

The tolerance is not used. Components are found by SciPy's connected_components. The claim is right when every label is
a node of the component that bears it, and a component bears one label only. Labels of two components then differ by
themselves. O(n + m).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"labels"})
OPTIONAL = frozenset({"components", "biggest"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:  # noqa: ARG001
    """None when every claimed value is right, else a sentence that names the first wrong node."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n, name = graph.num_nodes, graph.file_id
    labels = np.asarray(claim["labels"])
    if labels.shape != (n,):
        return f"role labels holds {labels.size} values, but the graph has {n} nodes"
    part, count = np.zeros(0, np.int32), 0
    if n > 0:
        arcs = csr_array((np.ones(graph.num_edges), graph.dst, graph.row), shape=(n, n))
        count, part = connected_components(arcs, directed=True, connection="weak")
    number = (labels >= 0) & (labels < n)
    number[number] = labels[number] == np.floor(labels[number])
    if (bad := _first(~number)) is not None:
        return f"node {name(bad)} has label {labels[bad]}, which is not a node of the graph"
    label = labels.astype(np.int64)
    if (bad := _first(part[label] != part)) is not None:
        return f"node {name(bad)} has label {name(int(label[bad]))}, to which no path leads"
    leader = np.zeros(count, np.int64)
    leader[part[::-1]] = np.arange(n)[::-1]  # the lowest node of each component: the last to be stored
    if (bad := _first(label != label[leader[part]])) is not None:
        lead = int(leader[part[bad]])
        return (
            f"nodes {name(lead)} and {name(bad)} are joined by a path, "
            f"but have labels {name(int(label[lead]))} and {name(int(label[bad]))}"
        )
    if "components" in claim and claim["components"] != count:
        return f"there are said to be {claim['components']} components, but there are {count}"
    if "biggest" in claim and claim["biggest"] != (size := int(np.bincount(part, minlength=1).max())):
        return f"the largest component is said to have {claim['biggest']} nodes, but it has {size}"
    return None


def _first(wrong: Any) -> int | None:
    """The least index where `wrong` holds, or None."""
    at = int(np.argmax(wrong)) if wrong.size else 0
    return at if wrong.size and wrong[at] else None
