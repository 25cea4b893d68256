"""Scores by power iteration."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from irgl.nx_backend.graph import Rows, with_weights
from irgl.nx_backend.offers import Cost, offer
from irgl.nx_backend.run import call, vector
from irgl.nx_backend.weighted_paths import weight_word
from irgl.rt.graph import Graph

Array = np.ndarray[Any, Any]


def _named_weight(G: Any, alpha: Any = 0.85, personalization: Any = None, max_iter: Any = 100, tol: Any = 1e-6,
                  nstart: Any = None, weight: Any = "weight", dangling: Any = None) -> str:  # fmt: skip
    return weight_word(weight)


def _shares(graph: Rows, weight: Any) -> tuple[Graph, Array]:
    """Rows of predecessors, each edge with its share of what its source gives; and which nodes give nothing."""
    if weight is None:
        total = np.ones(graph.rows.num_edges) if not graph.is_multigraph() else _counts(graph)
    else:
        total = graph.weights(weight).total.astype(np.float64)
    sources = graph.rows.sources()
    given = np.bincount(sources, total, len(graph))
    inverse = np.zeros(len(graph))
    np.divide(1.0, given, out=inverse, where=given != 0)
    if graph.is_directed():
        share = graph.into_weights(inverse[sources] * total)
    else:
        share = inverse[graph.rows.dst] * total  # an edge weighs the same from both ends
    return with_weights(graph.into(), share), given == 0


def _counts(graph: Rows) -> Array:
    """Of parallel edges, how many they are."""
    adjacency = graph.current()._adj
    return np.array([len(keyed) for row in adjacency.values() for keyed in row.values()], np.float64)


def _vector(graph: Rows, given: Any, *, divide: bool = True) -> Array:
    """A value for each node from a dictionary, made to add up to 1."""
    found = np.array([given.get(n, 0) for n in graph.labels], float)
    if divide:
        found /= found.sum()
    return found


@offer(Cost(theirs=1500, ours=40, result=60), _named_weight)
def pagerank(G: Rows, alpha: Any = 0.85, personalization: Any = None, max_iter: Any = 100, tol: Any = 1e-6,
             nstart: Any = None, weight: Any = "weight", dangling: Any = None) -> dict[Any, float]:  # fmt: skip
    nodes = len(G)
    if nodes == 0:
        return {}
    rows, dead = G.made(("shares", weight), lambda: _shares(G, weight))
    even = np.repeat(1.0 / nodes, nodes)
    begin = even if nstart is None else _vector(G, nstart)
    jump = even
    if personalization is not None:
        jump = _vector(G, personalization, divide=False)
        if jump.sum() == 0:
            raise ZeroDivisionError
        jump /= jump.sum()
    spread = jump if dangling is None else _vector(G, dangling)
    given = vector(np.concatenate([begin, jump, spread, dead]), np.float64)
    found = call("ranks", rows, given, damping=float(alpha), tolerance=float(tol), most=int(max_iter))
    if not found["settled"]:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return G.dict_of(found["rank"])
