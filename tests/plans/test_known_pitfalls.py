"""Combinations of schedules that are easily built wrong: each gives here what the interpreter gives."""

from __future__ import annotations

import pytest
from support.awkward_graphs import directed, random_arcs
from support.running import outcome
from support.tables import found_and_wanted

from irgl import driver
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.passes.turn_direction import turned
from irgl.plan import Plan

#: Each node of the frontier adds to its neighbours, however often they had something added.
COUNT = """graph Graph { node long got = 0; node int level = INF; }
long rounds = 0;
Kernel spread(Graph g, int depth) WL unique list<node> {
  ForAll (n In WL.items) {
    ForAll (e In n.edges) { e.dst.got += n.id + 1; if (cas(e.dst.level, INF, depth)) { WL.push(e.dst); } }
  }
}
Program main(Graph g, node s = first) {
  s.level = 0; int depth = 1;
  Iterate spread(g, depth) Initial [s] { depth++; rounds++; }
}
"""
SEARCH = COUNT.replace("e.dst.got += n.id + 1; ", "")
#: Pushes whatever it meets: with k arcs into a node that node is in the list k times.
AGAIN = """graph Graph { node int left = 6; }
long items = 0;
Kernel push_all(Graph g) WL list<node> {
  ForAll (n In WL.items) { items += 1; n.left -= 1; if (n.left > 0) { ForAll (e In n.edges) { WL.push(e.dst); } } }
}
Program main(Graph g, node s = first) { Iterate push_all(g) Initial (g.nodes) { } }
"""
GRAPH = random_arcs(7, 200, 700)
STAR = directed(41, [(0, k) for k in range(1, 41)] + [(k, 0) for k in range(1, 41)])
#: Rounds of one node, of 60, of one, of 60, of one.
WAVES = directed(123, [(0, k) for k in range(1, 61)] + [(k, 61) for k in range(1, 61)]
                 + [(61, k) for k in range(62, 122)] + [(k, 122) for k in range(62, 122)])


@pytest.mark.parametrize("kind", ["bitmap", "bytemap"])
@pytest.mark.parametrize("outline", ["off", "all"])
def test_an_edge_a_thread_does_nothing_for_a_node_outside_the_frontier(kind: str, outline: str) -> None:
    found, wanted = found_and_wanted(COUNT, f"format=coo frontier={kind} outline={outline} block=32", "simt", GRAPH)
    assert found == wanted


def test_an_outlined_grid_of_fewer_threads_than_edges_takes_all_edges() -> None:
    found, wanted = found_and_wanted(COUNT, "format=coo frontier=bitmap block=32 blocks=1", "simt", GRAPH)
    assert found == wanted


@pytest.mark.parametrize("outline", ["off", "all"])
def test_blocks_with_equal_shares_take_every_edge_of_a_frontier_once(outline: str) -> None:
    found, wanted = found_and_wanted(COUNT, f"np=even frontier=bitmap outline={outline} block=32", "simt", GRAPH)
    assert found == wanted


@pytest.mark.parametrize("capacity", [1, 0])
@pytest.mark.parametrize("np", ["serial", "tb+wp+fg", "cut", "bins", "wf", "weaver"])
def test_more_pushes_onto_a_star_than_it_has_nodes_are_all_kept(np: str, capacity: int) -> None:
    wanted = found_and_wanted(AGAIN, "default", "cpu", STAR)[1].scalars["items"]
    assert wanted > 6 * STAR.num_nodes
    assert outcome(AGAIN, f"np={np} block=32", "simt", STAR, capacity=capacity).result.scalars["items"] == wanted


@pytest.mark.parametrize("text", [SEARCH, SEARCH.replace("unique ", "")], ids=["without repeats", "of a list"])
@pytest.mark.parametrize("outline", ["off", "all"])
def test_a_hybrid_turns_round_and_back_more_than_once(text: str, outline: str) -> None:
    plan = Plan.parse(f"spread.loop1.direction=hybrid switch=nodes:1/4 outline={outline} block=32", "simt")
    found, wanted = found_and_wanted(text, str(plan), "simt", WAVES)
    assert found == wanted


def test_edges_of_a_frontier_are_counted_in_64_bits() -> None:
    checked = driver.ready("p.irgl", SEARCH).checked
    hybrid = turned(checked, Plan.parse("direction=hybrid switch=edges:1/20", "simt")).program
    counts = [n.type for n in walk(hybrid) if isinstance(n, A.VarDecl) and n.name.startswith(("work", "enough"))]
    assert counts == [T.LONG, T.LONG]
