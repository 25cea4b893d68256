"""The verifier of PageRank accepts NetworkX's, and rejects each kind of planted mistake."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.verifying import GRAPHS, arcs, tails, verifier

from irgl.rt.graphs.graph import Graph

VERIFY = verifier("stationary_rank").verify

# 0 -> 1 -> 2 -> 0, 3 -> 0 twice, 3 -> 3, 1 -> 4 (which has no arc out), 5 alone
GRAPH = arcs(6, [(0, 1), (1, 2), (2, 0), (3, 0), (3, 0), (3, 3), (1, 4)])


def solve(graph: Graph, damping: float = 0.85, spread: bool = True) -> Any:
    """The ranks as the solution of a dense system of equations."""
    n = graph.num_nodes
    walk = np.zeros((n, n))
    np.add.at(walk, (graph.dst, tails(graph)), 1.0)
    out = walk.sum(axis=0)
    walk = np.divide(walk, out, out=np.full((n, n), 1 / n if spread else 0.0), where=out > 0)
    return np.linalg.solve(np.eye(n) - damping * walk, np.full(n, (1 - damping) / n))


def off(node: int, rank: str, right: str, total: str) -> str:
    return f"node {node} has rank {rank}, but it is {right}; all differences together are {total}, which is over 1e-06"


RIGHT = solve(GRAPH)
WRONG = {
    "the uniform start": (np.full(6, 1 / 6), off(105, "0.166667", "0.0575045", "0.39")),
    "dangling rank lost": (solve(GRAPH, spread=False), off(101, "0.117059", "0.269258", "0.57")),
    "another damping": (solve(GRAPH, damping=0.9), off(103, "0.0721024", "0.0802388", "0.03")),
    "not divided by the number of nodes": (RIGHT * 6, off(101, "1.61555", "0.269258", "5")),
    "parallel arcs merged": (
        solve(arcs(6, [(0, 1), (1, 2), (2, 0), (3, 0), (3, 3), (1, 4)])),
        off(103, "0.0991393", "0.0802388", "0.038"),
    ),
    "self-loops left out": (
        solve(arcs(6, [(0, 1), (1, 2), (2, 0), (3, 0), (3, 0), (1, 4)])),
        off(103, "0.0580897", "0.0802388", "0.044"),
    ),
    "arcs followed backwards": (
        solve(arcs(6, [(1, 0), (2, 1), (0, 2), (0, 3), (0, 3), (3, 3), (4, 1)])),
        off(103, "0.650054", "0.0802388", "1.1"),
    ),
    "arcs followed both ways": (
        solve(arcs(6, [*zip(tails(GRAPH), GRAPH.dst, strict=True), (1, 0), (2, 1), (0, 2)])),
        off(102, "0.23489", "0.171939", "0.15"),
    ),
    "two nodes exchanged": (RIGHT[[1, 0, 2, 3, 4, 5]], off(101, "0.249121", "0.269258", "0.04")),
    "one rank a little off": (RIGHT + np.array([0, 0, 0, 0, 0, 2e-6]), off(105, "0.0575065", "0.0575045", "2e-06")),
    "the rank of a lone node left out": (RIGHT * np.array([1, 1, 1, 1, 1, 0]), off(105, "0", "0.0575045", "0.058")),
    "negative ranks": (-RIGHT, off(101, "-0.269258", "0.269258", "2")),
    "far too large": (RIGHT + 1e300, off(100, "1e+300", "0.249121", "6e+300")),
    "not a number": (np.where(np.arange(6) == 2, np.nan, RIGHT), "node 102 has rank nan"),
    "infinite": (np.where(np.arange(6) == 4, np.inf, RIGHT), "node 104 has rank inf"),
    "values for another number of nodes": (RIGHT[:5], "role ranks holds 5 values, but the graph has 6 nodes"),
}


def test_right_ranks_are_accepted() -> None:
    assert VERIFY(GRAPH, {"ranks": RIGHT}, 1e-9) is None


@pytest.mark.parametrize(("ranks", "message"), WRONG.values(), ids=WRONG.keys())
def test_planted_mistake_is_rejected(ranks: Any, message: str) -> None:
    assert VERIFY(GRAPH, {"ranks": ranks}, 1e-6) == message


WRONG_ROLES = {
    "no ranks": ({"damping": 0.85}, "role ranks is missing"),
    "a role that is not known": ({"ranks": RIGHT, "alpha": 0.85}, "role alpha is unknown"),
    "a damping without a solution": ({"ranks": RIGHT, "damping": 1.0}, "the damping 1.0 is not in 0 <= damping < 1"),
    "a rule for dangling nodes that is not known": (
        {"ranks": RIGHT, "dangling": "kept"},
        "role dangling is 'kept', neither uniform (1) nor dropped (0)",
    ),
}


@pytest.mark.parametrize(("claim", "message"), WRONG_ROLES.values(), ids=WRONG_ROLES.keys())
def test_wrong_role_is_named(claim: dict[str, Any], message: str) -> None:
    assert VERIFY(GRAPH, claim, 1e-6) == message


@pytest.mark.parametrize("dangling", ["dropped", 0, np.int32(0), False])
def test_dangling_rank_can_be_dropped(dangling: Any) -> None:
    assert VERIFY(GRAPH, {"ranks": solve(GRAPH, spread=False), "dangling": dangling}, 1e-9) is None


@pytest.mark.parametrize("damping", [0.0, 0.5, 0.99])
def test_damping_can_be_given(damping: float) -> None:
    assert VERIFY(GRAPH, {"ranks": solve(GRAPH, damping), "damping": damping}, 1e-9) is None


def test_error_under_the_tolerance_is_accepted() -> None:
    assert VERIFY(GRAPH, {"ranks": RIGHT + np.array([9e-7, 0, 0, 0, 0, 0])}, 1e-6) is None


def test_errors_of_all_nodes_are_added_up() -> None:
    assert VERIFY(GRAPH, {"ranks": RIGHT + 2e-7}, 1e-6) is not None


@pytest.mark.parametrize("name", [name for name in GRAPHS if GRAPHS[name].num_nodes])
def test_ranks_of_networkx_are_accepted(name: str) -> None:
    graph = GRAPHS[name]
    count: Any = nx.DiGraph()  # the number of parallel arcs as weight
    count.add_nodes_from(range(graph.num_nodes))
    for u, v in zip(tails(graph).tolist(), graph.dst.tolist(), strict=True):
        count.add_edge(u, v, weight=count.get_edge_data(u, v, {"weight": 0})["weight"] + 1)
    ranks = nx.pagerank(count, tol=1e-13, max_iter=1000)
    assert VERIFY(graph, {"ranks": np.array([ranks[v] for v in range(graph.num_nodes)])}, 1e-9) is None


def test_empty_graph_has_no_ranks() -> None:
    assert VERIFY(GRAPHS["empty"], {"ranks": np.zeros(0)}, 1e-9) is None


def test_single_precision_is_enough_for_its_tolerance() -> None:
    assert VERIFY(GRAPH, {"ranks": RIGHT.astype(np.float32)}, 1e-6) is None
