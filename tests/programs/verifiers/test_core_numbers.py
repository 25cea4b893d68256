"""The verifier of core numbers accepts NetworkX's, and rejects each kind of planted mistake."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.verifying import GRAPHS, arcs, by_node, edges, simple, verifier

MODULE = verifier("core_numbers")
VERIFY = MODULE.verify

# A clique 0-1-2-3, a triangle 3-4-5, a pendant 5-6 with parallel arcs, 7 with a self-loop, 8 alone, a cycle 9-10-11-12
CLIQUE = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
GRAPH = arcs(
    13,
    [*CLIQUE, (3, 4), (4, 5), (5, 3), (5, 6), (6, 5), (5, 6), (7, 7), (9, 10), (10, 11), (11, 12), (12, 9)],
)
RIGHT: dict[str, Any] = {"cores": [3, 3, 3, 3, 2, 2, 1, 0, 0, 2, 2, 2, 2], "largest": 3}
WRONG = {
    "degrees": (
        {"cores": [3, 3, 3, 5, 2, 3, 1, 0, 0, 2, 2, 2, 2]},
        "node 103 has core number 5, but it is 3",
    ),
    "parallel arcs counted": (
        {"cores": [3, 3, 3, 3, 2, 3, 3, 0, 0, 2, 2, 2, 2]},
        "node 105 has core number 3, but it is 2",
    ),
    "a self-loop counted": (
        {"cores": [3, 3, 3, 3, 2, 2, 1, 1, 0, 2, 2, 2, 2]},
        "node 107 has core number 1, but it is 0",
    ),
    "arcs out only": (
        {"cores": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]},
        "node 100 has core number 0, but it is 3",
    ),
    "one too low": (
        {"cores": [3, 3, 3, 3, 1, 2, 1, 0, 0, 2, 2, 2, 2]},
        "node 104 has core number 1, but it is 2",
    ),
    "one too high": (
        {"cores": [3, 3, 3, 3, 2, 3, 1, 0, 0, 2, 2, 2, 2]},
        "node 105 has core number 3, but it is 2",
    ),
    "a cycle too low, though each node has that many neighbours with it": (
        {"cores": [3, 3, 3, 3, 2, 2, 1, 0, 0, 1, 1, 1, 1]},
        "node 109 has core number 1, but it is 2",
    ),
    "a lone node with a core": (
        {"cores": [3, 3, 3, 3, 2, 2, 1, 0, 1, 2, 2, 2, 2]},
        "node 108 has core number 1, but it is 0",
    ),
    "all one more": (
        {"cores": [4, 4, 4, 4, 3, 3, 2, 1, 1, 3, 3, 3, 3]},
        "node 100 has core number 4, but it is 3",
    ),
    "not a number": (
        {"cores": [3, 3, np.nan, 3, 2, 2, 1, 0, 0, 2, 2, 2, 2]},
        "node 102 has core number nan, but it is 3",
    ),
    "values for another number of nodes": ({"cores": [3]}, "role cores holds 1 values, but the graph has 13 nodes"),
    "a wrong largest": ({"largest": 4}, "the largest core number is said to be 4, but it is 3"),
    "a role that is not known": ({"core": 3}, "role core is unknown"),
}


def claim(**changes: Any) -> dict[str, Any]:
    made = RIGHT | changes
    return made | {"cores": np.array(made["cores"])}


def test_right_claim_is_accepted() -> None:
    assert VERIFY(GRAPH, claim(), 0.0) is None


@pytest.mark.parametrize(("changes", "message"), WRONG.values(), ids=WRONG.keys())
def test_planted_mistake_is_rejected(changes: dict[str, Any], message: str) -> None:
    assert VERIFY(GRAPH, claim(**changes), 0.0) == message


def test_role_left_out_is_named() -> None:
    assert VERIFY(GRAPH, {"largest": 3}, 0.0) == "role cores is missing"


@pytest.mark.parametrize("few", [0, 3, 64], ids=["all at once", "mixed", "one by one"])
@pytest.mark.parametrize("name", GRAPHS)
def test_core_numbers_of_networkx_are_accepted(name: str, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "FEW", few)
    graph = GRAPHS[name]
    numbers = nx.core_number(simple(graph))
    made = {"cores": by_node(numbers, graph.num_nodes, -1, np.int32), "largest": max(numbers.values(), default=0)}
    assert VERIFY(graph, made, 0.0) is None


def test_long_path_has_core_number_1() -> None:
    n = 20_000
    path = edges(n, [(i, i + 1) for i in range(n - 1)])
    assert VERIFY(path, {"cores": np.ones(n, np.int32)}, 0.0) is None
