"""Each function of the NetworkX backend gives what NetworkX gives: values, their types, their order, and errors."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import pytest
from support.nx_graphs import GRAPHS

from irgl.nx_backend import backend
from irgl.nx_backend.run import kernels
from irgl.nx_backend.versions import FOLLOWED, HAVE

pytestmark = pytest.mark.skipif(HAVE < FOLLOWED, reason="the backend follows a later NetworkX")
OFFERS = backend.OFFERS
nx.config.warnings_to_ignore.add("cache")
#: Functions whose numbers are sums of floats, in another order of summation than NetworkX's.
SUMMED = {"betweenness_centrality", "edge_betweenness_centrality", "eigenvector_centrality", "harmonic_centrality",
          "katz_centrality", "pagerank"}  # fmt: skip
#: Functions whose answer is one of several; their own tests are below.
FREE = {"maximal_independent_set"}
#: Functions of one node, of two, of several sources.
ONE = {n for n in OFFERS if n.startswith(("single_", "bfs_", "dfs_"))} | {
    "ancestors", "descendants", "dijkstra_predecessor_and_distance", "node_connected_component",
    "predecessor"}  # fmt: skip
TWO = {"astar_path_length", "bellman_ford_path", "bellman_ford_path_length", "bidirectional_shortest_path",
       "dijkstra_path", "dijkstra_path_length", "has_path"}  # fmt: skip
MANY = {n for n in OFFERS if n.startswith("multi_source")} | {"is_dominating_set"}
#: Further calls: arguments by name; nodes as numbers of the graph's own order.
FURTHER: dict[str, tuple[dict[str, Any], ...]] = {
    **dict.fromkeys((n for n in OFFERS if "dijkstra" in n or "bellman_ford" in n),
                    ({"weight": "length"}, {"weight": None}, {"weight": "missing"})),
    **{n: ({"weight": "length"}, {"cutoff": 7}, {"cutoff": 0.6, "weight": "length"}) for n in OFFERS
       if n.startswith(("single_source_dijkstra", "multi_source_dijkstra", "all_pairs_dijkstra"))},
    **{n: ({"cutoff": 2}, {"cutoff": 1.5}, {"cutoff": 0}) for n in OFFERS
       if n.endswith(("shortest_path", "shortest_path_length")) and n.startswith(("single", "all_pairs"))},
    **{n: ({"depth_limit": 2}, {"depth_limit": 0}) for n in OFFERS
       if n.startswith(("bfs_", "dfs_")) and n != "bfs_layers"},
    "predecessor": ({"cutoff": 2}, {"return_seen": True}, {"cutoff": 0}),
    "betweenness_centrality": ({"endpoints": True}, {"normalized": False}, {"k": 1, "seed": 3}, {"k": 5, "seed": 1},
                               {"k": 4, "seed": 2, "normalized": False, "endpoints": True}),
    "edge_betweenness_centrality": ({"normalized": False}, {"k": 5, "seed": 1}),
    "pagerank": ({"weight": None}, {"alpha": 0.5, "tol": 1e-10}, {"max_iter": 2}, {"weight": "length"}),
    "eigenvector_centrality": ({"max_iter": 1000, "tol": 1e-9}, {"weight": "length", "max_iter": 3000}),
    "katz_centrality": ({"alpha": 0.01}, {"alpha": 0.01, "normalized": False, "beta": 2}, {"weight": "length"}),
    "closeness_centrality": ({"wf_improved": False}, {"distance": "weight"}),
    "average_clustering": ({"count_zeros": False},),
    "k_core": ({"k": 1},), "k_shell": ({"k": 1},), "k_crust": ({"k": 1},),
    "minimum_spanning_edges": ({"weight": "length"}, {"data": False}), "maximum_spanning_edges": ({"data": False},),
    "minimum_spanning_tree": ({"weight": "length"},), "maximum_spanning_tree": ({"weight": None},),
    "shortest_path": ({"weight": "weight"}, {"weight": "weight", "method": "bellman-ford"}, {"method": "odd"}),
    "shortest_path_length": ({"weight": "weight"}, {"weight": "length", "method": "bellman-ford"}),
    "dfs_edges": ({"depth_limit": 1},),
}  # fmt: skip


def plain(found: Any) -> Any:
    """A result as lists and dicts; a graph as all that it holds."""
    if isinstance(found, Iterator | list):
        return [plain(part) for part in found]
    if isinstance(found, set):
        return "set", sorted(found, key=repr)
    if isinstance(found, nx.Graph):
        return type(found).__name__, found.graph, list(found.nodes(data=True)), list(found.edges(data=True))
    return found


def outcome(work: Callable[[], Any]) -> Any:
    """What a call gives, or the error that it ends with."""
    try:
        return plain(work())
    except Exception as error:
        return type(error), str(error)


def positions(name: str, graph: Any) -> list[tuple[Any, ...]]:
    """Leading arguments for a function: some nodes of the graph, and one that it has not."""
    nodes = list(graph)
    ends = [nodes[0], nodes[len(nodes) // 2]] if nodes else []
    if name in ONE:
        return [(n,) for n in [*ends, "missing"]]
    if name in TWO:
        return [(u, v) for u in ends for v in reversed(ends)] + [(u, "missing") for u in ends] + [("missing", "other")]
    if name in MANY:
        return [(ends,), ([*ends, "missing"],)]
    if name == "k_corona":
        return [(1,), (2,)]
    if name == "descendants_at_distance":
        return [(n, 2) for n in ends]
    return [()]


def agree(name: str, mine: Any, theirs: Any) -> bool:
    if name not in SUMMED or not isinstance(theirs, dict):
        return repr(mine) == repr(theirs)
    return repr(list(mine)) == repr(list(theirs)) and all(
        type(mine[n]) is type(theirs[n])
        and (math.isclose(mine[n], theirs[n], rel_tol=1e-9, abs_tol=1e-12) or theirs[n] != theirs[n] != mine[n])
        for n in theirs)


@pytest.mark.parametrize("name", sorted(OFFERS.keys() - FREE))
def test_function_gives_what_networkx_gives(name: str) -> None:
    function = getattr(nx, name, None) or getattr(nx.algorithms.dag, name, None) or getattr(nx.bipartite, name)
    compared = 0
    for kind, graph in GRAPHS.items():
        for args in positions(name, graph):
            for kwargs in ({}, *FURTHER.get(name, ())):
                if kwargs.get("k", 0) > len(graph) and "seed" in kwargs:
                    continue
                theirs = outcome(lambda: function(graph, *args, **kwargs, backend="networkx"))  # noqa: B023
                mine = outcome(lambda: function(graph, *args, **kwargs, backend="irgl"))  # noqa: B023
                if isinstance(mine, tuple) and mine[:1] == (NotImplementedError,):
                    continue
                assert agree(name, mine, theirs), f"{kind} {args} {kwargs}:\n{mine}\nnot\n{theirs}"
                compared += not (isinstance(theirs, tuple) and theirs and isinstance(theirs[0], type))
    assert compared >= 2, "it declines nearly everything"


@pytest.mark.parametrize("name", sorted(OFFERS))
def test_function_runs_a_kernel(name: str) -> None:
    graph = GRAPHS["acyclic" if name in ("topological_sort", "topological_generations") else "connected"]
    if "strong" in name or "weak" in name or name in ("has_cycle", "is_directed_acyclic_graph"):
        graph = GRAPHS["strong"]
    if name in SUMMED:
        graph = GRAPHS["grid" if name == "katz_centrality" else "dense"]
    function = getattr(nx, name, None) or getattr(nx.algorithms.dag, name, None) or getattr(nx.bipartite, name)
    graph.__networkx_cache__.clear()  # with what was counted before
    before = kernels.total
    plain(function(graph, *positions(name, graph)[0], backend="irgl"))
    assert kernels.total > before


@pytest.mark.parametrize("kind", ["undirected", "dense", "odd names", "connected", "grid"])
@pytest.mark.parametrize("seed", range(3))
def test_independent_set_is_independent_and_maximal(kind: str, seed: int) -> None:
    graph = GRAPHS[kind]
    found = nx.maximal_independent_set(graph, seed=seed, backend="irgl")
    assert len(found) == len(set(found))
    chosen = set(found)
    assert not any(u in chosen and v in chosen for u, v in graph.edges if u != v)
    assert all(n in chosen or chosen & set(graph[n]) for n in graph)


def test_independent_set_holds_the_nodes_that_are_asked_for() -> None:
    graph = GRAPHS["grid"]
    assert {(0, 1), (3, 3)} <= set(nx.maximal_independent_set(graph, [(0, 1), (3, 3)], seed=1, backend="irgl"))
    with pytest.raises(nx.NetworkXUnfeasible):
        nx.maximal_independent_set(graph, [(0, 1), (0, 2)], seed=1, backend="irgl")


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", ["single_source_shortest_path_length", "single_source_dijkstra", "bfs_edges",
                                  "dfs_edges", "shortest_path"])  # fmt: skip
def test_a_graph_for_all_threads_keeps_the_order(name: str, directed: bool) -> None:
    graph = nx.fast_gnp_random_graph(8000, 4 / 8000, seed=3, directed=directed)
    made = random.Random(1)
    for _, _, data in graph.edges(data=True):
        data["weight"] = made.randint(1, 4)
    theirs, mine = (plain(getattr(nx, name)(graph, 17, backend=b)) for b in ("networkx", "irgl"))
    assert mine == theirs
    assert list(mine) == list(theirs)


def test_large_graphs_agree_in_sums() -> None:
    graph = nx.fast_gnp_random_graph(8000, 4 / 8000, seed=3)
    for name, kwargs in (("pagerank", {}), ("betweenness_centrality", {"k": 3, "seed": 1}), ("triangles", {}),
                         ("core_number", {}), ("connected_components", {})):  # fmt: skip
        theirs, mine = (plain(getattr(nx, name)(graph, **kwargs, backend=b)) for b in ("networkx", "irgl"))
        assert mine == theirs if name not in SUMMED else mine == pytest.approx(theirs, rel=1e-9)
