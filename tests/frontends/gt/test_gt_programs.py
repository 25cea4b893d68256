"""The programs of programs/gt find what NetworkX finds, on every target; dumped as .irgl, they find the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from scipy import sparse
from support.places import PROGRAMS, SharedGraph

import irgl
from irgl.ast.dump import dump
from irgl.frontends.load import load, open_source
from irgl.plan import Plan
from irgl.rt.manifests.manifest import Scheduled
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError

FOLDER = PROGRAMS / "gt"
FAR = 2**31 - 1


@cache
def directed() -> nx.DiGraph:
    graph = nx.gnm_random_graph(60, 190, seed=5, directed=True)
    for k, (u, v) in enumerate(sorted(graph.edges)):
        graph.edges[u, v]["weight"] = 1 + k * 7 % 23
    return graph


@cache
def both_ways() -> nx.DiGraph:
    return nx.DiGraph(nx.union(nx.gnm_random_graph(50, 130, seed=2), nx.path_graph(range(50, 60))))


def kept(graph: nx.DiGraph, folder: Path) -> Path:
    """A file of its edges, the last vertex among them."""
    file = folder / "graph.wel"
    file.write_text("".join(f"{u} {v} {w}\n" for u, v, w in graph.edges(data="weight", default=1)))
    return file


def parents(found: Any, graph: nx.DiGraph) -> None:
    hops = nx.single_source_shortest_path_length(graph, 0)
    for v, parent in enumerate(found["parent"].tolist()):
        assert (parent == -1) == (v not in hops)
        assert v == 0 or parent == -1 or (graph.has_edge(parent, v) and hops[parent] + 1 == hops[v])


def distances(found: Any, graph: nx.DiGraph) -> None:
    wanted = nx.single_source_dijkstra_path_length(graph, 0)
    assert found["distance"].tolist() == [wanted.get(v, FAR) for v in range(len(graph))]


def way(found: Any, graph: nx.DiGraph) -> None:
    assert found["shortest"] == nx.dijkstra_path_length(graph, 0, 17)


def labels(found: Any, graph: nx.DiGraph) -> None:
    lowest = {v: min(part) for part in nx.strongly_connected_components(graph) for v in part}
    assert found["label"].tolist() == [lowest[v] for v in range(len(graph))]


def cores(found: Any, graph: nx.DiGraph) -> None:
    wanted = nx.core_number(graph.to_undirected())
    assert found["core"].tolist() == [wanted[v] for v in range(len(graph))]
    assert found["largest"] == max(wanted.values())


def scores(found: Any, graph: nx.DiGraph) -> None:
    wanted = nx.betweenness_centrality_subset(graph, [0], list(graph), normalized=False)
    np.testing.assert_allclose(found["score"], [wanted[v] for v in range(len(graph))], atol=1e-9)


def triangles(found: Any, graph: nx.DiGraph) -> None:
    assert found["triangles"] == sum(nx.triangles(graph.to_undirected()).values()) // 3


def _step(graph: nx.DiGraph, rank: np.ndarray) -> np.ndarray:
    """One round of PageRank in which the rank of vertices without edges out is lost."""
    after = np.full(len(graph), 0.15 / len(graph))
    for u, v in graph.edges:
        after[v] += 0.85 * rank[u] / graph.out_degree(u)
    return after


def ranks(found: Any, graph: nx.DiGraph, rounds: int = 20, within: float = 1e-12) -> None:
    rank = np.full(len(graph), 1 / len(graph))
    for _ in range(rounds):
        rank = _step(graph, rank)
    np.testing.assert_allclose(found["rank"], rank, atol=within)


def features(found: Any, graph: nx.DiGraph) -> None:
    """Three rounds of gradient descent, by SciPy's products of a sparse matrix and a dense one."""
    src, dst, rating = (np.array(x) for x in zip(*graph.edges(data="weight"), strict=True))
    degree = np.bincount(src, minlength=len(graph))[:, None]
    feature = 0.1 + 0.05 * ((np.arange(len(graph))[:, None] + 3 * np.arange(20)) % 8)
    for _ in range(3):
        missed = rating - (feature[src] * feature[dst]).sum(1)
        slope = sparse.csr_array((missed, (dst, src)), (len(graph), len(graph))) @ feature
        feature = np.where(degree > 0, feature + 0.05 * (slope / np.maximum(degree, 1) - 0.01 * feature), feature)
    np.testing.assert_allclose(found["feature"], feature, rtol=1e-12)
    np.testing.assert_allclose(found["misfit"], (missed**2).sum(), rtol=1e-12)


