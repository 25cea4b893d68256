"""The verifier of minimum spanning forests accepts SciPy's and NetworkX's, and rejects each kind of planted mistake."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.verifying import GRAPHS, arcs, edges, verifier, weighted_arcs

from irgl.rt.graphs.graph import Graph

VERIFY = verifier("spanning_forest").verify

# A square with a diagonal, weights 1 2 3 4 and 0; 1-2 also as 7; a self-loop at 3 of weight -5; 4-5 apart; 6 alone
ENDS = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 2), (3, 3), (4, 5)]
GRAPH = edges(7, ENDS, [1, 2, 3, 4, 0, 7, -5, 6])


def choice(graph: Graph, *picked: tuple[int, int, float]) -> Any:
    """The edge property that is 1 at the arcs u -> v of weight w."""
    wanted = set(picked)
    return np.array([arc in wanted for arc in weighted_arcs(graph)], np.int8)


TREE = [(1, 0, 1), (0, 2, 0), (2, 3, 3), (4, 5, 6)]
RIGHT: dict[str, Any] = {"total": 10, "chosen": choice(GRAPH, *TREE), "edges": 4}
WRONG = {
    "a cycle": (
        {"chosen": choice(GRAPH, *TREE, (1, 2, 2))},
        "the chosen edge between nodes 101 and 102 closes a cycle",
    ),
    "an edge left out": (
        {"chosen": choice(GRAPH, *TREE[:2], TREE[3])},
        "nodes 100 and 103 are joined, but not by chosen edges",
    ),
    "the edge of weight 0 left out": (
        {"chosen": choice(GRAPH, TREE[0], *TREE[2:])},
        "nodes 100 and 102 are joined, but not by chosen edges",
    ),
    "a component left out": (
        {"chosen": choice(GRAPH, *TREE[:3])},
        "nodes 104 and 105 are joined, but not by chosen edges",
    ),
    "a spanning tree that is not minimum": (
        {"chosen": choice(GRAPH, (0, 1, 1), (1, 2, 2), (2, 3, 3), (4, 5, 6))},
        "the chosen edges weigh 12, but the least is 10",
    ),
    "the heavier of parallel edges": (
        {"chosen": choice(GRAPH, (0, 2, 0), (1, 2, 7), (2, 3, 3), (4, 5, 6))},
        "the chosen edges weigh 16, but the least is 10",
    ),
    "both of two parallel edges": (
        {"chosen": choice(GRAPH, *TREE, (1, 2, 2), (1, 2, 7))},
        "nodes 101 and 102 are joined by two chosen edges",
    ),
    "parallel edges, one each way": (
        {"chosen": choice(GRAPH, *TREE, (1, 2, 2), (2, 1, 7))},
        "nodes 101 and 102 are joined by two chosen edges",
    ),
    "a self-loop": ({"chosen": choice(GRAPH, *TREE, (3, 3, -5))}, "the self-loop of node 103 is chosen"),
    "as many edges as needed, with a cycle among them": (
        {"chosen": choice(GRAPH, (0, 1, 1), (1, 2, 2), (0, 2, 0), (4, 5, 6))},
        "the chosen edge between nodes 101 and 102 closes a cycle",
    ),
    "every edge": ({"chosen": np.ones(15)}, "the self-loop of node 103 is chosen"),
    "no edge": ({"chosen": np.zeros(15)}, "nodes 100 and 101 are joined, but not by chosen edges"),
    "a value for each node": ({"chosen": np.ones(7)}, "role chosen holds 7 values, but the graph has 15 arcs"),
    "each edge counted from both ends": ({"total": 20}, "the total weight is said to be 20, but the least is 10"),
    "a total with the self-loop": ({"total": 5}, "the total weight is said to be 5, but the least is 10"),
    "a total of one component": ({"total": 4}, "the total weight is said to be 4, but the least is 10"),
    "a total that is not a number": ({"total": np.nan}, "the total weight is said to be nan, but the least is 10"),
    "a wrong number of edges": ({"edges": 6}, "the forest is said to have 6 edges, but it has 4"),
    "a role that is not known": ({"weight": 10}, "role weight is unknown"),
}


def test_right_claim_is_accepted() -> None:
    assert VERIFY(GRAPH, RIGHT, 1e-6) is None


@pytest.mark.parametrize(("changes", "message"), WRONG.values(), ids=WRONG.keys())
def test_planted_mistake_is_rejected(changes: dict[str, Any], message: str) -> None:
    assert VERIFY(GRAPH, RIGHT | changes, 1e-6) == message


def test_claim_without_a_role_is_rejected() -> None:
    assert VERIFY(GRAPH, {}, 0.0) == "one of the roles total, chosen and edges is needed"


def test_edge_chosen_at_both_ends_counts_once() -> None:
    both = choice(GRAPH, *TREE, *[(v, u, w) for u, v, w in TREE])
    assert VERIFY(GRAPH, {"chosen": both, "total": 10, "edges": 4}, 0.0) is None


def test_another_forest_of_the_same_weight_is_accepted() -> None:
    square = edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)], [5, 5, 5, 5])
    for left_out in range(4):
        kept = [(i, (i + 1) % 4, 5) for i in range(4) if i != left_out]
        assert VERIFY(square, {"chosen": choice(square, *kept), "total": 15}, 0.0) is None


def test_arcs_join_whichever_way_they_point() -> None:
    graph = arcs(3, [(0, 1), (2, 1), (1, 2)], [4, 9, 3])
    assert VERIFY(graph, {"chosen": np.array([1, 1, 0]), "total": 7}, 0.0) is None


def test_integer_totals_beyond_doubles_are_exact() -> None:
    graph = edges(3, [(0, 1), (1, 2)], [2**62 + 1, 2**62 + 2])
    assert VERIFY(graph, {"total": 2**63 + 3}, 1.0) is None
    assert VERIFY(graph, {"total": 2**63 + 2}, 1.0) is not None


def test_floating_total_is_held_to_the_tolerance() -> None:
    graph = edges(3, [(0, 1), (1, 2), (0, 2)], [0.1, -0.2, 0.3])
    assert VERIFY(graph, {"total": -0.1 + 5e-7}, 1e-6) is None
    assert VERIFY(graph, {"total": -0.1 + 5e-6}, 1e-6) is not None


def test_floating_choice_of_greater_weight_is_rejected() -> None:
    graph = edges(3, [(0, 1), (1, 2), (0, 2)], [0.125, -0.25, 0.5])
    made = {"chosen": choice(graph, (0, 1, 0.125), (0, 2, 0.5))}
    assert VERIFY(graph, made, 1e-6) == "the chosen edges weigh 0.625, but the least is -0.125"


def test_weight_that_is_not_a_number_is_named() -> None:
    graph = arcs(2, [(0, 1)], [np.nan])
    assert VERIFY(graph, {"total": 0.0}, 0.0) == "an arc from node 100 has no finite weight"


@pytest.mark.parametrize("name", GRAPHS)
def test_forest_of_networkx_is_accepted(name: str) -> None:
    graph = GRAPHS[name]
    numbered: Any = nx.MultiGraph()
    numbered.add_nodes_from(range(graph.num_nodes))
    for arc, (u, v, w) in enumerate(weighted_arcs(graph)):
        numbered.add_edge(u, v, weight=w, arc=arc)
    forest = list(nx.minimum_spanning_edges(numbered, keys=False))
    chosen = np.zeros(graph.num_edges, bool)
    chosen[[data["arc"] for _, _, data in forest]] = True
    total = sum(data["weight"] for _, _, data in forest)
    assert VERIFY(graph, {"chosen": chosen, "total": total, "edges": len(forest)}, 0.0) is None
