"""A colouring: joined nodes have different colours, which are numbered from 0.

Roles
  colours  node property: the node's colour, at least 0 and at most the largest number of neighbours
  count    (optional) how many colours there are: one more than the largest that is used

An arc joins its ends in both directions; self-loops join nothing. Many colourings are right. The tolerance is not used.
O(n + m log m).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"colours"})
OPTIONAL = frozenset({"count"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when the colouring is one, else a sentence that names the first wrong node."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n, name = graph.num_nodes, graph.file_id
    colours = np.asarray(claim["colours"])
    if colours.shape != (n,):
        return f"role colours holds {colours.size} values, but the graph has {n} nodes"
    tails, heads = np.repeat(np.arange(n), np.diff(graph.row)), np.asarray(graph.dst, np.int64)
    proper = tails != heads
    tails, heads = tails[proper], heads[proper]
    joined = np.unique(np.minimum(tails, heads) * n + np.maximum(tails, heads))
    most = int(np.bincount(np.concatenate((joined // max(n, 1), joined % max(n, 1))), minlength=n).max(initial=0))
    if (bad := _first(~((colours >= 0) & (colours <= most)))) is not None:
        return f"node {name(bad)} has colour {colours[bad]}, not one from 0 to {most}, the most neighbours of a node"
    if (arc := _first(colours[tails] == colours[heads])) is not None:
        u, v = int(tails[arc]), int(heads[arc])
        return f"nodes {name(u)} and {name(v)} are joined and both have colour {colours[u]}"
    if "count" in claim and claim["count"] != (count := int(colours.max(initial=-1)) + 1):
        return f"there are said to be {claim['count']} colours, but there are {count}"
    return None


def _first(wrong: Any) -> int | None:
    """The least index where `wrong` holds, or None."""
    at = int(np.argmax(wrong)) if wrong.size else 0
    return at if wrong.size and wrong[at] else None
