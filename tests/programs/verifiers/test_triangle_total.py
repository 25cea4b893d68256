"""The verifier of triangle counts accepts NetworkX's, and rejects the counts of the usual mistakes."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.verifying import GRAPHS, arcs, edges, simple, verifier

MODULE = verifier("triangle_total")
VERIFY = MODULE.verify

# Two triangles on the edge 1-2 (one cyclic, one not), a parallel edge, a self-loop, and a path 3-4-5
GRAPH = arcs(6, [(0, 1), (1, 2), (2, 0), (1, 3), (2, 3), (2, 1), (3, 3), (3, 4), (4, 5), (1, 2)])
WRONG: dict[str, Any] = {
    "none": 0,
    "one left out": 1,
    "one too many": 3,
    "parallel edges counted as more triangles": 4,
    "each counted from its three nodes": 6,
    "each counted in its six orders": 12,
    "corners at a self-loop counted": 5,
    "negative": -2,
    "a fraction": 2.5,
    "not a number": np.nan,
    "a wrapped counter": np.uint64(2**64 - 2),
}


@pytest.mark.parametrize("count", [2, np.int64(2), np.uint32(2), 2.0])
def test_right_count_is_accepted(count: Any) -> None:
    assert VERIFY(GRAPH, {"triangles": count}, 0.0) is None


@pytest.mark.parametrize("count", WRONG.values(), ids=WRONG.keys())
def test_planted_mistake_is_rejected(count: Any) -> None:
    message = f"there are said to be {count} triangles, but there are 2"
    assert VERIFY(GRAPH, {"triangles": count}, 1.0) == message


def test_role_left_out_is_named() -> None:
    assert VERIFY(GRAPH, {}, 0.0) == "role triangles is missing"


def test_role_that_is_not_known_is_named() -> None:
    assert VERIFY(GRAPH, {"triangles": 2, "count": 2}, 0.0) == "role count is unknown"


@pytest.mark.parametrize("name", GRAPHS)
def test_count_of_networkx_is_accepted(name: str) -> None:
    at_nodes: Any = nx.triangles(simple(GRAPHS[name]))
    count = sum(at_nodes.values()) // 3
    assert VERIFY(GRAPHS[name], {"triangles": count}, 0.0) is None


@pytest.mark.parametrize("paths", [1, 7, 100])
def test_count_is_the_same_in_small_blocks(paths: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "PATHS_AT_ONCE", paths)
    assert VERIFY(edges(12, nx.complete_graph(12).edges()), {"triangles": 220}, 0.0) is None
