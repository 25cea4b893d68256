"""The schedule of a program is the plan of its runs, unless they name another; on the command line and from Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.gt_schedules import SEARCH, Search, with_section
from support.places import PROGRAMS

import irgl
from irgl.cli.main import exit_code
from irgl.frontends import load
from irgl.plan import Plan
from irgl.rt.manifests.manifest import from_json, to_json
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError
from irgl.tune.choose.texts import meant, scheduled, text_for

HYBRID = 'program->configApplyDirection("s0:s1", "SparsePush-DensePull");'
NUMA = 'program->configApplyNUMA("s0:s1", "static-parallel");'
WORDS = "advance.s1.direction=hybrid advance.s1.switch=edges:0.05"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, the current one, with a program that has a schedule and one that has none."""
    monkeypatch.setitem(load.SCHEDULED, ".stub", Search)
    monkeypatch.chdir(tmp_path)
    Path("own.stub").write_text(with_section(f"{HYBRID}\n{NUMA}"), encoding="utf-8")
    Path("bare.stub").write_text(SEARCH, encoding="utf-8")
    Path("pull.gt").write_text('program->configApplyDirection("s0:s1", "DensePull");', encoding="utf-8")
    return tmp_path


def ran(capfd: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert exit_code(["run", *words, "--json"]) == 0
    found: dict[str, Any] = json.loads(capfd.readouterr().out)
    return found


def planned(path: str, target: str = "cpu", schedule: str | None = None) -> str:
    own = open_program(path, Plan(target=target), schedule=schedule).schedule
    assert own is not None
    return own.plan


def test_a_run_that_names_no_plan_takes_the_schedule_s(capfd: pytest.CaptureFixture[str]) -> None:
    found = ran(capfd, "own.stub", "--graph", "rmat:6")
    plan = found["plan"]
    assert plan["source"] == "schedule"
    assert "advance.s1.direction=hybrid" in plan["text"].split()
    assert "advance.s1: direction=hybrid" in plan["applied"]
    assert plan["not_applicable"][-1] == (
        'configApplyNUMA("s0:s1", "static-parallel") (own.stub:17): all memory is taken to be equally far from all '
        "threads")
    assert found["result"] == ran(capfd, "own.stub", "--graph", "rmat:6", "--target", "ref")["result"]


def test_the_interpreter_tells_that_a_schedule_means_nothing_to_it(capfd: pytest.CaptureFixture[str]) -> None:
    plan = ran(capfd, "own.stub", "--graph", "path:3", "--target", "ref")["plan"]
    assert plan["source"] == "schedule"
    assert "the reference interpreter runs one item after the other" in plan["not_applicable"][0]


def test_a_program_without_a_schedule_runs_as_others_do(capfd: pytest.CaptureFixture[str]) -> None:
    assert ran(capfd, "bare.stub", "--graph", "path:3", "--target", "ref")["plan"]["source"] == "built in"


@pytest.mark.parametrize(("plan", "source"), [
    ("default", "built in"), ("none", "given"), ("schedule", "schedule"), ("grain=64", "schedule, changed"),
    ("schedule grain=64", "schedule, changed")])
def test_a_plan_that_is_named_begins_where_it_says(plan: str, source: str, capfd: pytest.CaptureFixture[str]) -> None:
    found = ran(capfd, "own.stub", "--graph", "path:3", "--target", "ref", "--plan", plan)
    assert found["plan"]["source"] == source


@pytest.mark.parametrize(("said", "wanted"), [
    ("direction=pull", "direction=pull member=auto"),
    ("switch=nodes:0.5", "advance.s1.direction=hybrid switch=nodes:1/2"),
    ("grain=64", f"grain=64 {WORDS}"),
    ("advance.s1.switch=nodes:0.5", "advance.s1.direction=hybrid advance.s1.switch=nodes:1/2"),
    ("advance.s1.direction=written", "advance.s1.direction=written")])
def test_words_of_a_plan_take_the_place_of_the_schedule_s(said: str, wanted: str) -> None:
    assert scheduled(WORDS, said, "cpu") == Plan.parse(wanted)


def test_a_half_that_a_loop_then_does_not_have_has_no_words() -> None:
    own = f"{WORDS} advance.s1_pull.share=nodes advance.s1_pull.loop1.format=coo other.s2_pull.share=nodes"
    assert str(scheduled(own, "advance.s1.direction=written", "cpu")).split()[-2:] == [
        "advance.s1.direction=written", "other.s2_pull.share=nodes"]
    assert "_pull" not in str(scheduled(own, "direction=pull", "cpu"))


def test_a_program_without_a_schedule_has_no_plan_of_it() -> None:
    with pytest.raises(IrglError, match="the program has no schedule, whose plan `schedule` would be"):
        meant("schedule grain=1", None, "cpu")


def test_what_is_said_of_a_plan_means_the_same_where_there_is_no_schedule() -> None:
    assert [text_for(t, scheduled=False) for t in (None, "", "np=fg", "auto")] == ["default", "", "np=fg", "auto"]


def test_a_schedule_of_its_own_file_holds_in_the_place_of_the_text_s() -> None:
    assert planned("own.stub") == WORDS
    assert planned("own.stub", schedule="pull.gt") == "advance.s1.direction=pull"
    assert planned("bare.stub", schedule="pull.gt") == "advance.s1.direction=pull"


def test_a_schedule_file_that_changes_is_read_again() -> None:
    assert planned("bare.stub", schedule="pull.gt") == "advance.s1.direction=pull"
    Path("pull.gt").write_text(HYBRID, encoding="utf-8")
    assert planned("bare.stub", schedule="pull.gt") == WORDS


def test_a_call_that_the_program_cannot_honour_is_told() -> None:
    Path("s.gt").write_text('program->configApplyDirection("s0:s1", "DensePush");', encoding="utf-8")
    own = open_program("bare.stub", schedule="s.gt").schedule
    assert own is not None
    assert own.plan == "advance.s1.direction=written"
    assert own.not_applicable == (
        'configApplyDirection("s0:s1", "DensePush") (s.gt:1): `advance.s1.frontier=bytemap` can\'t be honoured: '
        "no list of nodes is declared unique, and none is a set",)


def test_what_the_cache_keeps_of_a_program_has_its_schedule() -> None:
    made = open_program("own.stub")
    assert made.schedule is not None
    assert from_json(json.loads(json.dumps(to_json(made)))) == made


def test_explain_prints_the_plan_and_what_is_not_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", "own.stub"]) == 0
    out = capsys.readouterr().out
    assert (f"\nSchedule\n  plan   {WORDS}\n"
            '  not    configApplyNUMA("s0:s1", "static-parallel") (own.stub:17): all memory') in out
    assert "  advance.s1: direction=hybrid" in out.partition("The plan applies")[2]


def test_explain_tells_a_schedule_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", "bare.stub", "--schedule", "pull.gt", "--target", "cuda", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["schedule"] == {
        "plan": "advance.s1.direction=pull", "delta": "", "not_applicable": []}


