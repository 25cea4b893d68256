"""Programs on the real graphs of ../shared/graphs find the published answers; large graphs are part of the matrix."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import known_answers as known
from support.programs import COMPONENTS, PATHS, RANKS, SEARCHES, Ran, run_program

from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load

#: Graphs that take no second: the others are left to the matrix.
SMALL = ("karate", "A", "LFAT5", "tree-example", "ldbc-cdlp-undirected-example", "ldbc-undirected-example",
         "ldbc-wcc-example", "jagmesh7", "bcsstk13", "west0067", "zenios", "rome99", "CA-GrQc", "wiki-Vote", "4elt",
         "p2p-Gnutella31", "facebook_combined")
FORMATS = {"actor-casts": "cliques"}
#: Edge lists that hold each edge of an undirected graph once.
EDGES_ONCE = ("facebook_combined", "ego-Twitter.und", "as-caida20071105.und")
pytestmark = pytest.mark.skipif(not known.TABLE.exists(), reason=known.ABSENT)


@cache
def _paths() -> dict[str, Path]:
    folders = ("road", "social", "matrix", "mesh-graph", "testgraphs")
    return {path.name.split(".txt")[0].split(".mtx")[0].split(".gr")[0].split(".dat")[0].split(".tw")[0]: path
            for folder in folders for path in sorted((known.SHARED / folder).iterdir()) if ".co" not in path.name}


@cache
def _graph(name: str, undirected: bool = False) -> Graph:
    """Kept for the tests of one graph: they stand one after the other."""
    if name not in _paths():
        pytest.skip(f"no graph {name} in ../shared/graphs")
    return load(str(_paths()[name]), format=FORMATS.get(name), undirected=undirected or name in EDGES_ONCE,
                compact=name != "actor-casts")


def _cases(programs: tuple[str, ...], names: list[str]) -> list[Any]:
    """Every program on every graph; one that is large, by its name, is part of the matrix."""
    return [pytest.param(program, name, marks=() if name in SMALL else pytest.mark.matrix)
            for name in names for program in programs]


def _named(fact: Any) -> list[str]:
    return [name for name in known.graphs() if fact(name)] if known.TABLE.exists() else []


def _verified(ran: Ran) -> Ran:
    assert ran.wrong() is None
    return ran


@pytest.mark.parametrize(("program", "name"), _cases(COMPONENTS, _named(known.components)))
def test_number_of_components(program: str, name: str) -> None:
    assert _verified(run_program(program, _graph(name)))["components"] == known.components(name)


@pytest.mark.parametrize(("program", "name"), _cases(("tri", "triangles_by_common"),
                                                     _named(lambda n: known.triangles(n) is not None)))
def test_number_of_triangles(program: str, name: str) -> None:
    assert _verified(run_program(program, _graph(name)))["triangles"] == known.triangles(name)


@pytest.mark.parametrize(("program", "name"), _cases(("kcore",), _named(known.max_core)))
def test_largest_core_number(program: str, name: str) -> None:
    assert _verified(run_program(program, _graph(name)))["largest"] == known.max_core(name)


@pytest.mark.parametrize(("program", "name"), _cases(("mst",), _named(known.forest)))
def test_weight_of_the_spanning_forest(program: str, name: str) -> None:
    ran, forest = _verified(run_program(program, _graph(name))), known.forest(name)
    assert forest is not None
    assert (ran["weight"], ran["edges"]) == (forest.weight, forest.edges or ran["edges"])


@pytest.mark.parametrize(("program", "name"), _cases(SEARCHES, _named(known.levels)))
def test_hops_from_the_published_sources(program: str, name: str) -> None:
    for fact in known.levels(name):
        ran = _verified(run_program(program, _graph(name, fact.follows == "undirected"), src=fact.source))
        assert (ran["reached"], ran["deepest"]) == (fact.reached or ran["reached"], fact.depth)


@pytest.mark.parametrize(("program", "name"), _cases(PATHS, _named(known.paths)))
def test_distances_from_the_published_sources(program: str, name: str) -> None:
    graph = _graph(name)
    single = known.distances(name)
    for fact in known.paths(name):
        ran = _verified(run_program(program, graph, src=fact.source))
        lengths = ran["path_length"]
        finite = lengths[lengths < (np.inf if lengths.dtype.kind == "f" else np.iinfo(lengths.dtype).max)]
        assert (ran["reached"], ran["farthest"]) == (fact.reached or ran["reached"], fact.largest)
        assert int(finite.sum(dtype=np.float64)) == fact.total
        assert fact.at is None or lengths[graph.dense_id(fact.at)] == fact.largest
        for (source, target), length in single.items():
            assert source != fact.source or lengths[graph.dense_id(target)] == length


@pytest.mark.parametrize(("program", "name"), _cases(RANKS, _named(known.pagerank_top)))
def test_five_largest_ranks(program: str, name: str) -> None:
    graph, top = _graph(name), known.pagerank_top(name)
    assert top is not None
    ran = run_program(program, graph, epsilon=1e-8)
    for node, rank in top.items():
        assert ran["pagerank"][graph.dense_id(node)] == pytest.approx(rank, abs=2e-8)


@pytest.mark.matrix
@pytest.mark.parametrize(("program", "name"), _cases(("bc",), _named(known.betweenness_top)))
def test_five_largest_betweenness_scores(program: str, name: str) -> None:
    graph, top = _graph(name, undirected=True), known.betweenness_top(name)
    assert top is not None
    scores = run_program(program, graph, sources=0)["betweenness"] / 2  # each pair is counted from both ends
    for node, score in top.items():
        assert scores[graph.dense_id(node)] == pytest.approx(score, rel=1e-6)
    assert np.sort(scores)[-5:][::-1] == pytest.approx(list(top.values()), rel=1e-6)


@pytest.mark.parametrize("name", ["karate", "west0067", "ldbc-directed-example"])
@pytest.mark.parametrize("program", RANKS)
def test_ranks_of_lagraphs_vectors(program: str, name: str) -> None:
    expected = known.vector(f"{name}.pagerank")
    ranks = run_program(program, _graph(name))["pagerank"]
    assert {v: float(x) for v, x in enumerate(ranks)} == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(("name", "sources"), [("karate", (6, 29, 0, 9)), ("west0067", (13, 58, 1, 18))])
def test_betweenness_of_lagraphs_vectors(name: str, sources: tuple[int, ...]) -> None:
    graph = _graph(name)
    expected = known.vector(f"{name}.bc-sources-{'-'.join(map(str, sources))}")
    scores = sum(run_program("bc", graph, src=graph.file_id(s))["betweenness"] for s in sources)
    assert {v: float(x) for v, x in enumerate(scores)} == pytest.approx(expected, rel=5e-5, abs=5e-5)


@pytest.mark.parametrize(("program", "name"), _cases(("mis", "traverse"), _named(lambda _: True)))
def test_programs_without_a_published_answer_are_verified(program: str, name: str) -> None:
    _verified(run_program(program, _graph(name)))
