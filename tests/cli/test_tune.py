"""irglc tune: what it prints, in words and as JSON, what it refuses, and that `run --plan auto` uses what it found."""

from __future__ import annotations

import io
import json
import os
import pty
import select
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.tuning import GRAPH, Units, answers, program

from irgl.cli.main import exit_code
from irgl.cli.tuning import tune as cli_tune
from irgl.cli.tuning.display import Lines, print_outcome
from irgl.plan import Plan
from irgl.tune.measure import measure
from irgl.tune.measure.measure import Measurer
from irgl.tune.search.space import Space, space_of
from irgl.tune.session import session
from irgl.tune.session.task import Found, Mistake, Outcome, State


def one_wins(plan: Plan) -> str:
    return answers(ms=0.5 if plan.text_of("grain") == "512" else 2.5)


@pytest.fixture
def quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program whose three plans are units of a line, of which grain=512 is the fastest; a database of its own."""
    monkeypatch.setenv("IRGL_TUNE_DB", str(tmp_path / "tune.sqlite"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(measure, "TURN_MS", 5.0)
    monkeypatch.setattr(session, "Builds", lambda path, *_: Units(path, one_wins))

    def few(ready: Any, target: str) -> Space:
        (grain,) = [d for d in space_of(ready, target).dimensions if d.key == "grain"]
        return Space([replace(grain, values=("512", "4096", "32768"))], target)

    monkeypatch.setattr(session, "space_of", few)
    return program(tmp_path)


def test_json_has_the_plan_its_speedups_with_intervals_and_where_it_is_kept(
    quick: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(["tune", str(quick), "--graph", GRAPH, "--json"]) == 0
    out = json.loads(capsys.readouterr().out)
    (found,) = out["found"]
    assert found["plan"].split()[0] == "grain=512"
    assert found["speedup_none_interval"][0] <= found["speedup_none"] <= found["speedup_none_interval"][1]
    assert found["speedup_default"] > 1
    assert found["per_input"][GRAPH]["ms"] < found["per_input"][GRAPH]["none_ms"]
    assert (out["state"], out["space"], out["database"]) == ("done", 3, os.environ["IRGL_TUNE_DB"])
    assert out["mistakes"] == []


def test_run_with_plan_auto_uses_what_was_found(quick: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["tune", str(quick), "--graph", GRAPH]) == 0
    capsys.readouterr()
    assert exit_code(["run", str(quick), "--graph", GRAPH, "--plan", "auto", "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)["plan"]
    assert (plan["text"].split()[0], plan["source"]) == ("grain=512", "tuned on this graph")


def test_words_at_the_end_begin_with_the_best_plan(quick: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["tune", str(quick), "--graph", GRAPH]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"best plan for {GRAPH}"
    assert lines[1].startswith("  grain=512 ")
    assert lines[2].startswith("  ")
    assert "x of none (" in lines[2]
    assert lines[-1] == f"kept in    {os.environ['IRGL_TUNE_DB']}; irglc run --plan auto uses it"


def test_interrupt_prints_what_there_is_and_exits_with_130(
    quick: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = Measurer.batch

    def interrupted(*_: Any, **__: Any) -> Any:
        monkeypatch.setattr(Measurer, "batch", batch)
        raise KeyboardInterrupt

    monkeypatch.setattr(Measurer, "batch", interrupted)
    assert exit_code(["tune", str(quick), "--graph", GRAPH]) == 130
    said = capsys.readouterr()
    assert said.out.startswith(f"best plan for {GRAPH}\n")
    assert said.err.endswith("note: this is what was found until now; the same command goes on from here\n"
                             "\ninterrupted\n")
    assert exit_code(["tune", str(quick), "--graph", GRAPH]) == 0
    assert "note: going on with session 1, after " in capsys.readouterr().err


def test_wrong_answer_of_the_plain_plan_is_told_with_exit_code_1(
    quick: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "Builds", lambda path, *_: Units(path, lambda _: answers(1)))
    assert exit_code(["tune", str(quick), "--graph", GRAPH, "--mistakes", "found"]) == 1
    last = [line for line in capsys.readouterr().err.splitlines() if line.startswith("wrong answer: ")]
    assert last == [f"wrong answer: the answer of the plan `none` on {GRAPH} is wrong: "
                    "`arcs` is 1, but the interpreter says 20"]
    assert len(list(Path("found").iterdir())) == 1


REFUSED = {
    "no graph": ([], "error: no graph is given\n  hint: --graph FILE, or a generator: --graph rmat:16\n"),
    "no such file": (["--graph", "nope.txt"], "nope.txt: error: no such file\n"),
    "no time": (["--graph", GRAPH, "--budget", "0"],
                "error: Invalid value for '--budget': '0' is no duration: write 90s, 10m or 1.5h\n"
                "  hint: irglc tune --help shows what there is\n"),
    "threads of the emulator": (["--graph", GRAPH, "--threads", "2", "--target", "simt"],
                                "error: --threads has no meaning for --target simt\n"
                                "  hint: leave it out: GPU code starts as many threads as its work has items\n"),
    "a GPU of the CPU": (["--graph", GRAPH, "--gpu", "h200"],
                         "error: --gpu has no meaning for --target cpu\n  hint: --target simt models a GPU\n"),
    "an unknown GPU": (["--graph", GRAPH, "--gpu", "abacus", "--target", "simt"], "error: no GPU is called `abacus`\n"),
    "a front of one": (["--graph", GRAPH, "--pareto"],
                       "error: --pareto has no meaning for one graph\n  hint: give --graph several times\n"),
    "a graph twice": (["--graph", GRAPH, "--graph", GRAPH],
                      f"error: --graph {GRAPH} is given twice\n  hint: give each graph once\n"),
    "an unknown strategy": (["--graph", GRAPH, "--strategy", "luck"], "error: Invalid value for '--strategy': 'luck'"),
    "no database": (["--graph", GRAPH, "--db", "count.irgl"], "count.irgl: error: this is no database\n"),
    "a mesh": (["--graph", GRAPH, "--mesh", "x.ele"],
               "error: count is given no mesh: --mesh has no meaning for it\n"),
    "an unknown parameter": (["--graph", GRAPH, "--depth", "3"], "error: No such option '--depth'"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_bad_input_is_refused_with_one_message(what: str, quick: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args, message = REFUSED[what]
    assert exit_code(["tune", str(quick.name), *args]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(message)
    assert said.err.count("error: ") == 1


@pytest.mark.parametrize(("text", "seconds"), [("90", 90), ("90s", 90), ("10m", 600), ("1.5h", 5400)])
def test_budget_is_read_in_seconds_minutes_and_hours(text: str, seconds: float) -> None:
    assert cli_tune.Duration().convert(text, None, None) == seconds


def state(best: str = "", speedup: float | None = None, doing: str = "building 4 plans") -> State:
    return State(doing, 0.5, 7, best, speedup, 12.0, 60.0)


def test_lines_come_when_a_better_plan_is_found_and_not_for_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    lines = Lines(quiet=False)
    for told in (state(), state(), state("grain=1", 2.0), state("grain=1", 2.0), state("grain=2", 3.0)):
        lines.state(told)
    assert capsys.readouterr().err == (
        "12 s of 60 s: building 4 plans, 7 trials, best so far in the search 2.00x of none: grain=1\n"
        "12 s of 60 s: building 4 plans, 7 trials, best so far in the search 3.00x of none: grain=2\n")


def test_terminal_shows_the_best_plan_and_the_remaining_budget_in_place() -> None:
    script = ("import time\nfrom irgl.cli.tuning.display import display\nfrom irgl.tune.session.task import State\n"
              "with display(quiet=False) as d:\n"
              "    d.note('[bold] is no markup')\n"
              "    d.state(State('building 4 plans', 0.5, 7, 'grain=1', 2.0, 12.0, 60.0))\n"
              "    time.sleep(0.5)\n")
    leader, follower = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", script], stderr=follower, stdout=subprocess.DEVNULL,
                          env={**os.environ, "COLUMNS": "120", "TERM": "xterm"}) as process:
        os.close(follower)
        said, until = b"", time.monotonic() + 60
        while time.monotonic() < until and select.select([leader], [], [], 60)[0]:
            try:
                said += os.read(leader, 65536)
            except OSError:  # the other end is closed
                break
        process.wait()
    os.close(leader)
    shown = said.decode()
    for words in ("note: [bold] is no markup", "7 trials", "48 s left", "building 4 plans", "best: grain=1",
                  "2.00x of none"):
        assert words in shown


def test_outcome_of_several_classes_in_words() -> None:
    times = {"ms": 1.0, "interval": [0.9, 1.1], "none_ms": 2.0, "default_plan": "d", "default_ms": 1.5,
             "default_ratio": 0.75}
    outcome = Outcome("p", "f", "cpu", "m", 2, "class", "auto", 1, "db", "interrupted", 60.0, 12.0, 9, 3,
                      {"ok": 2, "wrong": 1}, 0.0,
                      [Found("road", ("a",), "grain=1", 2.0, (1.8, 2.2), 1.5, (1.4, 1.6), {"a": times}),
                       Found("mesh", ("b",), "grain=2", 1.0, (1.0, 1.0), None, None,
                             {"b": {**times, "default_ms": None}}, ("grain=2", "grain=3"), "search")],
                      [Mistake("grain=4", "a", "why", "")])
    out = io.StringIO()
    print_outcome(outcome, out)
    assert out.getvalue() == """\
road: best plan for a
  grain=1
  2.00x of none (1.80 to 2.20), measured once more side by side
  1.50x of default (1.40 to 1.60)
  a: 1.000 ms (0.900 to 1.100), none 2.000 ms, default 1.500 ms
mesh: best plan for b
  grain=2
  1.00x of none (1.00 to 1.00), as the search measured it
  b: 1.000 ms (0.900 to 1.100), none 2.000 ms
  no other plan is faster on all graphs than
    grain=2
    grain=3
trials     3 (2 ok, 1 wrong) of 9 plans
time       12 s of 60 s, interrupted
mistakes   1 wrong answers: see above
kept in    db; irglc run --plan auto --db db uses it
"""
