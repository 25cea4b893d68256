"""A node parameter whose default is NONE: a program runs without a node, and what uses one that lacks is told."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import irgl
from irgl.cli.main import exit_code
from irgl.rt.call.callable import Program

TEXT = """graph Graph { node int kind = 0; }
int counted = 0;
Kernel mark(Graph g, node goal) { ForAll (n In g.nodes) { n.kind = n == goal ? 2 : goal == NONE ? 1 : 3; } }
Kernel about(Graph g, node goal, bool ask) { ForAll (n In g.nodes) { if (ask) { counted += goal.kind; } } }
Program search(Graph g, node goal = NONE, bool here = false, bool there = false) {
  Invoke mark(g, goal); counted += 1;
  if (here) { counted += goal.kind; }
  Invoke about(g, goal, there);
}
"""
PLANS = {"ref": "default", "cpu": "order=degree", "simt": "none"}


@pytest.fixture(scope="module", params=PLANS)
def search(request: pytest.FixtureRequest) -> Program:
    return irgl.compile("search.irgl", text=TEXT, target=request.param, plan=PLANS[request.param])


@pytest.mark.parametrize(("given", "kinds"), [
    ({}, [1, 1, 1]), ({"goal": None}, [1, 1, 1]), ({"goal": "NONE"}, [1, 1, 1]), ({"goal": 1}, [3, 2, 3]),
])
def test_a_program_runs_with_and_without_the_node(search: Program, given: dict[str, Any], kinds: list[int]) -> None:
    found = search([(0, 1), (1, 2)], **given)
    assert (found.kind.tolist(), found.counted) == (kinds, 1)


def test_a_program_runs_on_a_graph_without_nodes(search: Program) -> None:
    assert search(nx.Graph()).counted == 1


def test_nodes_of_names_may_be_none(search: Program) -> None:
    assert search([("a", "b")], goal=None).named("kind") == {"a": 1, "b": 1}
    assert search([("a", "b")], goal="b").named("kind") == {"a": 3, "b": 2}


@pytest.mark.parametrize(("where", "place"), [("here", "7:26"), ("there", "4:92")])
def test_what_uses_a_node_that_is_not_there_is_told(search: Program, where: str, place: str) -> None:
    with pytest.raises(irgl.IrglError, match="NONE") as caught:
        search([(0, 1), (1, 2)], **{where: True})
    assert str(caught.value).startswith(f"search.irgl:{place}: error")
    assert search([(0, 1), (1, 2)], goal=1, **{where: True}).counted == {"here": 3, "there": 7}[where]


def test_a_node_that_has_another_default_is_not_none() -> None:
    program = irgl.compile("p.irgl", text=TEXT.replace("goal = NONE", "goal = first"), target="cpu")
    with pytest.raises(irgl.IrglError, match="it takes the number of a node"):
        program([(0, 1)], goal=None)


def test_a_stand_alone_program_runs_without_the_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("search.irgl").write_text(TEXT)
    assert exit_code(["compile", "search.irgl", "--headers"]) == 0
    assert exit_code(["graph", "generate", "path:3", "path.irglg"]) == 0
    subprocess.run(["g++", "-std=c++17", "-fopenmp", "-fwrapv", "-I.", "search.cpp", "-o", "search"], check=True)
    said = [subprocess.run(["./search", "path.irglg", *words], capture_output=True, text=True, check=True).stdout
            for words in ([], ["--goal", "NONE"], ["--goal", "1"])]  # fmt: skip
    assert [next(line for line in text.splitlines() if line.startswith("kind")) for text in said] == [
        "kind: min 1 max 1 sum 3 count 3", "kind: min 1 max 1 sum 3 count 3", "kind: min 2 max 3 sum 8 count 3"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(["./search", "path.irglg"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "error: can't write to stdout\n")
