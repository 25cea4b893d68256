"""Loops that run as one kernel over sets, bitmaps and bytemaps: advanced, counted, asked and emptied on the device."""

from __future__ import annotations

import pytest
from support.awkward_graphs import grid, random_arcs
from support.running import outcome
from support.tables import found_and_wanted

from irgl.rt.graphs.graph import Graph

#: Every statement of a host about such lists that needs no room, between kernels that fill and read them.
TEXT = """
graph Graph {{ node int level = INF; node int seen = 0; }}
long total = 0;
long many = 0;
Kernel step(Graph g, int depth, {0}<node> found) WL {1}<node> {{
  ForAll (n In WL.items) {{
    ForAll (e In n.edges) {{
      if (relaxed e.dst.level == INF) {{ racy e.dst.level = depth; WL.push(e.dst); found.push(e.dst); }}
    }}
  }}
}}
Kernel note(Graph g, {2}<node> had, {0}<node> found) {{
  ForAll (n In found.items) {{ n.seen += 1; had.push(n); }}
}}
Program main(Graph g, node s = first) {{
  {0}<node> found;
  {0}<node> kept;
  {2}<node> had;
  s.level = 0;
  int depth = 1;
  Pipe Initial [s] {{
    Invoke step(g, depth, found);
    depth++;
    if (found.size > 0) {{ many += found.size; }}
    if (!found.contains(s)) {{ total += 100; }}
    Invoke note(g, had, found);
    kept.swap(found);
    found.clear();
    total += had.size + kept.size;
  }}
  total += kept.size + 1000 * had.size + 1000000 * had.contains(s);
}}
"""
KINDS = [("bitmap", "bytemap", "set"), ("set", "bitmap", "bytemap"), ("bytemap", "set", "bitmap")]
GRAPHS = {"streets": grid(9), "arcs": random_arcs(3, 90, 240), "apart": random_arcs(4, 50, 20)}


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("kinds", KINDS, ids="-".join)
def test_a_loop_of_sets_finds_the_same_on_the_device_as_on_the_host(kinds: tuple[str, ...], graph: Graph) -> None:
    for plan in ("outline=off block=64", "outline=all block=32 np=fg"):
        found, wanted = found_and_wanted(TEXT.format(*kinds), plan, "simt", graph)
        assert found == wanted, plan


@pytest.mark.parametrize("kinds", KINDS, ids="-".join)
def test_a_loop_of_sets_is_one_launch(kinds: tuple[str, ...]) -> None:
    rounds = TEXT.format(*kinds)
    texts = (rounds, rounds.replace("Pipe Initial", "Pipe Once Initial"))
    inside, around = (outcome(text, "block=32", "simt", GRAPHS["streets"]).stats["launches"] for text in texts)
    assert inside == around


def test_a_set_is_emptied_only_when_all_threads_have_asked_it() -> None:
    text = """
graph Graph { node int v = 0; }
long asked = 0;
Kernel fill(Graph g, set<node> l) { ForAll (n In g.nodes) { if (n.id % 3 == 0) { n.v += 1; l.push(n); } } }
Program main(Graph g) {
  set<node> l;
  for (int i = 0; i < 4; i++) {
    Invoke fill(g, l);
    int own = 0;
    if (l.contains(g.node(i))) { own = 1 + i; }
    l.clear();
    asked += own + 100 * l.size + 1000 * l.contains(g.node(0));
  }
}
"""
    for seed in (1, 2, 3):
        assert outcome(text, "block=32 blocks=4", "simt", GRAPHS["streets"], seed=seed).result.scalars == {"asked": 5}


def test_the_order_of_threads_makes_no_difference_to_a_loop_of_sets() -> None:
    left = [outcome(TEXT.format(*KINDS[0]), "block=32", "simt", GRAPHS["arcs"], seed=seed).result.scalars
            for seed in (2, 3, 4)]
    assert left[0] == left[1] == left[2]
