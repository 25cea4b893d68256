"""What NetworkX has of the programs that serial.py measures, on the same graph."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import networkx as nx

from irgl.rt.graphs.graph import Graph

Arguments = Mapping[str, Any]
#: By program: its function, given the graph in NetworkX's form and the program's arguments.
FUNCTIONS: dict[str, Callable[[Any, Arguments], Any]] = {
    "matching": lambda g, _: nx.maximal_matching(g),
    "colouring": lambda g, _: nx.greedy_color(g, "random_sequential"),
    "scc": lambda g, _: list(nx.strongly_connected_components(g)),
    "ktruss_k": lambda g, given: nx.k_truss(g, given["k"]),
}


def networkx_ms(name: str, graph: Graph, given: Arguments) -> float:
    """Milliseconds of one call, the making of NetworkX's graph not counted."""
    made = as_networkx(graph)
    begin = time.perf_counter()
    FUNCTIONS[name](made, given)
    return (time.perf_counter() - begin) * 1e3


def as_networkx(graph: Graph) -> Any:
    """The graph in NetworkX's form, nodes numbered from 0; of an undirected one each edge once."""
    made = nx.DiGraph() if graph.directed else nx.Graph()
    made.add_nodes_from(range(graph.num_nodes))
    tails, heads = graph.sources().tolist(), graph.dst.tolist()
    if graph.weight is None:
        made.add_edges_from(zip(tails, heads, strict=True))
    else:
        made.add_weighted_edges_from(zip(tails, heads, graph.weight.tolist(), strict=True))
    return made
