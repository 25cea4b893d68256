"""The code of docs/inputs.md runs; its ranks and searches are NetworkX's, its labels SciPy's, its covers cheap."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import linprog
from scipy.sparse.linalg import cg
from support.places import ROOT

import irgl

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


def symmetric(file: Path) -> tuple[Any, Any]:
    """The matrix of a file of edges as an undirected graph without loops, and the ids of its nodes."""
    ends = np.loadtxt(file, dtype=np.int64)
    ids, numbers = np.unique(ends, return_inverse=True)
    src, dst = numbers.reshape(ends.shape).T
    apart = src != dst
    found = sp.coo_array((np.ones(apart.sum()), (src[apart], dst[apart])), shape=(len(ids), len(ids))).tocsr()
    found = found + found.T
    found.data[:] = 1
    return found, ids


def solved(matrix: Any, label: Any, alpha: float) -> Any:
    """F = alpha S F + (1 - alpha) Y as a system of equations (SciPy)."""
    root = 1 / np.sqrt(np.maximum(matrix.sum(axis=0), 1))
    scaled = sp.diags_array(root) @ matrix @ sp.diags_array(root)
    found, failed = cg(sp.eye_array(len(label)) - alpha * scaled, (1 - alpha) * label, rtol=1e-13)
    assert failed == 0
    return found


@pytest.mark.parametrize("name", ["karate", "CA-GrQc", "facebook_combined"])
def test_spread_labels_are_the_solution_of_the_equations(page: dict[str, Any], name: str, request: Any) -> None:
    if name == "karate":
        given: Any = nx.karate_club_graph()
        matrix, ids = nx.to_scipy_sparse_array(given, weight=None, dtype=float), np.arange(34)
    else:
        file = request.getfixturevalue("shared_graphs") / "social" / f"{name}.txt.gz"
        given, (matrix, ids) = str(file), symmetric(file)
    label = np.zeros(len(ids))
    label[[0, 5, len(ids) - 1]] = 1, 0.5, -1
    chosen = {int(ids[k]): label[k] for k in np.flatnonzero(label)}
    found = page["spread"](given, label=chosen).named("score")
    expected = dict(zip(ids.tolist(), solved(matrix, label, 0.9), strict=True))
    assert found == pytest.approx(expected, abs=1e-9)


def test_a_class_has_a_call_and_the_highest_score_is_its(page: dict[str, Any]) -> None:
    graph, spread = nx.davis_southern_women_graph(), page["spread"]
    classes = [list(graph)[:2], list(graph)[9:11], list(graph)[-2:]]
    scores = np.stack([spread(graph, alpha=0.5, label=dict.fromkeys(some, 1)).score for some in classes], axis=1)
    matrix = nx.to_scipy_sparse_array(graph, weight=None, dtype=float)
    labels = [np.isin(list(graph), some).astype(float) for some in classes]
    expected = np.stack([solved(matrix, label, 0.5) for label in labels], axis=1)
    assert np.allclose(scores, expected, atol=1e-10)
    assert scores.argmax(axis=1)[[0, 9, -1]].tolist() == [0, 1, 2]


def bound(graph: Any, cost: dict[Any, float]) -> float:
    """The least that a cover may cost where nodes can be taken in parts: no cover costs less (SciPy's HiGHS)."""
    place = {n: k for k, n in enumerate(graph)}
    ends = np.array([(place[u], place[v]) for u, v in graph.edges])
    rows = sp.coo_array((-np.ones(ends.size), (np.arange(len(ends)).repeat(2), ends.ravel())))
    found = linprog([cost[n] for n in graph], A_ub=rows, b_ub=-np.ones(len(ends)))
    return float(found.fun)


@pytest.mark.parametrize("name", GRAPHS)
def test_a_cover_covers_for_at_most_twice_the_least_price(page: dict[str, Any], name: str) -> None:
    graph = GRAPHS[name]()
    cost = {n: float(c) for n, c in zip(graph, np.random.default_rng(7).integers(1, 20, len(graph)), strict=True)}
    found = page["cover"](graph, cost=cost)
    inside = {n for n, taken in found.named("taken").items() if taken}
    assert all(u in inside or v in inside for u, v in graph.edges)
    assert found.price == sum(cost[n] for n in inside)
    least = bound(graph, cost)
    assert found.paid <= least + 1e-9 and found.price <= 2 * found.paid
    nx.set_node_attributes(graph, cost, "cost")
    other = sum(cost[n] for n in nx.approximation.min_weighted_vertex_cover(graph, weight="cost"))
    assert found.price <= 2 * other and found.paid <= other


@pytest.mark.parametrize("target", ["ref", "simt"])
def test_covers_are_right_on_other_targets(page: dict[str, Any], target: str) -> None:
    graph = nx.star_graph(3)
    graph.add_edges_from([(3, 4), (4, 5)])
    found = irgl.compile("cover.irgl", text=page["cover"].source.text, target=target)(graph, cost=[1.0] * 6)
    inside = {n for n, taken in found.named("taken").items() if taken}
    assert all(u in inside or v in inside for u, v in graph.edges) and len(inside) <= 2 * found.paid


@pytest.mark.parametrize("name", GRAPHS)
def test_searches_begin_at_all_chosen_sources(page: dict[str, Any], name: str) -> None:
    graph = GRAPHS[name]()
    sources = list(graph)[::7]
    wanted = nx.multi_source_dijkstra_path_length(graph, set(sources), weight=None)
    assert page["bfs"](graph, sources=sources).named("level") == wanted
