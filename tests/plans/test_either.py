"""`frontier=either`: a loop runs over its list while that is short, and else over a byte of each node."""

from __future__ import annotations

import pytest
from plans.test_frontier_cuda import LIST, SETS
from support.awkward_graphs import directed, grid, random_arcs
from support.running import outcome
from support.tables import found_and_wanted

from irgl import driver
from irgl.analysis.check import check
from irgl.ast.dump import dump
from irgl.frontends.text.load import load_text
from irgl.passes import take_either
from irgl.plan import Plan
from irgl.source import IrglError

GRAPHS = {"grid": grid(9), "arcs": random_arcs(3, 90, 240), "apart": random_arcs(4, 50, 20),
          "star": directed(70, [(0, k) for k in range(1, 70)])}
PLANS = [("cpu", "serial=off switch=nodes:1/9"), ("cpu", "serial=off switch=edges:0 collect=bitmap share=even"),
         ("cpu", "switch=nodes:0 step.loop1_dense.collect=push"), ("cpu", "direction=hybrid switch=nodes:1/4"),
         ("simt", "block=32 switch=nodes:1/9"), ("simt", "block=32 switch=edges:1/9 outline=off"),
         ("simt", "block=32 switch=nodes:0 np=bins"), ("simt", "block=32 dedup=auto np=cut"),
         ("simt", "block=32 switch=edges:0 step.loop1_dense.loop1.format=coo")]


@pytest.mark.parametrize(("text", "target", "plan"), [
    (text, *plan) for text in (LIST, SETS) for plan in PLANS if text is LIST or "format" not in plan[1]])
def test_no_answer_changes(text: str, target: str, plan: str) -> None:
    for name, graph in GRAPHS.items():
        found, wanted = found_and_wanted(text, f"{plan} frontier=either", target, graph)
        assert found == wanted, name


def test_a_loop_becomes_two_with_what_chooses() -> None:
    checked = check(load_text(LIST))
    plan = Plan.parse("frontier=either switch=nodes:1/50")
    made, more = take_either.chosen(checked, checked, plan)
    text = dump(made.program)
    assert "long work = WL.size;\n    if (work > g.num_nodes / 50) {\n        bytemap<node<g>> members;" in text
    assert "loop1_fill: ForAll (n In WL.items) {\n            members.push(n);" in text
    assert "loop1_dense: ForAll (n In members.items) {" in text
    assert "else {\n        loop1: ForAll (n In WL.items)" in text
    assert more.says("collect", "step.loop1_dense") and not more.says("collect", "step.loop1")


@pytest.mark.parametrize(("switch", "order"), [("nodes:0.4", [3, 2, 1, 0]), ("nodes:0.3", [0, 1, 2, 3])])
def test_the_switch_says_how_long_is_long(switch: str, order: list[int]) -> None:
    """A long list is run over in the order of the nodes, by one thread."""
    text = """graph Graph { node long order = -1; }
    long done = 0;
    Kernel take(Graph g, unique list<node> to) { For (n In g.nodes) { if (n.id < 4) { to.push(g.node(4 - n.id)); } } }
    Kernel hand(Graph g, unique list<node> of, list<node> to) { ForAll (n In of.items) { to.push(n); } }
    Kernel note(Graph g, list<node> of) { For (n In of.items) { n.order = done; done += 1; } }
    Program main(Graph g) {
      unique list<node> some; list<node> all;
      Invoke take(g, some); Invoke hand(g, some, all); Invoke note(g, all);
    }
    """
    found = outcome(text, f"hand.loop1.frontier=either switch={switch} serial=off", "cpu", directed(10, []), threads=1)
    assert found.result.properties["order"].array.tolist()[1:5] == order


def test_a_share_may_be_a_parameter_s() -> None:
    text = LIST.replace("node s = first)", "node s = first, double share = 0.1)")
    found, wanted = found_and_wanted(text, "frontier=either switch=nodes:share serial=off", "cpu", GRAPHS["grid"])
    assert found == wanted


@pytest.mark.parametrize(("text", "reason"), [
    (LIST.replace("unique ", ""), "no list of nodes is declared unique, and none is a set"),
    (LIST.replace("visits += 1;", "if (visits < 0) { Respawn n; }"), "items come back within the round"),
    (LIST.replace("int depth) WL unique list<node> {", "int depth, unique list<node> found) {")
     .replace("WL.items", "g.nodes").replace("WL.push", "found.push")
     .replace("Iterate step(g, depth) Initial [s] { depth++; }",
              "unique list<node> found; Invoke step(g, depth, found);"), "no loop runs over one"),
])
@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_it_is_refused_with_the_reason(text: str, reason: str, target: str) -> None:
    unit = driver.compile("p.irgl", text=text, target=target, plan=Plan.parse("frontier=either", target))
    assert any(line.startswith("the program: frontier=either: ") and reason in line for line in unit.not_applicable)
    with pytest.raises(IrglError) as e:
        driver.compile("p.irgl", text=text, target=target, plan=Plan.parse("step.loop1.frontier=either", target))
    assert reason in e.value.message


@pytest.mark.parametrize(("plan", "reason"), [
    ("step.loop1.frontier=either step.loop1.direction=pull", "under direction=pull the loop has a set of its own"),
    ("step.loop1.frontier=either switch=beamer:15:18",
     "switch=beamer says when a loop turns round, and not how long a list is")])
@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_what_else_a_plan_says_may_leave_nothing_to_choose(plan: str, reason: str, target: str) -> None:
    with pytest.raises(IrglError) as e:
        driver.compile("p.irgl", text=LIST, target=target, plan=Plan.parse(plan, target))
    assert e.value.message == f"`step.loop1.frontier=either` can't be honoured: {reason}"
