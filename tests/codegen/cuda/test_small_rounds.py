"""Rounds of little work in outlined loops, which the first block runs alone, between rounds of the whole grid."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from support.awkward_graphs import directed, grid
from support.running import outcome
from support.tables import found_and_wanted

from irgl import driver
from irgl.plan import Plan
from irgl.source import IrglError


def chained_stars(stars: int, path: int, leaves: int) -> tuple[int, list[tuple[int, int]]]:
    """Paths, each of which ends at a hub of leaves, which all go on to the next path's first node."""
    arcs: list[tuple[int, int]] = []
    first = 0
    for _ in range(stars):
        hub = first + path - 1
        arcs += pairwise(range(first, hub + 1))
        arcs += [(hub, hub + k) for k in range(1, leaves + 1)]
        first = hub + leaves + 1
        arcs += [(hub + k, first) for k in range(1, leaves + 1)]
    return first + 1, arcs


#: Rounds of one node, of 300 and of 1 again: with blocks of 32 threads at most 128 nodes are few.
STARS = directed(*chained_stars(3, 7, 300))
PATH = directed(60, list(pairwise(range(60))))
SEARCH = """
graph Graph { node int level = INF; }
int rounds = 0;
Kernel step(Graph g, int depth) WL list<node> {
  ForAll (n In WL.items) { ForAll (e In n.edges) { if (cas(e.dst.level, INF, depth)) { WL.push(e.dst); } } }
}
Program main(Graph g, node s = first) {
  s.level = 0; int depth = 1;
  Iterate step(g, depth) Initial [s] { depth++; rounds++; }
}
"""
SETS = """
graph Graph { node int level = INF; node int sum = 0; }
long visits = 0; int rounds = 0;
Kernel step(Graph g, int depth, set<node> now, set<node> later) {
  ForAll (n In now.items) {
    visits += 1;
    ForAll (e In n.edges) { if (relaxed e.dst.level == INF) { racy e.dst.level = depth; later.push(e.dst); } }
  }
}
Kernel look(Graph g, set<node> now) {
  ForAll (n In now.items) { ForAll (e In n.in_edges) { n.sum += e.src.level; } ReduceAndReturn(n.sum > 40); }
}
Program main(Graph g, node s = first) {
  set<node> now; set<node> later; now.push(s); s.level = 0; int depth = 1;
  while (now.size > 0) {
    later.clear();
    Invoke step(g, depth, now, later);
    now.swap(later);
    if (Any(Invoke look(g, now))) { rounds += 100; }
    depth++; rounds++;
  }
}
"""
#: Items come back in rounds of their own, and a second loop stands in the first.
NESTED = """
graph Graph { node int left = 3; node int turns = 0; }
long total = 0; int outer = 0;
Kernel spread(Graph g) WL list<node> {
  ForAll (n In WL.items) {
    n.left -= 1; total += n.id;
    if (n.left > 0) { Respawn n; }
    ForAll (e In n.edges) { if ((e.dst.turns += 1).old == 0) { WL.push(e.dst); } }
  }
}
Kernel keep(Graph g) WL list<node> { ForAll (n In WL.items) { WL.push(n); n.left += 1; } }
Program main(Graph g, node s = first) {
  s.turns = 1;
  Pipe Initial [s] { Invoke spread(g); Pipe Once { Invoke keep(g); } outer++; }
}
"""
#: A list of one node, and a loop over all of them beside it.
BESIDE = """
graph Graph { node int p = 1; node int q = 0; node int seen = 0; }
int rounds = 0;
Kernel fill(Graph g, list<node> some) { ForAll (n In g.nodes) { if (n.id == 3) { some.push(n); } } }
Kernel touch(Graph g, list<node> some) { ForAll (n In some.items) { n.seen += 1; } }
Kernel pull(Graph g) {
  ForAll (n In g.nodes) { int sum = 0; ForAll (e In n.in_edges) { sum += e.src.p; } n.q = sum % 100; }
}
Kernel copy(Graph g) { ForAll (n In g.nodes) { n.p = n.q; } }
Program main(transpose Graph g) {
  list<node> some;
  Invoke fill(g, some);
  while (rounds < 4) { rounds += 1; Invoke touch(g, some); Invoke pull(g); Invoke copy(g); }
}
"""
PLANS = ["block=32", "block=32 np=fg cc=warp", "block=32 np=even", "block=32 direction=hybrid switch=nodes:1/4",
         "block=32 unroll=2", "block=32 blocks=4"]


