"""Loops over priority queues that run as one kernel, and arrays in loops that do."""

from __future__ import annotations

import pytest
from support.awkward_graphs import directed, grid, random_arcs
from support.quick import some
from support.running import outcome
from support.tables import found_and_wanted

from irgl.rt.graphs.graph import Graph

HEAD = """
import "array.irgl";
graph Graph { node int level = INF; }
long total = 0;
long rounds = 0;
"""
#: Two kernels run the queue by turns, and one files into it what has run, and into the bucket that is to run.
FILED = HEAD + """
Kernel near(Graph g, int delta) WL priority_queue<node>(level / delta) {
  ForAll (n In WL.items) {
    ForAll (e In n.edges) { WL.update_min(e.dst, n.level + 1 + (int)(n.id % 3)); }
  }
}
Kernel again(Graph g, int delta) WL priority_queue<node>(level / delta) {
  ForAll (n In g.nodes) { if (n.level != INF && n.level % 5 == 4) { WL.update_min(n, n.level - 2); } }
}
Program main(Graph g, int delta = 2, node s = first) {
  s.level = 0;
  Pipe Initial [s] {
    Invoke near(g, delta);
    rounds++;
    total = 3 * total + rounds;
    Invoke again(g, delta);
  }
}
"""
#: What a kernel files behind a bucket that is drained, while others may still look whether it is.
FILED_BEHIND = HEAD.replace("= INF; }", "= INF; node int runs = 0; }") + """
Kernel take(Graph g, list<node> later) WL priority_queue<node>(level) {
  ForAll (n In WL.items) { if ((n.runs += 1).old < 3) { later.push(n); } }
}
Kernel file(Graph g, list<node> later) WL priority_queue<node>(level) {
  ForAll (n In later.items) { WL.push(n); }
}
Program main(Graph g) {
  list<node> later;
  Invoke begin(g);
  Pipe Initial (g.nodes) {
    Invoke take(g, later);
    Invoke file(g, later);
    later.clear();
    rounds++;
  }
}
Kernel begin(Graph g) { ForAll (n In g.nodes) { n.level = (int)(n.id % 7); } }
"""
#: An array that the loop's kernel appends to, that its statements read and store, and that it indexes.
ARRAY = HEAD + """
Kernel step(Graph g, array<int> had, int depth) WL list<node> {
  ForAll (n In WL.items) {
    had[n.id] += depth;
    ForAll (e In n.edges) { if (e.dst.level min= n.level + 1) { WL.push(e.dst); } }
    if (depth < 3) { had.append(depth); }
  }
}
Program main(Graph g, node s = first) {
  array<int> had;
  had.resize(g.num_nodes);
  s.level = 0;
  int depth = 1;
  Pipe Initial [s] {
    Invoke step(g, had, depth);
    total += had[s.id] * depth;
    had[s.id] = depth;
    depth++;
    rounds++;
  }
  for (long i = 0; i < had.size; i++) { total += had[i] * (i < g.num_nodes ? i + 1 : 1000); }
}
"""
#: A path whose nodes are buckets of their own, and leaves of its first node that wait behind all of them, or don't.
FAR = HEAD + """
Kernel along(Graph g, int far, bool files) WL priority_queue<node>(level) {
  ForAll (n In WL.items) {
    ForAll (e In n.edges) {
      if (e.dst.id < far) { WL.update_min(e.dst, n.level + 1); } else if (files) { WL.update_min(e.dst, 1000000); }
    }
  }
}
Program main(Graph g, int far, bool files, node s = first) {
  s.level = 0;
  Iterate along(g, far, files) Initial [s] { rounds++; }
}
"""
#: One node files all others, nobody knows how many, into buckets that hold more or fewer; {0}: into which.
SPILLED = """
graph Graph {{ node int seen = 0; }}
long runs = 0;
long key = 0;
Kernel step(Graph g, list<node> other) WL buckets<node> {{
  ForAll (n In WL.items) {{
    runs += 1;
    key += n.id * WL.priority;
    other.push(n);
    if (n.id == 0) {{
      int i = 1;
      while (i < g.num_nodes) {{ WL.push(g.node(i), {0}); i++; }}
    }}
  }}
}}
Program main(Graph g, node s = first) {{
  list<node> other;
  Iterate step(g, other) Initial [s] {{ }}
}}
"""
#: Shortest paths, whose nodes may run in any order.
NEAREST = """
graph Graph { node int dist = INF; edge uint32 length; }
long total = 0;
long reached = 0;
Kernel relax(Graph g) WL priority_queue<node>(dist) {
  ForAll (n In WL.items) {
    int here = n.dist;
    ForAll (e In n.edges) {
      int there = here + (int)e.length;
      if (there >= here && there < e.dst.dist) { WL.update_min(e.dst, there); }
    }
  }
}
Kernel sum(Graph g) { ForAll (n In g.nodes) { if (n.dist != INF) { total += n.dist; reached += 1; } } }
Program main(weighted Graph g, node s = first) {
  s.dist = 0;
  Iterate relax(g) Initial [s] { }
  Invoke sum(g);
}
"""
#: Items of another type {0} wait in buckets near and far; {1}: the k-th, {2}: its number, {3}: the first.
OTHERS = """
struct Pair {{ long a; int b; }};
graph Graph {{ node int unused = 0; }}
long sum = 0;
Kernel step(Graph g) WL buckets<{0}> {{
  ForAll (i In WL.items) {{
    sum += (long)({2}) * (WL.priority + 1);
    if ({2} == 0) {{
      int k = 1;
      while (k < 20) {{ WL.push({1}, k * 1000); k++; }}
    }}
  }}
}}
Program main(Graph g) {{ Iterate step(g) Initial [{3}] {{ }} }}
"""
GRAPHS = {"streets": grid(7), "arcs": random_arcs(3, 90, 240), "apart": random_arcs(4, 50, 20)}
PLANS = ("outline=off block=64", "outline=all block=32 np=fg", "outline=all block=64 cc=warp blocks=2")


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("text", [FILED, ARRAY], ids=["queue", "array"])
def test_a_loop_finds_the_same_on_the_device_as_on_the_host(text: str, graph: Graph) -> None:
    for plan in some(PLANS, text):
        found, wanted = found_and_wanted(text, plan, "simt", graph)
        assert found == wanted, plan


