"""Priorities of buckets are ordered as the numbers they are; one below the running bucket's counts as that."""

from __future__ import annotations

import networkx as nx
import pytest
from support.agreement import disagreements, interpreted
from support.random_graphs import from_arcs
from support.random_programs import RandomProgram
from support.simt_batch import all_compared

PROGRAM = """graph Graph { node int p = 0; }
long order = 0; long sum = 0; long low = 0;
Kernel fill(Graph g) WL buckets<node> {
  ForAll (n In g.nodes) { WL.push(n, (n.id - 3) * 2); if (n.id == 1) { WL.push(n, -5000); WL.push(n, 7000); } }
}
Kernel rising(Graph g) WL buckets<node> {
  order = order * 5 + WL.priority;
  ForAll (n In WL.items) { sum += n.id * WL.priority; if ((n.p += 1).old < 2) { WL.push(n, WL.priority + 1); } }
}
Kernel falling(Graph g) WL buckets<node> {
  ForAll (n In WL.items) { low += (n.id + 1) * WL.priority; if ((n.p += 1).old < 3) { WL.push(n, WL.priority - 9); } }
}
Kernel reset(Graph g) { ForAll (n In g.nodes) { n.p = 0; } }
Program main(Graph g) {
  Pipe Once { Invoke fill(g); Pipe { Invoke rising(g); } }
  Invoke reset(g);
  Pipe Once { Invoke fill(g); Pipe { Invoke falling(g); } }
}
"""
ONE = RandomProgram(PROGRAM, from_arcs(7, [(0, 1, 1)]), {})
PLANS = ["none block=32", "cc=block outline=all block=64", "cc=warp outline=graph block=32"]


def test_the_least_priority_comes_first_on_every_target() -> None:
    found = interpreted(ONE)
    assert found is not None and found.scalars["low"] == sum(
        4 * (n + 1) * 2 * (n - 3) for n in range(7) if n != 1) + 2 * (4 * -5000 - 4 + 7000)
    assert disagreements([ONE]) == []
    assert all_compared([ONE], PLANS) == {}

COUNTED = """graph Graph {{ node int dist = INF; edge int length; }}
int turns = 0; long runs = 0; long sizes = 0; long before = 0; long behind = 0; int most = 0;
Kernel relax(Graph g, int width) WL buckets<node> {{
  {before}
  ForAll (n In WL.items) {{
    int here = n.dist;
    if (here < WL.priority * width) {{ continue; }}
    ForAll (e In n.edges) {{
      int there = here + e.length;
      if (there < e.dst.dist && (e.dst.dist min= there)) {{ WL.push(e.dst, there / width); }}
    }}
  }}
  {behind}
}}
Program main(weighted Graph g, node s = first, int width = 60) {{
  s.dist = 0;
  Iterate relax(g, width) Initial [s] {{ turns++; }}
  Invoke survey(g);
}}
Kernel survey(Graph g) {{ ForAll (n In g.nodes) {{ most max= n.dist == INF ? 0 : n.dist; }} }}
"""
BESIDE = {"alone": ("", ""), "once": ("int was = (int)WL.priority; before += 1; sizes += WL.size > 0;",
                                     "behind += was == WL.priority;")}
#: A path of short arcs, so that buckets fill themselves, beside long ones: what these push in vain, in some orders, is
#: nowhere a bucket of its own.
PATH = [(v, v + 1, 7 + v % 5) for v in range(40)] + [(v, v + 9, 100 + v) for v in range(20)]


@pytest.mark.parametrize("beside", BESIDE)
def test_a_round_is_a_bucket_that_is_drained_under_every_plan(beside: str) -> None:
    before, behind = BESIDE[beside]
    one = RandomProgram(COUNTED.format(before=before, behind=behind), from_arcs(41, PATH), {"width": 60})
    found = interpreted(one)
    assert found is not None and found.scalars["turns"] == len({p // 60 for p in distances(PATH)})
    if beside == "once":
        assert found.scalars["before"] == found.scalars["behind"] == found.scalars["sizes"] == found.scalars["turns"]
    assert disagreements([one]) == []  # with fuse=1, and without
    assert all_compared([one], PLANS) == {}


def distances(arcs: list[tuple[int, int, int]]) -> list[int]:
    """Of the nodes that the first one reaches, from it."""
    graph = nx.DiGraph()
    graph.add_weighted_edges_from(arcs)
    return list(nx.single_source_dijkstra_path_length(graph, 0).values())


FILED = """graph Graph {{ node int p = 0; }}
int turns = 0; long order = 0;
Kernel fill(Graph g) WL buckets<node> {{ ForAll (n In g.nodes) {{ WL.push(n, n.id); }} }}
Kernel run(Graph g) WL buckets<node> {{
  ForAll (n In WL.items) {{ {run} }}
}}
Kernel file(Graph g) WL buckets<node> {{
  ForAll (n In g.nodes) {{ if ((n.p += 1).old < 2) {{ WL.push(n, 1); }} }}
}}
Program main(Graph g) {{
  Pipe Once {{ Invoke fill(g); Pipe {{ {order} turns++; }} }}
}}
"""


@pytest.mark.parametrize("order", ["Invoke run(g); Invoke file(g);", "Invoke file(g); Invoke run(g);"])
@pytest.mark.parametrize("run", ["order += n.id * WL.priority;",
                                 "order += n.id; if (n.id == 5 && (n.p += 1).old < 9) { WL.push(n, 2); }"])
def test_what_another_kernel_files_opens_its_bucket_again_or_joins_the_one_that_is_to_run(order: str, run: str) -> None:
    one = RandomProgram(FILED.format(order=order, run=run), from_arcs(7, [(0, 1, 1)]), {})
    assert interpreted(one) is not None
    assert disagreements([one]) == []
    assert all_compared([one], PLANS) == {}

ASIDE = """graph Graph { node int p = 0; }
int turns = 0; long order = 0;
Kernel fill(Graph g, int by) WL buckets<node> { ForAll (n In g.nodes) { WL.push(n, n.id / 2 + by); } }
Kernel run(Graph g, node s, int ahead, int behind) WL buckets<node> {
  int was = (int)WL.priority;
  if (ahead > 0 && (s.p += 1).old < 3) { WL.push(s, was + ahead - 2); }
  ForAll (n In WL.items) { order += n.id * (WL.priority + 1); if ((n.p += 1).old < 2) { WL.push(n, WL.priority); } }
  if (behind > 0 && (s.p += 1).old < 9) { WL.push(s, was + behind - 2); order += was; }
}
Program main(Graph g, node s = first, int ahead = 0, int behind = 0) {
  Pipe Once {
    Invoke fill(g, 0);
    Iterate run(g, s, ahead, behind) { turns++; }
    Invoke fill(g, 3);
    Iterate run(g, s, ahead, behind) { turns += 100; }
  }
}
"""


@pytest.mark.parametrize(("ahead", "behind"), [(0, 0), (0, 1), (0, 2), (0, 9), (1, 0), (2, 0), (9, 0), (3, 2)])
def test_what_stands_beside_the_loop_files_for_the_bucket_that_runs_or_the_next(ahead: int, behind: int) -> None:
    one = RandomProgram(ASIDE, from_arcs(7, [(0, 1, 1)]), {"ahead": ahead, "behind": behind})
    assert interpreted(one) is not None
    assert disagreements([one]) == []
    assert all_compared([one], PLANS) == {}
