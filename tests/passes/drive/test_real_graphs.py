"""Road networks, whatever drives the loops: published answers, and how many edges are looked at."""

from __future__ import annotations

import json

import pytest
from support.places import SharedGraph
from support.programs import path_of

from irgl.cli.main import exit_code


def ran(capsys: pytest.CaptureFixture[str], program: str, graph: object, plan: str, *more: str) -> dict[str, object]:
    words = ["--graph", str(graph), "--plan", plan, "--json", "--threads", "1", "--stats=rounds"]
    assert exit_code(["run", str(path_of(program)), *words, *more]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def edges(found: dict[str, object]) -> int:
    """Of all nodes whose edges rounds looked at, but for those that a first round finds among all."""
    rounds = found["rounds"]
    assert isinstance(rounds, list)
    return sum(r["edges"] or 0 for r in rounds)


def test_shortest_paths_of_rome_are_the_published_ones(
    capsys: pytest.CaptureFixture[str], shared_graph: SharedGraph
) -> None:
    found = ran(capsys, "sssp_bf", shared_graph("road/rome99.gr.gz"), "drive=data", "--verify")
    result = found["result"]
    assert isinstance(result, dict)
    assert (found["verified"], result["reached"], result["farthest"]) == (True, 3353, 69102)
    assert result["path_length"]["sum"] == 116006476


def test_a_search_of_new_york_by_data_looks_at_fewer_than_a_twentieth_of_the_edges(
    capsys: pytest.CaptureFixture[str], shared_graph: SharedGraph
) -> None:
    graph = shared_graph("road/USA-road-d.NY.gr.gz")
    sweeps, lists, worklist = (ran(capsys, program, graph, plan) for program, plan in (
        ("bfs_topo", "default"), ("bfs_topo", "drive=data"), ("bfs", "default")))
    for found in (sweeps, lists, worklist):
        result, rounds = found["result"], found["rounds"]
        assert isinstance(result, dict) and isinstance(rounds, list)
        assert (result["reached"], result["deepest"], len(rounds)) == (264346, 619, 620)
    assert edges(lists) < edges(sweeps) / 20
    assert edges(lists) < edges(worklist)
