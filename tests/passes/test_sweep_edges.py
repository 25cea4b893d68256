"""Loops brought into the form of sweeps: the text, and that it means what it meant."""

from __future__ import annotations

import textwrap

import pytest
from support.agreement import STEPS, differences, disagreements, interpreted
from support.choices import Seeded
from support.random_parts import RandomProgram
from support.random_pushes import PushingMaker, claims

from irgl import driver
from irgl.analysis.check import check
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.frontends.text.load import load_text
from irgl.interpret import run
from irgl.passes.pipeline import PASSES
from irgl.passes.sweep_edges import uses
from irgl.plan import Plan

HEAD = "graph Graph { node int p = INF; node double q = 0; node node up = NONE; edge int w; }\n"
CALL = "Program main(transpose Graph g) { Invoke k(g); }"


def ready(text: str) -> Checked:
    checked = check(load_text(text))
    for _, step in PASSES:
        checked = check(step(checked.program))
    return checked


def after(kernel: str, plan: str = "format=coo") -> str:
    checked = driver.turned(ready(HEAD + kernel), Plan.parse(plan))[0]
    return "\n".join(dump(A.Program((d,))) for d in checked.program.decls if isinstance(d, A.Kernel)).strip()


def text(lines: str) -> str:
    return textwrap.dedent(lines).strip()


def test_a_loop_with_its_inner_one_at_the_top_stays() -> None:
    kernel = text("""
        Kernel k(Graph g) {
            ForAll (n In g.nodes) {
                double sum = 0;
                ForAll (e In n.in_edges) {
                    sum += e.src.q;
                }
                n.p = (int)sum;
            }
        }""")
    assert after(kernel) == kernel


def test_what_stands_around_the_inner_loop_becomes_a_guard() -> None:
    assert after("""Kernel k(Graph g) {
        ForAll (n In g.nodes) {
            if (n.p < INF) {
                int here = n.p;
                ForAll (e In n.edges) { e.dst.p min= here + e.w; }
                n.q += 1;
            }
        }
    }""") == text("""
        Kernel k(Graph g) {
            ForAll (n In g.nodes) {
                bool in_1 = n.p < INF;
                int here = (int)(in_1 ? (int)n.p : (int)0);
                ForAll (e In n.edges.when(in_1)) {
                    e.dst.p min= here + e.w;
                }
                if (in_1) {
                    n.q += 1;
                }
            }
        }""")


def test_a_loop_over_a_set_asks_all_nodes() -> None:
    assert after("""Kernel k(Graph g, bitmap<node> some) {
        ForAll (n In some.items) {
            ForAll (e In n.edges) { e.dst.p min= 1; }
        }
    }""") == text("""
        Kernel k(Graph g, bitmap<node> some) {
            ForAll (n In g.nodes) {
                bool in_1 = some.contains(n);
                ForAll (e In n.edges.when(in_1)) {
                    e.dst.p min= 1;
                }
            }
        }""")


def test_an_iteration_that_ends_early_reaches_its_edges_without_taking_them() -> None:
    assert after("""Kernel k(Graph g) {
        ForAll (n In g.nodes) {
            if (n.p == INF) { continue; }
            ForAll (e In n.edges) { e.dst.q += 1; }
        }
    }""") == text("""
        Kernel k(Graph g) {
            ForAll (n In g.nodes) {
                bool in_1 = n.p == INF;
                bool else_1 = !in_1;
                ForAll (e In n.edges.when(else_1)) {
                    e.dst.q += 1;
                }
            }
        }""")


def test_a_loop_of_another_place_stays_as_it_is_written() -> None:
    kernel = text("""
        Kernel k(Graph g) {
            ForAll (n In g.nodes) {
                if (n.p < INF) {
                    ForAll (e In n.edges) {
                        e.dst.q += 1;
                    }
                }
            }
        }""")
    assert after(kernel, "j.loop1.loop1.format=coo") == kernel


def test_what_an_iteration_knows_at_its_edges_or_behind_them_is_kept() -> None:
    checked = driver.turned(ready(HEAD + """Kernel k(Graph g) {
        ForAll (n In g.nodes) {
            int used_there = n.p;
            int used_behind = n.p + 1;
            int used_nowhere = used_there + used_behind;
            double sum = 0;
            ForAll (e In n.edges) { sum += used_there; }
            n.q = sum + used_behind;
        }
    }""" + CALL), Plan.parse("format=coo"))[0]
    sweep = next(iter(uses(checked, Plan.parse("format=coo")).values())).sweep
    assert [s.name for s in sweep.kept] == ["sum", "used_there", "used_behind"]
    assert [s.name for s in sweep.inside] == ["sum", "used_there"]


def swept_otherwise(programs: list[RandomProgram], plan: str) -> list[str]:
    """The programs of which the interpreter finds something else behind the pass."""
    found = []
    for program in programs:
        expected = interpreted(program)
        if expected is None:
            continue
        swept = driver.turned(ready(program.text), Plan.parse(plan))[0]
        result = run(swept, {"g": program.graph}, program.params, max_steps=20 * STEPS)
        if differences(expected, result):
            found.append(program.text)
    return found


@pytest.mark.parametrize("plan", ["format=coo", "format=coo frontier=bitmap", "format=coo direction=pull"])
@pytest.mark.parametrize("batch", [0, 1, *(pytest.param(i, marks=pytest.mark.matrix) for i in range(2, 50))])
def test_swept_programs_mean_what_they_meant(batch: int, plan: str) -> None:
    seeds = range(batch * 20, (batch + 1) * 20)
    assert swept_otherwise([PushingMaker(Seeded(s)).make() for s in seeds], plan) == []
    assert swept_otherwise([claims(Seeded(s)) for s in seeds], plan) == []


@pytest.mark.parametrize("plan", ["format=coo", "format=blocks tile=13 inside=runs frontier=bitmap",
                                  "format=sell sigma=1 frontier=bytemap", "format=blocks direction=pull"])
@pytest.mark.parametrize("batch", [0, *(pytest.param(i, marks=pytest.mark.matrix) for i in range(1, 50))])
def test_swept_programs_agree_with_the_interpreter(batch: int, plan: str) -> None:
    seeds = range(1000 + batch * 12, 1000 + (batch + 1) * 12)
    programs = [PushingMaker(Seeded(s)).make() for s in seeds] + [claims(Seeded(s)) for s in seeds]
    assert disagreements(programs, Plan.parse(plan)) == []
