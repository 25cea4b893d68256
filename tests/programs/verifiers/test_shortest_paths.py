"""The verifier of distances accepts NetworkX's and SciPy's, and rejects each kind of planted mistake."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.verifying import GRAPHS, arcs, by_node, multigraph, verifier, weighted_arcs

VERIFY = verifier("shortest_paths").verify
INF = np.iinfo(np.int32).max

# 0 -4-> 1, 0 -1-> 2 -2-> 1 -3-> 3, 2 -7-> 3, 4 -0-> 5 -0-> 4 (a cycle of weight 0), 6 -1-> 0, 0 -9-> 2 again
GRAPH = arcs(
    7,
    [(0, 1), (0, 2), (2, 1), (1, 3), (2, 3), (4, 5), (5, 4), (6, 0), (0, 2)],
    [4, 1, 2, 3, 7, 0, 0, 1, 9],
)
RIGHT: dict[str, Any] = {
    "source": 0,
    "distances": [0, 3, 1, 6, INF, INF, INF],
    "parents": [-1, 2, 0, 1, -1, -1, -1],
    "reached": 4,
    "farthest": 6,
}
WRONG = {
    "a source that is no node": ({"source": -1}, "the source -1 is not a node of the graph"),
    "a source that is not reached": ({"distances": [INF] * 7}, "the source, node 100, is not reached"),
    "a source that is not at 0": (
        {"distances": [1, 4, 2, 7, INF, INF, INF]},
        "the source, node 100, has distance 1 instead of 0",
    ),
    "too long": (
        {"distances": [0, 4, 1, 7, INF, INF, INF]},
        "node 101 has distance 4, but the arc from node 102 gives 3",
    ),
    "too long by the heavier of parallel arcs": (
        {"distances": [0, 4, 9, 7, INF, INF, INF]},
        "node 102 has distance 9, but the arc from node 100 gives 1",
    ),
    "too short": (
        {"distances": [0, 3, 1, 5, INF, INF, INF]},
        "node 103 has distance 5, but no path from the source is that short",
    ),
    "a reached node left out": (
        {"distances": [0, 3, 1, INF, INF, INF, INF]},
        "node 103 is not reached, but node 101 is and has an arc to it",
    ),
    "an arc followed backwards": (
        {"distances": [0, 3, 1, 6, INF, INF, 1]},
        "node 106 has distance 1, but no path from the source is that short",
    ),
    "an unreached cycle of weight 0 that supports itself": (
        {"distances": [0, 3, 1, 6, 5, 5, INF]},
        "node 104 has distance 5, but no path from the source is that short",
    ),
    "a negative distance": (
        {"distances": [0, 3, 1, 6, INF, INF, -1]},
        "node 106 has distance -1, but no path from the source is that short",
    ),
    "a distance too large for exact sums": (
        {"distances": np.array([0, 3, 1, 2**63 - 2, 2**63 - 1, 2**63 - 1, 2**63 - 1])},
        f"node 103 has distance {2**63 - 2}, beyond the {2**62} that can be checked exactly",
    ),
    "values for another number of nodes": (
        {"distances": [0]},
        "role distances holds 1 values, but the graph has 7 nodes",
    ),
    "a parent off every shortest path": (
        {"parents": [-1, 0, 0, 1, -1, -1, -1]},
        "node 101 has the parent 100, from which no arc gives 3",
    ),
    "a parent without an arc": (
        {"parents": [-1, 2, 0, 0, -1, -1, -1]},
        "node 103 has the parent 100, from which no arc gives 6",
    ),
    "a parent left out": ({"parents": [-1, 2, 0, -1, -1, -1, -1]}, "node 103 is reached but has no parent"),
    "a parent of the source": (
        {"parents": [6, 2, 0, 1, -1, -1, -1]},
        "node 100 is the source but has the parent 106",
    ),
    "a parent of an unreached node": (
        {"parents": [-1, 2, 0, 1, 5, -1, -1]},
        "node 104 is not reached but has the parent 105",
    ),
    "too few parents": ({"parents": [2]}, "role parents holds 1 values, but the graph has 7 nodes"),
    "a wrong number of reached nodes": ({"reached": 3}, "3 nodes are said to be reached, but there are 4"),
    "a wrong largest distance": ({"farthest": INF}, f"the largest distance is said to be {INF}, but it is 6"),
}
WRONG_FLOAT = {
    "too long": ([0, 3.1, 1, 6, np.inf, np.inf, np.inf], "node 101 has distance 3.1, but it is 3.0"),
    "too short": ([0, 3, 1, 5.9, np.inf, np.inf, np.inf], "node 103 has distance 5.9, but it is 6.0"),
    "not a number": ([0, 3, 1, np.nan, np.inf, np.inf, np.inf], "node 103 has distance nan, but it is 6.0"),
    "left out": ([0, 3, 1, np.inf, np.inf, np.inf, np.inf], "node 103 is not reached, but its distance is 6.0"),
    "supported by itself": ([0, 3, 1, 6, 5, 5, np.inf], "node 104 has distance 5.0, but no path leads to it"),
}


def claim(**changes: Any) -> dict[str, Any]:
    made = RIGHT | changes
    dist = made["distances"]
    made["distances"] = dist if isinstance(dist, np.ndarray) else np.array(dist, np.int32)
    return made | {"parents": np.array(made["parents"])}


def test_right_claim_is_accepted() -> None:
    assert VERIFY(GRAPH, claim(), 0.0) is None


@pytest.mark.parametrize(("changes", "message"), WRONG.values(), ids=WRONG.keys())
def test_planted_mistake_is_rejected(changes: dict[str, Any], message: str) -> None:
    assert VERIFY(GRAPH, claim(**changes), 0.0) == message


@pytest.mark.parametrize(("distances", "message"), WRONG_FLOAT.values(), ids=WRONG_FLOAT.keys())
def test_planted_mistake_in_floating_distances_is_rejected(distances: list[float], message: str) -> None:
    assert VERIFY(GRAPH, {"source": 0, "distances": np.array(distances)}, 1e-6) == message


@pytest.mark.parametrize("kind", [np.int64, np.float64])
@pytest.mark.parametrize("name", GRAPHS)
def test_distances_and_tree_of_networkx_are_accepted(name: str, kind: Any) -> None:
    graph = GRAPHS[name]
    n, source = graph.num_nodes, graph.num_nodes // 3
    before, dist = nx.dijkstra_predecessor_and_distance(multigraph(graph), source) if n else ({}, {})
    made = {
        "source": source,
        "distances": by_node(dist, n, np.inf if kind is np.float64 else np.iinfo(kind).max, kind),
        "reached": len(dist),
        "farthest": max(dist.values(), default=0),
    }
    assert VERIFY(graph, made, 1e-9) is None
    tree = {v: parents[0] for v, parents in before.items() if parents}
    if graph.weight is None or graph.weight.all():  # NetworkX's parents are a tree where no weight is 0
        assert VERIFY(graph, made | {"parents": by_node(tree, n, -1, np.int64)}, 1e-9) is None


def test_parents_round_a_cycle_of_weight_0_are_rejected() -> None:
    graph = arcs(3, [(0, 1), (1, 2), (2, 1)], [1, 0, 0])
    made = {"source": 0, "distances": np.array([0, 1, 1]), "parents": np.array([-1, 2, 1])}
    assert VERIFY(graph, made, 0.0) == "the parents of node 101 do not lead back to the source"


@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_negative_weights_are_accepted(kind: Any) -> None:
    graph = arcs(4, [(0, 1), (0, 2), (1, 2), (2, 3)], np.array([5, 4, -3, -1], kind).tolist())
    assert VERIFY(graph, {"source": 0, "distances": np.array([0, 5, 2, 1], kind)}, 0.0) is None


@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_distances_that_miss_a_negative_arc_are_rejected(kind: Any) -> None:
    graph = arcs(4, [(0, 1), (0, 2), (1, 2), (2, 3)], np.array([5, 4, -3, -1], kind).tolist())
    message = VERIFY(graph, {"source": 0, "distances": np.array([0, 5, 4, 3], kind)}, 0.0)
    assert message is not None and message.startswith("node 102 has distance 4")


def test_integer_claim_over_a_negative_cycle_is_rejected() -> None:
    graph = arcs(3, [(0, 1), (1, 2), (2, 1)], [1, -2, 1])
    message = VERIFY(graph, {"source": 0, "distances": np.array([0, 1, -1])}, 0.0)
    assert message == "node 101 has distance 1, but the arc from node 102 gives 0"


def test_floating_claim_over_a_negative_cycle_is_rejected() -> None:
    graph = arcs(3, [(0, 1), (1, 2), (2, 1)], [1.0, -2.0, 1.0])
    message = VERIFY(graph, {"source": 0, "distances": np.array([0.0, 1.0, -1.0])}, 0.0)
    assert message == "a cycle of negative weight can be reached from the source, so there are no distances"


def test_weight_that_is_not_a_number_is_named() -> None:
    graph = arcs(2, [(0, 1)], [np.nan])
    assert VERIFY(graph, {"source": 0, "distances": np.array([0.0, 1.0])}, 0.0) == "an arc from node 100 has weight nan"


def test_floating_distance_within_the_tolerance_is_accepted() -> None:
    tenths = arcs(7, [arc[:2] for arc in weighted_arcs(GRAPH)], [w / 10 for _, _, w in weighted_arcs(GRAPH)])
    made = np.array([0, 0.3, 0.1, 0.6 + 5e-7, np.inf, np.inf, np.inf])
    assert VERIFY(tenths, {"source": 0, "distances": made}, 1e-6) is None


def test_floating_errors_do_not_add_up_along_a_path() -> None:
    graph = arcs(101, [(i, i + 1) for i in range(100)], [0.001] * 100)
    drifting = np.arange(101) * (0.001 + 9e-7)
    message = VERIFY(graph, {"source": 0, "distances": drifting}, 1e-6)
    assert message is not None and message.startswith("node 102 has distance")


#: Of a search that ended at node 103: 104 and 105 are not reached, 106 neither; what isn't settled may be too long.
SOUGHT: dict[str, Any] = {"source": 0, "goal": 3, "distances": [0, 3, 1, 6, INF, INF, INF], "settled": [1] * 7}
NOT_SOUGHT = {
    "an unfinished goal": ({"settled": [1, 1, 1, 0, 1, 1, 1]}, "the goal, node 103, is not settled"),
    "a goal by a longer way": ({"distances": [0, 3, 1, 8, INF, INF, INF]},
                               "node 103 is settled with distance 8, but it is 6"),
    "a goal that nobody came to": ({"distances": [0, 3, 1, INF, INF, INF, INF]},
                                   "node 103 is settled with distance none, but it is 6"),
    "a settled node that is too far": ({"distances": [0, 4, 1, 6, INF, INF, INF]},
                                       "node 101 is settled with distance 4, but it is 3"),
    "a node that isn't settled, and too near": (
        {"distances": [0, 2, 1, 6, INF, INF, INF], "settled": [1, 0, 1, 1, 1, 1, 1]},
        "node 101 has distance 2, but no path from the source is that short"),
    "a node that nobody reaches": ({"distances": [0, 3, 1, 6, 9, INF, INF], "settled": [1, 1, 1, 1, 0, 1, 1]},
                                   "node 104 has distance 9, but no path from the source is that short"),
    "a source that is not at 0": ({"distances": [1, 3, 1, 6, INF, INF, INF]},
                                  "node 100 is settled with distance 1, but it is 0"),
    "a goal that is no node": ({"goal": 7}, "the goal 7 is not a node of the graph"),
    "too few nodes": ({"settled": [1, 1]}, "role settled holds 2 values, but the graph has 7 nodes"),
}


def sought(**changes: Any) -> str | None:
    claim = {**SOUGHT, **changes}
    claim |= {"distances": np.array(claim["distances"], np.int32), "settled": np.array(claim["settled"], bool)}
    return VERIFY(GRAPH, claim, 0.0)


def test_what_isn_t_settled_may_be_too_long() -> None:
    assert sought() is None
    assert sought(distances=[0, 9, 1, 6, INF, INF, INF], settled=[1, 0, 1, 1, 0, 1, 1]) is None


@pytest.mark.parametrize("what", NOT_SOUGHT)
def test_a_search_for_a_goal_that_went_wrong_is_rejected(what: str) -> None:
    changes, message = NOT_SOUGHT[what]
    assert sought(**changes) == message
