"""`switch=nodes:P`: a hybrid loop that pulls from a share of the graph on that the Program's caller gives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.awkward_graphs import random_arcs
from support.tables import found_and_wanted

from irgl.analysis.check import check
from irgl.ast.dump import dump
from irgl.frontends.text.load import load_text
from irgl.passes.turn_direction import turned
from irgl.plan import Plan
from irgl.source import IrglError
from irgl.space import report

SEARCH = """graph Graph { node int hops = INF; }
Kernel advance(Graph g, int step) {
  ForAll (n In WL.items) {
    ForAll (e In n.edges) { if (e.dst.hops == INF) { racy e.dst.hops = step; WL.push(e.dst); } }
  }
}
Program main(Graph g, node s = first, float few = 0.02, int many = 3) {
  s.hops = 0; int step = 1;
  Iterate advance(g, step) Initial [s] { step++; }
}
"""
GRAPH = random_arcs(7, 200, 700)


@pytest.mark.parametrize("target", ["cpu", "simt"])
@pytest.mark.parametrize("of", ["nodes", "edges"])
def test_a_share_that_the_caller_gives_changes_no_answer(target: str, of: str) -> None:
    found, wanted = found_and_wanted(SEARCH, f"direction=hybrid switch={of}:few", target, GRAPH)
    assert found == wanted


#: Two searches, one after the other, in which rounds grow, shrink and grow.
TWICE = SEARCH[:SEARCH.index("Program")] + """Kernel forget(Graph g) { ForAll (n In g.nodes) { n.hops = INF; } }
long rounds = 0;
Program main(Graph g, node s = first) {
  int k = 0;
  while (k < 2) {
    int step = 1;
    Invoke forget(g);
    g.node(k).hops = 0;
    Iterate advance(g, step) Initial [g.node(k)] { step++; rounds++; }
    k++;
  }
}
"""


@pytest.mark.parametrize("plan", ["", "block=32", "block=32 outline=off", "block=32 frontier=bitmap"])
@pytest.mark.parametrize("switch", ["beamer:15:18", "beamer:2:3", "beamer:100:1000"])
def test_beamer_s_rule_changes_no_answer(plan: str, switch: str) -> None:
    target = "simt" if plan else "cpu"
    found, wanted = found_and_wanted(TWICE, f"direction=hybrid switch={switch} {plan}", target, GRAPH)
    assert found == wanted


def test_beamer_s_rule_counts_edges_from_round_to_round_and_begins_anew_before_each_search() -> None:
    program = turned(check(load_text(TWICE)), Plan.parse("direction=hybrid switch=beamer:14:24")).program
    text = dump(program)
    assert "advance_loop1_pulled != 0 ? many > g.num_nodes / 24 : work > advance_loop1_left / 14" in text
    before, _, loop = text.partition("while (k < 2) {")
    assert "advance_loop1_left = g.num_edges" not in before
    assert loop.index("advance_loop1_left = g.num_edges + g.num_nodes;") < loop.index("Iterate advance")


def test_what_a_rule_keeps_is_no_part_of_the_answer() -> None:
    found, _ = found_and_wanted(TWICE, "direction=hybrid switch=beamer:15:18", "cpu", GRAPH)
    assert set(found.scalars) == {"rounds"}


@pytest.mark.parametrize("numbers", ["", "15", "0:18", "15:0", "15:18:1", "1.5:18", "15:1000000"])
def test_a_rule_of_other_than_two_whole_numbers_is_refused(numbers: str) -> None:
    with pytest.raises(IrglError) as caught:
        Plan.parse(f"direction=hybrid switch=beamer:{numbers}")
    assert "or beamer:A:B" in caught.value.message


def test_the_kernel_compares_with_the_share_it_is_given() -> None:
    program = turned(check(load_text(SEARCH)), Plan.parse("direction=hybrid switch=nodes:few")).program
    assert "if (work > (long)(few * (double)g.num_nodes)" in dump(program)
    assert "Iterate advance(g, step, few)" in dump(program)


@pytest.mark.parametrize(("name", "reason"), [
    ("argv3", "the Program has no parameter `argv3`"), ("many", "`many` is a int, and a share is a float or a double")])
@pytest.mark.parametrize("place", ["", "advance.loop1."])
def test_what_is_no_share_is_refused(place: str, name: str, reason: str) -> None:
    with pytest.raises(IrglError) as caught:
        report(load_text(SEARCH), Plan.parse(f"direction=hybrid {place}switch=nodes:{name}"))
    assert reason in caught.value.message
    assert caught.value.hint == "parameters that can be a share: few"


@pytest.mark.parametrize("given", ["1.5", "-0.1", "INF", "nan"])
def test_a_run_is_refused_a_value_that_is_no_share(given: str, tmp_path: Path) -> None:
    (tmp_path / "search.irgl").write_text(SEARCH, encoding="utf-8")
    run = subprocess.run([sys.executable, "-m", "irgl", "run", "search.irgl", "--graph", "rmat:4", "--few", given,
                          "--plan", "direction=hybrid switch=nodes:few"], cwd=tmp_path, capture_output=True, text=True,
                         check=False)
    assert run.returncode == 2
    assert "the plan says switch=nodes:few, and a share is a number from 0 to 1" in run.stderr


def test_a_program_with_a_main_of_its_own_refuses_it_too(tmp_path: Path) -> None:
    (tmp_path / "search.irgl").write_text(SEARCH, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "irgl", "graph", "convert", "rmat:4", "g.irglg"], cwd=tmp_path, check=True,
                   capture_output=True)
    irglc = [sys.executable, "-m", "irgl", "compile"]
    subprocess.run([*irglc, "search.irgl", "-o", "own.cpp", "--plan", "direction=hybrid switch=nodes:few"],
                   cwd=tmp_path, check=True, capture_output=True)
    flags = subprocess.run([*irglc, "--print-flags"], check=True, capture_output=True, text=True).stdout
    subprocess.run(["g++", *flags.split(), "-O0", "own.cpp", "-o", "own"], cwd=tmp_path, check=True)
    run = subprocess.run(["./own", "g.irglg", "--few", "1.5"], cwd=tmp_path, capture_output=True, text=True,
                         check=False)
    assert run.returncode == 2 and "a number from 0 to 1" in run.stderr


def test_a_plan_of_a_rule_may_hold_a_colon(tmp_path: Path) -> None:
    (tmp_path / "search.irgl").write_text(SEARCH, encoding="utf-8")
    run = subprocess.run([sys.executable, "-m", "irgl", "compile", "search.irgl", "-o", "own.cpp", "--plan",
                          "nodes >= 10: direction=hybrid switch=edges:1/5", "--plan", "direction=hybrid"],
                         cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
