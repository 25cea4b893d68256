"""irglc explain tells over which forms of edges each loop may run, and how large they are of a graph."""

from __future__ import annotations

import json

import pytest

from irgl.analysis.loops.copies import NOTHING
from irgl.cli.main import exit_code
from irgl.forms.find import form, names

WHY = ("the loop around it runs over a list, which can't be asked for a node; frontier=bitmap makes a set of a unique "
       "list")


def test_explain_tells_each_loops_forms_and_why_not_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", "pr"]) == 0
    kinds = {kind: [name for name in names() if form(name).kind == kind] for kind in ("rows", "sweep")}
    assert capsys.readouterr().out.split("\nForms of edges\n")[1].splitlines() == [
        f"  start_even.loop1.loop1: {', '.join(['csr', *(name for name in names() if name != 'shards')])}",
        f"    not shards: {NOTHING}",
        f"  push_residual.loop1.loop1: {', '.join(['csr', *kinds['rows']])}",
        f"    not {', '.join(kinds['sweep'])}: {WHY}",
    ]


def test_explain_tells_the_bytes_of_a_graphs_forms(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", "pr", "--graph", "path:4", "--json"]) == 0
    told = {f["place"]: f["bytes"] for f in json.loads(capsys.readouterr().out)["forms"]}
    assert told["start_even.loop1.loop1"].items() >= {"csr": 44, "coo": 64, "sell": 64}.items()
    assert "coo" not in told["push_residual.loop1.loop1"]


def test_bytes_are_those_of_a_form_as_the_plan_has_it(capsys: pytest.CaptureFixture[str]) -> None:
    def listed(plan: str) -> int:
        assert exit_code(["explain", "pr", "--graph", "path:4", "--plan", plan, "--json"]) == 0
        found: int = json.loads(capsys.readouterr().out)["forms"][0]["bytes"]["cr2"]
        return found

    assert listed("format=cr2") - listed("format=cr2 expand=off") == 4 * 5 + 4 * 4  # the list: nodes, and pieces


def test_bytes_that_are_a_bound_are_told_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", "pr", "--graph", "path:4"]) == 0
    line = next(x for x in capsys.readouterr().out.splitlines() if x.startswith("  start_even.loop1.loop1: csr "))
    assert " delta at most 38 bytes" in line and " coo 64 bytes" in line


def test_explain_takes_no_graph_for_a_gpu(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", "pr", "--graph", "path:4", "--target", "cuda"]) == 2
    assert "--graph has no meaning for --target cuda" in capsys.readouterr().err
