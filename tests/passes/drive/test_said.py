"""What a user is told of what drives loops: where it applies, where not and why, and what is an error."""

from __future__ import annotations

import json

import pytest
from support.programs import path_of

from irgl.cli.main import exit_code

Capture = pytest.CaptureFixture[str]


def ran(capsys: Capture, name: str, plan: str, *more: str) -> tuple[int, str, str]:
    code = exit_code(["run", str(path_of(name)), "--graph", "path:4", "--plan", plan, *more])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.mark.parametrize(("name", "plan", "applied", "refused"), [
    ("bfs_topo", "drive=data", ["bfs_topo.iterate1: drive=data"], []),
    ("bfs", "drive=data", [], ["bfs.iterate1: drive=data: it runs over a worklist as it is written"]),
    ("bfs", "bfs.iterate1.drive=topology", ["bfs.iterate1: drive=topology"], []),
    ("bfs_topo", "drive=topology", [],
     ["bfs_topo.iterate1: drive=topology: it runs over no worklist as it is written"]),
    ("bfs_do", "drive=data", [], ["bfs_do.while1: drive=data: its condition is no flag that a kernel sets",
                                  "bfs_do.while2: drive=data: its condition is no flag that a kernel sets"]),
])
def test_a_run_tells_where_it_applies_and_where_not(
    name: str, plan: str, applied: list[str], refused: list[str], capsys: Capture
) -> None:
    code, out, _ = ran(capsys, name, plan, "--json", "--verify")
    said = json.loads(out)["plan"]
    assert code == 0
    assert [line for line in said["applied"] if "drive" in line] == applied
    assert [line for line in said["not_applicable"] if "drive" in line] == refused


@pytest.mark.parametrize(("name", "plan", "message", "hint"), [
    ("bfs", "bfs.iterate1.drive=data",
     "`bfs.iterate1.drive=data` can't be honoured: it runs over a worklist as it is written",
     "leave it out; `drive=data` alone applies wherever it is legal"),
    ("bfs", "bfs.iterate2.drive=data", "the plan sets `drive` for `bfs.iterate2`, which is no place for it",
     "places: bfs.iterate1"),
    ("bfs", "advance_frontier.loop1.drive=data",
     "the plan sets `drive` for `advance_frontier.loop1`, which is no place for it", "places: bfs.iterate1"),
    ("tri", "tri.iterate1.drive=data", "the plan sets `drive` for `tri.iterate1`, which is no place for it",
     "places: there are none in this program"),
    ("bfs", "drive=both", "`drive=both`: it takes written, data, topology",
     "drive: a loop of the Program over rounds runs as written"),
])
def test_what_is_asked_of_one_place_is_done_or_an_error(
    name: str, plan: str, message: str, hint: str, capsys: Capture
) -> None:
    code, _, err = ran(capsys, name, plan)
    assert code == 2
    assert message in err
    assert f"hint: {hint}" in err


def test_the_interpreter_drives_loops_as_they_are_written(capsys: Capture) -> None:
    code, _, err = ran(capsys, "bfs_topo", "bfs_topo.iterate1.drive=data", "--target", "ref")
    assert code == 2
    assert "can't be honoured: the reference interpreter runs one item after the other" in err


def test_what_else_a_plan_says_holds_for_the_loops_that_it_makes(capsys: Capture) -> None:
    plan = "drive=data sweep_level.loop1.direction=hybrid sweep_level.loop1_found.grain=64"
    code, out, _ = ran(capsys, "bfs_topo", plan, "--json", "--verify")
    applied = json.loads(out)["plan"]["applied"]
    assert code == 0
    assert {"bfs_topo.iterate1: drive=data", "sweep_level.loop1: direction=hybrid",
            "sweep_level.loop1_found: grain=64"} <= {*applied}


def test_a_first_round_looks_at_all_nodes_and_the_next_at_those_in_the_list(capsys: Capture) -> None:
    code, out, _ = ran(capsys, "bfs_topo", "drive=data", "--stats=rounds", "--json")
    assert code == 0
    assert [(r["frontier"], r["edges"]) for r in json.loads(out)["rounds"]] == [(4, None), (1, 2), (1, 2), (1, 1)]


def test_places_beside_a_loop_that_is_driven_otherwise_keep_their_names(capsys: Capture) -> None:
    code, out, _ = ran(capsys, "mst", "drive=topology", "--json", "--target", "simt", "--verify")
    told = json.loads(out)["plan"]
    assert code == 0
    assert "mst.iterate1: drive=topology" in told["applied"]
    assert not any("mst.iterate2" in line for line in (*told["applied"], *told["not_applicable"]))


@pytest.mark.parametrize(("name", "plan", "lines"), [
    ("bfs", "drive=topology advance_frontier.loop1.frontier=queue",
     ["advance_frontier.loop1: frontier=queue: the loop runs otherwise, as it is driven"]),
    ("cc", "drive=topology hook_roots.loop1.collect=bitmap",
     ["hook_roots.loop1: collect=bitmap: in 'later' each node has a place already"]),
])
def test_what_is_legal_as_it_is_written_alone_is_told_and_no_error(
    name: str, plan: str, lines: list[str], capsys: Capture
) -> None:
    code, out, _ = ran(capsys, name, plan, "--json", "--verify")
    told = json.loads(out)["plan"]
    assert code == 0
    assert [line for line in told["not_applicable"] if "frontier" in line or "collect" in line] == lines
    assert plan.split()[1] in told["text"]


def test_what_is_legal_in_neither_is_an_error(capsys: Capture) -> None:
    code, _, err = ran(capsys, "bfs", "drive=topology survey_hops.loop1.direction=pull")
    assert code == 2
    assert "`survey_hops.loop1.direction=pull` can't be honoured" in err
