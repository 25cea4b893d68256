"""The verifier of breadth-first trees accepts NetworkX's, and rejects trees with the usual mistakes."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.verifying import GRAPHS, arcs, by_node, multigraph, verifier

VERIFY = verifier("breadth_first_tree").verify

# Two shortest paths from 0 to 3, a longer one by 4, and a part (5, 6) that is not reached.
GRAPH = arcs(7, [(0, 1), (0, 2), (1, 3), (2, 3), (0, 4), (4, 1), (3, 4), (5, 6), (6, 3)])
RIGHT = [0, 0, 0, 1, 0, -1, -1]
WRONG: dict[str, tuple[dict[int, int], str]] = {
    "no parent": ({3: -1}, "node 103 is reached but has no parent"),
    "a parent beyond the graph": ({3: 7}, "node 103 is reached but has no parent"),
    "a parent of one that is not reached": ({6: 5}, "node 106 is not reached but has the parent 105"),
    "a parent of the source": ({0: 1}, "node 100 is the source but has the parent 101"),
    "no arc": ({3: 0}, "node 103 has the parent 100, which has no arc to it"),
    "itself": ({3: 3}, "node 103 has the parent 103, which has no arc to it"),
    "a longer path": ({1: 4}, "node 101 is 1 arcs from the source, but its parent 104 is 1"),
}


def claim(changed: dict[int, int] | None = None, **others: Any) -> dict[str, Any]:
    parents = np.array(RIGHT)
    for v, parent in (changed or {}).items():
        parents[v] = parent
    return {"source": 0, "parents": parents, **others}


@pytest.mark.parametrize("changed", [{}, {3: 2}, {0: -1}, {5: 5, 6: 9}])
def test_any_tree_of_least_hops_is_accepted(changed: dict[int, int]) -> None:
    assert VERIFY(GRAPH, claim(changed, reached=5), 0.0) is None


@pytest.mark.parametrize("what", WRONG)
def test_planted_mistake_is_rejected(what: str) -> None:
    changed, message = WRONG[what]
    assert VERIFY(GRAPH, claim(changed), 1.0) == message


def test_a_wrong_number_of_reached_nodes_is_rejected() -> None:
    assert VERIFY(GRAPH, claim(reached=7), 0.0) == "7 nodes are said to be reached, but there are 5"


@pytest.mark.parametrize(("other", "message"), [
    ({"source": 7}, "the source 7 is not a node of the graph"),
    ({"parents": np.zeros(2)}, "role parents holds 2 values, but the graph has 7 nodes"),
    ({"hops": 1}, "role hops is unknown"),
])
def test_a_claim_that_makes_no_sense_is_told(other: dict[str, Any], message: str) -> None:
    assert VERIFY(GRAPH, claim() | other, 0.0) == message


@pytest.mark.parametrize("name", GRAPHS)
def test_the_tree_of_networkx_is_accepted(name: str) -> None:
    graph = GRAPHS[name]
    parents = dict(nx.bfs_predecessors(multigraph(graph), 0)) if graph.num_nodes else {}
    assert VERIFY(graph, {"source": 0, "parents": by_node(parents, graph.num_nodes, -1, np.int32)}, 0.0) is None
