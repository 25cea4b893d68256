"""The verifier of betweenness accepts NetworkX's, and rejects each kind of planted mistake."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.verifying import GRAPHS, arcs, edges, multigraph, verifier

from irgl.rt.graphs.graph import Graph

MODULE = verifier("betweenness_scores")
VERIFY = MODULE.verify


def scores(graph: Graph, sources: list[int] | None = None, endpoints: bool = False, backwards: bool = False) -> Any:
    """NetworkX's sum over the sources (all, when not given), parallel arcs merged."""
    other: Any = nx.DiGraph(multigraph(graph))
    if backwards:
        other = other.reverse()
    found = nx.betweenness_centrality_subset(
        other, list(other) if sources is None else sources, list(other), normalized=False
    )
    made = np.array([found[v] for v in range(graph.num_nodes)])
    if endpoints:
        for source in range(graph.num_nodes) if sources is None else sources:
            ends = nx.single_source_shortest_path_length(other, source)
            made[list(ends)] += 1.0
    return made


# A diamond 0 -> (1, 2) -> 3 -> 4 -> 0, 3 -> 3, and 5 -> 1
GRAPH = arcs(6, [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (4, 0), (3, 3), (5, 1)])
RIGHT = scores(GRAPH)
BOTH = [0, 4]
PART = scores(GRAPH, BOTH)
WRONG = {
    "from all for from some": ({"scores": RIGHT, "sources": BOTH}, "node 103 has score 10, but it is 1"),
    "from some for from all": ({"scores": PART}, "node 104 has score 0, but it is 9"),
    "halved": ({"scores": RIGHT / 2}, "node 100 has score 4, but it is 8"),
    "not halved": ({"scores": RIGHT, "halved": 1}, "node 100 has score 8, but it is 4"),
    "normalized": ({"scores": RIGHT / 20}, "node 102 has score 0.075, but it is 1.5"),
    "end points counted": ({"scores": scores(GRAPH, endpoints=True)}, "node 102 has score 7.5, but it is 1.5"),
    "the source's own dependency counted": (
        {"scores": PART + np.array([4, 0, 0, 0, 4, 0]), "sources": BOTH},
        "node 104 has score 4, but it is 0",
    ),
    "ties counted whole": (
        {"scores": RIGHT + np.array([0, 0.5, 0.5, 0, 0, 0])},
        "node 102 has score 2, but it is 1.5",
    ),
    "one path of several": (
        {"scores": RIGHT + np.array([0, 1.5, -1.5, 0, 0, 0])},
        "node 102 has score 0, but it is 1.5",
    ),
    "arcs followed backwards": (
        {"scores": scores(GRAPH, [0], backwards=True), "sources": 0},
        "node 104 has score 4, but it is 0",
    ),
    "a source twice": ({"scores": PART, "sources": [0, 4, 4]}, "node 100 has score 3, but it is 6"),
    "a little off": ({"scores": RIGHT + np.array([0, 0, 0, 2e-5, 0, 0])}, "node 103 has score 10.00002, but it is 10"),
    "not a number": (
        {"scores": np.where(np.arange(6) == 4, np.nan, RIGHT)},
        "node 104 has score nan, but it is 9",
    ),
    "a negative score": ({"scores": RIGHT - np.array([0, 0, 0, 0, 0, 1])}, "node 105 has score -1, but it is 0"),
    "values for another number of nodes": (
        {"scores": RIGHT[:2]},
        "role scores holds 2 values, but the graph has 6 nodes",
    ),
    "a source that is no node": ({"scores": RIGHT, "sources": [0, 6]}, "the source 6 is not a node of the graph"),
    "no scores": ({"sources": BOTH}, "role scores is missing"),
    "a role that is not known": ({"scores": RIGHT, "origin": 0}, "role origin is unknown"),
    "sources in two roles": (
        {"scores": RIGHT, "sources": 0, "origins": np.ones(6)},
        "only one of the roles sources and origins may be given",
    ),
    "nothing done and no source marked": (
        {"scores": np.zeros(6), "origins": np.zeros(6), "source": 0},
        "node 100 is not among the sources",
    ),
    "fewer sources than asked for": (
        {"scores": PART, "origins": np.isin(np.arange(6), BOTH), "searches": 3},
        "3 sources were asked for, but there are 2",
    ),
    "some sources where all were asked for": (
        {"scores": PART, "origins": np.isin(np.arange(6), BOTH), "searches": 0},
        "6 sources were asked for, but there are 2",
    ),
    "marks for another number of nodes": (
        {"scores": RIGHT, "origins": np.ones(5)},
        "role origins holds 5 values, but the graph has 6 nodes",
    ),
}


