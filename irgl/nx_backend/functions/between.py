"""Betweenness of nodes and edges."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from irgl.nx_backend.graph import Rows
from irgl.nx_backend.offers import Cost, offer
from irgl.nx_backend.run import call, vector

Array = np.ndarray[Any, Any]
PASSING = Cost(theirs=700, ours=40, result=70, rounds="k")


def _hops(G: Any, given: Mapping[str, Any]) -> str:
    return "" if given["weight"] is None else "paths are counted by edges: there is to be no weight"


def _edge_hops(G: Any, given: Mapping[str, Any]) -> str:
    return "parallel edges are not covered" if G.is_multigraph() else _hops(G, given)


def _sample(graph: Rows, k: Any, seed: Any) -> Array:
    """The sources: all, or k of them as NetworkX would choose."""
    if k is None:
        return np.arange(len(graph))
    numbers = [graph.places[n] for n in seed.sample(list(graph.labels), k)]
    return np.array(numbers, np.int64)


def _scaled(graph: Rows, found: Array, sources: Array, k: Any, *, normalized: bool, endpoints: bool) -> Array:
    """Sums over the sources, as NetworkX scales them: what sources give each other is a smaller sample."""
    pairs = len(graph) if endpoints else len(graph) - 1
    if pairs < 2:
        return found
    undirected = 1 if graph.is_directed() else 2
    if k is None or endpoints:
        count = pairs if k is None else len(sources)
        scale = 1 / (count * (pairs - 1)) if normalized else pairs / (count * undirected)
        return found * scale
    count = len(sources)
    if normalized:
        own = 1 / ((count - 1) * (pairs - 1)) if count > 1 else math.nan
        other = 1 / (count * (pairs - 1))
    else:
        own = pairs / ((count - 1) * undirected) if count > 1 else math.nan
        other = pairs / (count * undirected)
    scales = np.full(len(found), other)
    scales[sources] = own
    scaled: Array = found * scales
    return scaled


@offer(PASSING, _hops)
def betweenness_centrality(G: Rows, k: Any = None, normalized: Any = True, weight: Any = None,
                           endpoints: Any = False, seed: Any = None) -> dict[Any, float]:  # fmt: skip
    k = None if k == len(G) else k
    sources = _sample(G, k, seed)
    found = call("between", G.rows, vector(sources), count=len(sources), ends=bool(endpoints))["passed"]
    return G.dict_of(_scaled(G, found, sources, k, normalized=normalized, endpoints=endpoints))


@offer(PASSING, _edge_hops)
def edge_betweenness_centrality(G: Rows, k: Any = None, normalized: Any = True, weight: Any = None,
                                seed: Any = None) -> dict[Any, float]:  # fmt: skip
    sources = _sample(G, k, seed)
    crossed = call("crossing", G.rows, vector(sources), count=len(sources))["crossed"]
    src, dst = G.rows.sources(), G.rows.dst
    kept = np.arange(len(dst))
    if not G.is_directed():
        kept, pair = undirected_edges(G)
        crossed = np.bincount(pair, crossed, len(kept))
    scaled = _scaled(G, crossed, sources, k, normalized=normalized, endpoints=True)
    return dict(zip(zip(G.names(src[kept]), G.names(dst[kept]), strict=True), scaled.tolist(), strict=True))


def undirected_edges(graph: Rows) -> tuple[Array, Array]:
    """The edges in the order of `G.edges`, by the number of the arc from the end that comes first; and of every arc the
    place of its edge in that order."""

    def make() -> tuple[Array, Array]:
        src, dst = graph.rows.sources().astype(np.int64), graph.rows.dst.astype(np.int64)
        keys = np.minimum(src, dst) * max(1, len(graph)) + np.maximum(src, dst)
        kept = np.flatnonzero(dst >= src)
        order = np.argsort(keys[kept])
        return kept, order[np.searchsorted(keys[kept][order], keys)]

    return graph.made("edges", make)  # type: ignore[no-any-return]
