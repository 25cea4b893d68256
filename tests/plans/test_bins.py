"""np=bins: nodes of few, of more and of many edges in lists and loops of their own; and where that can't be."""

from __future__ import annotations

import pytest
from support import simt
from support.awkward_graphs import awkward, directed
from support.running import outcome
from support.tables import found_and_wanted

from irgl import driver
from irgl.interpret import run as interpret
from irgl.passes import bin_by_degree
from irgl.plan import Plan
from irgl.rt.graphs.graph import Graph
from irgl.source import IrglError

#: Nodes of 0, 1, 31, 32, 63, 64 and 700 edges, with blocks of 64 threads: on both sides of each bound.
SIZES = directed(720, [(node, (node + k) % 720) for node, degree in
                       {0: 700, 1: 1, 2: 31, 3: 32, 4: 63, 5: 64, 6: 65, 700: 40, 701: 90}.items()
                       for k in range(1, degree + 1)])
#: Two loops that become three each, one along in-edges, with what stands before, behind and beside their edges.
TEXT = """graph Graph { node long p = 0; node long q = 0; edge int w; }
long edges = 0; bool all = true;
Kernel pull(Graph g, list<node> out) {
  long before = g.num_nodes;
  ForAll (n In g.nodes) {
    long here = n.id * 2;
    if (n.id % 7 == 3) { continue; }
    ForAll (e In n.in_edges) { n.p += e.w + here; e.src.q += 1; edges += 1; if (e.src.id > n.id) { out.push(e.src); } }
    n.q += before;
  }
  ForAll (n In g.nodes) { ForAll (e In n.edges) { edges += 1000; } ReduceAndReturn(n.q >= 0); }
}
Program main(Graph g) { list<node> out; all = All(Invoke pull(g, out)); edges += 1000000 * out.size; }
"""
HEAD = "graph Graph { node int p = 0; node lock held; edge int w; }\nlong count = 0;\n"
EDGES = "ForAll (e In n.edges) { e.dst.p += 1; }"


@pytest.mark.parametrize(("target", "plan"), [
    ("simt", "block=64"), ("simt", "block=64 cc=off"), ("simt", "block=32 cc=warp"), ("simt", "block=96 format=split"),
    ("cpu", "serial=off"), ("cpu", "frontier=queue giant=40 grain=1 serial=off pull.loop1_small.share=even")])
def test_three_loops_do_what_one_does(target: str, plan: str) -> None:
    for graph in (SIZES, awkward()["dense"], awkward()["star inwards"], awkward()["empty"], awkward()["no arcs"]):
        found, wanted = found_and_wanted(TEXT, f"np=bins {plan}", target, graph)
        assert found.scalars == wanted.scalars
        assert all(wanted.properties[name] == values for name, values in found.properties.items())


@pytest.mark.parametrize("outline", ["off", "all"])
def test_frontiers_are_sorted_whatever_room_their_lists_have(outline: str) -> None:
    graphs: dict[str, Graph] = {"sizes": SIZES, "star": awkward()["star"], "path": awkward()["path"]}
    runs = [("bfs", {"np": "bins", "outline": outline, "cc": cc, "block": block, "seed": str(seed), "mode": "check",
                     "capacity": str(seed % 2), "direction": direction})
            for seed, (cc, block, direction) in enumerate([
                ("off", "32", "written"), ("warp", "64", "hybrid"), ("block", "64", "written")])]
    assert simt.complaints(runs, graphs) == []


def test_the_pass_keeps_the_meaning() -> None:
    checked = driver.ready("p.irgl", TEXT).checked
    three, _ = bin_by_degree.run(checked, Plan.parse("np=bins block=64", "simt"))
    assert len(bin_by_degree.binned(checked, Plan.parse("np=bins", "simt"))) == 2
    one, other = (interpret(c, {"g": SIZES}, {}) for c in (checked, three))
    assert one.scalars == other.scalars
    assert {name: list(p) for name, p in one.properties.items()} == {
        name: list(p) for name, p in other.properties.items()}


def test_a_round_costs_barriers_of_the_grid() -> None:
    sorted_, whole = (outcome(TEXT, plan, "simt", SIZES).stats["grid_barriers"] for plan in ("np=bins", "np=tb+wp"))
    assert sorted_ > whole


