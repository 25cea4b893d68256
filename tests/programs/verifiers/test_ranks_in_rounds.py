"""The verifier of PageRank after some rounds accepts what is computed node by node, and no other number of rounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.verifying import GRAPHS, arcs, verifier, weighted_arcs

from irgl.rt.graphs.graph import Graph

VERIFY = verifier("ranks_in_rounds").verify

# A parallel arc, a self-loop, and a node without arcs out.
GRAPH = arcs(5, [(0, 1), (0, 1), (1, 2), (2, 0), (2, 2), (3, 1), (1, 4)])


def after(graph: Graph, rounds: int, damping: float = 0.85, dangling: int = 1) -> Any:
    n = graph.num_nodes
    rank = [1 / n] * n
    out = np.diff(graph.row).tolist()
    for _ in range(rounds):
        new = [(1 - damping) / n] * n
        for u, v, _ in weighted_arcs(graph):
            new[v] += damping * rank[u] / out[u]
        for u in range(n):
            if dangling and not out[u]:
                new = [r + damping * rank[u] / n for r in new]
        rank = new
    return np.array(rank)


@pytest.mark.parametrize("dangling", [0, 1])
@pytest.mark.parametrize("rounds", [0, 1, 7])
def test_the_ranks_of_a_number_of_rounds_are_accepted(rounds: int, dangling: int) -> None:
    claim = {"ranks": after(GRAPH, rounds, 0.5, dangling), "rounds": rounds, "damping": 0.5, "dangling": dangling}
    assert VERIFY(GRAPH, claim, 1e-12) is None


@pytest.mark.parametrize("ranks", [after(GRAPH, 6), after(GRAPH, 8), after(GRAPH, 7, 0.8), after(GRAPH, 7, 0.85, 0),
                                   np.full(5, np.nan)], ids=["early", "late", "damping", "dangling", "nan"])
def test_other_ranks_are_rejected(ranks: Any) -> None:
    wrong = VERIFY(GRAPH, {"ranks": ranks, "rounds": 7}, 1e-9)
    assert wrong is not None and " after 7 rounds it is " in wrong


@pytest.mark.parametrize(("claim", "message"), [
    ({"ranks": np.zeros(2), "rounds": 1}, "role ranks holds 2 values, but the graph has 5 nodes"),
    ({"ranks": np.zeros(5)}, "role rounds is missing"),
    ({"ranks": np.zeros(5), "rounds": 1, "dangling": 2}, "role dangling is 2, neither 1 nor 0"),
])
def test_a_claim_that_makes_no_sense_is_told(claim: dict[str, Any], message: str) -> None:
    assert VERIFY(GRAPH, claim, 0.0) == message


@pytest.mark.parametrize("name", GRAPHS)
def test_all_kinds_of_graphs_are_ranked(name: str) -> None:
    graph = GRAPHS[name]
    claim = {"ranks": after(graph, 3) if graph.num_nodes else np.zeros(0), "rounds": 3}
    assert VERIFY(graph, claim, 1e-12) is None
