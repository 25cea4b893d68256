"""Random walks whose every step is a hash of a seed, the walk's number and the step's.

Roles
  visits  node property: how often walks have come to the node, or begun there
  ends    node property: where the first walk that began at the node has ended; -1 where none began
  walks   how many walks there are; 0 (or less) for as many as there are nodes
  length  how many steps a walk takes, unless it comes to a node without arcs out, where it ends
  seed    what the hash is seeded with

Of k walks among n nodes, walk i begins at node floor(i n / k), or where k > n at node i mod n. Step t of walk i takes,
of the d arcs out of its node, number floor(h d / 2^32), where h = H(H(2^32 seed + i) 2^32 + t) and H is the low half of
splitmix64's next number from a state. The walks are replayed, all by one step at a time, along the graph's arcs;
visits and ends must be those of the replay. The tolerance is not used. O(walks * length).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from irgl.rt.graphs.graph import Graph

REQUIRED = frozenset({"visits", "ends", "walks", "length", "seed"})


def verify(graph: Graph, claim: dict[str, Any], tolerance: float) -> str | None:
    """None when visits and ends are those of the walks, else a sentence that names the first wrong node."""
    if odd := sorted(REQUIRED ^ claim.keys()):
        return f"role {odd[0]} is {'unknown' if odd[0] in claim else 'missing'}"
    n, name = graph.num_nodes, graph.file_id
    for role in ("visits", "ends"):
        if np.asarray(claim[role]).shape != (n,):
            return f"role {role} holds {np.asarray(claim[role]).size} values, but the graph has {n} nodes"
    if n == 0:
        return None
    visits, ends = _walk(graph, int(claim["walks"]), int(claim["length"]), int(claim["seed"]))
    if (wrong := np.asarray(claim["visits"]) != visits).any():
        bad = int(np.argmax(wrong))
        return f"node {name(bad)} is said to have {claim['visits'][bad]} visits, but it has {visits[bad]}"
    if (wrong := np.asarray(claim["ends"]) != ends).any():
        bad = int(np.argmax(wrong))
        said, truth = (name(int(v)) if 0 <= v < n else "none" for v in (claim["ends"][bad], ends[bad]))
        return f"the walk from node {name(bad)} is said to end at {said}, but it ends at {truth}"
    return None


def _walk(graph: Graph, walks: int, length: int, seed: int) -> tuple[Any, Any]:
    n = graph.num_nodes
    count = walks if walks > 0 else n
    number = np.arange(count, dtype=np.int64)
    starts = number * n // count if count <= n else number % n
    row, degree = graph.row.astype(np.int64), np.diff(graph.row).astype(np.int64)
    place = starts.copy()
    visits = np.bincount(place, minlength=n)
    streams = _hash(np.uint64((seed << 32) & 2**64 - 1) + number.astype(np.uint64)) << np.uint64(32)
    for step in range(length):
        walking = np.flatnonzero(degree[place] > 0)
        draws = _hash(streams[walking] + np.uint64(step)).astype(np.int64)
        here = place[walking]
        place[walking] = graph.dst[row[here] + (draws * degree[here] >> 32)]
        visits += np.bincount(place[walking], minlength=n)
    ends = np.full(n, -1, np.int64)
    ends[starts[:n]] = place[:n]
    return visits, ends


def _hash(x: Any) -> Any:
    """The low 32 bits of splitmix64's finaliser, behind its increment."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (x ^ (x >> np.uint64(31))) & np.uint64(0xFFFFFFFF)
