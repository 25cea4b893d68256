"""irglc explain tells over which forms of edges each loop may run, and how large they are of a graph."""

from __future__ import annotations

import json

import pytest

from irgl.cli.main import exit_code
from irgl.forms.find import form, names

WHY = ("the loop around it runs over a list, which can't be asked for a node; frontier=bitmap makes a set of a unique "
       "list")


def test_explain_tells_each_loops_forms_and_why_not_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", "pr"]) == 0
    kinds = {kind: [name for name in names() if form(name).kind == kind] for kind in ("rows", "sweep")}
    assert capsys.readouterr().out.split("\nForms of edges\n")[1].splitlines() == [
        f"  start_even.loop1.loop1: {', '.join(['csr', *names()])}",
        f"  push_residual.loop1.loop1: {', '.join(['csr', *kinds['rows']])}",
        f"    not {', '.join(kinds['sweep'])}: {WHY}",
    ]


def test_explain_tells_the_bytes_of_a_graphs_forms(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", "pr", "--graph", "path:4", "--json"]) == 0
    told = {f["place"]: f["bytes"] for f in json.loads(capsys.readouterr().out)["forms"]}
    assert told["start_even.loop1.loop1"].items() >= {"csr": 44, "coo": 64, "sell": 64}.items()
    assert "coo" not in told["push_residual.loop1.loop1"]


def test_explain_takes_no_graph_for_a_gpu(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", "pr", "--graph", "path:4", "--target", "cuda"]) == 2
    assert "--graph has no meaning for --target cuda" in capsys.readouterr().err
