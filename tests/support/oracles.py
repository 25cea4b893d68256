"""What each program must find, from NetworkX alone: by program, a function that asserts it of a run."""

from __future__ import annotations

from collections.abc import Callable

import networkx as nx
import numpy as np

from support.programs import COMPONENTS, PATHS, RANKS, SEARCHES, Ran
from support.verifying import multigraph, simple

Oracle = Callable[[Ran], None]


def _hops(ran: Ran) -> None:
    found = nx.single_source_shortest_path_length(nx.DiGraph(multigraph(ran.graph)), ran.values["src"])
    expected = np.full(ran.graph.num_nodes, np.iinfo(np.int32).max)
    expected[list(found)] = list(found.values())
    np.testing.assert_array_equal(ran["hops"], expected)
    assert (ran["reached"], ran["deepest"]) == (len(found), max(found.values()))


def _distances(ran: Ran) -> None:
    n, graph = ran.graph.num_nodes, ran.graph
    lightest = nx.DiGraph()
    lightest.add_nodes_from(range(n))
    for u, v, w in multigraph(graph).edges(data="weight"):
        lightest.add_edge(u, v, weight=min(w, lightest.get_edge_data(u, v, {"weight": w})["weight"]))
    found = nx.single_source_dijkstra_path_length(lightest, ran.values["src"])
    got = ran["path_length"]
    expected = np.full(n, np.inf if got.dtype.kind == "f" else np.iinfo(got.dtype).max, np.float64)
    expected[list(found)] = list(found.values())
    np.testing.assert_array_equal(got.astype(np.float64), expected)
    assert (ran["reached"], ran["farthest"]) == (len(found), max(found.values()))


def _components(ran: Ran) -> None:
    expected = np.zeros(ran.graph.num_nodes, np.int64)
    parts = list(nx.weakly_connected_components(multigraph(ran.graph)))
    for part in parts:
        expected[list(part)] = min(part)
    np.testing.assert_array_equal(ran["comp_root"], expected)
    assert ran["components"] == len(parts)


def _ranks(ran: Ran) -> None:
    if ran.graph.num_nodes == 0:
        return
    found = nx.pagerank(multigraph(ran.graph), weight=None, tol=1e-12 / ran.graph.num_nodes, max_iter=2000)
    expected = np.array([found[v] for v in range(ran.graph.num_nodes)])
    assert np.abs(ran["pagerank"] - expected).sum() < 1e-5


def _triangles(ran: Ran) -> None:
    assert ran["triangles"] == sum(nx.triangles(simple(ran.graph)).values()) // 3


def _independent(ran: Ran) -> None:
    graph = simple(ran.graph)
    inside = {int(v) for v in np.flatnonzero(ran["verdict"] == 1)}
    assert not any(u in inside and v in inside for u, v in graph.edges)
    assert inside | set().union(*(graph[v] for v in inside)) == set(graph)
    assert ran["members"] == len(inside)


def _forest(ran: Ran) -> None:
    tree = list(nx.minimum_spanning_edges(nx.MultiGraph(multigraph(ran.graph)), data=True))
    assert ran["weight"] == sum(data["weight"] for *_, data in tree)
    assert ran["edges"] == len(tree) == np.count_nonzero(ran["in_forest"])
    assert ran["trees"] == ran.graph.num_nodes - len(tree)


def _cores(ran: Ran) -> None:
    found = nx.core_number(simple(ran.graph))
    np.testing.assert_array_equal(ran["coreness"], [found[v] for v in range(ran.graph.num_nodes)])
    assert ran["largest"] == max(found.values(), default=0)


def _betweenness(ran: Ran) -> None:
    graph = nx.DiGraph(multigraph(ran.graph))
    sources = np.flatnonzero(ran["is_source"]).tolist()
    found = nx.betweenness_centrality_subset(graph, sources, list(graph), normalized=False)
    np.testing.assert_allclose(ran["betweenness"], [found[v] for v in range(ran.graph.num_nodes)], rtol=1e-9, atol=1e-9)


def _arcs(ran: Ran) -> None:
    assert ran["arcs"] == multigraph(ran.graph).number_of_edges()


ORACLES: dict[str, Oracle] = {
    **dict.fromkeys(SEARCHES, _hops),
    **dict.fromkeys(PATHS, _distances),
    **dict.fromkeys(COMPONENTS, _components),
    **dict.fromkeys(RANKS, _ranks),
    "tri": _triangles,
    "mis": _independent,
    "mst": _forest,
    "kcore": _cores,
    "bc": _betweenness,
    "traverse": _arcs,
}
