"""The further programs on real graphs: published figures, and what their verifiers say."""

from __future__ import annotations

from functools import cache
from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.more_oracles import ORACLES
from support.places import PROGRAMS, SHARED_GRAPHS
from support.programs import Ran, run_program

from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load

#: By name; those of SNAP are published with their clustering and diameter.
FILES = {
    "karate": PROGRAMS / "data" / "karate.mtx",
    "CA-GrQc": PROGRAMS / "data" / "CA-GrQc.txt.gz",
    "rome99": PROGRAMS / "data" / "rome99.gr.gz",
    "wiki-Vote": SHARED_GRAPHS / "social" / "wiki-Vote.txt.gz",
    "email-Enron": SHARED_GRAPHS / "social" / "email-Enron.txt.xz",
    "4elt": SHARED_GRAPHS / "mesh-graph" / "4elt.graph.gz",
}
#: What would take long on a large graph.
GIVEN: dict[str, dict[str, Any]] = {"bc_weighted": {"sources": 3}}
#: Searches from every node, or a product of matrices, for a large graph: minutes of a verifier.
SLOW = {("eccentricities", name) for name in ("wiki-Vote", "email-Enron", "4elt", "CA-GrQc", "rome99")} | {
    ("clustering", "email-Enron"), ("jaccard", "email-Enron"), ("dominating_set", "email-Enron")}
PAIRS = [pytest.param(program, name, marks=[pytest.mark.matrix] if (program, name) in SLOW else [])
         for name in FILES for program in ORACLES]


@cache
def _graph(name: str) -> Graph:
    if not FILES[name].exists():
        pytest.skip(f"no {FILES[name].name} in ../shared/graphs")
    return load(str(FILES[name]))


def _ran(program: str, name: str, **given: Any) -> Ran:
    return run_program(program, _graph(name), **given)


@pytest.mark.parametrize(("program", "name"), PAIRS)
def test_the_verifier_accepts_the_program_on_a_real_graph(program: str, name: str) -> None:
    assert _ran(program, name, **GIVEN.get(program, {})).wrong() is None


@pytest.mark.parametrize(("name", "triangles", "average"), [
    ("karate", 45, 0.5706), ("CA-GrQc", 48_260, 0.5296), ("wiki-Vote", 608_389, 0.1409),
    ("email-Enron", 727_044, 0.4970)])
def test_triangles_and_clustering_are_those_that_are_published(name: str, triangles: int, average: float) -> None:
    ran = _ran("clustering", name)
    assert ran["closed"] == 3 * triangles
    assert round(ran["average"], 4) == average


@pytest.mark.parametrize(("name", "diameter"), [("karate", 5), ("CA-GrQc", 17), ("wiki-Vote", 7)])
def test_diameters_are_those_that_are_published(name: str, diameter: int) -> None:
    assert _ran("eccentricities", name)["diameter"] == diameter


@pytest.mark.parametrize("program", ORACLES)
def test_the_karate_club_has_networkx_s_answers(program: str) -> None:
    ORACLES[program](_ran(program, "karate"))


def test_betweenness_by_road_lengths_is_networkx_s() -> None:
    ran = _ran("bc_weighted", "rome99", sources=20)
    ORACLES["bc_weighted"](ran)
    assert ran.wrong() is None


def test_hubs_of_a_vote_are_networkx_s() -> None:
    ran = _ran("hits", "wiki-Vote")
    graph: Any = nx.DiGraph()
    graph.add_nodes_from(range(ran.graph.num_nodes))
    graph.add_edges_from(zip(ran.graph.sources().tolist(), ran.graph.dst.tolist(), strict=True))
    hubs, authorities = nx.hits(graph, max_iter=1000)
    np.testing.assert_allclose(ran["hubness"], [hubs[v] for v in range(len(hubs))], atol=1e-8)
    np.testing.assert_allclose(ran["authority"], [authorities[v] for v in range(len(hubs))], atol=1e-8)
