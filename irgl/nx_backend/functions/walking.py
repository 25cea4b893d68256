"""Breadth and depth first: walks of a graph in NetworkX's order, as arrays."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np

from irgl.nx_backend.graph import Rows
from irgl.nx_backend.run import call, vector
from irgl.rt.graphs.graph import Graph

Array = np.ndarray[Any, Any]
DEEPEST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Walk:
    """order: the nodes met, in order. depth, above: of every node its depth, and what it was met from; -1 for none."""

    order: Array
    depth: Array
    above: Array

    def edges(self, graph: Rows) -> Iterable[tuple[Any, Any]]:
        """(parent, child) of all nodes but the first, in order."""
        rest = self.order[self.depth[self.order] > 0]
        return zip(graph.names(self.above[rest]), graph.names(rest), strict=True)


def breadth(rows: Graph, sources: Iterable[int], limit: int = DEEPEST) -> Walk:
    """Level by level from all sources, neighbours as the rows have them, at most `limit` levels down."""
    found = call("walk", rows, vector(list(sources)), limit=limit)
    return Walk(found["in_order"][: found["met"]], found["depth"], found["above"])


def depth_first(rows: Graph, sources: Iterable[int], limit: int = DEEPEST) -> tuple[Walk, Array]:
    """Depth first from each source that is not met yet; and the order in which nodes are left."""
    found = call("depth", rows, vector(list(sources)), limit=limit)
    walk = Walk(found["in_order"][: found["met"]], found["depth"], found["above"])
    return walk, found["left_order"][: found["left"]]


def levels(limit: Any) -> int:
    """How many levels a bound on distances allows: NetworkX goes on while the last level is below it."""
    if limit is None or limit >= DEEPEST:
        return DEEPEST
    below: int = math.ceil(limit)
    return max(0, below)


def node_of(graph: Rows, node: Any) -> int:
    """A node's number, with the error of `G.neighbors(node)`."""
    if node not in graph:
        kind = "digraph" if graph.is_directed() else "graph"
        raise nx.NetworkXError(f"The node {node} is not in the {kind}.")
    number: int = graph.places[node]
    return number


def climb(above: Array, node: int) -> list[int]:
    """The nodes from one up to where the walk began."""
    path = []
    while node >= 0:
        path.append(node)
        node = int(above[node])
    return path


def ranks(order: Array, nodes: int) -> Array:
    """The place of every node in an order; those that it lacks come last."""
    found = np.full(nodes, nodes, np.int64)
    found[order] = np.arange(len(order))
    return found


def lists_of(graph: Rows, order: Array, arcs_from: Array, arcs_to: Array, place: Array) -> dict[Any, list[Any]]:
    """For each node of `order` those that its arcs come from, arcs in the order of their sources' places."""
    kept = np.lexsort((place[arcs_from], place[arcs_to]))
    sources = graph.names(arcs_from[kept])
    counts = np.bincount(place[arcs_to], minlength=len(order))[: len(order)]
    ends = np.cumsum(counts).tolist()
    begin = 0
    found = {}
    for name, end in zip(graph.names(order), ends, strict=True):
        found[name] = sources[begin:end]
        begin = end
    return found
