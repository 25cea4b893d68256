"""Spanning trees by weight: the edges that Kruskal's algorithm takes, in its order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from irgl.nx_backend.functions.between import undirected_edges
from irgl.nx_backend.functions.weighted_paths import named_weight
from irgl.nx_backend.graph import Rows, with_weights
from irgl.nx_backend.offers import Cost, offer
from irgl.nx_backend.run import call

SPANNING = Cost(theirs=900, ours=350, result=300)


def _kruskal(G: Any, given: Mapping[str, Any]) -> str:
    if given["algorithm"] != "kruskal":
        return "ties are broken as Kruskal's algorithm does"
    if G.is_directed():
        return "directed graphs have no spanning tree"
    return "parallel edges are not covered" if G.is_multigraph() else named_weight(G, given)


def _forest(graph: Rows, weight: Any, *, least: bool) -> Iterator[tuple[Any, Any]]:
    """The edges of the forest as `G.edges` has them, lightest (or heaviest) first, ties in that order."""
    kept, pair = undirected_edges(graph)
    heavy = np.ones(len(kept)) if weight is None else graph.weights(weight).lightest[kept]
    order = np.argsort(heavy if least else -heavy, kind="stable")
    rank = np.empty(len(kept), np.int64)
    rank[order] = np.arange(len(kept))
    found = call("forest", with_weights(graph.rows, rank[pair]))["chosen"]
    chosen = kept[order[np.unique(rank[pair[np.flatnonzero(found)]])]]
    src = graph.rows.sources()[chosen]
    return zip(graph.names(src), graph.names(graph.rows.dst[chosen]), strict=True)


def _edges(graph: Rows, weight: Any, *, data: Any, least: bool) -> Iterator[Any]:
    adjacency = graph.current()._adj
    chosen = _forest(graph, weight, least=least)
    return ((u, v, adjacency[u][v]) if data else (u, v) for u, v in chosen)


@offer(SPANNING, _kruskal)
def minimum_spanning_edges(G: Rows, algorithm: Any = "kruskal", weight: Any = "weight", keys: Any = True,
                           data: Any = True, ignore_nan: Any = False) -> Iterator[Any]:  # fmt: skip
    return _edges(G, weight, data=data, least=True)


@offer(SPANNING, _kruskal)
def maximum_spanning_edges(G: Rows, algorithm: Any = "kruskal", weight: Any = "weight", keys: Any = True,
                           data: Any = True, ignore_nan: Any = False) -> Iterator[Any]:  # fmt: skip
    return _edges(G, weight, data=data, least=False)


def _tree(graph: Rows, weight: Any, *, least: bool) -> Any:
    original = graph.current()
    tree = original.__class__()
    tree.graph.update(original.graph)
    tree.add_nodes_from(original.nodes.items())
    tree.add_edges_from(_edges(graph, weight, data=True, least=least))
    return tree


@offer(SPANNING, _kruskal)
def minimum_spanning_tree(G: Rows, weight: Any = "weight", algorithm: Any = "kruskal", ignore_nan: Any = False) -> Any:
    return _tree(G, weight, least=True)


@offer(SPANNING, _kruskal)
def maximum_spanning_tree(G: Rows, weight: Any = "weight", algorithm: Any = "kruskal", ignore_nan: Any = False) -> Any:
    return _tree(G, weight, least=False)