@pytest.mark.parametrize("text", [FILED, ARRAY], ids=["queue", "array"])
def test_such_a_loop_is_one_launch(text: str) -> None:
    inside, around = (outcome(each, "block=32", "simt", GRAPHS["streets"]).stats["launches"]
                      for each in (text, text.replace("Pipe Initial", "Pipe Once Initial")))
    assert inside == around


def test_an_advance_looks_at_its_own_bucket_and_not_at_all_that_waits() -> None:
    many = 2000

    def transactions(length: int, files: bool, buckets: int) -> int:
        arcs = [*((i, i + 1) for i in range(length - 1)), *((0, length + i) for i in range(many))]
        text = FAR.replace("int far, bool files, node", f"int far = {length}, bool files = {str(files).lower()}, node")
        found = outcome(text, f"block=32 buckets={buckets}", "simt", directed(length + many, arcs), "lockstep")
        assert found.result.scalars["rounds"] == length + files
        return int(found.stats["transactions"])

    def of_50_more(files: bool, buckets: int) -> int:
        return transactions(58, files, buckets) - transactions(8, files, buckets)  # in one window of 63 buckets

    all_that_waits = many * 16 // 32  # a priority and a node each, in sectors of 32 bytes
    assert of_50_more(True, 64) - of_50_more(False, 64) < 3 * all_that_waits
    assert of_50_more(True, 2) - of_50_more(False, 2) > 50 * all_that_waits


@pytest.mark.parametrize("into", ["i % 7 < 2 ? 1 : 2 + (i % 7) / 4", "i % 7 < 6 ? 0 : 2", "i % 7 < 6 ? 300 : 100"])
@pytest.mark.parametrize("plan", ["outline=off block=64", "outline=all block=64", "outline=all block=64 buckets=2"])
@pytest.mark.parametrize("capacity", [0, 4])
def test_lists_whose_items_lie_in_the_spill_come_home_whole(into: str, plan: str, capacity: int) -> None:
    graph = grid(40)
    found = outcome(SPILLED.format(into), plan, "simt", graph, capacity=capacity)
    wanted = outcome(SPILLED.format(into), "none", "cpu", graph)
    assert found.result.scalars == wanted.result.scalars


def test_buckets_that_run_together_have_room_in_the_front() -> None:
    spokes = [(0, 1, 100), *((0, 2 + i, 101 + i % 4) for i in range(248))]
    tips = [(1, 250 + i, 1) for i in range(45)] + [(250 + i, 300 + i, 1) for i in range(45)]
    arcs = spokes + tips + [(2 + i, 350 + i, 1) for i in range(200)]
    graph = directed(550, [arc[:2] for arc in arcs], [arc[2] for arc in arcs])
    found = outcome(NEAREST, "block=32 blocks=10 buckets=16", "simt", graph, capacity=4)
    assert found.result.scalars == outcome(NEAREST, "none", "cpu", graph).result.scalars


@pytest.mark.parametrize(("item", "kth", "number", "first"), [
    ("Pair", "(Pair){k, 1}", "i.a", "(Pair){0, 1}"),
    ("float", "(float)(k * 0.25)", "i * 4.0", "(float)0.0"),
])
def test_what_waits_far_away_keeps_its_value(item: str, kth: str, number: str, first: str) -> None:
    found, _ = found_and_wanted(OTHERS.format(item, kth, number, first), "block=32", "simt", directed(1, []))
    assert found.scalars == {"sum": sum(k * (k * 1000 + 1) for k in range(20))}


@pytest.mark.parametrize("plan", ["block=64 buckets=2", "block=64 cc=block blocks=3 buckets=2"])
def test_nobody_files_while_others_look_whether_a_bucket_is_drained(plan: str) -> None:
    found = outcome(FILED_BEHIND, plan, "simt", grid(12))
    assert found.result.scalars == outcome(FILED_BEHIND, "none", "cpu", grid(12)).result.scalars
