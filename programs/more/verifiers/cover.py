"""A set cover: every node that has a neighbour has one that is chosen.

Roles
  chosen  node property: not 0 for the nodes whose neighbours are covered
  size    (optional) how many they are

Arcs join their ends in both directions; a node is no neighbour of its own. How good the cover is isn't asked, but that
no node is chosen that covers nobody. The tolerance is not used. O(n + m).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"chosen"})
OPTIONAL = frozenset({"size"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when the cover is one, else a sentence that names the first wrong node."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n, name = graph.num_nodes, graph.file_id
    said = np.asarray(claim["chosen"])
    if said.shape != (n,):
        return f"role chosen holds {said.size} values, but the graph has {n} nodes"
    said = said != 0
    tails = np.repeat(np.arange(n, dtype=np.int64), np.diff(graph.row))
    heads = np.asarray(graph.dst, dtype=np.int64)
    proper = tails != heads
    tails, heads = tails[proper], heads[proper]
    element, covered = np.zeros(n, bool), np.zeros(n, bool)
    element[tails] = element[heads] = True
    covered[heads[said[tails]]] = True
    covered[tails[said[heads]]] = True
    if (wrong := element & ~covered).any():
        return f"node {name(int(np.argmax(wrong)))} has neighbours, none of which is chosen"
    if (idle := said & ~element).any():
        return f"node {name(int(np.argmax(idle)))} is chosen, and has no neighbour"
    if "size" in claim and claim["size"] != (size := int(said.sum())):
        return f"the cover is said to have {claim['size']} nodes, but it has {size}"
    return None
