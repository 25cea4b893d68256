"""The code of docs/inputs.md runs, and its ranks are NetworkX's."""

from __future__ import annotations

import re
from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.places import ROOT

PAGE = (ROOT / "docs" / "inputs.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(compile(block, "inputs.md", "exec"), names)
    return names


GRAPHS = {"karate": nx.karate_club_graph, "women": nx.davis_southern_women_graph, "families": nx.les_miserables_graph}


@pytest.mark.parametrize("name", GRAPHS)
def test_personalised_pagerank_is_networkx_s_by_name(page: dict[str, Any], name: str) -> None:
    graph = GRAPHS[name]()
    seeds = dict.fromkeys(list(graph)[:3], 1 / 3)
    found = page["ppr"](graph, seed=dict.fromkeys(graph, 0) | seeds).named("start")
    expected = nx.pagerank(graph, personalization=seeds, weight=None, tol=1e-12, max_iter=1000)
    assert found == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("name", GRAPHS)
def test_warm_ranks_are_the_cold_ones_in_fewer_rounds(page: dict[str, Any], name: str) -> None:
    graph = GRAPHS[name]()
    seed = np.full(len(graph), 1 / len(graph))
    cold = page["ppr"](graph, seed=seed)
    graph.add_edge(*list(graph)[:2])
    again, warm = page["ppr"](graph, seed=seed), page["ppr"](graph, seed=seed, start=cold.start)
    assert warm.rounds < again.rounds
    assert np.allclose(warm.start, again.start, atol=1e-8)