def settled_ranks(found: Any, graph: nx.DiGraph) -> None:
    ranks(found, graph, rounds=200, within=1e-6)


#: What each program is given beside its graph, on which graph, and what it must find.
PROGRAMS_OF: dict[str, tuple[dict[str, int], Callable[[], nx.DiGraph], Callable[[Any, nx.DiGraph], None]]] = {
    "bfs": ({"argv2": 0}, directed, parents),
    "sssp": ({"argv2": 0}, directed, distances),
    "sssp_delta": ({"argv2": 0}, directed, distances),
    "ppsp": ({"argv2": 0, "argv3": 17}, directed, way),
    "cc": ({}, both_ways, labels),
    "cc_pjump": ({}, both_ways, labels),
    "kcore": ({}, both_ways, cores),
    "tc": ({}, both_ways, triangles),
    "bc": ({"argv2": 0}, directed, scores),
    "pr": ({}, directed, ranks),
    "pr_delta": ({}, directed, settled_ranks),
    "cf": ({"argv2": 3}, directed, features),
}
TARGETS = [("ref", {}), ("cpu", {"threads": 1}), ("cpu", {"threads": 2})]


def test_each_program_is_tested() -> None:
    assert {path.stem for path in FOLDER.glob("*.gt")} == set(PROGRAMS_OF)


@pytest.mark.parametrize(("target", "options"), TARGETS, ids=["ref", "cpu1", "cpu2"])
@pytest.mark.parametrize("name", PROGRAMS_OF)
def test_it_finds_what_networkx_finds(name: str, target: str, options: dict[str, int], tmp_path: Path) -> None:
    given, graph, check = PROGRAMS_OF[name]
    found = irgl.compile(FOLDER / f"{name}.gt", target=target)(str(kept(graph(), tmp_path)), **given, **options)
    check(found, graph())


@pytest.mark.parametrize("name", ["bfs", "sssp_delta", "bc", "cf"])
def test_it_finds_the_same_in_the_emulator(name: str, tmp_path: Path) -> None:
    given, graph, check = PROGRAMS_OF[name]
    check(irgl.compile(FOLDER / f"{name}.gt", target="simt")(str(kept(graph(), tmp_path)), **given), graph())


@pytest.mark.parametrize("name", PROGRAMS_OF)
def test_its_text_as_irgl_finds_the_same(name: str, tmp_path: Path) -> None:
    given, graph, check = PROGRAMS_OF[name]
    text = dump(load(open_source(FOLDER / f"{name}.gt")))
    check(irgl.compile("dumped.irgl", target="ref", text=text)(str(kept(graph(), tmp_path)), **given), graph())


@pytest.mark.parametrize(("back", "found"), [(1, False), (-3, True)])
def test_a_negative_cycle_is_told_and_a_long_path_is_none(back: int, found: bool, tmp_path: Path) -> None:
    (tmp_path / "g.wel").write_text(f"0 1 1\n1 2 1\n2 1 {back}\n", encoding="utf-8")
    answer = irgl.compile(FOLDER / "sssp.gt", target="ref")(str(tmp_path / "g.wel"), argv2=0)
    assert (answer["negative_cycle"], answer.printed) == (found, ("negative cycle",) * found)


