"""Small random graphs with self-loops, parallel edges, lonely nodes, or nothing at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from support.choices import Choices


@dataclass(frozen=True, slots=True)
class SmallGraph:
    """A directed graph in compressed sparse rows: row[n+1] and dst[m] of int64, weight[m] of int32 or None."""

    row: np.ndarray[Any, np.dtype[np.int64]]
    dst: np.ndarray[Any, np.dtype[np.int64]]
    weight: np.ndarray[Any, np.dtype[np.int32]] | None
    directed: bool = True

    @property
    def num_nodes(self) -> int:
        return len(self.row) - 1

    @property
    def num_edges(self) -> int:
        return len(self.dst)


def from_arcs(nodes: int, arcs: list[tuple[int, int, int]], weighted: bool = True) -> SmallGraph:
    """The graph of (source, target, weight) triples, each row in the order given."""
    row = np.zeros(nodes + 1, np.int64)
    for s, _, _ in arcs:
        row[s + 1] += 1
    by_source = sorted(arcs, key=lambda a: a[0])
    weight = np.array([w for _, _, w in by_source], np.int32) if weighted else None
    return SmallGraph(np.cumsum(row), np.array([d for _, d, _ in by_source], np.int64), weight)


def random_graph(c: Choices) -> SmallGraph:
    """A graph of at most 8 nodes and 17 edges; both may be 0."""
    nodes = c.pick((3, 0, 1, 2, 4, 5, 5, 6, 7, 8, 8))
    edges = c.pick((4, 0, 2, 6, 8, 12, 16)) if nodes else 0
    arcs = [(c.below(nodes), c.below(nodes), c.between(1, 9)) for _ in range(edges)]
    if arcs and c.chance(30):
        arcs.append(arcs[0])
    return from_arcs(nodes, arcs, not c.chance(20))
