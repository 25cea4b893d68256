"""Priority queues that are variables of the Program: several at once, which it asks and fills itself."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest
from support.agreement import interpreted
from support.everywhere import found_everywhere
from support.random_graphs import from_arcs
from support.random_programs import RandomProgram

import irgl
from irgl import builder as b
from irgl import driver
from irgl.analysis.flow.outline import outline_trees
from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.ast.dump_python import dump_python
from irgl.ast.visit import equal
from irgl.frontends.load import source_of
from irgl.frontends.text.load import load_text
from irgl.source import IrglError

PLANS = ["cc=block outline=all block=64", "np=fg cc=warp buckets=2 block=32"]
ARCS = [(v, v + 1, 7 + v % 5) for v in range(40)] + [(v, v + 9, 100 + v) for v in range(20)]


def agree(text: str, arcs: list[tuple[int, int, int]] = ARCS, nodes: int = 41, **params: int) -> dict[str, int]:
    """What the interpreter finds, once every target has found the same."""
    plans = "priority=eager buckets=1024", "priority=lazy fuse=1 buckets=2"
    found = found_everywhere(text, nodes, arcs, params, plans, PLANS)
    return {**found.scalars, **{name: values.tolist() for name, values in found.properties.items()}}


BOTH = """graph Graph { node int near = INF; node int far = INF; edge int length; }
int turns = 0; int backs = 0; int least = INF; long sum = 0;
Kernel ahead(Graph g, int delta) WL priority_queue<node>(near / delta) {
  ForAll (n In WL.items) { ForAll (e In n.edges) { WL.update_min(e.dst, n.near + e.length); } }
}
Kernel back(Graph g) WL priority_queue<node>(far) {
  ForAll (n In WL.items) { ForAll (e In n.in_edges) { WL.update_min(e.src, n.far + e.length); } }
}
Kernel meet(Graph g) {
  ForAll (n In g.nodes) { if (n.near != INF && n.far != INF) { least min= n.near + n.far; } }
}
Program main(weighted Graph g, node s = first, node t = first, int delta = 30) {
  s.near = 0;
  t.far = 0;
  priority_queue<node>(near / delta) first_queue;
  priority_queue<node>(far) second;
  first_queue.push(s);
  second.push(t);
  while (!first_queue.empty && !second.empty && (long)first_queue.priority + second.priority < least) {
    sum += first_queue.priority * 3 + second.priority;
    if (first_queue.priority <= second.priority) {
      Invoke ahead(g, delta) WL first_queue;
      turns++;
    } else {
      Invoke back(g) WL second;
      backs++;
    }
    Invoke meet(g);
  }
}
"""


@pytest.mark.parametrize(("delta", "goal"), [(1, 25), (30, 40), (1 << 30, 3)])
def test_two_queues_take_turns_by_their_priorities(delta: int, goal: int) -> None:
    graph = nx.DiGraph()
    graph.add_weighted_edges_from(ARCS)
    found = agree(BOTH, delta=delta, t=goal)
    assert found["least"] == nx.dijkstra_path_length(graph, 0, goal)
    assert found["turns"] > 0 and (found["backs"] > 0 or goal == 3)


ASKED = """graph Graph { node int p = 0; node int runs = 0; }
int turns = 0; int most = 0; int marks = 0; int later = 0;
Kernel begin(Graph g) { ForAll (n In g.nodes) { n.p = (int)(n.id * 10); } }
Kernel run(Graph g) WL priority_queue<node>(p) { ForAll (n In WL.items) { n.runs += 1; } }
Kernel file(Graph g) WL priority_queue<node>(p) { ForAll (n In g.nodes) { if (n.id > 2) { WL.update_min(n, 5); } } }
Program main(Graph g, node s = first) {
  Invoke begin(g);
  priority_queue<node>(p) queue;
  node t = g.node(2);
  node u = g.node(3);
  marks += queue.empty ? 1 : 0;
  queue.push(t);
  queue.push(g.node(1));
  marks += !queue.empty && queue.priority == 10 ? 10 : 0;
  marks += queue.finished(t) ? 0 : 100;
  Invoke run(g) WL queue;                       // node 1
  marks += queue.priority == 20 ? 1000 : 0;
  queue.push(s);                                // of the bucket that is chosen: 0 is before it
  marks += queue.priority == 20 ? 10000 : 0;
  Invoke run(g) WL queue;                       // nodes 0 and 2
  marks += queue.empty && queue.finished(t) && queue.finished(s) ? 100000 : 0;
  queue.push(t);                                // again, though nothing has moved it
  later += queue.finished(t) ? 0 : 1;
  Invoke run(g) WL queue;
  Invoke file(g) WL queue;                      // 3 and 4, from 30 and 40 to 5
  later += queue.finished(u) ? 0 : 10;
  while (!queue.empty) { most max= queue.priority; Invoke run(g) WL queue; turns++; }
  later += queue.finished(u) ? 100 : 0;
}
"""


def test_the_program_asks_and_fills_a_queue_itself() -> None:
    found = agree(ASKED, [(0, 1, 1)], 5)
    assert found["runs"] == [1, 1, 2, 1, 1]
    assert found["marks"] == 111111 and found["later"] == 111
    assert found["turns"] == 1 and found["most"] == 20  # the bucket that ran last is where the others come


DRY = """graph Graph { node int p = INF; edge int length; }
int turns = 0; int later = 0; long sum = 0;
Kernel move(Graph g) WL priority_queue<node>(p) {
  ForAll (n In WL.items) { ForAll (e In n.edges) { WL.update_min(e.dst, n.p + e.length); } }
}
Program main(weighted Graph g, node s = first) {
  s.p = 3;
  priority_queue<node>(p) queue;
  queue.push(s);
  while (!queue.empty) { Invoke move(g) WL queue; turns++; }
  queue.push(s);                                // before the bucket that ran last, of nobody who kept who ran
  while (!queue.empty) { sum += queue.priority; Invoke move(g) WL queue; later++; }
}
"""


def test_a_queue_that_has_run_dry_takes_who_lies_before_its_last_bucket() -> None:
    found = agree(DRY, [(0, 1, 5), (1, 2, 7), (0, 3, 2000)], 4)
    assert (found["turns"], found["later"], found["sum"]) == (4, 1, 2003)


AGAIN = """graph Graph { node int p = INF; edge int length; }
graph Other { node int p = 0; edge int length; }
int turns = 0; long sum = 0;
Kernel fall(Graph g) WL priority_queue<node>(p) {
  ForAll (n In WL.items) { ForAll (e In n.edges) { WL.update_min(e.dst, n.p + e.length); } }
}
Kernel rise(Other h) WL priority_queue<node>(higher_first p) {
  ForAll (n In WL.items) { ForAll (e In n.edges) { WL.update_max(e.dst, min(n.p, e.length)); } }
}
Kernel survey(Other h) { ForAll (n In h.nodes) { sum += n.p; } }
Program main(weighted Graph g, weighted Other h, node s = first) {
  s.p = 0;
  priority_queue<node> (p) falls;
  node<h> t = h.node(0);
  t.p = 50;
  priority_queue<node<h>>(higher_first p) rises;
  falls.push(s);
  rises.push(t);
  while (!falls.empty || !rises.empty) {
    if (!falls.empty) { Invoke fall(g) WL falls; turns++; }
    if (!rises.empty) { Invoke rise(h) WL rises; turns += 100; }
  }
  Invoke survey(h);
}
"""


@pytest.mark.parametrize("target", ["cpu", "simt", "ref"])
def test_queues_of_two_graphs_stand_side_by_side(target: str, tmp_path: Path) -> None:
    path = tmp_path / "two.irgl"
    path.write_text(AGAIN, encoding="utf-8")
    g, h = nx.DiGraph(), nx.DiGraph()
    g.add_weighted_edges_from([(v, v + 1, 4) for v in range(5)])
    h.add_weighted_edges_from([(0, 1, 9), (1, 2, 30), (0, 2, 20), (2, 3, 7)])
    found = irgl.compile(path, target=target)(g, h=h)
    assert found.turns == 6 + 400
    assert found.sum == 50 + 9 + 20 + 7


def test_a_divisor_that_is_not_positive_stops_the_program() -> None:
    one = RandomProgram(BOTH, from_arcs(41, ARCS), {"delta": 0, "t": 5})
    with pytest.raises(IrglError, match="'delta' divides what orders a queue, and has to be positive"):
        interpreted(one)


def test_a_loop_that_runs_a_variable_stays_on_the_host() -> None:
    tree = outline_trees(driver.front(source_of("p.irgl", BOTH)))[0]
    assert not tree.legal
    assert "'ahead' runs the queue 'first_queue', which the host keeps" in [r.reason for r in tree.refusals]


def test_an_invocation_names_its_queue_in_both_notations() -> None:
    program = load_text(BOTH)
    assert equal(load_text(dump(program)), program)
    text = dump_python(program)
    assert "ahead(g, delta, wl=first_queue)" in text
    assert equal(load_text(dump(driver.front(source_of("p.py", text)).program)), program)


def test_the_builder_makes_it() -> None:
    made = b.invoke("ahead", "g", "delta", queue="first_queue")
    assert isinstance(made, A.Invoke) and made.queue == "first_queue"


HEAD = "graph Graph { node int p = 0; node int r = 0; edge int length; }\n"
KERNELS = """Kernel run(Graph g, int d) WL priority_queue<node>(p / d) {
  ForAll (n In WL.items) { WL.update_min(n, 0); }
}
Kernel other(Graph g) WL priority_queue<node>(r) { ForAll (n In WL.items) { } }
Kernel plain(Graph g) { ForAll (n In g.nodes) { n.r = 1; } }
Kernel moves(Graph g) { ForAll (n In g.nodes) { n.p = 1; } }
Kernel listed(Graph g) WL list<node> { ForAll (n In WL.items) { WL.push(n); } }
"""


def using(body: str, queue: str = "priority_queue<node>(p / d) q;") -> str:
    return f"{HEAD}{KERNELS}Program main(Graph g, node s = first, int d = 3, double x = 1.0) {{ {queue} {body} }}"


RUN = "Invoke run(g, d) WL q; "


@pytest.mark.parametrize(("text", "message"), [
    (using("Invoke run(g, d);"), "no kernel runs the queue 'q'"),
    (using("q.push(s);"), "no kernel runs the queue 'q'"),
    (using("Invoke run(g, d) WL w;"), "no kernel runs the queue 'q'"),
    (using("Invoke run(g, d) WL w;", ""), "'w' is not declared"),
    (using("list<node> w; Invoke run(g, d) WL w;", ""), "'w' is a list<node>, not a priority queue"),
    (using("Invoke run(g, d) WL s;", ""), "'s' is a node, not a priority queue"),
    (using("Invoke plain(g) WL q;"), "'plain' uses no WL"),
    (using(RUN + "Invoke other(g) WL q;"),
     "'q' is a priority_queue<node>(p / d), and 'other' has priority_queue<node>(r) here"),
    (using("int e = 2; Invoke run(g, e) WL q;"),
     "'q' is a priority_queue<node>(p / d), and 'run' has priority_queue<node>(p / e) here"),
    (using("Invoke listed(g) WL q;"), "'q' is a priority_queue<node>(p / d), and 'listed' has list<node> here"),
    (using("Pipe Once { Invoke run(g, d) WL q; }"), "an Invoke on 'q' stands in a Pipe"),
    (using("Iterate other(g) Initial [s] { Invoke run(g, d) WL q; }"), "an Invoke on 'q' stands in an Iterate"),
    (using(f"if (d > 1) {{ priority_queue<node>(p / d) q; {RUN} }}", ""),
     "a priority queue is declared inside of a block"),
    (using(RUN, "priority_queue<node> q;"), "by what is the queue ordered?"),
    (using(RUN, "priority_queue<node>(p / x) q;"), "'x' is no variable here that is a whole number"),
    (using(RUN, "priority_queue<node>(p / y) q;"), "'y' is no variable here that is a whole number"),
    (using(RUN, "priority_queue<edge>(length) q;"), "a priority_queue holds nodes, not edge"),
    (using(RUN, "unique priority_queue<node>(p / d) q;"), "a priority_queue can't be unique"),
    (using(RUN + "d = 2;" + RUN), "'d' divides what orders a queue that runs here, and changes"),
    (using(RUN + "s.p = 2;" + RUN), "'p' orders a queue that runs here, and changes without it"),
    (using(RUN + "Invoke moves(g);" + RUN), "'moves' changes 'p', by which a queue is ordered that runs here"),
    (using(RUN + "Iterate run(g, d) Initial [s] { } q.push(s);"), "'run' runs another queue by 'p', which orders 'q'"),
    (using(RUN + "q.update_min(s, 2);"), "the Program can't say q.update_min"),
    (using(RUN + "For (n In q.items) { d += 0; }"), "the Program can't say q.items"),
    (using(RUN + "long k = q.size;"), "priority_queue<node>(p / d) has no 'size'"),
    (using(RUN + "q.push(3);"), "'push' wants node, not int"),
    (using("ForAllOf(g);", ""), "no function 'ForAllOf'"),
    (f"{HEAD}Kernel k(Graph g) WL priority_queue<node>(p) {{ ForAll (n In WL.items) {{ if (WL.empty) {{ }} }} }} "
     "Program main(Graph g, node s = first) { Iterate k(g) Initial [s] { } }", "a kernel can't say WL.empty"),
])
def test_what_a_queue_that_is_a_variable_can_t_be_is_told(text: str, message: str) -> None:
    with pytest.raises(IrglError) as caught:
        driver.front(source_of("p.irgl", text))
    assert caught.value.message == message
    assert caught.value.span is not None


def test_what_a_queue_went_by_may_change_once_it_is_used_no_more() -> None:
    driver.front(source_of("p.irgl", using(RUN + "Invoke moves(g); d = 7; s.p = 2;")))


FINISHED = HEAD + """bool f = false;
Kernel run(Graph g) WL priority_queue<node>(p) { ForAll (n In WL.items) { } }
Kernel also(Graph g) WL priority_queue<node>(r) { ForAll (n In WL.items) { racy n.p = 5; } }
Program main(Graph g, node s = first) { priority_queue<node>(p) q; q.push(s); Invoke run(g) WL q; %s f = q.finished(s);
  Invoke run(g) WL q; }
