"""Every program on awkward graphs: what NetworkX finds, what its verifier accepts, whatever the number of threads."""

from __future__ import annotations

import numpy as np
import pytest
from support.awkward_graphs import awkward, hub
from support.oracles import ORACLES
from support.programs import NAMES, ON_GRAPHS, PATHS, SEARCHES, run_program

GRAPHS = list(awkward())
INTEGERS = [name for name in ON_GRAPHS if name not in ("pr", "pr_pull", "bc", "mst")]


@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("name", ON_GRAPHS)
def test_program_finds_what_networkx_finds(name: str, graph: str) -> None:
    ran = run_program(name, awkward()[graph])
    if graph != "empty" or "src" not in ran.values:
        ORACLES[name](ran)


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("name", ON_GRAPHS)
def test_verifier_accepts_the_program(name: str, graph: str, threads: int) -> None:
    assert run_program(name, awkward()[graph], threads=threads).wrong() is None


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("name", ON_GRAPHS)
def test_verifier_accepts_the_program_on_a_node_of_large_degree(name: str, threads: int) -> None:
    assert run_program(name, hub(), threads=threads).wrong() is None


@pytest.mark.parametrize("graph", [graph for graph in GRAPHS if graph != "middling"])
@pytest.mark.parametrize("name", ON_GRAPHS)
def test_verifier_accepts_the_program_in_the_interpreter(name: str, graph: str) -> None:
    assert run_program(name, awkward()[graph], target="ref").wrong() is None


@pytest.mark.parametrize("plan", [pytest.param("none", marks=pytest.mark.matrix), "grain=1 serial=off giant=2"])
@pytest.mark.parametrize("graph", ["empty", "self-loops", "star", "grid", "dense", "middling"])
@pytest.mark.parametrize("name", ON_GRAPHS)
def test_a_plan_changes_no_answer(name: str, graph: str, plan: str) -> None:
    assert run_program(name, awkward()[graph], plan=plan, threads=3, capacity=1).wrong() is None


@pytest.mark.parametrize("name", INTEGERS)
def test_the_answer_is_the_same_on_every_target_and_for_every_number_of_threads(name: str) -> None:
    graph = awkward()["middling"]
    expected = run_program(name, graph, target="ref")
    for threads in (1, 3):
        ran = run_program(name, graph, threads=threads, seed=threads)
        for claim in expected.manifest.roles:
            role = _result_of(name, claim)
            if role is not None:
                np.testing.assert_array_equal(ran[role], expected[role])


def _result_of(name: str, role: str) -> str | None:
    """The result that a role shows, where the answer to it is one only."""
    results = {"hops": "hops", "distances": "path_length", "labels": "comp_root", "triangles": "triangles",
               "total": "arcs", "members": "verdict", "cores": "coreness", "reached": "reached", "deepest": "deepest",
               "components": "components", "farthest": "farthest", "largest": "largest", "size": "members"}
    found = results.get(role)
    assert found is not None or role in ("source", "inside"), f"{name}: what is role {role}?"
    return found


@pytest.mark.parametrize("name", [*SEARCHES, *PATHS])
@pytest.mark.parametrize("source", [7, 10, 42])
def test_search_starts_at_the_node_that_the_file_numbers_so(name: str, source: int) -> None:
    ran = run_program(name, awkward()["ids with gaps"], src=source)
    assert ran.graph.file_id(ran.values["src"]) == source
    ORACLES[name](ran)


@pytest.mark.parametrize("delta", [-5, 0, 1, 3, 1000, 2**31 - 1])
@pytest.mark.parametrize("name", ["sssp_nf", "sssp_delta"])
def test_any_delta_gives_the_same_distances(name: str, delta: int) -> None:
    ORACLES[name](run_program(name, awkward()["middling"], delta=delta))


@pytest.mark.parametrize(("alpha", "beta"), [(0, 0), (1, 1), (1_000_000, 1_000_000), (1, 1_000_000)])
def test_any_moment_of_turning_round_gives_the_same_hops(alpha: int, beta: int) -> None:
    ORACLES["bfs_do"](run_program("bfs_do", awkward()["middling"], alpha=alpha, beta=beta))


@pytest.mark.parametrize("rounds", [0, 1, 2, 100])
@pytest.mark.parametrize("samples", [0, 1, 1024])
def test_any_sample_gives_the_same_components(rounds: int, samples: int) -> None:
    for graph in ("sparse", "star inwards", "disconnected"):
        ORACLES["cc_afforest"](run_program("cc_afforest", awkward()[graph], neighbours=rounds, samples=samples))


@pytest.mark.parametrize("samples", [0, 1, 4096])
def test_any_sample_gives_the_same_forest(samples: int) -> None:
    for graph in ("sparse", "equal weights", "middling"):
        ORACLES["mst"](run_program("mst", awkward()[graph], samples=samples))


@pytest.mark.parametrize("degree", [0, 10**6])
def test_triangles_with_and_without_renumbering(degree: int) -> None:
    for graph in ("middling", "sparse", "star"):
        ORACLES["tri"](run_program("tri", awkward()[graph], renumber_from_degree=degree))



@pytest.mark.parametrize(("sources", "searched"), [(1, 1), (3, 3), (0, 120), (500, 120)])
@pytest.mark.parametrize("alpha", [0.0, 0.5, 1e9])
def test_betweenness_sums_over_the_sources_asked_for(sources: int, searched: int, alpha: float) -> None:
    ran = run_program("bc", awkward()["sparse"], src=17, sources=sources, alpha=alpha)
    assert np.count_nonzero(ran["is_source"]) == searched
    assert ran["is_source"][17]
    ORACLES["bc"](ran)
    assert ran.wrong() is None


@pytest.mark.parametrize("damping", [0.0, 0.5, 0.99])
@pytest.mark.parametrize("name", ["pr", "pr_pull"])
def test_ranks_follow_the_damping(name: str, damping: float) -> None:
    epsilon = 1e-8  # what is missing is up to 1 / (1 - damping) times as much
    assert run_program(name, awkward()["sparse"], damping=damping, epsilon=epsilon,
                       **({"max_iterations": 5000} if name == "pr_pull" else {})).wrong() is None


def test_ranks_stop_after_the_iterations_asked_for() -> None:
    ran = run_program("pr_pull", awkward()["sparse"], epsilon=0.0, max_iterations=20)
    assert ran["iterations"] == 20


def test_every_program_has_an_oracle() -> None:
    assert set(ON_GRAPHS) == set(ORACLES)
    assert set(NAMES) >= set(ON_GRAPHS)
