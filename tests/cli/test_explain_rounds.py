"""irglc explain tells what may drive each loop over rounds, what need not wait, and why others do."""

from __future__ import annotations

import json
from typing import Any

import pytest

from irgl.cli.main import exit_code

Capture = pytest.CaptureFixture[str]
#: What is told of a kernel that runs once.
ONCE = "it has no rounds: its kernel is not all of an Iterate or a Pipe"


def told(capsys: Capture, *words: str) -> list[dict[str, Any]]:
    assert exit_code(["explain", *words, "--json"]) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["rounds"]
    return found


def test_explain_tells_each_loop_s_values_and_why_not_the_others(capsys: Capture) -> None:
    assert exit_code(["explain", "bfs"]) == 0
    assert capsys.readouterr().out.split("\nRounds\n")[1].split("\n\n")[0].splitlines() == [
        "  drive=topology: bfs.iterate1",
        "  not drive=data: bfs.iterate1: it runs over a worklist as it is written",
        "  not sync=off: advance_frontier.loop1: something is done between its rounds (line 42): leave it out, or do "
        "it behind them",
        f"  not sync=off: survey_hops.loop1: {ONCE}",
        "  not sync=off: bfs.iterate1: nothing runs before it",
        "  not sync=off: bfs.invoke1: line 41 and line 44 have g.node.hops in common",
    ]


def test_places_of_which_the_same_is_said_share_a_line(capsys: Capture) -> None:
    assert exit_code(["explain", "scc"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "  sync=off: look_ahead.loop1, look_back.loop1" in lines
    assert ("  not drive=data, drive=topology: scc.pipe1, scc.pipe2, scc.pipe3: a Pipe runs over worklists, which its "
            "kernels hand on to each other") in lines


def test_a_gpu_s_statements_and_rounds_wait_for_the_same_reasons(capsys: Capture) -> None:
    found = {(r["place"], r["option"]): r for r in told(capsys, "scc", "--target", "cuda")}
    assert found["look_ahead.loop1", "sync"]["legal"] == ["off"]
    assert found["scc.invoke1", "sync"]["refused"] == {
        "off": "line 147 and line 151 have g.node.its_component in common"}
