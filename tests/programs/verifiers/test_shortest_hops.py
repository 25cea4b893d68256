"""The verifier of hops accepts NetworkX's levels and trees, and rejects each kind of planted mistake."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.verifying import GRAPHS, arcs, by_node, multigraph, verifier

VERIFY = verifier("shortest_hops").verify
INF = np.iinfo(np.int32).max

# 0 -> 1 -> 2 -> 3 -> 4, 0 -> 5 -> 3, 6 -> 0, 6 -> 7, with a self-loop at 2 and 0 -> 1 twice
GRAPH = arcs(8, [(0, 1), (0, 1), (1, 2), (2, 2), (2, 3), (3, 4), (0, 5), (5, 3), (6, 0), (6, 7)])
RIGHT: dict[str, Any] = {
    "source": 0,
    "hops": [0, 1, 2, 2, 3, 1, INF, INF],
    "parents": [-1, 0, 1, 5, 3, 0, -1, -1],
    "reached": 6,
    "deepest": 3,
}
WRONG = {
    "a source that is no node": ({"source": 8}, "the source 8 is not a node of the graph"),
    "a source that is not reached": ({"hops": [INF] * 8}, "the source, node 100, is not reached"),
    "a source that is not at 0": (
        {"hops": [1, 2, 3, 3, 4, 2, INF, INF]},
        "the source, node 100, has 1 hops instead of 0",
    ),
    "too many hops": (
        {"hops": [0, 1, 2, 3, 3, 1, INF, INF]},
        "node 103 has 3 hops, but the arc from node 105 gives 2",
    ),
    "too few hops": (
        {"hops": [0, 1, 2, 1, 2, 1, INF, INF]},
        "node 103 has 1 hops, but no arc comes from a node with 0",
    ),
    "a second node at 0": (
        {"hops": [0, 1, 2, 1, 2, 0, INF, INF]},
        "node 105 has 0 hops, but is not the source",
    ),
    "a reached node left out": (
        {"hops": [0, 1, 2, 2, INF, 1, INF, INF]},
        "node 104 is not reached, but node 103 is and has an arc to it",
    ),
    "an arc followed backwards": (
        {"hops": [0, 1, 2, 2, 3, 1, 1, 2]},
        "node 106 has 1 hops, but no arc comes from a node with 0",
    ),
    "an unreached island with its own levels": (
        {"hops": [0, 1, 2, 2, 3, 1, INF, 1]},
        "node 107 has 1 hops, but no arc comes from a node with 0",
    ),
    "negative hops": (
        {"hops": [0, 1, 2, 2, 3, 1, -1, INF]},
        "node 106 has -1 hops, which is no whole number from 0 to 7",
    ),
    "half a hop": (
        {"hops": np.array([0, 1, 2, 1.5, 3, 1, np.inf, np.inf])},
        "node 103 has 1.5 hops, which is no whole number from 0 to 7",
    ),
    "not a number": (
        {"hops": np.array([0, np.nan, 2, 2, 3, 1, np.inf, np.inf])},
        "node 101 has nan hops, which is no whole number from 0 to 7",
    ),
    "values for another number of nodes": ({"hops": [0, 1]}, "role hops holds 2 values, but the graph has 8 nodes"),
    "a parent without an arc": (
        {"parents": [-1, 0, 1, 1, 3, 0, -1, -1]},
        "node 103 has the parent 101, which has no arc to it",
    ),
    "a parent that is not nearer": (
        {"parents": [-1, 0, 2, 5, 3, 0, -1, -1]},
        "node 102 has 2 hops, but its parent 102 has 2",
    ),
    "a parent left out": ({"parents": [-1, 0, 1, 5, -1, 0, -1, -1]}, "node 104 is reached but has no parent"),
    "a parent of the source": (
        {"parents": [6, 0, 1, 5, 3, 0, -1, -1]},
        "node 100 is the source but has the parent 106",
    ),
    "a parent of an unreached node": (
        {"parents": [-1, 0, 1, 5, 3, 0, -1, 6]},
        "node 107 is not reached but has the parent 106",
    ),
    "too few parents": ({"parents": [-1]}, "role parents holds 1 values, but the graph has 8 nodes"),
    "a wrong number of reached nodes": ({"reached": 7}, "7 nodes are said to be reached, but there are 6"),
    "a wrong depth": ({"deepest": 2}, "the largest number of hops is said to be 2, but it is 3"),
    "a role that is not known": ({"depth": 3}, "role depth is unknown"),
}


def claim(**changes: Any) -> dict[str, Any]:
    made = RIGHT | changes
    return made | {role: np.array(made[role]) for role in ("parents",)} | {"hops": _int32(made["hops"])}


def _int32(hops: Any) -> Any:
    return hops if isinstance(hops, np.ndarray) else np.array(hops, np.int32)


def test_right_claim_is_accepted() -> None:
    assert VERIFY(GRAPH, claim(), 0.0) is None


@pytest.mark.parametrize(("changes", "message"), WRONG.values(), ids=WRONG.keys())
def test_planted_mistake_is_rejected(changes: dict[str, Any], message: str) -> None:
    assert VERIFY(GRAPH, claim(**changes), 0.0) == message


@pytest.mark.parametrize("role", ["source", "hops"])
def test_role_left_out_is_named(role: str) -> None:
    made = claim()
    del made[role]
    assert VERIFY(GRAPH, made, 0.0) == f"role {role} is missing"


@pytest.mark.parametrize("name", GRAPHS)
def test_levels_and_tree_of_networkx_are_accepted(name: str) -> None:
    graph = GRAPHS[name]
    n, other = graph.num_nodes, multigraph(graph)
    source = n // 3
    hops = nx.single_source_shortest_path_length(other, source) if n else {}
    before = dict(nx.bfs_predecessors(other, source)) if n else {}
    made = {
        "source": source,
        "hops": by_node(hops, n, INF, np.int32),
        "parents": by_node(before, n, -1, np.int32),
        "reached": len(hops),
        "deepest": max(hops.values(), default=0),
    }
    assert VERIFY(graph, made, 0.0) is None


def test_unreached_value_can_be_given() -> None:
    assert VERIFY(GRAPH, {"source": 0, "hops": np.array([0, 1, 2, 2, 3, 1, -1, -1]), "unreached": -1}, 0.0) is None


def test_largest_value_is_not_unreached_where_another_is_given() -> None:
    message = VERIFY(GRAPH, {"source": 0, "hops": claim()["hops"], "unreached": -1}, 0.0)
    assert message == f"node 106 has {INF} hops, which is no whole number from 0 to 7"


def test_floating_hops_use_infinity() -> None:
    hops = np.array([0, 1, 2, 2, 3, 1, np.inf, np.inf])
    assert VERIFY(GRAPH, {"source": 0, "hops": hops}, 0.0) is None


@pytest.mark.parametrize("none", [-1, 8], ids=["below", "above"])
def test_no_parent_is_any_number_that_is_no_node(none: int) -> None:
    assert VERIFY(GRAPH, claim(parents=[none, 0, 1, 5, 3, 0, none, none]), 0.0) is None


def test_source_and_unreached_nodes_may_be_their_own_parents() -> None:
    assert VERIFY(GRAPH, claim(parents=[0, 0, 1, 5, 3, 0, 6, 7]), 0.0) is None
