"""Loops that pull on GPUs: that answers stay, what kernels are given for it, and where threads meet."""

from __future__ import annotations

import pytest
from support import simt
from support.agreement import STEPS, differences, interpreted
from support.awkward_graphs import awkward
from support.choices import Seeded
from support.plans import plan_of
from support.random_parts import RandomProgram
from support.random_pushes import PushingMaker, claims
from support.simt_batch import Variant, run_simt

from irgl import driver
from irgl.analysis.check import check
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.dump import dump
from irgl.frontends.text.load import load_text
from irgl.interpret import run
from irgl.passes import lift_objects, turn_direction
from irgl.passes.pipeline import PASSES
from irgl.plan import Plan
from irgl.rt.manifests.describe import manifest_of

GRAPHS = {name: awkward()[name] for name in
          ("empty", "one loop", "self-loops", "parallel arcs", "star", "star inwards", "path", "middling")}
#: Sets made from lists, arrays beside them, values of kernels, several loops, the kernel's own list and others.
TURNED = ("bfs", "bc", "sssp_bf", "mis", "pr", "traverse")
PLAIN = {"capacity": "0", "mode": "check", "seed": "1"}
TWO_GRAPHS = """graph Graph { node int hue = INF; }
Kernel k(Graph g, list<node> some) {
  ForAll (n In some.items) { ForAll (e In n.edges) { if (e.dst.hue == INF) { racy e.dst.hue = 1; } } }
}
Program p(Graph g, Graph h) { list<node<g>> a; list<node<h>> b; Invoke k(g, a); Invoke k(h, b); Invoke k(g, a); }
"""


def turned(program: str, how: str) -> Checked:
    """A program after turning, and with what its kernels make lifted out of them."""
    checked = check(load_text(program))
    for _, step in PASSES:
        checked = check(step(checked.program))
    after = turn_direction.run(checked, Plan.parse(f"direction={how}", "simt"))
    lowered = check(after, lowered=True)
    return check(lift_objects.run(lowered), lowered=True)


@pytest.mark.parametrize("how", ["pull", "hybrid"])
def test_programs_that_pull_are_right(how: str) -> None:
    runs = [(program, {**PLAIN, "direction": how, "np": "wp+fg", "cc": ("off", "block")[k % 2],
                       "outline": ("all", "off")[k // 2 % 2], "block": "64"}) for k, program in enumerate(TURNED)]
    if how == "hybrid":
        runs = [(program, row | {"switch": ("edges:0", "nodes:1/8")[k % 2]}) for k, (program, row) in enumerate(runs)]
    assert simt.complaints(runs, GRAPHS) == []


@pytest.mark.parametrize("how", ["pull", "hybrid"])
def test_random_kernels_that_pull_agree_with_the_interpreter(how: str) -> None:
    programs = [PushingMaker(Seeded(s)).make() for s in range(6)] + [claims(Seeded(s)) for s in range(6)]
    expected = [(p, r) for p in programs if (r := interpreted(p)) is not None]
    row = {**PLAIN, "direction": how, "np": "serial", "cc": "warp", "outline": "all", "block": "64"}
    plan = plan_of(row)
    tried = [Variant(p, row, manifest_of(driver.emit(driver.ready("p.irgl", p.text), plan, "simt"), str(plan)))
             for p, _ in expected]
    found = [f"{what}:\n{p}" for (p, r), ran in zip(expected, run_simt(tried, 50), strict=True)
             if (what := ran.error or ", ".join(differences(r, ran)))]
    assert found == []


def otherwise(p: RandomProgram) -> list[str]:
    """What the interpreter finds otherwise when the program's kernels are given what they made."""
    expected = interpreted(p)
    ran = run(turned(p.text, "hybrid"), {"g": p.graph}, p.params, max_steps=10 * STEPS)
    return [] if expected is None else [f"{what}:\n{p}" for what in differences(expected, ran)]


def test_what_a_kernel_made_is_as_good_when_it_is_given() -> None:
    programs = [made for s in range(20) for made in (PushingMaker(Seeded(s)).make(), claims(Seeded(s)))]
    assert [what for p in programs for what in otherwise(p)] == []


def test_a_kernel_of_two_graphs_is_given_a_set_of_each() -> None:
    entry = turned(TWO_GRAPHS, "pull").entry
    assert entry is not None
    made = [(s.name, s.type.item.graph) for s in entry.body if isinstance(s, A.VarDecl)
            and isinstance(s.type, T.Worklist) and isinstance(s.type.item, T.NodeT) and s.type.kind == "bytemap"]
    assert made == [("k_front", "g"), ("k_front_2", "h")]


def test_a_set_begins_each_invocation_empty() -> None:
    assert "front.clear();" in dump(turned(TWO_GRAPHS, "pull").program)


def test_a_round_that_pushes_has_no_barrier_of_its_own() -> None:
    text = driver.compile(simt.path_of("bfs"), target="simt", plan=Plan.parse("direction=hybrid", "simt")).text
    pushing = text[text.index("// loop1:"):text.index("// Kernel survey_hops")]
    assert "t.sync()" not in pushing


def test_no_spill_is_needed_where_either_half_has_a_bound() -> None:
    text = driver.compile(simt.path_of("bfs"), target="simt", plan=Plan.parse("direction=hybrid", "simt")).text
    assert "irgl::one_of(irgl::bound{1, 0}, irgl::by_degree(g.out(), irgl::nodes(g)), irgl::bound{0, 1}," in text
    assert "irgl::bound{-1, -1}" not in text


def test_what_a_node_finds_is_appended_by_all_threads_together() -> None:
    text = driver.compile(simt.path_of("bfs"), target="simt", plan=Plan.parse("direction=pull cc=block", "simt")).text
    pulling = text[text.index("// loop1_pull:"):text.index("// loop1:")]
    assert "wl.reserve_block(" in pulling


def test_what_depends_on_the_edge_is_appended_where_it_is_found() -> None:
    program = ("graph Graph { node int hue = INF; } Kernel k(Graph g) WL unique list<node> { ForAll (n In WL.items) { "
               "ForAll (e In n.edges) { if (e.dst.hue == INF) { e.dst.hue min= n.hue; WL.push(e.dst); } } } }")
    assert "found" not in dump(turned(program, "pull").program)


def test_the_halves_of_a_hybrid_are_places_of_their_own() -> None:
    plan = "direction=hybrid relax_changed.loop1.loop1.np=tb relax_changed.loop1_pull.loop1.np=serial"
    unit = driver.compile(simt.path_of("sssp_bf"), target="simt", plan=Plan.parse(plan, "simt"))
    assert {"relax_changed.loop1.loop1: np=tb", "relax_changed.loop1_pull.loop1: np=serial"} <= set(unit.applied)