"""


@pytest.mark.parametrize(("between", "message"), [
    ("Iterate also(g) Initial [s] { }", "'also' changes 'p', by which a queue is ordered that runs here"),
    ("priority_queue<node>(r) w; w.push(s); Invoke also(g) WL w;",
     "'also' changes 'p', by which a queue is ordered that runs here"),
    ("priority_queue<node>(p) w; w.push(s); Invoke run(g) WL w;", "'w' goes by 'p', as 'q' does, which is still used"),
    ("CBlock reads() writes(s.p) { g.p[s] = 9; }", "'p' orders a queue that runs here, and changes without it"),
    ("list<node> l; l.update(q);", "'update' wants a worklist of node, not priority_queue<node>(p)"),
    ("q.push(NONE);", "NONE can't be in a priority queue"),
])
def test_nothing_else_touches_what_a_queue_goes_by(between: str, message: str) -> None:
    with pytest.raises(IrglError) as caught:
        driver.ready("p.irgl", FINISHED % between)
    assert caught.value.message == message


def test_a_variable_that_hides_the_divisor_is_told() -> None:
    with pytest.raises(IrglError, match="'d' is another variable here than the one that divides 'q'"):
        driver.ready("p.irgl", using("if (d > 1) { int d = 2; Invoke run(g, d) WL q; }"))


@pytest.mark.parametrize(("call", "message"), [
    ("back(g, foo=second)", "arguments are given by position"),
    ("back(g, **second)", "arguments are given by position"),
    ("back(g, wl=typo)", "'typo' is not declared"), ("back(g, wl=s)", "'s' is a node, not a priority queue")])
def test_in_python_a_queue_is_given_as_wl(call: str, message: str) -> None:
    text = dump_python(load_text(BOTH)).replace("back(g, wl=second)", f"back(g, wl=second); {call}")
    with pytest.raises(IrglError) as caught:
        driver.front(source_of("p.py", text))
    assert caught.value.message == message


DIVISORS = """graph Graph { node int p = 0; node long w = 0; }
long order = 0; int turns = 0;
Kernel a(Graph g, int d) WL priority_queue<node>(p / d) { ForAll (n In WL.items) { } }
Kernel b(Graph g, long d) WL priority_queue<node>(p / d) { ForAll (n In WL.items) { } }
Kernel c(Graph g, int d) WL priority_queue<node>(w / d) { ForAll (n In WL.items) { order max= n.id * 1000 - turns; } }
Kernel begin(Graph g) { ForAll (n In g.nodes) { n.p = (int)(n.id * 400000000); n.w = n.id * 3000000000; } }
Program main(Graph g, int k = 7) {
  long big = 5000000000;
  Invoke begin(g);
  Iterate a(g, k) Initial (g.nodes) { }
  Iterate b(g, big) Initial (g.nodes) { turns++; }
  Iterate c(g, k) Initial (g.nodes) { turns++; order = order * 7 % 1000003; }
}
"""


def test_buckets_are_found_by_the_whole_of_numbers_of_64_bits() -> None:
    assert agree(DIVISORS, [(0, 1, 1)], 6)["turns"] == 1 + 6


SUMS = """graph Graph { node int p = 0; node int runs = 0; }
int turns = 0;
Kernel begin(Graph g) { ForAll (n In g.nodes) { n.p = (int)n.id + 1000000000; } }
Kernel run(Graph g) WL priority_queue<node>(p) {
  ForAll (n In WL.items) { n.runs += 1; if (n.runs < 2) { WL.update_sum(n, STEP, INF); } }
}
Program main(Graph g) { Invoke begin(g); Iterate run(g) Initial (g.nodes) { turns++; } }
"""


def test_a_sum_ends_at_the_end_of_its_type() -> None:
    found = agree(SUMS.replace("STEP", "2000000000"), [(0, 1, 1)], 6)
    assert found["p"] == [2**31 - 1] * 6 and found["turns"] == 7


def test_a_sum_of_more_than_its_property_holds_is_refused() -> None:
    with pytest.raises(IrglError, match="moves its node by 7000000000, more than its property holds"):
        driver.ready("p.irgl", SUMS.replace("STEP", "7000000000"))
