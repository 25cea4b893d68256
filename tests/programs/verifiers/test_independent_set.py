"""The verifier of maximal independent sets accepts NetworkX's, and rejects each kind of planted mistake."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.verifying import GRAPHS, arcs, simple, verifier

VERIFY = verifier("independent_set").verify

# 0 -> 1 -> 2 -> 3, 4 -> 2 twice, 5 with a self-loop, 6 alone
GRAPH = arcs(7, [(0, 1), (1, 2), (2, 3), (4, 2), (4, 2), (5, 5)])
RIGHT: dict[str, Any] = {"members": [0, 1, 0, 1, 1, 1, 1], "size": 5}
WRONG = {
    "two joined nodes": ({"members": [1, 1, 0, 1, 1, 1, 1]}, "nodes 100 and 101 are both in the set, but joined"),
    "two nodes joined by parallel arcs": (
        {"members": [1, 0, 1, 0, 1, 1, 1]},
        "nodes 104 and 102 are both in the set, but joined",
    ),
    "every node": ({"members": [1] * 7}, "nodes 100 and 101 are both in the set, but joined"),
    "no node": ({"members": [0] * 7}, "node 100 could be added: neither it nor any neighbour is in the set"),
    "a node left out": (
        {"members": [0, 1, 0, 0, 1, 1, 1]},
        "node 103 could be added: neither it nor any neighbour is in the set",
    ),
    "a lone node left out": (
        {"members": [0, 1, 0, 1, 1, 1, 0]},
        "node 106 could be added: neither it nor any neighbour is in the set",
    ),
    "a node left out for its self-loop": (
        {"members": [0, 1, 0, 1, 1, 0, 1]},
        "node 105 could be added: neither it nor any neighbour is in the set",
    ),
    "the complement": (
        {"members": [1, 0, 1, 0, 0, 0, 0]},
        "node 105 could be added: neither it nor any neighbour is in the set",
    ),
    "a wrong value for in": ({"inside": 2}, "node 100 could be added: neither it nor any neighbour is in the set"),
    "the values of out and in exchanged": (
        {"inside": 0},
        "node 105 could be added: neither it nor any neighbour is in the set",
    ),
    "values for another number of nodes": ({"members": [1]}, "role members holds 1 values, but the graph has 7 nodes"),
    "a wrong size": ({"size": 4}, "the set is said to have 4 nodes, but it has 5"),
    "a role that is not known": ({"nodes": 5}, "role nodes is unknown"),
}


def claim(**changes: Any) -> dict[str, Any]:
    made = RIGHT | changes
    return made | {"members": np.array(made["members"], np.int8)}


def test_right_claim_is_accepted() -> None:
    assert VERIFY(GRAPH, claim(), 0.0) is None


@pytest.mark.parametrize(("changes", "message"), WRONG.values(), ids=WRONG.keys())
def test_planted_mistake_is_rejected(changes: dict[str, Any], message: str) -> None:
    assert VERIFY(GRAPH, claim(**changes), 0.0) == message


def test_role_left_out_is_named() -> None:
    assert VERIFY(GRAPH, {"size": 4}, 0.0) == "role members is missing"


def test_another_maximal_set_is_accepted() -> None:
    assert VERIFY(GRAPH, claim(members=[1, 0, 1, 0, 0, 1, 1], size=4), 0.0) is None


def test_value_for_in_can_be_given() -> None:
    assert VERIFY(GRAPH, claim(members=[2, 1, 2, 1, 1, 1, 1], inside=1), 0.0) is None


def test_truth_values_are_accepted() -> None:
    assert VERIFY(GRAPH, {"members": np.array(RIGHT["members"], bool)}, 0.0) is None


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", [name for name in GRAPHS if GRAPHS[name].num_nodes])
def test_maximal_set_of_networkx_is_accepted(name: str, seed: int) -> None:
    graph = GRAPHS[name]
    chosen = list(nx.maximal_independent_set(simple(graph), seed=seed))  # a set in NetworkX 3.7
    members = np.zeros(graph.num_nodes, np.int32)
    members[chosen] = 1
    assert VERIFY(graph, {"members": members, "size": len(chosen)}, 0.0) is None


def test_empty_graph_has_the_empty_set() -> None:
    assert VERIFY(GRAPHS["empty"], {"members": np.zeros(0, bool), "size": 0}, 0.0) is None
