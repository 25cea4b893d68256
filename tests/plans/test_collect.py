"""`collect=bitmap|bytemap`: what a loop puts into a list is marked first, and gathered behind it in nodes' order."""

from __future__ import annotations

import pytest
from support.awkward_graphs import random_arcs
from support.tables import found_and_wanted

from irgl.analysis.check import check
from irgl.analysis.names.paths import outer_loops
from irgl.ast.dump import dump
from irgl.frontends.text.load import load_text
from irgl.passes import collect_items
from irgl.plan import Plan
from irgl.source import IrglError
from irgl.space import legal_space, report

HEAD = """graph Graph { node int hops = INF; node long sum = 0; node node up = NONE; }
long pushed = 0;
"""
SEARCH = HEAD + """Kernel advance(Graph g, int step, set<node> seen) WL unique list<node> {
  ForAll (n In WL.items) {
    ForAll (e In n.edges) {
      seen.push(e.dst);
      if (cas(e.dst.hops, INF, step)) { WL.push(e.dst); pushed += 1; }
    }
  }
  ForAll (v In seen.items) { v.sum += step; }
}
Program main(Graph g, node s = first) {
  s.hops = 0; int step = 1; set<node> seen;
  Iterate advance(g, step, seen) Initial [s] { step++; seen.clear(); }
}
"""
GRAPH = random_arcs(11, 300, 1500)


@pytest.mark.parametrize("kind", ["bitmap", "bytemap"])
@pytest.mark.parametrize(("target", "plan"), [
    ("cpu", "serial=off"), ("cpu", "frontier=queue serial=off"), ("cpu", "direction=hybrid switch=nodes:1/8"),
    ("simt", "block=32"), ("simt", "block=32 outline=off cc=off"), ("simt", "block=32 np=bins"),
    ("simt", "block=32 direction=hybrid switch=nodes:1/8"), ("simt", "block=32 np=cut cc=warp")])
def test_no_answer_changes(kind: str, target: str, plan: str) -> None:
    found, wanted = found_and_wanted(SEARCH, f"collect={kind} {plan}", target, GRAPH)
    assert found == wanted


def test_a_loop_gathers_behind_the_one_that_marks() -> None:
    checked = check(load_text(SEARCH))
    text = dump(collect_items.run(checked, Plan.parse("advance.loop1.collect=bytemap")).program)
    loop = text[text.index("Kernel advance"):text.index("Program")]
    assert "marks.push(e.dst);" in loop and "marks_2.push(e.dst);" in loop
    assert "loop1_gather: ForAll (v_2 In marks.items) {\n        seen.push(v_2);" in loop
    assert "loop1_gather_2: ForAll (v_3 In marks_2.items) {\n        WL.push(v_3);" in loop
    assert loop.index("marks.clear();") < loop.index("loop2: ForAll")


def test_a_list_is_in_the_order_of_the_nodes() -> None:
    text = """graph Graph { node long order = -1; }
    long pushed = 0;
    Kernel take(Graph g, unique list<node> to) { ForAll (n In g.nodes) { to.push(g.node(g.num_nodes - 1 - n.id)); } }
    Kernel note(Graph g, unique list<node> of) { For (n In of.items) { n.order = pushed; pushed += 1; } }
    Program main(Graph g) { unique list<node> all; Invoke take(g, all); Invoke note(g, all); }
    """
    found, _ = found_and_wanted(text, "take.loop1.collect=bitmap", "cpu", GRAPH)
    assert found.properties["order"] == list(range(GRAPH.num_nodes))


def loop_of(body: str, worklist: str = " WL unique list<node>", over: str = "n In g.nodes") -> str | None:
    checked = check(load_text(f"{HEAD}Kernel k(Graph g, list<node> some, unique list<edge> arcs, bitmap<node> marked)"
                              f"{worklist} {{ ForAll ({over}) {{ {body} }} }}"))
    (_, loop), = outer_loops(checked.kernels["k"])
    return collect_items.why_not(checked, checked.kernels["k"], loop)


@pytest.mark.parametrize(("reason", "body", "worklist"), [
    ("it fills no list", "n.hops = 1;", ""),
    ("'arcs' holds edges, not nodes", "ForAll (e In n.edges) { arcs.push(e); }", ""),
    ("in 'marked' each node has a place already", "marked.push(n);", ""),
    ("'some' may hold a node twice: declare it unique", "ForAll (e In n.edges) { some.push(e.dst); }", ""),
    ("'some' may hold a node twice: declare it unique", "For (e In n.edges) { some.push(n); }", ""),
    ("'some' may hold a node twice: declare it unique", "some.push(g.node(0));", ""),
    ("'some' may hold a node twice: declare it unique", "if (n.hops > 3) { some.push(n); } some.push(n);", ""),
    (None, "if (n.hops > 3) { some.push(n); }", ""),
    (None, "if (n.hops > 3) { some.push(n); } else { if (n.sum < 5) { some.push(n); } }", ""),
    ("NONE may be put into what it fills, and is nowhere marked", "WL.push(n.up);", " WL unique list<node>"),
    (None, "WL.push(n);", " WL unique list<node>"),
    ("'WL' is a buckets, whose items have an order", "WL.push(n, n.hops);", " WL buckets<node>")])
def test_where_marks_would_not_do_it_is_refused(reason: str | None, body: str, worklist: str) -> None:
    assert loop_of(body, worklist) == reason


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_what_a_plan_says_where_it_means_nothing_is_refused(target: str) -> None:
    for plan, reason in (("advance.loop2.collect=bitmap", "it fills no list"),
                         ("frontier=bitmap advance.loop1.collect=bitmap", "it means nothing under frontier=bitmap"
                          if target == "cpu" else "in 'seen' each node has a place already")):
        if target == "cpu":
            with pytest.raises(IrglError) as caught:
                report(load_text(SEARCH), Plan.parse(plan))
        else:
            with pytest.raises(IrglError) as caught:
                found_and_wanted(SEARCH, plan, target, GRAPH)
        assert reason in caught.value.message


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_searches_try_it_where_it_is_legal(target: str) -> None:
    found = {c.place: c.values for c in legal_space(load_text(SEARCH), target) if c.option == "collect"}
    assert found == {"advance.loop1": ("push", "bitmap", "bytemap"), "advance.loop2": ("push",)}
