"""Schedules of .gt files: the labels that they speak of, the plans and parameters that come of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.places import ROOT

from irgl.cli.main import exit_code
from irgl.frontends.gt.load import labelled
from irgl.frontends.gt.schedules.labels import APPLY, QUEUE, WHILE, Label
from irgl.frontends.load import load, open_source
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError

PROGRAMS = ROOT / "programs" / "gt"
HYBRID = 'program->configApplyDirection("s0:s1", "SparsePush-DensePull");'
FUSED = ("SimpleGPUSchedule s0; s0.configKernelFusion(ENABLED); program->applyGPUSchedule(\"s0\", s0);"
         "SimpleGPUSchedule s1; s1.configLoadBalance(TWCE); SimpleGPUSchedule s2; s2.configDirection(PULL, BITMAP);"
         'HybridGPUSchedule h(INPUT_VERTEXSET_SIZE, "argv[3]", s1, s2); program->applyGPUSchedule("s0:s1", h);')


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search with a schedule; beside it one of a file."""
    monkeypatch.chdir(tmp_path)
    Path("bfs.gt").write_text(f"{(PROGRAMS / 'bfs.gt').read_text(encoding='utf-8')}\nschedule:\n{HYBRID}\n",
                              encoding="utf-8")
    Path("gpu.gt").write_text(FUSED, encoding="utf-8")


def ran(capfd: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert exit_code(["run", "bfs.gt", "--json", *words]) == 0
    found: dict[str, Any] = json.loads(capfd.readouterr().out)
    return found


def test_labels_are_those_of_the_loops_that_came_of_them() -> None:
    found = labelled(open_source(PROGRAMS / "bfs.gt"))
    assert found.labels == {"s0": Label(WHILE, rounds=("bfs.s0",)),
                            "s0:s1": Label(APPLY, ("adopt.s1",), ("adopt.s1.loop1",), frontier=True)}
    assert (found.vectors, found.delta) == ({"parent": "parent"}, False)


def test_the_label_of_a_queue_s_apply_is_one_of_a_queue() -> None:
    found = labelled(open_source(PROGRAMS / "sssp_delta.gt"))
    assert (found.labels["s0:s1"].kind, found.delta) == (QUEUE, True)


@pytest.mark.usefixtures("here")
def test_a_program_runs_under_its_own_schedule(capfd: pytest.CaptureFixture[str]) -> None:
    own = ran(capfd, "--", "rmat:7", "1")
    assert own["plan"]["source"] == "schedule"
    assert "adopt.s1: direction=hybrid" in own["plan"]["applied"]
    assert own["result"].keys() == ran(capfd, "--target", "ref", "--", "rmat:7", "1")["result"].keys()


@pytest.mark.usefixtures("here")
def test_a_gpu_s_schedule_asks_for_an_argument_of_its_own(capfd: pytest.CaptureFixture[str]) -> None:
    found = ran(capfd, "--schedule", "gpu.gt", "--target", "simt", "--", "rmat:6", "1", "0.1")
    assert found["plan"]["source"] == "schedule"
    assert {"adopt.s1.switch=nodes:argv3", "bfs.s0.outline=all"} <= {*found["plan"]["text"].split()}


@pytest.mark.parametrize(("delta", "shown"), [("4", "4"), ('"argv[3]"', "argv3")])
def test_a_delta_is_the_default_of_the_program_s(delta: str, shown: str, tmp_path: Path) -> None:
    schedule = tmp_path / "s.gt"
    schedule.write_text(f'program->configApplyPriorityUpdateDelta("s0:s1", {delta});', encoding="utf-8")
    params = {p.name: p for p in open_program(PROGRAMS / "sssp_delta.gt", schedule=schedule).params}
    assert params["delta"].shown == shown
    assert ("argv3" in params) == ("argv" in delta)


def test_a_file_with_a_schedule_alone_is_no_program(tmp_path: Path) -> None:
    path = tmp_path / "s.gt"
    path.write_text('schedule:\nprogram->configApplyDirection("s1", "DensePull");\n', encoding="utf-8")
    with pytest.raises(IrglError, match="a schedule alone, and no program") as raised:
        load(open_source(path))
    assert f"--schedule {path}" in str(raised.value)


def test_an_intersection_s_schedule_is_that_of_the_loop_in_which_it_stands(tmp_path: Path) -> None:
    schedule = tmp_path / "s.gt"
    schedule.write_text('program->configIntersection("s1:s2", "MultiskipIntersection");', encoding="utf-8")
    found = open_program(PROGRAMS / "tc.gt", schedule=schedule).schedule
    assert found is not None
    assert (found.plan, found.not_applicable) == ("close.s1.loop1.intersect=gallop", ())
