"""The verifier of arc counts accepts right ones, and rejects each kind of planted mistake."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.verifying import GRAPHS, arcs, multigraph, verifier

VERIFY = verifier("arc_total").verify

GRAPH = arcs(5, [(0, 1), (0, 1), (1, 2), (2, 2), (2, 0), (1, 0)])  # 0 -> 1 twice, a self-loop at 2, no arc at 3 and 4
RIGHT: dict[str, Any] = {"total": 6, "arrivals": [2, 2, 2, 0, 0]}
WRONG = {
    "none": ({"total": 0}, "there are said to be 0 arcs, but there are 6"),
    "one too few": ({"total": 5}, "there are said to be 5 arcs, but there are 6"),
    "one too many": ({"total": 7}, "there are said to be 7 arcs, but there are 6"),
    "each counted twice": ({"total": 12}, "there are said to be 12 arcs, but there are 6"),
    "a fraction": ({"total": 6.5}, "there are said to be 6.5 arcs, but there are 6"),
    "not a number": ({"total": np.nan}, "there are said to be nan arcs, but there are 6"),
    "parallel arcs merged": ({"arrivals": [2, 1, 2, 0, 0]}, "node 101 is said to have 1 arcs to it, but has 2"),
    "the self-loop left out": ({"arrivals": [2, 2, 1, 0, 0]}, "node 102 is said to have 1 arcs to it, but has 2"),
    "the self-loop counted twice": ({"arrivals": [2, 2, 3, 0, 0]}, "node 102 is said to have 3 arcs to it, but has 2"),
    "arcs out for arcs in": ({"arrivals": [2, 2, 2, 0, 1]}, "node 104 is said to have 1 arcs to it, but has 0"),
    "values for another number of nodes": (
        {"arrivals": [2, 2, 2]},
        "role arrivals holds 3 values, but the graph has 5 nodes",
    ),
    "a role that is not known": ({"count": 6}, "role count is unknown"),
}


def claim(**changes: Any) -> dict[str, Any]:
    made = RIGHT | changes
    return made | {"arrivals": np.array(made["arrivals"])}


def test_right_claim_is_accepted() -> None:
    assert VERIFY(GRAPH, claim(), 0.0) is None


@pytest.mark.parametrize(("changes", "message"), WRONG.values(), ids=WRONG.keys())
def test_planted_mistake_is_rejected(changes: dict[str, Any], message: str) -> None:
    assert VERIFY(GRAPH, claim(**changes), 10.0) == message


def test_claim_without_a_role_is_rejected() -> None:
    assert VERIFY(GRAPH, {}, 0.0) == "one of the roles total and arrivals is needed"


@pytest.mark.parametrize("name", GRAPHS)
def test_counts_of_networkx_are_accepted(name: str) -> None:
    other = multigraph(GRAPHS[name])
    into = np.array([other.in_degree(v) for v in range(len(other))], np.int32)
    assert VERIFY(GRAPHS[name], {"total": other.number_of_edges(), "arrivals": into}, 0.0) is None
