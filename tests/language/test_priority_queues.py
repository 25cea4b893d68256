"""Priority queues: a node waits in the bucket of its property as that is now, and each drained bucket is one round."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import networkx as nx
import pytest
from support.everywhere import found_everywhere

import irgl
from irgl import builder, driver
from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.ast.dump_python import dump_python
from irgl.ast.visit import equal
from irgl.frontends.load import source_of
from irgl.frontends.text.load import load_text
from irgl.source import IrglError

PLANS = ["none block=32", "cc=block outline=all block=64", "np=fg cc=warp outline=all block=32"]
#: Short arcs, of which buckets fill themselves, beside long ones, of which nothing comes in some orders.
PATH = [(v, v + 1, 7 + v % 5) for v in range(40)] + [(v, v + 9, 100 + v) for v in range(20)]
CLIQUES = [(7 * k + a, 7 * k + b, 1) for k in range(4) for a in range(3 + k) for b in range(3 + k) if a != b]
JOINED = CLIQUES + [(a, b, 1) for k in range(3) for a, b in ((7 * k, 7 * k + 7), (7 * k + 7, 7 * k))]


def agree(text: str, arcs: list[tuple[int, int, int]], nodes: int, **params: int) -> dict[str, int]:
    """What the interpreter finds, once every target has found the same."""
    found = found_everywhere(text, nodes, arcs, params, [None], PLANS)
    return {**found.scalars, **{name: values.tolist() for name, values in found.properties.items()}}


SHORTEST = """graph Graph {{ node int dist = INF; edge int length; }}
int turns = 0; int most = 0; long last = 0;
Kernel relax(Graph g, int delta) WL priority_queue<node>({by}) {{
  ForAll (n In WL.items) {{
    last max= WL.priority;
    ForAll (e In n.edges) {{ {update} }}
  }}
}}
Kernel survey(Graph g) {{ ForAll (n In g.nodes) {{ most max= n.dist == INF ? 0 : n.dist; }} }}
Program main(weighted Graph g, node s = first, node goal = first, int delta = 60) {{
  s.dist = 0;
  Iterate {until} relax(g, delta) Initial [s] {{ turns++; }}
  Invoke survey(g);
}}
"""
PLAIN = "WL.update_min(e.dst, n.dist + e.length);"


@pytest.mark.parametrize("update", [
    PLAIN,
    "if (WL.update_min(e.dst, n.dist + e.length)) { most max= 0; } else { most max= -1; }",
    "if (e.length > 0 && WL.update_min(e.dst, n.dist + e.length).changed) { most max= 0; }",
    "bool moved = WL.update_min(e.dst, n.dist + e.length); most max= moved ? 0 : -1;",
    "node other = e.dst; int there = n.dist + e.length; if (there < other.dist) { WL.update_min(other, there); }",
    "int was = WL.update_min(e.dst, n.dist + e.length).old; most max= was == INF ? 0 : -1;",
    "bool was = WL.update_min(e.dst, n.dist + e.length).old; most max= was ? 0 : -1;",
], ids=["statement", "if and else", "behind &&", "variable", "variables before", "old value", "old value as a bool"])
def test_a_round_is_a_bucket_in_which_somebody_runs(update: str) -> None:
    found = agree(SHORTEST.format(by="dist / delta", update=update, until=""), PATH, 41)
    far = distances()
    assert found["dist"] == [far[v] for v in range(41)]
    assert found["turns"] == len({d // 60 for d in far.values()})
    assert found["last"] == max(far.values()) // 60 * 60


@pytest.mark.parametrize("delta", [1, 7, 1 << 30])
def test_a_wider_bucket_changes_the_rounds_alone(delta: int) -> None:
    found = agree(SHORTEST.format(by="lower_first dist / delta", update=PLAIN, until=""), PATH, 41, delta=delta)
    assert found["most"] == max(distances().values())
    assert found["turns"] == len({d // delta for d in distances().values()})


def test_a_queue_need_not_be_coarsened() -> None:
    found = agree(SHORTEST.format(by="dist", update=PLAIN, until=""), PATH, 41)
    assert found["turns"] == len(set(distances().values()))


@pytest.mark.parametrize("goal", [0, 1, 17, 40])
def test_a_goal_is_finished_when_its_bucket_has_drained(goal: int) -> None:
    until = "Until (WL.finished(goal))"
    found = agree(SHORTEST.format(by="dist / delta", update=PLAIN, until=until), PATH, 41, goal=goal)
    far = distances()
    assert found["dist"][goal] == far[goal]
    assert found["turns"] == len({d // 60 for d in far.values() if d // 60 <= far[goal] // 60})


def test_what_lies_before_the_running_bucket_runs_in_it() -> None:
    arcs = [(0, 1, 100), (1, 2, -90), (2, 3, 5), (0, 4, 300), (4, 3, -1)]
    found = agree(SHORTEST.format(by="dist / delta", update=PLAIN, until=""), arcs, 5, delta=20)
    assert found["dist"] == [0, 100, 10, 15, 300] and found["turns"] == 3


#: Node 2 waits far off, runs sooner, and lies where it was still, when node 4 comes before the bucket that runs then.
LEFT = """graph Graph {{ node int p = INF; edge int length; }}
int turns = 0;
Kernel move(Graph g, int turn) WL priority_queue<node>(p) {{
  ForAll (n In WL.items) {{ ForAll (e In n.edges) {{ if (turn != 2) {{ WL.update_min(e.dst, n.p + e.length); }} }} }}
}}
Program main(weighted Graph g, node s = first) {{
  s.p = 0;
  {loop}
}}
"""


@pytest.mark.parametrize("loop", [
    "Iterate move(g, turns) Initial [s] { turns++; }",
    "priority_queue<node>(p) queue; queue.push(s); while (!queue.empty) { Invoke move(g, turns) WL queue; turns++; }",
], ids=["a loop's", "a variable"])
def test_what_lies_in_a_bucket_that_it_has_left_does_not_run_when_others_come_early(loop: str) -> None:
    arcs = [(0, 1, 9), (0, 2, 9), (0, 3, 1), (3, 2, 4), (1, 4, -7), (2, 5, 3)]
    found = agree(LEFT.format(loop=loop), arcs, 6)
    assert (found["turns"], found["p"]) == (4, [0, 9, 5, 1, 2, 2147483647])


def distances() -> dict[int, int]:
    graph = nx.DiGraph()
    graph.add_weighted_edges_from(PATH)
    return dict(nx.single_source_dijkstra_path_length(graph, 0))


CORES = """graph Graph { node int left = 0; node int runs = 0; }
int turns = 0; int largest = 0;
Kernel count(Graph g) { ForAll (n In g.nodes) { n.left = (int)n.degree; } }
Kernel peel(Graph g) WL priority_queue<node>(left) {
  ForAll (n In WL.items) {
    n.runs += 1;
    ForAll (e In n.edges) { WL.update_sum(e.dst, -1, WL.priority); }
  }
}
Kernel survey(Graph g) { ForAll (n In g.nodes) { largest max= n.left; } }
Program main(Graph g) {
  Invoke count(g);
  Iterate peel(g) Initial (g.nodes) { turns++; }
  Invoke survey(g);
}
"""


def test_sums_stop_at_their_limit_so_that_cores_peel_and_each_node_runs_once() -> None:
    found = agree(CORES, JOINED, 28)
    graph = nx.Graph()
    graph.add_nodes_from(range(28))
    graph.add_edges_from((a, b) for a, b, _ in JOINED)
    cores = nx.core_number(graph)
    assert found["left"] == [cores[v] for v in range(28)]
    assert found["runs"] == [1] * 28
    assert found["turns"] == len(set(cores.values()))


def test_a_sum_tells_from_where_it_moved_a_node() -> None:
    moved = "WL.update_sum(e.dst, -1, WL.priority)"
    told = CORES.replace(f"{moved};", f"int was = {moved}.old; if (was > WL.priority) {{ moves += 1; }}")
    told = told.replace("int turns = 0;", "int turns = 0; long moves = 0;")
    assert "moves += 1" in told
    assert "moves = 0" in told
    found = agree(told, JOINED, 28)
    degrees = Counter(a for a, _, _ in JOINED)
    assert found["moves"] == sum(degrees[v] - found["left"][v] for v in range(28))


WIDEST = """graph Graph { node int width = 0; edge int cap; }
int turns = 0;
Kernel widen(Graph g, int delta) WL priority_queue<node>(higher_first width / delta) {
  ForAll (n In WL.items) { ForAll (e In n.edges) { WL.update_max(e.dst, min(n.width, e.cap)); } }
}
Program main(weighted Graph g, node s = first, int delta = 4) {
  s.width = 1000;
  Iterate widen(g, delta) Initial [s] { turns++; }
}
"""


@pytest.mark.parametrize("delta", [1, 4, 1 << 30])
def test_higher_values_go_first_where_the_queue_says_so(delta: int) -> None:
    arcs = [(v, (v * 7 + 3) % 23, 5 + v * 11 % 17) for v in range(23)] + [(v, v + 1, 3 + v % 9) for v in range(22)]
    found = agree(WIDEST, arcs, 23, delta=delta)
    assert found["width"] == widest(arcs, 23)
    assert found["turns"] == len({w // delta for w in widest(arcs, 23) if w})


def widest(arcs: list[tuple[int, int, int]], nodes: int) -> list[int]:
    width = [1000] + [0] * (nodes - 1)
    for _ in range(nodes):
        for a, b, cap in arcs:
            width[b] = max(width[b], min(width[a], cap))
    return width


REFILED = """graph Graph { node int level = 5; node int runs = 0; }
int turns = 0; long order = 0;
Kernel run(Graph g, list<node> again) WL priority_queue<node>(higher_first level) {
  ForAll (n In WL.items) {
    n.runs += 1;
    order += (n.id + 1) * (WL.priority + 1);
    if (n.runs < 3 && n.id % 3 == 0) { again.push(n); }
    if (n.runs < 4 && n.id % 3 == 1) { WL.update_min(n, n.level - 2); }
  }
}
Kernel file(Graph g, list<node> again) WL priority_queue<node>(higher_first level) {
  ForAll (n In again.items) { WL.push(n); }
}
Program main(Graph g) {
  list<node> again;
  Pipe Initial (g.nodes) {
    Invoke run(g, again);
    Invoke file(g, again);
    again.clear();
    turns++;
  }
}
"""


def test_what_is_filed_again_opens_its_bucket_again_and_what_moves_on_waits_further_on() -> None:
    found = agree(REFILED, [(0, 1, 1)], 9)
    assert found["runs"] == [3, 4, 1] * 3
    # Bucket 5 three times, for those of the list, then 3, 1 and -1.
    assert found["turns"] == 6
    of = {0: [5, 5, 5], 1: [5, 3, 1, -1], 2: [5]}
    assert found["order"] == sum((v + 1) * (p + 1) for v in range(9) for p in of[v % 3])


RUN = "Kernel run(Graph g) WL priority_queue<node>(p) { ForAll (n In WL.items) { runs += 1; at += WL.priority; } }"
BEGIN = "Kernel begin(Graph g) { ForAll (n In g.nodes) { n.p = (int)n.id; } }"
SMALL = {
    "two invocations in a round": (f"""graph Graph {{ node int p = INF; }}
