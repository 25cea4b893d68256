"""Small NetworkX graphs with all that a backend may trip over."""

from __future__ import annotations

import random
from collections.abc import Hashable
from typing import Any

import networkx as nx

#: Names of nodes that are equal to no number of theirs.
ODD: tuple[Hashable, ...] = ("a", (1, 2), frozenset({3}), 2.5, -7, b"x", True, "é", 10**30)


def _random(seed: int, *, directed: bool, nodes: int = 24, density: float = 0.09, loops: int = 0) -> Any:
    made = random.Random(seed)
    graph: Any = nx.DiGraph() if directed else nx.Graph()
    names = list(range(nodes))
    made.shuffle(names)
    graph.add_nodes_from(names)
    for u in names:
        for v in names:
            if u != v and made.random() < density:
                graph.add_edge(u, v, weight=made.randint(0, 9), length=made.random())
    for u in names[:loops]:
        graph.add_edge(u, u, weight=made.randint(0, 9), length=made.random())
    return graph


def _named(graph: Any) -> Any:
    """The same with odd names."""
    return nx.relabel_nodes(graph, dict(zip(list(graph), ODD, strict=False)))


def _parallel(directed: bool) -> Any:
    made = random.Random(5)
    graph: Any = nx.MultiDiGraph() if directed else nx.MultiGraph()
    graph.add_nodes_from(range(10))
    for _ in range(30):
        graph.add_edge(made.randrange(10), made.randrange(10), weight=made.randint(1, 5), length=made.random())
    return graph


def _cycle_free() -> Any:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(24))
    graph.add_edges_from((u, v) for u, v in _random(3, directed=True).edges if u < v)
    return graph


GRAPHS: dict[str, Any] = {
    "undirected": _random(1, directed=False),
    "dense": _random(2, directed=False, nodes=14, density=0.6),
    "loops": _random(3, directed=False, loops=5),
    "odd names": _named(_random(4, directed=False, nodes=9, density=0.4)),
    "directed": _random(5, directed=True),
    "directed loops": _random(6, directed=True, density=0.15, loops=5),
    "directed odd names": _named(_random(7, directed=True, nodes=9, density=0.4)),
    "acyclic": _cycle_free(),
    "parallel": _parallel(False),
    "directed parallel": _parallel(True),
    "connected": nx.compose(nx.cycle_graph(12), nx.star_graph(5)),
    "strong": nx.compose(nx.cycle_graph(12, create_using=nx.DiGraph), nx.DiGraph([(5, 2), (9, 4)])),
    "grid": nx.grid_2d_graph(4, 5),
    "one node": nx.empty_graph(1),
    "no node": nx.empty_graph(0),
    "directed, no node": nx.empty_graph(0, create_using=nx.DiGraph),
}