def test_right_scores_are_accepted() -> None:
    assert VERIFY(GRAPH, {"scores": RIGHT}, 1e-9) is None


@pytest.mark.parametrize(("claim", "message"), WRONG.values(), ids=WRONG.keys())
def test_planted_mistake_is_rejected(claim: dict[str, Any], message: str) -> None:
    assert VERIFY(GRAPH, claim, 1e-6) == message


@pytest.mark.parametrize("sources", [2, [2], np.array([2], np.uint32)], ids=["number", "list", "array"])
def test_one_source_may_be_given_in_any_form(sources: Any) -> None:
    assert VERIFY(GRAPH, {"scores": scores(GRAPH, [2]), "sources": sources}, 1e-9) is None


def test_sources_may_be_marked_by_a_node_property() -> None:
    marks = np.isin(np.arange(6), BOTH)
    assert VERIFY(GRAPH, {"scores": PART, "origins": marks, "source": 4, "searches": 2}, 1e-9) is None


@pytest.mark.parametrize("asked", [0, 6, 7])
def test_all_sources_may_be_asked_for(asked: int) -> None:
    assert VERIFY(GRAPH, {"scores": RIGHT, "origins": np.ones(6, bool), "searches": asked}, 1e-9) is None


def test_tolerance_is_relative_for_large_scores() -> None:
    line = edges(200, [(i, i + 1) for i in range(199)])
    right = np.arange(200.0) * np.arange(200.0)[::-1] * 2
    assert VERIFY(line, {"scores": right * (1 + 9e-7)}, 1e-6) is None
    assert VERIFY(line, {"scores": right * (1 + 2e-6)}, 1e-6) is not None


def test_parallel_arcs_are_paths_of_their_own() -> None:
    graph = arcs(4, [(0, 1), (0, 1), (0, 2), (1, 3), (2, 3)])
    assert VERIFY(graph, {"scores": np.array([0, 2 / 3, 1 / 3, 0]), "sources": 0}, 1e-9) is None


def test_more_paths_than_doubles_can_count_are_reported() -> None:
    n = 1100  # two arcs at each step: 2**1099 paths
    graph = arcs(n, [(i, i + 1) for i in range(n - 1) for _ in range(2)])
    message = VERIFY(graph, {"scores": np.zeros(n), "sources": 0}, 1e-6)
    assert message == "there are more shortest paths than double precision can count, so the scores cannot be checked"


@pytest.mark.parametrize("size", [1, 1 << 22], ids=["one source at a time", "many at a time"])
@pytest.mark.parametrize("name", [name for name in GRAPHS if name not in ("parallel_and_loops", "dense_directed")])
def test_scores_of_networkx_are_accepted(name: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "SIZE_AT_ONCE", size)
    graph = merged(GRAPHS[name])
    assert VERIFY(graph, {"scores": scores(graph)}, 1e-9) is None


def merged(graph: Graph) -> Graph:
    """The graph without parallel arcs, which NetworkX does not count as paths of their own."""
    return arcs(graph.num_nodes, sorted(set(multigraph(graph).edges())))


def test_undirected_scores_may_count_each_pair_once() -> None:
    graph = GRAPHS["karate"]
    found = nx.betweenness_centrality(nx.Graph(multigraph(graph)), normalized=False, weight=None)
    made = np.array([found[v] for v in range(34)])
    assert VERIFY(graph, {"scores": made, "halved": 1}, 1e-9) is None
