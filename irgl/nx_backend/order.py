"""Directed graphs without cycles; graphs of two colours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from irgl.nx_backend.functions.walking import depth_first
from irgl.nx_backend.graph import Rows
from irgl.nx_backend.offers import COUNTED, ENDS_EARLY, ONE_PASS, offer
from irgl.nx_backend.run import Found, call


def _generations(graph: Rows) -> Found:
    if not graph.is_directed():
        raise nx.NetworkXError("Topological sort not defined on undirected graphs.")
    return call("generations", graph.rows)


def _check_unchanged(graph: Rows, following: list[Any]) -> None:
    """The errors that NetworkX ends with where a graph is changed while its order is being read: one for what it meets
    and does not know, one for what it then lacks. following: the nodes that come next."""
    if graph.changed():
        if graph.number_of_edges() > graph.rows.num_edges or any(n not in graph.original for n in following):
            raise RuntimeError("Graph changed during iteration")
        raise nx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")


@offer(ONE_PASS)
def topological_generations(G: Rows) -> Iterator[list[Any]]:
    found = _generations(G)
    order = found["in_order"][: found["taken"]]
    borders = np.flatnonzero(np.diff(found["generation"][order])) + 1
    for generation in np.split(order, borders) if len(order) else ():
        names = G.names(generation)
        _check_unchanged(G, names)
        yield names
    _check_unchanged(G, [])
    if len(order) < len(G):
        raise nx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")


@offer(ONE_PASS)
def topological_sort(G: Rows) -> Iterator[Any]:
    for generation in topological_generations(G):
        yield from generation


@offer(COUNTED)
def has_cycle(G: Rows) -> bool:
    return bool(_generations(G)["taken"] < len(G))


@offer(COUNTED)
def is_directed_acyclic_graph(G: Rows) -> bool:
    return G.is_directed() and not has_cycle(G)


@offer(ENDS_EARLY)
def is_bipartite(G: Rows) -> bool:
    rows = G.both()
    walk, _ = depth_first(rows, range(len(G)))
    colour = walk.depth % 2
    return not bool((colour[rows.sources()] == colour[rows.dst]).any())
