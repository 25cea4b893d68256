"""Triangles, and what is made of their number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import networkx as nx
import numpy as np

from irgl.nx_backend.graph import Rows, graph_of
from irgl.nx_backend.offers import Cost, offer
from irgl.nx_backend.run import call
from irgl.rt.graphs.graph import Graph

Array = np.ndarray[Any, Any]
TRIPLES = Cost(theirs=600, ours=50, result=70)
TRIPLES_SUM = Cost(theirs=2000, ours=50, result=70)
#: From so many neighbours on, on average, it pays to renumber the nodes and to keep each edge from one end only.
_MANY = 8


def _kept_once(graph: Rows) -> tuple[Graph, Array]:
    """Nodes by falling degree, and each edge from the end of lower degree; and the number of every node in it."""
    rows = graph.rows  # of an undirected graph, each neighbour once
    nodes = rows.num_nodes
    number = np.empty(nodes, rows.dst.dtype)
    number[np.argsort(-rows.out_degrees(), kind="stable")] = np.arange(nodes, dtype=number.dtype)
    src, dst = number[rows.sources()], number[rows.dst]
    keep = src > dst  # no loop
    return graph_of(src[keep], dst[keep], nodes), number


def closed_triples(graph: Rows) -> Array:
    """How many triangles each node is in: counted once for all functions that ask."""
    found: Array = graph.made("closed triples", lambda: _counted(graph))
    return found


def _counted(graph: Rows) -> Array:
    found: Array
    if graph.rows.num_edges < _MANY * graph.rows.num_nodes:
        found = call("triples", graph.rows, whole=True)["closed"]
    else:
        rows, number = _kept_once(graph)
        found = call("triples", rows, whole=False)["closed"][number]
    return found


def _degrees(graph: Rows) -> Array:
    """Loops don't count."""
    rows = graph.rows
    src = rows.sources()
    found: Array = rows.out_degrees().astype(np.int64) - np.bincount(src[src == rows.dst], minlength=rows.num_nodes)
    return found


def _chosen(graph: Rows, nodes: Any) -> tuple[list[Any], Array | slice]:
    """The nodes that a call asks for, by name and number, each once, in their order."""
    if nodes is None:
        return graph.labels, slice(None)
    names = list(dict.fromkeys(graph.current().nbunch_iter(nodes)))
    return names, np.array([graph.places[n] for n in names], np.int64)


def _one(graph: Rows, nodes: Any) -> bool:
    """Is it one node that is asked for?"""
    return nodes is not None and nodes in graph


def _no_multigraph(graph: Rows) -> None:
    if graph.is_multigraph():
        raise nx.NetworkXNotImplemented("not implemented for multigraph type")


@offer(TRIPLES)
def triangles(G: Rows, nodes: Any = None) -> Any:
    if nodes is not None:
        _no_multigraph(G)
    found = closed_triples(G)
    if _one(G, nodes):
        return int(found[G.places[nodes]])
    names, numbers = _chosen(G, nodes)
    return dict(zip(names, found[numbers].tolist(), strict=True))


def _plain(G: Any, given: Mapping[str, Any]) -> str:
    if given.get("weight") is not None:
        return "clustering by weights is not covered"
    return "clustering of directed graphs is not covered" if G.is_directed() else ""


def _coefficients(graph: Rows, nodes: Any) -> tuple[list[Any], Array]:
    """The names of the nodes that are asked for, and what part of each one's pairs of neighbours are neighbours."""
    _no_multigraph(graph)
    closed, degree = 2 * closed_triples(graph), _degrees(graph)
    ratio = np.divide(closed, degree * (degree - 1), out=np.zeros(len(graph)), where=closed != 0)
    names, numbers = _chosen(graph, nodes)
    return names, ratio[numbers]


@offer(TRIPLES_SUM, _plain)
def clustering(G: Rows, nodes: Any = None, weight: Any = None) -> Any:
    names, ratio = _coefficients(G, nodes)
    # Where nothing is closed NetworkX has the int 0.
    found = {n: r or 0 for n, r in zip(names, ratio.tolist(), strict=True)}
    return found[nodes] if _one(G, nodes) else found


@offer(TRIPLES_SUM, _plain)
def average_clustering(G: Rows, nodes: Any = None, weight: Any = None, count_zeros: Any = True) -> Any:
    if _one(G, nodes):
        raise NotImplementedError("one node has no average")
    _, ratio = _coefficients(G, nodes)
    values: list[float] = (ratio if count_zeros else ratio[ratio > 0]).tolist()
    return sum(values) / len(values)  # added up as Python does it, with the same rounding


@offer(TRIPLES_SUM, _plain)
def transitivity(G: Rows) -> Any:
    _no_multigraph(G)
    if len(G) == 0:
        return 0
    closed = 2 * int(closed_triples(G).sum())
    degree = _degrees(G)
    return 0 if closed == 0 else closed / int((degree * (degree - 1)).sum())
