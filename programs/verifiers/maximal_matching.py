"""A maximal matching: pairs of joined nodes, each node in one at most, to which no pair can be added.

Roles
  mates  node property: the node's partner; no node (a value outside 0..n-1) where it has none
  pairs  (optional) how many pairs there are

An arc joins its ends in both directions; self-loops join nothing. Many matchings are right. The tolerance is not used.
O(n + m log m).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"mates"})
OPTIONAL = frozenset({"pairs"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:  # noqa: ARG001
    """None when the matching is one and maximal, else a sentence that names the first wrong node."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n, name = graph.num_nodes, graph.file_id
    mates = np.asarray(claim["mates"])
    if mates.shape != (n,):
        return f"role mates holds {mates.size} values, but the graph has {n} nodes"
    paired = (mates >= 0) & (mates < n)
    nodes, mates = np.arange(n), np.where(paired, mates, 0).astype(np.int64)
    if (bad := _first(paired & ~(paired[mates] & (mates[mates] == nodes)))) is not None:
        return f"node {name(bad)} has the partner {name(int(mates[bad]))}, who hasn't it"
    if (bad := _first(paired & (mates == nodes))) is not None:
        return f"node {name(bad)} is its own partner"
    tails, heads = np.repeat(nodes, np.diff(graph.row)), np.asarray(graph.dst, np.int64)
    joined = np.unique(np.minimum(tails, heads) * n + np.maximum(tails, heads))
    wanted = np.minimum(nodes, mates) * n + np.maximum(nodes, mates)
    if (bad := _first(paired & ~np.isin(wanted, joined))) is not None:
        return f"nodes {name(bad)} and {name(int(mates[bad]))} are a pair, but not joined"
    if (arc := _first((tails != heads) & ~paired[tails] & ~paired[heads])) is not None:
        return f"nodes {name(int(tails[arc]))} and {name(int(heads[arc]))} are joined and free: they could be a pair"
    if "pairs" in claim and claim["pairs"] != (count := int(np.count_nonzero(paired)) // 2):
        return f"there are said to be {claim['pairs']} pairs, but there are {count}"
    return None


def _first(wrong: Any) -> int | None:
    """The least index where `wrong` holds, or None."""
    at = int(np.argmax(wrong)) if wrong.size else 0
    return at if wrong.size and wrong[at] else None
