"""What the host makes of whole graphs: the degree-ordered one, and summaries of the weights."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from irgl.ast import types as T
from irgl.reference.values import Array, Graph, convert


class Rows(NamedTuple):
    """A GraphLike made here."""

    row: Array
    dst: Array
    weight: Array
    directed: bool = True


def oriented(g: Graph) -> Rows:
    """Nodes renumbered by falling out-degree (ties by id); each edge kept whose source comes after its target in that
    order; rows sorted by target, parallel edges in the order they had."""
    by_degree = sorted(range(g.num_nodes), key=lambda n: g.row[n] - g.row[n + 1])
    rank = {n: i for i, n in enumerate(by_degree)}
    kept = [(rank[g.src[e]], rank[g.dst[e]], e) for e in range(g.num_edges) if rank[g.src[e]] > rank[g.dst[e]]]
    kept.sort()
    row = np.zeros(g.num_nodes + 1, np.int64)
    for s, _, _ in kept:
        row[s + 1] += 1
    weight = np.array([g.weights[e] for _, _, e in kept], np.array(g.weights).dtype)
    return Rows(np.cumsum(row), np.array([d for _, d, _ in kept], np.int64), weight)


def weight_summary(g: Graph, name: str) -> float:
    """average_weight (a double) or max_weight (a long, rounded towards 0) of a graph's weights; 1 without edges."""
    weights: list[float] = g.weights or [1]
    return sum(weights) / len(weights) if name == "average_weight" else convert(max(weights), T.LONG)
