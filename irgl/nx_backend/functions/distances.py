"""What is made of the distances between all nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import networkx as nx
import numpy as np

from irgl.nx_backend.functions.components import is_connected, is_strongly_connected
from irgl.nx_backend.functions.weighted_paths import settle, weight_word
from irgl.nx_backend.graph import Rows
from irgl.nx_backend.offers import ALL_SUMS, offer
from irgl.nx_backend.run import Found, call, vector
from irgl.nx_backend.versions import newer
from irgl.rt.graphs.graph import Graph

Array = np.ndarray[Any, Any]


def _reach(rows: Graph, numbers: Array) -> Found:
    return call("reach", rows, vector(numbers), count=len(numbers))


def _hops(G: Any, given: Mapping[str, Any]) -> str:
    if given["weight"] is not None:
        return "distances are numbers of edges: there is to be no weight"
    if given.get("sp") is not None or given.get("e") is not None:
        return "what is to be computed is given"
    if given.get("method") not in (None, "unweighted"):
        return f"the method is not covered: {given['method']}"
    return "all distances are computed: usebounds is not covered" if given.get("usebounds") else ""


def _farthest(graph: Rows, names: list[Any]) -> dict[Any, int]:
    if len(graph) == 0 and newer((3, 7)):
        raise nx.NetworkXPointlessConcept("Cannot compute eccentricity of a null graph.")
    numbers = np.array([graph.places[n] for n in names], np.int64)
    found = _reach(graph.rows, numbers)
    if (found["reached"][numbers] != len(graph)).any():
        if graph.is_directed():
            raise nx.NetworkXError("Found infinite path length because the digraph is not strongly connected")
        raise nx.NetworkXError("Found infinite path length because the graph is not connected")
    return dict(zip(names, found["farthest"][numbers].tolist(), strict=True))


@offer(ALL_SUMS, _hops)
def eccentricity(G: Rows, v: Any = None, sp: Any = None, weight: Any = None) -> Any:
    if v is not None and v in G:
        return _farthest(G, [v])[v]
    return _farthest(G, G.labels if v is None else list(G.current().nbunch_iter(v)))


@offer(ALL_SUMS, _hops)
def diameter(G: Rows, e: Any = None, usebounds: Any = False, weight: Any = None) -> int:
    return max(_farthest(G, G.labels).values())


@offer(ALL_SUMS, _hops)
def radius(G: Rows, e: Any = None, usebounds: Any = False, weight: Any = None) -> int:
    return min(_farthest(G, G.labels).values())


@offer(ALL_SUMS, _hops)
def periphery(G: Rows, e: Any = None, usebounds: Any = False, weight: Any = None) -> list[Any]:
    found = _farthest(G, G.labels)
    most = max(found.values())
    return [n for n, far in found.items() if far == most]


@offer(ALL_SUMS, _hops)
def center(G: Rows, e: Any = None, usebounds: Any = False, weight: Any = None) -> list[Any]:
    if len(G) == 0 or (not G.is_directed() and G.number_of_edges() == len(G) - 1):
        raise NotImplementedError("the center of a tree needs no distances")
    found = _farthest(G, G.labels)
    least = min(found.values())
    return [n for n, far in found.items() if far == least]


@offer(ALL_SUMS, _hops)
def average_shortest_path_length(G: Rows, weight: Any = None, method: Any = None) -> Any:
    nodes = len(G)
    if nodes == 0:
        raise nx.NetworkXPointlessConcept(
            "the null graph has no paths, thus there is no average shortest path length")
    if nodes == 1:
        return 0
    if G.is_directed() and not is_strongly_connected(G):
        raise nx.NetworkXError("Graph is not strongly connected.")
    if not G.is_directed() and not is_connected(G):
        raise nx.NetworkXError("Graph is not connected.")
    return int(_reach(G.rows, np.arange(nodes))["together"].sum()) / (nodes * (nodes - 1))


def _undirected_weights(G: Any, given: Mapping[str, Any]) -> str:
    if given["sp"] is not None:
        return "what is to be computed is given"
    if given["distance"] is not None and G.is_directed():
        return "closeness by weights of directed graphs is not covered"
    return weight_word(given["distance"])


@offer(ALL_SUMS, _undirected_weights)
def closeness_centrality(G: Rows, u: Any = None, distance: Any = None, wf_improved: Any = True, *,
                         sp: Any = None) -> Any:  # fmt: skip
    names = G.labels if u is None else [u]
    if any(n not in G for n in names):
        raise nx.NodeNotFound(f"Source {u} is not in G" if distance is None else f"Node {u} not found in graph")
    numbers = [G.places[n] for n in names]
    if distance is None:
        swept = _reach(G.into(), np.array(numbers, np.int64))
        reached, together = swept["reached"][numbers].tolist(), swept["together"][numbers].tolist()
    else:
        every = [settle(G, [n], distance).dict_of(G).values() for n in numbers]
        reached, together = [len(d) for d in every], [sum(d) for d in every]
    nodes = len(G)
    found = {}
    for name, count, total in zip(names, reached, together, strict=True):
        close = 0.0
        if total > 0.0 and nodes > 1:
            close = (count - 1.0) / total
            if wf_improved:
                close *= (count - 1.0) / (nodes - 1)
        found[name] = close
    return found if u is None else found[u]


def _whole_harmonic(G: Any, given: Mapping[str, Any]) -> str:
    if given["nbunch"] is not None or given["sources"] is not None:
        return "all nodes are looked at: neither nbunch nor sources is covered"
    return "" if given["distance"] is None else "distances are numbers of edges: there is to be no distance"


@offer(ALL_SUMS, _whole_harmonic)
def harmonic_centrality(G: Rows, nbunch: Any = None, distance: Any = None, sources: Any = None) -> dict[Any, Any]:
    found = _reach(G.into(), np.arange(len(G)))
    sums, reached = found["inverse"].tolist(), found["reached"].tolist()
    return {n: sums[G.places[n]] if reached[G.places[n]] > 1 else 0 for n in set(G.labels)}
