"""Scores by power iteration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import networkx as nx
import numpy as np

from irgl.nx_backend.functions.weighted_paths import named_weight
from irgl.nx_backend.graph import Rows, with_weights
from irgl.nx_backend.offers import Cost, offer
from irgl.nx_backend.run import call, vector
from irgl.rt.graphs.graph import Graph

Array = np.ndarray[Any, Any]


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


@offer(Cost(theirs=600, ours=60, result=70), named_weight)
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


POWERS = Cost(theirs=2500, ours=100, result=70)


def _start_covered(G: Any, given: Mapping[str, Any]) -> str:
    if given["nstart"] is not None and set(given["nstart"]) != set(G):
        return "the start has one value for each node"
    return named_weight(G, given)


def _weighted_into(graph: Rows, weight: Any) -> Graph:
    """Rows of predecessors with the weights of their edges."""
    values = np.ones(graph.rows.num_edges) if weight is None else graph.weights(weight).lightest.astype(np.float64)
    return with_weights(graph.into(), graph.into_weights(values))


@offer(POWERS, _start_covered)
def eigenvector_centrality(G: Rows, max_iter: Any = 100, tol: Any = 1e-6, nstart: Any = None,
                           weight: Any = None) -> dict[Any, float]:  # fmt: skip
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("cannot compute centrality for the null graph")
    begin = np.ones(len(G)) if nstart is None else _vector(G, nstart, divide=False)
    if not begin.any():
        raise nx.NetworkXError("initial vector cannot have all zero values")
    rows = _weighted_into(G, weight if weight else None)
    given = vector(np.concatenate([begin / begin.sum(), begin]), np.float64)
    found = call("powers", rows, given, factor=1.0, kept=1.0, tolerance=float(tol), most=int(max_iter), length_one=True)
    if not found["settled"]:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return G.dict_of(found["score"])


@offer(POWERS, _start_covered)
def katz_centrality(G: Rows, alpha: Any = 0.1, beta: Any = 1.0, max_iter: Any = 1000, tol: Any = 1e-6,
                    nstart: Any = None, normalized: Any = True, weight: Any = None) -> dict[Any, float]:  # fmt: skip
    if len(G) == 0:
        return {}
    begin = np.zeros(len(G)) if nstart is None else _vector(G, nstart, divide=False)
    try:
        own = np.full(len(G), float(beta))
    except (TypeError, ValueError, AttributeError) as error:
        if set(beta) != set(G):
            raise nx.NetworkXError("beta dictionary must have a value for every node") from error
        own = _vector(G, beta, divide=False)
    given = vector(np.concatenate([begin, own]), np.float64)
    found = call("powers", _weighted_into(G, weight), given, factor=float(alpha), kept=0.0, tolerance=float(tol),
                 most=int(max_iter), length_one=bool(normalized))  # fmt: skip
    if not found["settled"]:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return G.dict_of(found["score"])
