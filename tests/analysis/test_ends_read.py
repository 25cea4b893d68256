"""Which programs read far ends of edges out of rows, under which plan."""

from __future__ import annotations

import re

import pytest
from support.places import PROGRAMS

from irgl import driver
from irgl.plan import Plan

FRAME = """graph Graph {{ node int p = 0; node int q = 0; node node to; edge int w; }}
{more}
Kernel k(Graph g) {{ ForAll (n In g.nodes) {{ {loop} }} }}
Program main(Graph g) {{ Invoke k(g); }}"""
TARGETS = ("cpu", "cuda")
#: GPU code that spreads loops and appends as far as it can.
TAKEN = "np=wp+fg cc=block outline=all "
NO, OUT, IN, BOTH = (False, False), (True, False), (False, True), (True, True)


def read(loop: str, plan: str, target: str, more: str = "") -> object:
    text = FRAME.format(loop=loop, more=more)
    (graph,) = driver.compile("k.irgl", text=text, target=target, plan=Plan.parse(plan, target)).graph_params
    return graph.ends, graph.in_ends


LOOPS = [
    ("n.p = (int)n.degree + (int)n.in_degree;", "format=csr", NO),
    ("ForAll (e In n.edges) { e.dst.p min= n.p; }", "format=csr", OUT),
    ("ForAll (e In n.in_edges) { n.p min= e.src.p; }", "format=csr", IN),
    ("ForAll (e In n.edges) { n.p += e.w; }", "format=csr", OUT),
    ("ForAll (e In n.edges) { e.dst.p min= n.p; }", "format=delta", NO),
    ("ForAll (e In n.in_edges) { n.p min= e.src.p; }", "format=delta", NO),
    ("ForAll (e In n.in_edges) { n.p += e.src.p; }", "format=blocks", NO),
    ("ForAll (e In n.edges) { e.dst.p min= n.p + e.w; }", "format=delta", NO),
    ("ForAll (e In n.edges) { n.p min= (int)e.id + e.src.p; }", "format=delta", NO),
    ("ForAll (e In n.edges) { e.dst.p min= 1; } ForAll (e In n.in_edges) { e.src.p min= 2; }",
     "k.loop1.loop1.format=delta", IN),
    ("ForAll (e In n.edges) { e.dst.p min= 1; } For (e In n.edges) { n.p += e.dst.p; }", "format=delta", OUT),
    ("ForAll (e In n.edges) { e.dst.p min= 1; } ForAll (e In n.edges.skip(1)) { n.p += 1; }", "format=delta", OUT),
    ("ForAll (e In n.edges) { e.dst.p min= 1; } if (n.degree > 0) { n.to = n.edges[0].dst; }", "format=delta", OUT),
    ("ForAll (e In n.edges) { e.dst.p min= 1; } n.q = common(n, n);", "format=delta", BOTH),
    ("ForAll (e In n.in_edges) { n.p += e.src.p; } ForAll (e In n.edges) { e.dst.p min= 1; }",
     "format=delta k.loop1.loop2.format=csr", OUT),
]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("loop", "plan", "wanted"), LOOPS)
def test_far_ends_are_read_out_of_rows_where_no_form_has_them(
        loop: str, plan: str, wanted: object, target: str) -> None:
    assert read(loop, plan, target) == wanted


def test_nobody_can_see_what_a_cblock_reads() -> None:
    loop = "ForAll (e In n.edges) { CBlock reads() writes(n.p) { g.p[n] = 1; } }"
    assert read(loop, "format=delta", "cpu") == BOTH


@pytest.mark.parametrize("target", TARGETS)
def test_a_helper_that_is_given_an_edge_reads_it_out_of_rows(target: str) -> None:
    helper = "int ahead(Graph g, edge e) { return e.dst.p; }"
    assert read("ForAll (e In n.edges) { n.p += ahead(g, e); }", "format=delta", target, helper) == OUT


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("program", "plan", "wanted"), [
    ("pr_pull", "format=csr", IN),  # degrees of out-edges are all that it wants of them
    ("pr_pull", "format=blocks", NO),
    ("bfs_do", "format=delta", IN),  # its pull leaves a row early
    ("tri", "format=csr", BOTH),
    ("scc", "format=delta", NO),
])
def test_programs_read_what_their_loops_do(program: str, plan: str, wanted: object, target: str) -> None:
    path = next(p for folder in (PROGRAMS, PROGRAMS / "more") if (p := folder / f"{program}.irgl").exists())
    (graph,) = driver.compile(path, target=target, plan=Plan.parse(plan, target)).graph_params
    assert (graph.ends, graph.in_ends) == wanted


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("word", ["csr", "blocks", "delta"])
def test_generated_code_asks_rows_for_no_far_end_that_the_manifest_calls_unread(word: str, target: str) -> None:
    found = 0
    for path in [p for folder in (PROGRAMS, PROGRAMS / "more") for p in sorted(folder.glob("*.irgl"))]:
        plan = Plan.parse(f"{TAKEN if target == 'cuda' else ''}format={word}", target)
        unit = driver.compile(path, target=target, plan=plan)
        for g in unit.graph_params:
            for wanted, rows in ((g.ends, "out"), (g.in_ends, "in")):
                asked = rf"irgl::other\([\w.]+\.{rows}\(\)|irgl::(common|common_nodes|edge_to|oriented)\b"
                assert wanted or re.search(asked, unit.text) is None, (path.name, rows)
                found += not wanted
    assert found > 10
