"""The edges that stand for all: the same each time, spread evenly, in step with nothing that comes back."""

from __future__ import annotations

import numpy as np
import pytest
from support.awkward_graphs import awkward

from irgl.rt.graphs.kept.sample import ASKED, places


@pytest.mark.parametrize("edges", [1, 2, 4095, 4096, 4097, 100_000, 2**31 + 5, 2**45])
def test_places_are_spread_over_all_edges(edges: int) -> None:
    at = places(edges)
    assert len(at) == ASKED
    assert at[0] >= 0 and at[-1] < edges
    stretch = np.floor(at * (ASKED / edges))
    assert np.all(np.abs(stretch - np.arange(ASKED)) <= max(1, ASKED / edges))
    assert np.array_equal(at, places(edges))


@pytest.mark.parametrize("period", range(2, 17))
@pytest.mark.parametrize("edges", [4096 * 64, 4096 * 1000, 4095 * 4095 + 1, 16_769_024])
def test_each_edge_of_a_row_is_asked_as_often(edges: int, period: int) -> None:
    count = np.bincount(places(edges) % period, minlength=period)
    assert np.all(np.abs(count * (period / ASKED) - 1) < 0.3)


@pytest.mark.parametrize("name", awkward())
def test_edges_are_told_with_both_ends(name: str) -> None:
    graph = awkward()[name]
    near, far = graph.some_edges()
    at = places(graph.num_edges)
    assert near.tolist() == graph.sources()[at].tolist()
    assert far.tolist() == graph.dst[at].tolist()
