"""Connected components: undirected, weak and strong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import numpy as np

from irgl.nx_backend.functions.walking import breadth
from irgl.nx_backend.graph import Rows
from irgl.nx_backend.offers import COUNTED, DEPTH_FIRST, ONE_PASS, offer
from irgl.nx_backend.run import Found, call

Array = np.ndarray[Any, Any]


def _components(graph: Rows) -> Found:
    """Of every node its component's first node. Directed: weak components."""
    return call("parts", graph.rows, most=2, samples=64)


def _strong(graph: Rows) -> Found:
    return call("strong", graph.rows)


def _is_one(graph: Rows, components: Callable[[Rows], Found]) -> bool:
    if len(graph) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return int(components(graph)["parts"]) == 1


def _sets(graph: Rows, part: Array) -> Iterator[set[Any]]:
    """The nodes of equal part, by rising parts."""
    if not len(part):
        return
    if (part == part[0]).all():
        yield set(graph.labels)
        return
    order = np.argsort(part, kind="stable")
    borders = np.flatnonzero(np.diff(part[order])) + 1
    names = graph.names(order)
    begin = 0
    for end in [*borders.tolist(), len(names)]:
        yield set(names[begin:end])
        begin = end


@offer(ONE_PASS)
def connected_components(G: Rows) -> Iterator[set[Any]]:
    yield from _sets(G, _components(G)["part"])


@offer(COUNTED)
def number_connected_components(G: Rows) -> int:
    return int(_components(G)["parts"])


@offer(COUNTED)
def is_connected(G: Rows) -> bool:
    return _is_one(G, _components)


@offer(ONE_PASS)
def node_connected_component(G: Rows, n: Any) -> set[Any]:
    return set(G.names(breadth(G.rows, [G.places[n]]).order))


@offer(ONE_PASS)
def weakly_connected_components(G: Rows) -> Iterator[set[Any]]:
    yield from _sets(G, _components(G)["part"])


@offer(COUNTED)
def number_weakly_connected_components(G: Rows) -> int:
    return int(_components(G)["parts"])


@offer(COUNTED)
def is_weakly_connected(G: Rows) -> bool:
    return _is_one(G, _components)


@offer(DEPTH_FIRST)
def strongly_connected_components(G: Rows) -> Iterator[set[Any]]:
    yield from _sets(G, _strong(G)["part"])


@offer(DEPTH_FIRST)
def number_strongly_connected_components(G: Rows) -> int:
    return int(_strong(G)["parts"])


@offer(DEPTH_FIRST)
def is_strongly_connected(G: Rows) -> bool:
    return _is_one(G, _strong)
