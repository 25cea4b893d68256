"""Small graphs that break careless programs, and one with a node of very large degree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from irgl.rt.graphs.graph import Graph

Ends = Sequence[tuple[int, int]]


def directed(n: int, ends: Ends, weights: Sequence[float] | None = None) -> Graph:
    """The directed graph of these arcs; without weights given, arc k weighs 7 k mod 10."""
    pairs = np.array(ends, np.int64).reshape(-1, 2)
    loads = np.array([7 * k % 10 for k in range(len(pairs))] if weights is None else weights)
    order = np.argsort(pairs[:, 0], kind="stable")
    row = np.searchsorted(pairs[order, 0], np.arange(n + 1)).astype(np.int32)
    loads = loads.astype(np.int32) if loads.dtype.kind != "f" else loads
    return Graph(row, pairs[order, 1].astype(np.int32), loads[order])


def with_gaps(n: int, ends: Ends) -> Graph:
    """A graph whose file numbers its nodes 7, 10, 17, 28, ..."""
    return replace(directed(n, ends), node_ids=np.array([7 + 2 * k + k * k for k in range(n)], np.int64))


def random_arcs(seed: int, n: int, m: int) -> Graph:
    """With self-loops, parallel arcs, and nodes that nothing reaches."""
    draw = np.random.default_rng(seed)
    return directed(n, [(int(u), int(v)) for u, v in draw.integers(0, n, (m, 2))], draw.integers(0, 99, m).tolist())


def grid(width: int) -> Graph:
    """A square of streets in both directions."""
    ends = []
    for i in range(width * width):
        if i % width + 1 < width:
            ends += [(i, i + 1), (i + 1, i)]
        if i + width < width * width:
            ends += [(i, i + width), (i + width, i)]
    return directed(width * width, ends)


@cache
def awkward() -> dict[str, Graph]:
    """By name; every one has fewer than 500 nodes."""
    clique = [(u, v) for u in range(12) for v in range(12)]
    return {
        "empty": directed(0, []),
        "one node": directed(1, []),
        "one loop": directed(1, [(0, 0)]),
        "no arcs": directed(5, []),
        "self-loops": directed(4, [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (3, 3)]),
        "parallel arcs": directed(4, [(0, 1)] * 3 + [(1, 2)] * 2 + [(2, 1), (2, 3), (3, 0)]),
        "star": directed(300, [(0, v) for v in range(1, 300)]),
        "star inwards": directed(300, [(v, 299) for v in range(299)]),
        "path": directed(200, [(v, v + 1) for v in range(199)]),
        "path backwards": directed(200, [(v + 1, v) for v in range(199)]),
        "disconnected": directed(9, [(0, 1), (1, 2), (2, 0), (4, 5), (5, 6), (6, 7), (7, 4), (4, 6)]),
        "ids with gaps": with_gaps(6, [(0, 1), (1, 2), (2, 3), (3, 0), (2, 0), (4, 2)]),
        "equal weights": directed(12, clique, [5] * len(clique)),
        "zero weights": directed(12, clique, [0] * len(clique)),
        "grid": grid(12),
        "sparse": random_arcs(1, 120, 130),
        "dense": random_arcs(2, 60, 1200),
        "middling": random_arcs(3, 400, 1600),
    }


@cache
def hub(degree: int = 100_000) -> Graph:
    """A node joined to all others, both ways; a ring through the first thousand of them makes triangles."""
    others = np.arange(1, degree + 1)
    ring = np.stack((np.arange(1, 1000), np.arange(2, 1001)), axis=1)
    ends = np.concatenate((np.stack((0 * others, others), 1), np.stack((others, 0 * others), 1), ring))
    weights = np.concatenate((others % 97 + 1, others % 97 + 1, np.arange(1, 1000) % 13))
    return directed(degree + 1, [tuple(x) for x in ends.tolist()], weights.tolist())
