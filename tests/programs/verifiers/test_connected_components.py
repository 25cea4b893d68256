"""The verifier of components accepts NetworkX's, and rejects each kind of planted mistake."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.verifying import GRAPHS, arcs, multigraph, verifier

VERIFY = verifier("connected_components").verify

# 0 -> 1 <- 2, 3 -> 4 -> 3, 5 alone, 6 with a self-loop
GRAPH = arcs(7, [(0, 1), (2, 1), (3, 4), (4, 3), (6, 6)])
RIGHT: dict[str, Any] = {"labels": [0, 0, 0, 4, 4, 5, 6], "components": 4, "biggest": 3}
WRONG = {
    "one component split": (
        {"labels": [0, 0, 2, 4, 4, 5, 6]},
        "nodes 100 and 102 are joined by a path, but have labels 100 and 102",
    ),
    "an arc followed one way only": (
        {"labels": [0, 1, 1, 4, 4, 5, 6]},
        "nodes 100 and 101 are joined by a path, but have labels 100 and 101",
    ),
    "two components under one label": (
        {"labels": [0, 0, 0, 0, 0, 5, 6]},
        "node 103 has label 100, to which no path leads",
    ),
    "labels of two components swapped": (
        {"labels": [4, 4, 4, 0, 0, 5, 6]},
        "node 100 has label 104, to which no path leads",
    ),
    "every node its own": (
        {"labels": [0, 1, 2, 3, 4, 5, 6]},
        "nodes 100 and 101 are joined by a path, but have labels 100 and 101",
    ),
    "a lone node with another's label": (
        {"labels": [0, 0, 0, 4, 4, 6, 6]},
        "node 105 has label 106, to which no path leads",
    ),
    "labels counted from 1": (
        {"labels": [1, 1, 1, 2, 2, 3, 4]},
        "node 103 has label 102, to which no path leads",
    ),
    "a label beyond the nodes": (
        {"labels": [0, 0, 0, 4, 4, 5, 7]},
        "node 106 has label 7, which is not a node of the graph",
    ),
    "a negative label": (
        {"labels": [0, 0, 0, 4, 4, -1, 6]},
        "node 105 has label -1, which is not a node of the graph",
    ),
    "a fraction as label": (
        {"labels": [0, 0, 0, 4, 4, 5, 5.5]},
        "node 106 has label 5.5, which is not a node of the graph",
    ),
    "values for another number of nodes": ({"labels": [0]}, "role labels holds 1 values, but the graph has 7 nodes"),
    "one component too many": ({"components": 5}, "there are said to be 5 components, but there are 4"),
    "isolated nodes not counted": ({"components": 2}, "there are said to be 2 components, but there are 4"),
    "a wrong largest component": ({"biggest": 2}, "the largest component is said to have 2 nodes, but it has 3"),
    "a role that is not known": ({"count": 4}, "role count is unknown"),
}


def claim(**changes: Any) -> dict[str, Any]:
    made = RIGHT | changes
    return made | {"labels": np.array(made["labels"])}


def test_right_claim_is_accepted() -> None:
    assert VERIFY(GRAPH, claim(), 0.0) is None


@pytest.mark.parametrize(("changes", "message"), WRONG.values(), ids=WRONG.keys())
def test_planted_mistake_is_rejected(changes: dict[str, Any], message: str) -> None:
    assert VERIFY(GRAPH, claim(**changes), 0.0) == message


def test_role_left_out_is_named() -> None:
    assert VERIFY(GRAPH, {"components": 4}, 0.0) == "role labels is missing"


@pytest.mark.parametrize("pick", [min, max], ids=["lowest", "highest"])
@pytest.mark.parametrize("name", GRAPHS)
def test_components_of_networkx_are_accepted(name: str, pick: Any) -> None:
    graph = GRAPHS[name]
    parts = list(nx.weakly_connected_components(multigraph(graph)))
    labels = np.zeros(graph.num_nodes, np.int32)
    for part in parts:
        labels[list(part)] = pick(part)
    made = {"labels": labels, "components": len(parts), "biggest": max(map(len, parts), default=0)}
    assert VERIFY(graph, made, 0.0) is None