int turns = 0; int runs = 0; int at = 0;
{RUN} {BEGIN}
Program main(Graph g) {{ Invoke begin(g); Pipe Initial (g.nodes) {{ Invoke run(g); Invoke run(g); turns++; }} }}
""", {"turns": 5, "runs": 9, "at": 36}),
    "two invocations of a kernel whose threads wait": (f"""graph Graph {{ node int p = INF; }}
int turns = 0; int at = 0;
Kernel run(Graph g) WL priority_queue<node>(p) {{
  ForAll (n In WL.items) {{ Exclusive (g, [n]) {{ at += WL.priority; }} }}
}}
{BEGIN}
Program main(Graph g) {{ Invoke begin(g); Pipe Initial (g.nodes) {{ Invoke run(g); Invoke run(g); turns++; }} }}
""", {"turns": 5, "at": 36}),
    "a Pipe that runs once chooses late": (f"""graph Graph {{ node int p = 9; }}
int runs = 0; int at = 0;
Kernel file(Graph g) WL priority_queue<node>(p) {{
  ForAll (n In g.nodes) {{ if (n.id == 2) {{ WL.update_min(n, 2); }} }}
}}
{RUN}
Program main(Graph g, node s = first) {{
  s.p = 5;
  Pipe Once Initial [s] {{ Invoke file(g); Invoke run(g); }}
}}
""", {"runs": 1, "at": 2}),
    "a kernel that only files": ("""graph Graph { node int p = INF; }