def test_a_search_by_pulling_finds_parents(tmp_path: Path) -> None:
    found = irgl.compile(FOLDER / "bfs.gt", target="cpu", plan="direction=pull")(
        str(kept(directed(), tmp_path)), argv2=0)
    parents(found, directed())


def test_levels_of_new_york(shared_graph: SharedGraph) -> None:
    found = irgl.compile(FOLDER / "bfs.gt", target="cpu")(str(shared_graph("road/USA-road-d.NY.gr.gz")), argv2=0)
    parent = found["parent"]
    depth = np.full(len(parent), -1)
    depth[0], level = 0, 0
    while (fresh := (depth == -1) & (depth[parent] == level)).any():
        level += 1
        depth[fresh] = level
    assert (level, (depth >= 0).sum()) == (619, 264_346)


def test_distances_in_new_york(shared_graph: SharedGraph) -> None:
    found = irgl.compile(FOLDER / "sssp_delta.gt", target="cpu")(str(shared_graph("road/USA-road-d.NY.gr.gz")), argv2=0)
    distance = found["distance"].astype(np.int64)
    assert (distance.sum(), distance.max(), distance.argmax()) == (186_686_642_878, 1_440_081, 90_643)


def test_triangles_in_new_york(shared_graph: SharedGraph) -> None:
    found = irgl.compile(FOLDER / "tc.gt", target="cpu")(str(shared_graph("road/USA-road-d.NY.gr.gz")))
    assert found["triangles"] == 6529


def test_components_of_florida(shared_graph: SharedGraph) -> None:
    found = irgl.compile(FOLDER / "cc.gt", target="cpu")(str(shared_graph("road/USA-road-FLA.tw.gr.xz")))
    assert len(np.unique(found["label"])) == 1


def scheduled(name: str, kind: str, target: str) -> Scheduled:
    """What a schedule of the shipped ones comes to for its program."""
    found = open_program(FOLDER / f"{name}.gt", Plan(target=target),
                         schedule=FOLDER / "schedules" / f"{name}.{kind}.schedule").schedule
    assert found is not None
    return found


@pytest.mark.parametrize("kind", ["roads", "webs"])
@pytest.mark.parametrize("name", PROGRAMS_OF)
def test_all_that_a_shipped_schedule_says_applies_on_one_target_or_the_other(name: str, kind: str) -> None:
    refused = [{call.partition(" (")[0] for call in scheduled(name, kind, target).not_applicable}
               for target in ("cpu", "cuda")]
    assert not refused[0] & refused[1]


@pytest.mark.parametrize("name", PROGRAMS_OF)
def test_under_its_schedules_it_finds_what_networkx_finds(name: str, tmp_path: Path) -> None:
    given, graph, check = PROGRAMS_OF[name]
    for kind in ("roads", "webs"):
        said = scheduled(name, kind, "cpu")
        delta = {"delta": int(said.delta)} if said.delta else {}
        check(irgl.compile(FOLDER / f"{name}.gt", target="cpu", plan=said.plan)(
            str(kept(graph(), tmp_path)), **given, **delta), graph())


@pytest.mark.parametrize("name", ["bfs", "kcore"])
def test_under_its_schedule_for_webs_it_finds_the_same_in_the_emulator(name: str, tmp_path: Path) -> None:
    given, graph, check = PROGRAMS_OF[name]
    found = irgl.compile(FOLDER / f"{name}.gt", target="simt", plan=scheduled(name, "webs", "simt").plan)
    check(found(str(kept(graph(), tmp_path)), **given), graph())


def test_a_vertex_that_the_graph_has_not_is_told_without_words_of_irgls() -> None:
    with pytest.raises(IrglError, match=r"bfs\.gt:\d+:\d+: error: access") as caught:
        irgl.compile(FOLDER / "bfs.gt", target="cpu")("path:3", argv2=3)
    assert caught.value.hint == (
        "vertices go from 0 to one less than the graph has, and -1 is none: test the number first")
