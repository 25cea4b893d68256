"""A greedy dominating set: every node is in it or has a neighbour in it, and it is the one that greed finds.

Roles
  chosen  node property: not 0 for the nodes of the set
  size    (optional) how many they are

Arcs join their ends in both directions; a node covers itself and its neighbours. Greed takes, until all are covered, a
node that covers the most nodes not covered yet, of several the one whose number, scattered by MurmurHash3's finaliser
for 32 bits, is the least. The tolerance is not used. First is asked whether the set covers all nodes. Then greed is
replayed with a heap in which a node's entry is looked at again when its turn comes: O((n + m) log n).
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"chosen"})
OPTIONAL = frozenset({"size"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when the set is right, else a sentence that names the first wrong node."""
    if odd := sorted(REQUIRED ^ claim.keys() - OPTIONAL):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n, name = graph.num_nodes, graph.file_id
    said = np.asarray(claim["chosen"])
    if said.shape != (n,):
        return f"role chosen holds {said.size} values, but the graph has {n} nodes"
    said = said != 0
    row, near = _rows(graph)
    covered = said.copy()
    covered[near[np.repeat(said, np.diff(row))]] = True
    if not covered.all():
        return f"node {name(int(np.argmin(covered)))} is not in the set, and has no neighbour in it"
    if "size" in claim and claim["size"] != (size := int(said.sum())):
        return f"the set is said to have {claim['size']} nodes, but it has {size}"
    truth = _greedy(row, near)
    if (wrong := said != truth).any():
        bad = int(np.argmax(wrong))
        told = ("", "leaves") if said[bad] else ("not ", "takes")
        return f"node {name(bad)} is {told[0]}in the set, but greed {told[1]} it"
    return None


def _rows(graph: Graph) -> tuple[Any, Any]:
    """Row offsets and neighbours of the undirected graph without self-loops and duplicates."""
    n = graph.num_nodes
    tails = np.repeat(np.arange(n, dtype=np.int64), np.diff(graph.row))
    heads = np.asarray(graph.dst, dtype=np.int64)
    proper = tails != heads
    tails, heads = tails[proper], heads[proper]
    keys = np.unique(np.concatenate((tails * n + heads, heads * n + tails)))
    return np.searchsorted(keys, np.arange(n + 1, dtype=np.int64) * n), keys % max(n, 1)


def _scattered(n: int) -> Any:
    x = np.arange(n, dtype=np.uint32)
    x = (x ^ (x >> 16)) * np.uint32(0x85EBCA6B)
    x = (x ^ (x >> 13)) * np.uint32(0xC2B2AE35)
    return x ^ (x >> 16)


def _greedy(row: Any, near: Any) -> Any:
    n = row.size - 1
    starts, ends = row.tolist(), memoryview(np.ascontiguousarray(near))
    place = _scattered(n).tolist()
    heap = [(-(starts[v + 1] - starts[v] + 1), place[v], v) for v in range(n)]
    heapq.heapify(heap)
    covered, chosen, left = bytearray(n), np.zeros(n, bool), n
    while left:
        negative, order, v = heapq.heappop(heap)
        around = [v, *ends[starts[v] : starts[v + 1]]]
        new = [u for u in around if not covered[u]]
        if not new:
            continue
        if len(new) != -negative:
            heapq.heappush(heap, (-len(new), order, v))
            continue
        chosen[v] = True
        left -= len(new)
        for u in new:
            covered[u] = 1
    return chosen