int did = 0; int turns = 0;
Kernel file(Graph g) WL priority_queue<node>(p) {
  ForAll (n In g.nodes) { bool moved = WL.update_min(n, 3); if (moved) { did += 1; } ReduceAndReturn(moved); }
}
Program main(Graph g) { Iterate While Any file(g) { turns++; } }
""", {"did": 9, "turns": 2}),
    "sums of what has no sign": ("""graph Graph { node uint32 p = 4; }
int turns = 0;
Kernel down(Graph g) WL priority_queue<node>(p) {
  ForAll (n In WL.items) { ForAll (e In n.edges) { WL.update_sum(e.dst, -1, 2); } }
}
Program main(Graph g, node s = first) { Iterate down(g) Initial [s] { turns++; } }
""", {"p": [4, 3, 3, 3, 3, 3, 3, 3, 3]}),
    "a divisor without a sign": ("""graph Graph { node int p = INF; }
int turns = 0; int sum = 0;
Kernel relax(Graph g, uint32 d) WL priority_queue<node>(p / d) {
  ForAll (n In WL.items) { sum += WL.priority; ForAll (e In n.edges) { WL.update_min(e.dst, n.p + 1); } }
}
Program main(Graph g, node s = first, uint32 d = 2) { s.p = -9; Iterate relax(g, d) Initial [s] { turns++; } }
""", {"p": list(range(-9, 0))}),
    "names that are nearly alike": ("""graph Graph { node int level = 3; node int higher_level = 3; }
