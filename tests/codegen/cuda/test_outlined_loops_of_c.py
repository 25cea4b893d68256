"""A Program's `while`, `do` and `for` that run as one kernel: what they leave, how often they are launched."""

from __future__ import annotations

import pytest
from support.awkward_graphs import directed, grid, random_arcs
from support.running import outcome
from support.tables import found_and_wanted

from irgl.rt.graphs.graph import Graph
from irgl.source import IrglError

#: A search by two sets in a while, a do in a for with steps, and loops that begin, end and go on in every way.
TEXT = """
graph Graph { node int level = INF; node int sum = 0; }
long visits = 0;
int rounds = 0;
bool more = true;
Kernel step(Graph g, int depth, set<node> now, set<node> later) {
  ForAll (n In now.items) {
    visits += 1;
    ForAll (e In n.edges) {
      if (relaxed e.dst.level == INF) { racy e.dst.level = depth; later.push(e.dst); }
    }
  }
}
Kernel add(Graph g, int by) { ForAll (n In g.nodes) { n.sum += by; more &= n.sum <= 60; } }
Program main(Graph g, node s = first) {
  set<node> now;
  set<node> later;
  now.push(s);
  s.level = 0;
  int depth = 1;
  while (now.size > 0) {
    later.clear();
    Invoke step(g, depth, now, later);
    now.swap(later);
    depth++;
  }
  for (int i = 0, j = 9; i < j; i++, j--) {
    if (i == 2) { continue; }
    int k = 0;
    do { Invoke add(g, i + j); k += 1; if (k > 5) { break; } } while (more && k < 4);
    rounds += k;
    if (!more) { break; }
  }
  rounds += 1000 * depth;
}
"""
GRAPHS = {"streets": grid(9), "arcs": random_arcs(3, 90, 240), "apart": random_arcs(4, 50, 20), "one": directed(1, [])}
PLANS = ["", "outline=off", "block=32 np=fg blocks=1", "block=32 np=tb+wp cc=warp blocks=3", "outline=graph block=64",
         "main.while1.outline=off main.for1.blocks=2 block=64"]


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_loops_of_c_leave_the_same_under_every_plan(graph: Graph) -> None:
    for plan in PLANS:
        found, wanted = found_and_wanted(TEXT, plan, "simt", graph)
        assert found == wanted, plan


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_the_order_of_threads_makes_no_difference_to_a_while(seed: int) -> None:
    plans = ("block=32 blocks=4", "outline=off")
    one, other = (outcome(TEXT, plan, "simt", GRAPHS["arcs"], seed=seed).result.scalars for plan in plans)
    assert one == other


def test_each_loop_of_c_is_one_launch_however_often_it_turns() -> None:
    short, long = (outcome(TEXT, "", "simt", graph).stats["launches"] for graph in (GRAPHS["one"], GRAPHS["streets"]))
    assert short == long


def test_nothing_is_copied_while_a_loop_of_c_turns() -> None:
    few, many = (outcome(TEXT, "", "simt", grid(width)).stats["transfers"] for width in (3, 12))
    assert few == many


@pytest.mark.parametrize(("plan", "reason"), [
    ("main.while1.unroll=2", "only the round of a Pipe or Iterate is repeated, which ends where its list is empty"),
    ("main.while1.outline=graph",
     "between kernels of a graph one thread runs, which would empty the set word by word"),
    ("outline=off main.for1.blocks=2", "it stays on the host, whose launches are as large as their work"),
    ("outline=graph main.for1.blocks=2", "the kernels of a CUDA graph have as many blocks as run at once"),
])
def test_what_a_loop_of_c_refuses(plan: str, reason: str) -> None:
    with pytest.raises(IrglError) as raised:
        outcome(TEXT, plan, "simt", GRAPHS["one"])
    assert raised.value.message == f"`{plan.split()[-1]}` can't be honoured: {reason}"


def test_a_kernel_of_a_loop_has_as_many_blocks_as_its_work_fills() -> None:
    few, all_of_them = (outcome(TEXT, plan, "simt", GRAPHS["streets"], mode="lockstep").stats["warp_steps"]
                        for plan in ("block=32", "block=32 blocks=1000"))
    assert 2 * few < all_of_them
