"""The verifier of the length of one shortest path accepts NetworkX's, and no other."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.verifying import GRAPHS, arcs, multigraph, verifier

VERIFY = verifier("shortest_length").verify

# 0 to 2 by a detour of 3, by parallel arcs of 9 and 8, and 3, which no path reaches; an arc of weight 0.
GRAPH = arcs(5, [(0, 2), (0, 2), (0, 1), (1, 2), (3, 0), (2, 4)], [9, 8, 1, 2, 1, 0])


@pytest.mark.parametrize(("goal", "length"), [(0, 0), (1, 1), (2, 3), (4, 3), (3, 2**31 - 1), (3, np.inf), (2, 3.0)])
def test_the_right_length_is_accepted(goal: int, length: Any) -> None:
    assert VERIFY(GRAPH, {"source": 0, "goal": goal, "length": length}, 0.0) is None


@pytest.mark.parametrize(("goal", "length", "message"), [
    (2, 8, "the shortest path from node 100 to node 102 is said to have length 8, but it has 3"),
    (2, 4, "the shortest path from node 100 to node 102 is said to have length 4, but it has 3"),
    (2, 2**31 - 1, "the shortest path from node 100 to node 102 is said to have length 2147483647, but it has 3"),
    (2, np.nan, "the shortest path from node 100 to node 102 is said to have length nan, but it has 3"),
    (3, 5, "no path leads from node 100 to node 103, but one of length 5 is claimed"),
    (9, 5, "the goal 9 is not a node of the graph"),
])
def test_a_wrong_length_is_rejected(goal: int, length: Any, message: str) -> None:
    assert VERIFY(GRAPH, {"source": 0, "goal": goal, "length": length}, 0.0) == message


def test_a_length_that_is_no_whole_number_may_be_off_by_the_tolerance() -> None:
    given = {"source": 0, "goal": 2, "length": 3.02}
    assert VERIFY(GRAPH, given, 0.01) is None
    assert VERIFY(GRAPH, given, 0.001) is not None


def test_what_no_path_reaches_is_as_the_role_says() -> None:
    assert VERIFY(GRAPH, {"source": 0, "goal": 3, "length": -1, "unreached": -1}, 0.0) is None


def test_negative_weights_are_searched_by_bellman_and_ford() -> None:
    graph = arcs(3, [(0, 1), (1, 2), (0, 2)], [4, -3, 2])
    assert VERIFY(graph, {"source": 0, "goal": 2, "length": 1}, 0.0) is None


def test_a_negative_cycle_leaves_no_right_length() -> None:
    graph = arcs(3, [(0, 1), (1, 0), (1, 2)], [1, -3, 2])
    message = "there is no shortest path from node 100 to node 102: a cycle of negative length can be reached"
    assert VERIFY(graph, {"source": 0, "goal": 2, "length": 1}, 0.0) == message


@pytest.mark.parametrize("name", GRAPHS)
def test_the_length_of_networkx_is_accepted(name: str) -> None:
    graph = GRAPHS[name]
    last = graph.num_nodes - 1
    wanted = nx.single_source_dijkstra_path_length(multigraph(graph), 0) if last >= 0 else {}
    length = wanted.get(last, 2**31 - 1)
    assert VERIFY(graph, {"source": 0, "goal": last, "length": length}, 1e-9) is None