int turns = 0; int more = 0;
Kernel begin(Graph g) { ForAll (n In g.nodes) { n.higher_level = (int)n.id; } }
Kernel a(Graph g) WL priority_queue<node>(higher_first level) { ForAll (n In WL.items) { more += 1; } }
Kernel b(Graph g) WL priority_queue<node>(higher_level) { ForAll (n In WL.items) { more += 10; } }
Program main(Graph g) {
  Invoke begin(g);
  Iterate a(g) Initial (g.nodes) { }
  Iterate b(g) Initial (g.nodes) { turns++; }
}
""", {"turns": 9, "more": 99}),
}


@pytest.mark.parametrize("what", SMALL)
def test_every_target_runs_the_same_rounds(what: str) -> None:
    text, wanted = SMALL[what]
    found = agree(text, [(v, v + 1, 1) for v in range(8)], 9)
    assert {name: found[name] for name in wanted} == wanted


TWICE = """graph Graph { node int dist = INF; edge int length; }
long sum = 0; int turns = 0;
Kernel relax(Graph g) WL priority_queue<node>(dist) {
  ForAll (n In WL.items) { ForAll (e In n.edges) { WL.update_min(e.dst, n.dist + e.length); } }
}
Kernel forget(Graph g) { ForAll (n In g.nodes) { sum += n.dist == INF ? 0 : n.dist; n.dist = INF; } }
Program main(weighted Graph g) {
  for (int k = 0; k < 3; k++) {
    node s = g.node(k);
    s.dist = 0;
    inner: Iterate relax(g) Initial [s] { turns++; }
    Invoke forget(g);
  }
}
"""


def test_a_loop_that_runs_again_has_a_queue_of_its_own() -> None:
    graph = nx.DiGraph()
    graph.add_weighted_edges_from(PATH)
    far = [nx.single_source_dijkstra_path_length(graph, k) for k in range(3)]
    found = agree(TWICE, PATH, 41)
    assert found["sum"] == sum(sum(d.values()) for d in far)
    assert found["turns"] == sum(len(set(d.values())) for d in far)


TWO = """graph Graph { node int p = INF; edge int length; }
graph Other { node int p = 0; edge int length; }
int turns = 0; int most = 0;
Kernel fall(Graph g) WL priority_queue<node>(p) {
  ForAll (n In WL.items) { ForAll (e In n.edges) { WL.update_min(e.dst, n.p + e.length); } }
}
Kernel rise(Other h) WL priority_queue<node>(higher_first p) {
  ForAll (n In WL.items) { ForAll (e In n.edges) { WL.update_max(e.dst, min(n.p, e.length)); } }
}
Kernel survey(Other h) { ForAll (n In h.nodes) { most += n.p; } }
Program main(weighted undirected simple Graph g, weighted Other h, node s = first) {
  s.p = 0;
  Iterate fall(g) Initial [s] { turns++; }
  Graph k = oriented(g);
  node first_of_it = k.node(0);
  first_of_it.p = 0;
  Iterate fall(k) Initial [first_of_it] { turns += 10; }
  Iterate fall(k) Initial [first_of_it] { }
  node t = h.node(0);
  t.p = 50;
  Iterate rise(h) Initial [t] { turns += 100; }
  Invoke survey(h);
}
"""


@pytest.mark.parametrize("target", ["cpu", "simt", "ref"])
def test_each_graph_has_queues_of_its_own(target: str, tmp_path: Path) -> None:
    path = tmp_path / "two.irgl"
    path.write_text(TWO, encoding="utf-8")
    g, h = nx.path_graph(6), nx.DiGraph()
    nx.set_edge_attributes(g, 4, "weight")
    h.add_weighted_edges_from([(0, 1, 9), (1, 2, 30), (0, 2, 20), (2, 3, 7)])
    found = irgl.compile(path, target=target)(g, h=h)
    assert found.turns % 10 == 6 and found.turns // 100 == 4
    assert found.most == 50 + 9 + 20 + 7


def refused(text: str) -> tuple[str, str | None]:
    """What is wrong with a program, and the hint."""
    with pytest.raises(IrglError) as caught:
        driver.front(source_of("p.irgl", text))
    return caught.value.message, caught.value.hint


HEAD = """graph Graph {
  node int dist = INF; node double far = 0.0; node uint64 wide = 0; node int rank = 0; edge int length;
}
"""
OTHER = "Kernel other(Graph g) { ForAll (n In g.nodes) { n.dist = 1; } }"
NEAR = "int near(Graph g, node n) { n.dist min= 1; return 1; }"
HELPED = "'near' changes 'dist', by which a queue is ordered that runs here"
UNORDERED = "'dist' orders the queue of 'k', and changes here without it"


def using(kernel: str = "ForAll (n In WL.items) { WL.update_min(n, 1); }", by: str = "dist", params: str = "",
          given: str = "", loop: str = "", more: str = "", body: str = "") -> str:
    return HEAD + f"""Kernel k(Graph g{params}) WL priority_queue<node>({by}) {{ {kernel} }}
{more}
Program p(Graph g, node s = first, int delta = 3) {{ Iterate {loop} k(g{given}) Initial [s] {{ {body} }} }}
"""


@pytest.mark.parametrize(("text", "message"), [
    (using(by="dost"), "Graph declares no node property 'dost' for a queue to go by"),
    (using(by="length"), "Graph declares no node property 'length' for a queue to go by"),
    (using(by="far"), "a queue goes by whole numbers, and 'far' is a double"),
    (using(by="wide"), "a queue goes by whole numbers that a long holds, and 'wide' is a uint64"),
    (using(by="dist / delta"), "'delta' is no parameter of 'k' that is a whole number"),
    (using(by="dist / d", params=", double d", given=", 2.0"), "'d' is no parameter of 'k' that is a whole number"),
    (using(by="dist / d", params=", int d", given=", 2 * delta"), "what coarsens the queue of 'k' is no variable here"),
    (using(by="dist +"), "a queue is ordered by a property, or by one divided by a parameter"),
    (using(by="first dist"), "a queue is ordered by a property, or by one divided by a parameter"),
    (using().replace("<node>(dist)", "<node>"), "by what is the queue ordered?"),
    (using().replace("<node>(dist)", "<edge>(dist)"), "a priority_queue holds nodes, not edge"),
    (using().replace("WL priority", "WL unique priority"), "a priority_queue can't be unique"),
    (using("ForAll (n In WL.items) { racy n.dist = 1; }"), UNORDERED),
    (using("ForAll (n In WL.items) { n.dist min= 1; }"), UNORDERED),
    (using("ForAll (n In WL.items) { cas(n.dist, 1, 2); }"), UNORDERED),
    (using("ForAll (n In WL.items) { WL.update_min(n, 1); WL.update_max(n, 2); }"),
     "'dist' rises here, and falls in other updates of its queue"),
    (using("ForAll (n In WL.items) { WL.update_sum(n, n.rank, 2); }"),
     "nobody can tell which way update_sum moves its node"),
    (using("ForAll (n In WL.items) { WL.update_sum(n, 0, 2); }"),
     "nobody can tell which way update_sum moves its node"),
    (using("ForAll (n In WL.items) { racy n.rank = WL.update_min(n, 1).old; }"),
     "an update stands in the middle of an expression"),
    (using("ForAll (n In WL.items) { if (n.rank > 0 && WL.update_min(n, 1)) { } else { racy n.rank = 1; } }"),
     "an update behind && in the condition of an `if` with an `else`"),
    (using("ForAll (n In WL.items) { if (WL.update_min(n, 3) && WL.update_min(n, 1)) { } }"),
     "an update stands in the middle of an expression"),
    (using("ForAll (n In WL.items) { WL.update_min(n, WL.update_min(n, 0).old); }"),
     "an update stands in the middle of an expression"),
    (using(by="dist / d", params=", int d", given=", delta", body="delta = 2;"),
     "'delta' divides what orders a queue that runs here, and changes"),
    (using("d = 1; ForAll (n In WL.items) { WL.update_min(n, 1); }", by="dist / d", params=", int d", given=", delta"),
     "'d' divides what orders a queue that runs here, and changes"),
    (using(by="dist / d", params=", int d", given=", width", more="int width = 5;"),
     "what coarsens the queue of 'k' is no variable here"),
    (using("ForAll (n In WL.items) { WL.update_min(n, 1.5); }"), "'update_min' wants int, not double"),
    (using("ForAll (n In WL.items) { WL.update_min(n); }"), "'update_min' takes 2 arguments, not 1"),
    (using("ForAll (n In WL.items) { Retry n; }"), "Retry in a kernel on a priority queue"),
    (using("ForAll (n In g.nodes) { WL.update_min(n, 1); } ForAll (n In WL.items) { }"),
     "when all items have run, nobody can ask what else is in WL"),
    (using("ForAll (n In WL.items) { WL.update_min(n, 1); } if (g.num_nodes > 3) { ForAll (m In g.nodes) { } }"),
     "'k' runs a priority queue, and its only top-level ForAll doesn't run over WL"),
    (using("ForAll (m In g.nodes) { For (n In WL.items) { WL.push(n); } }"),
     "'k' looks at its queue's items outside of a ForAll at its top, which would run them"),
    (using("ForAll (n In WL.items) { if (WL.finished(n)) { WL.push(n); } }"), "a kernel can't say WL.finished"),
    (using(loop="Until (WL.priority > 3)"), "the Program can't say WL.priority"),
    (using(loop="Until (WL.finished(3))"), "'finished' wants node, not int"),
    (using(loop="Until (WL.finished(g.node(random(2))))"),
     "'finished' looks at its node several times, and this may be another each time"),
    (using(body="s.dist = 1;"), "'dist' orders a queue that runs here, and changes without it"),
    (using(more=OTHER, body="Invoke other(g);"),
     "'other' changes 'dist', by which a queue is ordered that runs here"),
    (using("ForAll (n In WL.items) { n.rank += near(g, n); }", more=NEAR), HELPED),
    (using(more=NEAR, body="delta += near(g, s);"), HELPED),
    (using(more="Kernel other(Graph g, priority_queue<node>(dist) q) { }"),
     "a priority queue is a kernel's own worklist"),
    (using(more="Kernel other(Graph g) WL priority_queue<node>(rank) { ForAll (n In WL.items) { } }",
           body="Invoke other(g);"),
     "kernels of one Iterate share lists, but 'k' has priority_queue<node>(dist) and 'other' has "
     "priority_queue<node>(rank)"),
    (using(loop="Until (WL.finished(s))", body="continue;"), "this continue would pass by what Until asks"),
    (HEAD + "Kernel k(Graph g) { ForAll (n In g.nodes) { n.rank = 1; } } Program p(Graph g, node s = first) "
     "{ Pipe Once { Invoke k(g); if (WL.finished(s)) { } } }", "WL stands for a kernel's own worklist"),
])
def test_what_a_queue_can_t_be_is_told(text: str, message: str) -> None:
    assert refused(text)[0] == message


def test_a_queue_is_written_alike_in_both_notations() -> None:
    text = SHORTEST.format(by="higher_first dist / delta", update="WL.update_max(e.dst, 3);", until="")
    program = load_text(text)
    assert equal(load_text(dump(program)), program)
    assert 'irgl.worklist[irgl.priority_queue[irgl.node, "higher_first dist / delta"]]' in dump_python(program)


def test_calls_make_the_queue_that_text_makes() -> None:
    made = builder.worklist("priority_queue", builder.NODE, by="higher_first dist / delta")
    text = SHORTEST.format(by="higher_first dist / delta", update="WL.update_max(e.dst, 3);", until="")
    kernel = next(d for d in load_text(text).decls if isinstance(d, A.Kernel))
    assert kernel.worklist == made and str(made) == "priority_queue<node>(higher_first dist / delta)"


@pytest.mark.parametrize("target", ["cpu", "simt", "ref"])
@pytest.mark.parametrize("delta", [0, -4])
def test_nobody_runs_where_delta_is_not_positive(target: str, delta: int, tmp_path: Path) -> None:
    path = tmp_path / "p.irgl"
    path.write_text(SHORTEST.format(by="dist / delta", update=PLAIN, until=""), encoding="utf-8")
    program = irgl.compile(path, target=target)
    with pytest.raises(IrglError, match="'delta' divides what orders a queue, and has to be positive"):
        program(nx.path_graph(4), delta=delta)
