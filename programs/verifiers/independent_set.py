"""A maximal independent set: no two of its nodes are joined, and no node outside could be added.

Roles
  members  node property: tells whether the node is in the set
  inside   (optional) the value of `members` that means "in"; without it every value but 0 does
  size     (optional) how many nodes the set has

An arc joins its ends in both directions; self-loops join nothing. Many sets are right. The tolerance is not used.
O(n + m).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"members"})
OPTIONAL = frozenset({"inside", "size"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:  # noqa: ARG001
    """None when the set is independent and maximal, else a sentence that names the first wrong node."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n, name = graph.num_nodes, graph.file_id
    members = np.asarray(claim["members"])
    if members.shape != (n,):
        return f"role members holds {members.size} values, but the graph has {n} nodes"
    chosen = members == claim["inside"] if "inside" in claim else members != 0
    tails, heads = np.repeat(np.arange(n), np.diff(graph.row)), graph.dst
    proper = tails != heads
    if (arc := _first(proper & chosen[tails] & chosen[heads])) is not None:
        return f"nodes {name(int(tails[arc]))} and {name(int(heads[arc]))} are both in the set, but joined"
    kept_out = np.zeros(n, bool)
    kept_out[heads[proper & chosen[tails]]] = True
    kept_out[tails[proper & chosen[heads]]] = True
    if (bad := _first(~chosen & ~kept_out)) is not None:
        return f"node {name(bad)} could be added: neither it nor any neighbour is in the set"
    if "size" in claim and claim["size"] != (size := int(np.count_nonzero(chosen))):
        return f"the set is said to have {claim['size']} nodes, but it has {size}"
    return None


def _first(wrong: Any) -> int | None:
    """The least index where `wrong` holds, or None."""
    at = int(np.argmax(wrong)) if wrong.size else 0
    return at if wrong.size and wrong[at] else None
