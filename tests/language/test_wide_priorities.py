"""Priority queues by properties of 64 bits: paths longer than an int holds, and the ends of the type."""

from __future__ import annotations

import networkx as nx
import pytest
from support.everywhere import found_everywhere

from irgl import driver
from irgl.analysis.check import check
from irgl.analysis.names.paths import outer_loops
from irgl.ast import nodes as A
from irgl.passes.queues import as_planned as queues
from irgl.space import legal_space

INF = 2**63 - 1
PLANS = ["cc=block outline=all block=64", "np=fg cc=warp buckets=2 outline=off block=32"]
ARCS = [(v, v + 1, 7 + v % 5) for v in range(40)] + [(v, v + 9, 100 + v) for v in range(20)]


def agree(text: str, nodes: int = 41, arcs: list[tuple[int, int, int]] = ARCS, **params: int) -> dict[str, list[int]]:
    """What the interpreter finds, once every target has found the same."""
    found = found_everywhere(text, nodes, arcs, params, ["fuse=1 buckets=2"], PLANS)
    return {**{n: [v] for n, v in found.scalars.items()}, **{n: v.tolist() for n, v in found.properties.items()}}


LONG = """graph Graph {{ node long dist = INF; edge int length; }}
int turns = 0; long last = 0;
Kernel relax(Graph g, long delta) WL priority_queue<node>(dist / delta) {{
  ForAll (n In WL.items) {{
    ForAll (e In n.edges) {{
      long there = n.dist + (long)e.length * 100000000;
      if (there >= n.dist && there < e.dst.dist) {{ WL.update_min(e.dst, there); }}
    }}
  }}
}}
Program main(weighted Graph g, node s = first, long delta = 5000000000) {{
  s.dist = 0;
  Iterate relax(g, delta) Initial [s] {{ {} }}
}}
"""


@pytest.mark.parametrize("body", ["", "turns++;"], ids=["unseen", "seen"])
@pytest.mark.parametrize("delta", [1, 5_000_000_000, INF])
def test_paths_that_no_int_holds_are_found(body: str, delta: int) -> None:
    graph = nx.DiGraph()
    graph.add_weighted_edges_from((a, b, 100_000_000 * w) for a, b, w in ARCS)
    far = nx.single_source_dijkstra_path_length(graph, 0)
    found = agree(LONG.format(body), delta=delta)
    assert found["dist"] == [far[v] for v in range(41)] and max(found["dist"]) > 2**31
    assert found["turns"] == [len({d // delta for d in far.values()}) if body else 0]


ENDS = """graph Graph {{ node long p = 0; node int runs = 0; }}
int turns = 0;
Kernel begin(Graph g) {{
  ForAll (n In g.nodes) {{
    n.p = n.id == 0 ? INF : n.id == 1 ? -INF : n.id == 2 ? -INF - 1 : n.id == 3 ? INF - 1 : n.id == 4 ? -INF + 1 : n.id;
  }}
}}
Kernel run(Graph g) WL priority_queue<node>({by}p) {{
  ForAll (n In WL.items) {{
    n.runs += 1;
    {again}
    if (n.runs < 2) {{ {move} }}
  }}
}}
Program main(Graph g) {{ Invoke begin(g); Iterate run(g) Initial (g.nodes) {{ turns++; }} }}
"""


@pytest.mark.parametrize("move", ["WL.update_min(n, n.p - 1);", "WL.update_max(n, n.p + 1);",
                                  "WL.update_sum(n, -3, -INF);", "WL.update_sum(n, 5, INF);"])
@pytest.mark.parametrize("by", ["", "higher_first "])
def test_nobody_waits_at_the_ends_of_the_type(by: str, move: str) -> None:
    found = agree(ENDS.format(by=by, move=move, again=""), 8, [(0, 1, 1)])
    assert found["runs"][:3] == [0, 0, 0]
    moved_out = 3 if "max" in move or "5" in move else 4  # on its way to INF, or to -INF
    assert found["runs"][3:] == [1 if v == moved_out else 2 for v in range(3, 8)]


def test_a_node_at_an_end_is_not_even_pushed() -> None:
    found = agree(ENDS.format(by="", move="WL.push(n);", again=""), 8, [(0, 1, 1)])
    assert found["runs"] == [0, 0, 0, 2, 2, 2, 2, 2]


def test_such_a_queue_is_filed_at_once() -> None:
    """What is noted of a node has no room for such numbers, and in another order one might reach an end."""
    program = driver.ready("p.irgl", LONG.format("")).checked.program
    for target in ("cpu", "simt"):
        choice = next(c for c in legal_space(program, target) if c.option == "priority")
        assert choice.values == ("eager",)
        assert choice.reason == "'dist' has 64 bits, and what is noted of a node is a bucket's number of 40"
        relaxed = queues.why_not(check(program), *loop_of(program), queues.RELAXED)
        assert relaxed == "'dist' has 64 bits, whose ends it might reach in another order, where nobody waits"


def loop_of(program: A.Program) -> tuple[A.Kernel, A.ForAll]:
    kernel = next(d for d in program.decls if isinstance(d, A.Kernel))
    return kernel, next(loop for _, loop in outer_loops(kernel))


FINISHED = """graph Graph { node long p = 7; }
bool f = false; bool h = false; int turns = 0;
Kernel run(Graph g) WL priority_queue<node>(p) { ForAll (n In WL.items) { } }
Kernel out(Graph g) WL priority_queue<node>(p) { ForAll (n In g.nodes) { WL.update_max(n, INF); } }
Program main(Graph g, node s = first) {
  priority_queue<node>(p) q;
  node t = g.node(1);
  q.push(t);
  Invoke run(g) WL q;
  q.push(s);
  Invoke out(g) WL q;
  f = q.finished(s);
  h = q.finished(t);
  while (!q.empty) { Invoke run(g) WL q; turns++; }
}
"""


def test_nobody_is_finished_at_an_end() -> None:
    found = agree(FINISHED, 5, [(0, 1, 1)])
    assert (found["f"], found["h"], found["turns"]) == ([False], [False], [0])