def test_what_a_plan_says_at_the_loop_holds_at_the_three() -> None:
    checked = driver.ready("p.irgl", TEXT).checked
    _, plan = bin_by_degree.run(checked, Plan.parse("pull.loop2.loop1.np=bins pull.loop2.cc=warp", "simt"))
    schedulers = {size: plan.text_of("np", f"pull.loop2_{size}.loop1") for size in ("small", "middle", "large")}
    assert schedulers == {"small": "serial", "middle": "wp", "large": "tb"}
    assert plan.text_of("cc", "pull.loop2_large") == "warp"


@pytest.mark.parametrize(("target", "at_the_loop", "of_one"), [
    ("simt", "pull.loop2.loop1.np=bins pull.loop2.cc=warp", "pull.loop2_small.cc=off"),
    ("simt", "pull.loop2.loop1.np=bins", "pull.loop2_small.loop1.np=fg"),
    ("cpu", "pull.loop2.loop1.np=bins pull.loop2.grain=64", "pull.loop2_small.grain=4")])
def test_what_a_plan_says_of_one_of_the_three_holds_there(target: str, at_the_loop: str, of_one: str) -> None:
    checked = driver.ready("p.irgl", TEXT).checked
    _, plan = bin_by_degree.run(checked, Plan.parse(f"{at_the_loop} {of_one}", target))
    place, _, said = of_one.rpartition(".")
    assert plan.text_of(said.partition("=")[0], place) == said.partition("=")[2]
    assert f"{place}: {said}" in driver.compile("p.irgl", text=TEXT, target=target,
                                                plan=Plan.parse(f"{at_the_loop} {of_one}", target)).applied


def test_a_label_of_ones_own_makes_no_place_of_three() -> None:
    text = TEXT.replace("ForAll (n In g.nodes) { ForAll", "other_small: ForAll (n In g.nodes) { ForAll")
    with pytest.raises(IrglError) as raised:
        driver.compile("p.irgl", text=text, plan=Plan.parse(
            "pull.other_small.loop1.format=split pull.other.loop1.format=sell"))
    assert "the plan sets `format` for `pull.other.loop1`, which is no place for it" in raised.value.message


@pytest.mark.parametrize(("kernel", "reason"), [
    ("ForAll (n In g.nodes) { EDGES EDGES }", "another ForAll stands beside it"),
    ("ForAll (n In g.nodes) { ForAll (e In n.edges) { ForAll (d In e.dst.edges) { d.dst.p += 1; } } }",
     "another ForAll stands beside it"),
    ("ForAll (n In g.nodes) { for (int k = 0; k < 2; k++) { EDGES } }", "a sequential loop or a lock stands around it"),
    ("ForAll (n In g.nodes) { ForAll (e In n.edges.skip(1)) { e.dst.p += 1; } }",
     "it does not run over all edges of its loop's node"),
    ("ForAll (n In WL.items) { EDGES if (n.p < 3) { Respawn n; } }",
     "items come back within the round, which would be sorted in each of theirs"),
    ("ForAll (n In g.nodes) { Exclusive (g, [n]) { count += 1; } EDGES }",
     "an Exclusive holds for what one loop runs over"),
])
def test_where_nodes_are_not_sorted(kernel: str, reason: str) -> None:
    worklist = " WL list<node>" if "WL" in kernel else ""
    text = f"{HEAD}Kernel k(Graph g){worklist} {{ {kernel.replace('EDGES', EDGES)} }}\nProgram main(Graph g) {{ }}"
    with pytest.raises(IrglError) as raised:
        driver.compile("p.irgl", text=text, target="simt", plan=Plan.parse("k.loop1.loop1.np=bins", "simt"))
    assert raised.value.message == f"`k.loop1.loop1.np=bins` can't be honoured: {reason}"


def test_on_a_cpu_three_loops_and_a_form_that_is_swept_exclude_each_other() -> None:
    program = driver.ready("edges.irgl", HEAD + f"Kernel k(Graph g) {{ ForAll (n In g.nodes) {{ {EDGES} }} }}\n"
                           "Program main(Graph g) { Invoke k(g); }\n")
    unit = driver.emit(program, Plan.parse("np=bins format=coo"), "cpu")
    assert "k.loop1.loop1: format=coo" in unit.applied
    assert "k.loop1.loop1: np=bins: it means nothing under format=coo" in unit.not_applicable
    with pytest.raises(IrglError, match="np=bins` can't be honoured: it means nothing under format=coo"):
        driver.emit(program, Plan.parse("k.loop1.loop1.np=bins k.loop1.loop1.format=coo"), "cpu")