def test_check_finds_mistakes_in_a_schedule(capsys: pytest.CaptureFixture[str]) -> None:
    Path("s.gt").write_text('program->configApplyDirection("s0:s3", "DensePull");', encoding="utf-8")
    assert exit_code(["check", "bare.stub"]) == 0
    assert exit_code(["check", "bare.stub", "--schedule", "s.gt"]) == 2
    assert capsys.readouterr().err == (
        "s.gt:1:31: error: there is no label s3 in s0; its labels: s1\n"
        '    program->configApplyDirection("s0:s3", "DensePull");\n'
        "                                  ^^^^^^^\n"
        "  hint: did you mean s0:s1?\n")


@pytest.mark.parametrize(("words", "line"), [
    ((), "advance.s1.direction=pull"), (("--plan", "direction=written"), "direction=written fuse"),
    (("--plan", "nodes > 9: advance.s1.grain=9", "--plan", "default"), "advance.s1.grain=9")])
def test_compile_takes_the_schedule_s_plan(words: tuple[str, ...], line: str,
                                           capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["compile", "bare.stub", "--schedule", "pull.gt", "-o", "-", *words]) == 0
    assert line in "".join(s for s in capsys.readouterr().out.splitlines()[:12])


@pytest.mark.parametrize("command", ["run", "explain", "compile", "check"])
def test_a_notation_without_schedules_is_given_none(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("plain.irgl").write_text(SEARCH, encoding="utf-8")
    assert exit_code([command, "plain.irgl", "--schedule", "pull.gt"]) == 2
    assert capsys.readouterr().err == (
        "plain.irgl: error: programs in this notation have no schedules: a plan says how they run\n"
        "  hint: leave out --schedule, or say --plan; notations with schedules: .gt, .stub\n")


def test_a_schedule_is_of_one_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["check", "own.stub", "bare.stub", "--schedule", "pull.gt"]) == 2
    assert capsys.readouterr().err.startswith("error: --schedule is of one program, and 2 are given\n")


def test_a_schedule_that_cannot_be_read_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["run", "own.stub", "--schedule", "none.gt"]) == 2
    error, hint = capsys.readouterr().err.splitlines()
    assert error == "none.gt: error: can't read it: No such file or directory"
    assert hint.startswith("  hint: --schedule names a file of program->")


def test_a_function_that_is_named_behind_the_file_has_the_file_s_schedule() -> None:
    text = (PROGRAMS / "gt" / "cc.gt").read_text(encoding="utf-8")
    pulls = 'program->configApplyDirection("s0:s1", "DensePull");'
    Path("cc.gt").write_text(f"{text}\nschedule:\n{pulls}", encoding="utf-8")
    program = irgl.compile("cc.gt:main", target="ref")
    assert program(irgl.load_graph("path:3", program)).plan_source == "schedule"


def test_python_takes_the_schedule_s_plan_too() -> None:
    program = irgl.compile("own.stub", target="ref")
    assert program(irgl.load_graph("path:3", program)).plan_source == "schedule"
    other = irgl.compile("own.stub", target="ref", plan="default")
    assert other(irgl.load_graph("path:3", other)).plan_source == "built in"
