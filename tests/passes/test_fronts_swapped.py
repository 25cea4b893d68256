"""Hybrid loops over a set of which all nodes come to their edges: pulling ones ask that set, and make none."""

from __future__ import annotations

import pytest
from support.agreement import disagreements
from support.random_graphs import from_arcs
from support.random_programs import RandomProgram

from irgl import driver
from irgl.plan import Plan

#: Nodes of `now` that are `late` wait in `later`, and come to their edges in the next round.
TEXT = """
graph Graph {{ node int hops = INF; node int late = 0; node int heard = 0; }}
int rounds = 0;
int asked({kind}<node> some, node n) {{ return some.contains(n) ? 1 : 0; }}
Kernel k(Graph g, int step, {kind}<node> now, {kind}<node> later) {{
  ForAll (n In now.items) {{
    {before}
    if (n.late == 0) {{
      ForAll (e In n.edges) {{
        {edge}
        if (e.dst.hops == INF) {{ racy e.dst.hops = step; later.push(e.dst); }}
      }}
    }} else {{ later.push(n); }}
  }}
}}
Kernel wait(Graph g) {{ ForAll (n In g.nodes) {{ n.late = max(n.late - 1, 0); }} }}
Program p(transpose Graph g, int every = 1) {{
  {kind}<node> now; {kind}<node> later;
  node start = g.node(0);
  start.hops = 0; now.push(start);
  For (n In g.nodes) {{ if (every > 0 && n.id % every == 1) {{ n.late = 2; }} }}
  int step = 1;
  while (now.size > 0 && step < 40) {{
    later.clear();
    Invoke k(g, step, now, later);
    Invoke wait(g);
    now.swap(later);
    step += 1;
  }}
  rounds = step;
}}
"""
RING = from_arcs(60, [(v, (v + d) % 60, 1) for v in range(60) for d in (1, 7)])


def text_of(kind: str, before: str = "", edge: str = "") -> str:
    return TEXT.format(kind=kind, before=before, edge=edge)


def code(plan: str, kind: str = "bitmap", before: str = "", edge: str = "") -> str:
    return driver.compile("k.irgl", plan=Plan.parse(plan), text=text_of(kind, before, edge)).text


@pytest.mark.parametrize("kind", ["bitmap", "bytemap"])
@pytest.mark.parametrize("switch", ["edges:0", "nodes:0"])
def test_a_front_that_would_hold_all_of_a_set_is_the_set(kind: str, switch: str) -> None:
    text = code(f"k.loop1.direction=hybrid switch={switch}", kind)
    assert f"irgl::{kind}<node_t> front(c" in text
    assert text.count("front.swap(now);") == 2


@pytest.mark.parametrize("every", [0, 3])
@pytest.mark.parametrize(("kind", "switch"), [("bitmap", "edges:0"), ("bytemap", "nodes:0"), ("bitmap", "nodes:1/20")])
def test_answers_are_the_interpreters_whether_all_come_to_their_edges_or_not(kind: str, switch: str,
                                                                              every: int) -> None:
    one = RandomProgram(text_of(kind), RING, {"every": every})
    assert disagreements([one], Plan.parse(f"k.loop1.direction=hybrid switch={switch} serial=off grain=1")) == []


@pytest.mark.parametrize(("plan", "before", "edge"), [
    ("", "n.heard += 1;", ""),  # what all nodes of the loop do has to be done
    ("k.loop1.member=bytemap", "", ""),  # another set is asked for
    ("", "", "if (now.contains(e.dst)) { e.dst.heard += 1; }"),  # the edges look into the set themselves
    ("", "", "e.dst.heard += (int)now.size;"),
    ("", "", "e.dst.heard += asked(now, e.dst);"),
], ids=["effect", "member", "contains", "size", "helper"])
def test_elsewhere_a_set_is_made(plan: str, before: str, edge: str) -> None:
    text = code(f"k.loop1.direction=hybrid {plan}", before=before, edge=edge)
    assert "front.push(" in text
    assert "front.swap(" not in text


def test_edges_that_look_into_the_set_find_its_nodes() -> None:
    one = RandomProgram(text_of("bitmap", edge="if (now.contains(e.dst)) { e.dst.heard += 1; }"), RING, {"every": 0})
    assert disagreements([one], Plan.parse("k.loop1.direction=hybrid switch=nodes:0")) == []
