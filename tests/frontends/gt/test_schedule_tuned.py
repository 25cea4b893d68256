"""`irglc tune` and `irglc dump` under a schedule."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.places import ROOT

from irgl.cli.main import exit_code
from irgl.plan import Plan
from irgl.tune.choose.auto import seeds
from irgl.tune.measure.builds import Builds

BFS = str(ROOT / "programs" / "gt" / "bfs.gt")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pull.gt").write_text('program->configApplyDirection("s0:s1", "DensePull");', encoding="utf-8")


def test_the_schedule_s_plan_is_among_the_first_that_a_tuner_tries() -> None:
    builds = Builds(BFS, "cpu", "pull.gt")
    manifest = builds.manifest(Plan())
    assert Plan.parse("adopt.s1.direction=pull") in seeds(manifest, None, "cpu")


def test_tune_takes_arguments_behind_two_dashes(capfd: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["tune", BFS, "--", "path:3"]) == 2
    assert "error: argv[2] (int) is missing" in capfd.readouterr().err


def test_dump_shows_the_program_under_the_schedule(capfd: pytest.CaptureFixture[str]) -> None:
    def dumped(*words: str) -> str:
        assert exit_code(["dump", BFS, "--stage", "c++", *words]) == 0
        return capfd.readouterr().out

    own = dumped("--schedule", "pull.gt")
    assert own == dumped("--plan", "s0:s1.direction=pull")
    assert own != dumped()
    assert dumped("--schedule", "pull.gt", "--plan", "default") == dumped()


def test_dump_shows_how_a_queue_s_rounds_run_under_the_schedule_of_figure_9b(
        capfd: pytest.CaptureFixture[str]) -> None:
    """Zhang et al., Optimizing Ordered Graph Algorithms with GraphIt, CGO 2020."""
    Path("9b.gt").write_text(
        'program->configApplyPriorityUpdate("s0:s1", "lazy_priority_update")\n'
        '->configApplyPriorityUpdateDelta("s0:s1", 4)->configApplyDirection("s0:s1", "DensePull")\n'
        '->configApplyParallelization("s0:s1", "dynamic-vertex-parallel");', encoding="utf-8")
    words = str(ROOT / "programs" / "gt" / "sssp_delta.gt"), "--stage", "turn_direction", "--schedule", "9b.gt"
    assert exit_code(["dump", *words]) == 0
    shown = capfd.readouterr().out
    assert "if (nearer < e_dst.distance) {" in shown
    assert "WL.push(e_dst, e_dst.distance / delta);" in shown


def test_a_report_is_of_what_was_tuned_under_the_schedule(capfd: pytest.CaptureFixture[str]) -> None:
    program = str(ROOT / "programs" / "gt" / "sssp_delta.gt")
    Path("wide.gt").write_text('program->configApplyPriorityUpdateDelta("s0:s1", 64);', encoding="utf-8")
    schedule = ("--schedule", "wide.gt", "--db", "t.db")
    assert exit_code(["tune", program, *schedule, "--graph", "path:9", "--argv2", "0", "--budget", "1s"]) == 0
    assert exit_code(["report", program, *schedule, "--out", "page.html"]) == 0
    assert "path:9" in Path("page.html").read_text(encoding="utf-8")
    capfd.readouterr()
    assert exit_code(["report", program, "--db", "t.db", "--out", "other.html"]) == 2
    error, hint = capfd.readouterr().err.splitlines()
    assert error.endswith("there are no results of it in t.db")
    assert hint.endswith("--graph FILE; or say the --schedule that it was tuned under")


@pytest.mark.parametrize("command", [("dump", "--stage", "c++"), ("explain",), ("check",)])
def test_a_schedule_out_of_a_pipe_is_the_same(command: tuple[str, ...], capfd: pytest.CaptureFixture[str]) -> None:
    def told(schedule: str) -> str:
        assert exit_code([command[0], BFS, *command[1:], "--schedule", schedule]) == 0
        return capfd.readouterr().out

    read, write = os.pipe()
    os.write(write, Path("pull.gt").read_bytes())
    os.close(write)
    out = told(f"/dev/fd/{read}")
    os.close(read)
    assert out == told("pull.gt")