@pytest.mark.parametrize("text", [SEARCH, SETS, NESTED], ids=["an Iterate", "a while over sets", "a Pipe in a Pipe"])
@pytest.mark.parametrize("plan", PLANS)
def test_small_and_large_rounds_in_turn_leave_what_is_wanted(text: str, plan: str) -> None:
    found, wanted = found_and_wanted(text, plan, "simt", STARS)
    assert found == wanted


@pytest.mark.parametrize("seed", [2, 3, 4, 5])
def test_the_order_of_threads_makes_no_difference_to_rounds_of_one_block(seed: int) -> None:
    assert outcome(SETS, "block=32", "simt", STARS, seed=seed).result.scalars["visits"] == STARS.num_nodes


def test_rounds_of_one_block_need_no_barrier_of_the_grid() -> None:
    plans = "block=32", "block=32 blocks=2"
    alone, together = (outcome(SEARCH, plan, "simt", PATH).stats["grid_barriers"] for plan in plans)
    assert together >= PATH.num_nodes > 10 > alone


@pytest.mark.parametrize("text", [SEARCH, NESTED], ids=["an Iterate", "a Pipe in a Pipe"])
def test_a_list_may_grow_while_one_block_runs(text: str) -> None:
    small, large = (outcome(text, "block=32", "simt", STARS, capacity=capacity) for capacity in (1, 0))
    assert small.result.scalars == large.result.scalars
    assert small.stats["worklist_growths"] > large.stats["worklist_growths"]


def test_a_fault_of_one_block_ends_the_program() -> None:
    text = SEARCH.replace("depth++;", "depth++; rounds = 1 / (4 - depth);")
    with pytest.raises(IrglError, match="division by zero"):
        outcome(text, "block=32", "simt", PATH)
    with pytest.raises(IrglError, match="division by zero"):
        outcome(SEARCH.replace("INF, depth)", "INF, depth / (n.id < 30))"), "block=32", "simt", PATH)


def test_a_few_items_of_very_many_edges_are_no_small_round() -> None:
    star = directed(3001, [(0, k) for k in range(1, 3001)] + [(k, 0) for k in range(1, 200)])
    barriers = outcome(SEARCH, "block=32", "simt", star).stats["grid_barriers"]
    assert barriers == outcome(SEARCH, "block=32 blocks=3", "simt", star).stats["grid_barriers"]


def test_no_round_adds_up_degrees_where_lists_have_room_for_as_many_as_there_can_be() -> None:
    hubs = directed(804, [arc for k in range(4, 804) for arc in [(k % 4, k), (k, (k + 1) % 4)]])
    found, roomy = (outcome(SEARCH, "block=32 blocks=2", "simt", hubs, capacity=capacity) for capacity in (0, 1 << 22))
    assert found.stats["grid_barriers"] == roomy.stats["grid_barriers"]
    assert found.stats["worklist_growths"] == 0


def test_a_search_that_turns_launches_one_block_where_little_is_to_be_done() -> None:
    one, all_blocks = (outcome(SEARCH, plan, "simt", grid(60), mode="lockstep").stats["warp_steps"]
                       for plan in ("block=32 direction=hybrid outline=off", "block=32 outline=off"))
    assert one < 1.2 * all_blocks


@pytest.mark.parametrize("plan", ["format=shards", "format=blocks", "format=coo segments=40n"])
def test_all_blocks_are_there_again_for_a_sweep(plan: str) -> None:
    found, wanted = found_and_wanted(BESIDE, f"block=32 {plan}", "simt", STARS)
    assert found == wanted
    text = driver.compile("t.irgl", text=BESIDE, target="simt", plan=Plan.parse(plan, "simt")).text
    assert re.findall(r"irgl::regroup\(t, \w+, \w+, \d+, (.*)\)\) goto", text) == ["irgl::few(s.some.items())", "false"]
