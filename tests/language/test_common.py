"""`common(n, m)`, loops over common neighbours and `n.edge_to(m)`: sets of neighbours, found in rows that ascend."""

from __future__ import annotations

from collections.abc import Mapping

import networkx as nx
import numpy as np
import pytest
from support.awkward_graphs import awkward, directed, random_arcs
from support.running import outcome

from irgl import builder as b
from irgl import driver
from irgl.analysis.check import check
from irgl.analysis.effects.effects import kernel_effects
from irgl.analysis.names.members import WORDS
from irgl.analysis.values.numbers import why_numbered
from irgl.ast.dump_python import dump_python
from irgl.ast.visit import difference
from irgl.frontends.load import load, source_of
from irgl.frontends.text.load import load_text
from irgl.interpret import run
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.prepare import Requirements, prepare
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError

TEXT = """
graph Graph {
  node int distinct = 0; node long ids = 0; node bool loop = false; node int lower = 0;
  edge int both = 0; edge int below = 0; edge long ids_below = 0; edge int by_loop = 0; edge long first = 0;
  edge int reached = 0;
}
Kernel look(Graph g) {
  ForAll (n In g.nodes) {
    n.distinct = common(n, n);
    n.lower = common(n, n, n.id) + common(n, n, NONE);
    n.loop = n.edge_to(n) != NONE;
    ForAll (e In n.edges) {
      e.both = common(n, e.dst);
      e.below = common(n, e.dst, e.dst);
      For (w In common(n, e.dst, e.dst)) { e.ids_below += w.id; }
      e.first = n.edge_to(e.dst).id;
      int common = 0;
      For (w In common(e.dst, n)) {
        common += 1;
        if (w.id % 3 == 0) { continue; }
        n.ids += w.id;
        edge there = n.edge_to(w);
        there.reached += there.dst == w;
        if (w.id % 7 == 6) { break; }
      }
      e.by_loop = common;
    }
  }
}
Program main(Graph g) { Invoke look(g); }
"""
PLANS = [("cpu", "none"), ("cpu", "default"), ("simt", "none block=32"), ("simt", "np=wp+fg block=64")]


def wanted(g: Graph) -> dict[str, list[int]]:
    """The same, by Python's sets, of a graph whose rows ascend."""
    rows = [g.dst[g.row[n]:g.row[n + 1]].tolist() for n in range(g.num_nodes)]
    near = [set(row) for row in rows]
    firsts = [{w: int(g.row[n]) + row.index(w) for w in row} for n, row in enumerate(rows)]
    ids, reached = [0] * g.num_nodes, [0] * g.num_edges
    found = {"distinct": [len(s) for s in near], "loop": [n in s for n, s in enumerate(near)],
             "lower": [sum(w < n for w in s) for n, s in enumerate(near)], "both": [], "below": [], "ids_below": [],
             "by_loop": [], "first": [], "ids": ids, "reached": reached}
    for n, row in enumerate(rows):
        for v in row:
            both = sorted(near[n] & near[v])
            found["both"].append(len(both))
            found["below"].append(sum(w < v for w in both))
            found["ids_below"].append(sum(w for w in both if w < v))
            found["first"].append(firsts[n][v])
            visited = 0
            for w in both:
                visited += 1
                if w % 3 == 0:
                    continue
                ids[n] += w
                reached[firsts[n][w]] += 1
                if w % 7 == 6:
                    break
            found["by_loop"].append(visited)
    return found


def same(found: Mapping[str, object], graph: Graph) -> None:
    for name, values in wanted(prepare(graph, Requirements(sorted=True))).items():
        assert list(getattr(found[name], "array", found[name])) == values, name


GRAPHS = [random_arcs(5, 40, 300), random_arcs(6, 90, 500),
          prepare(random_arcs(7, 60, 200), Requirements(directed=False)), awkward()["star"]]


@pytest.mark.parametrize(("target", "plan"), PLANS)
def test_they_are_what_pythons_sets_have_in_common(target: str, plan: str) -> None:
    for graph in GRAPHS:
        same(outcome(TEXT, plan, target, graph).result.properties, graph)


def test_they_are_so_in_the_interpreter() -> None:
    for graph in GRAPHS:
        same(run(check(load_text(TEXT)), {"g": prepare(graph, Requirements(sorted=True))}).properties, graph)


def test_a_long_row_is_searched_and_a_short_one_gone_through() -> None:
    """Rows of 1 to 3000 edges, whose common ones lie at the ends, in the middle, nowhere and everywhere."""
    every = [(0, w) for w in range(10, 3010)]
    some = [(n, w) for n, step in ((1, 1), (2, 7), (3, 1009), (4, 2999)) for w in range(10, 3010, step)]
    ends = [*every, *some, (5, 10), (6, 3009), (7, 3010), (8, 9), (9, 1500)]
    ends += [(n, m) for n in range(10) for m in range(10)]
    near = [{w for v, w in ends if v == n} for n in range(10)]
    found = outcome(TEXT, "none", "cpu", directed(3011, ends)).result.properties
    g = prepare(directed(3011, ends), Requirements(sorted=True))
    edges = [(n, int(g.dst[e]), e) for n in range(10) for e in range(g.row[n], g.row[n + 1]) if g.dst[e] < 10]
    assert [found["both"].array[e] for _, _, e in edges] == [len(near[n] & near[m]) for n, m, _ in edges]


def test_networkx_finds_as_many_among_people() -> None:
    people = nx.karate_club_graph()
    ends = [pair for u, v in people.edges for pair in ((u, v), (v, u))]
    text = """graph Graph { edge int both = 0; edge long ids = 0; }
Kernel look(Graph g) {
  ForAll (e In g.edges) {
    e.both = common(e.src, e.dst);
    For (w In common(e.src, e.dst)) { e.ids += w.id; }
  }
}
Program main(undirected simple Graph g) { Invoke look(g); }"""
    done = outcome(text, "default", "cpu", directed(len(people), ends))
    both = [sorted(nx.common_neighbors(people, u, v)) for u, v in sorted(ends)]
    assert done.result.properties["both"].array.tolist() == list(map(len, both))
    assert done.result.properties["ids"].array.tolist() == list(map(sum, both))
    assert sum(map(len, both)) == 2 * sum(nx.triangles(people).values())


TRUSS = """
graph Graph { edge bool kept = true; edge bool weak = false; edge double jaccard = 0; }
int rounds = 0;
Kernel liken(Graph g) {
  ForAll (n In g.nodes) {
    ForAll (e In n.edges) {
      int both = common(n, e.dst);
      e.jaccard = (double)both / (n.degree + e.dst.degree - both);
    }
  }
}
Kernel weigh(Graph g, int k) {
  ForAll (n In g.nodes) {
    ForAll (e In n.edges) {
      if (e.kept && n < e.dst) {
        int support = 0;
        For (w In common(n, e.dst)) {
          if (n.edge_to(w).kept && e.dst.edge_to(w).kept) { support += 1; }
          if (support >= k - 2) { break; }
        }
        if (support < k - 2) { racy e.weak = true; racy e.reverse.weak = true; }
      }
    }
  }
}
Kernel drop(Graph g) {
  ForAll (e In g.edges) {
    if (e.kept && e.weak) { e.kept = false; ReduceAndReturn (true); }
  }
}
Program main(undirected simple Graph g, int k = 4) {
  Invoke liken(g);
  bool again = true;
  while (again) { Invoke weigh(g, k); again = Any Invoke drop(g); rounds++; }
}
"""


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_k_truss_and_jaccard_of_an_edge_are_networkxs(target: str) -> None:
    people = nx.karate_club_graph()
    ends = sorted(pair for u, v in people.edges for pair in ((u, v), (v, u)))
    plan = "none" if target == "cpu" else "np=wp+fg block=64"
    done = outcome(TRUSS, plan, target, directed(len(people), ends)).result
    truss = nx.k_truss(nx.Graph(people.edges), 4)
    assert 0 < truss.number_of_edges() < people.number_of_edges() and done.scalars["rounds"] > 2
    assert done.properties["kept"].array.tolist() == [truss.has_edge(u, v) for u, v in ends]
    likeness = [x for _, _, x in nx.jaccard_coefficient(people, ends)]
    assert done.properties["jaccard"].array == pytest.approx(likeness, rel=1e-12)


def test_of_an_oriented_graph_and_of_two() -> None:
    """Each triangle is found once from its lowest rank; nodes of another graph are refused."""
    text = """graph Graph { } long triangles = 0;
Kernel look(Graph h) { ForAll (n In h.nodes) { ForAll (e In n.edges) { triangles += common(n, e.dst); } } }
Program main(undirected simple Graph g) { Graph h = oriented(g); Invoke look(h); }"""
    people = nx.karate_club_graph()
    for target, plan in (("cpu", "none"), ("simt", "none block=32")):
        done = outcome(text, plan, target, directed(len(people), list(people.edges)))
        assert done.result.scalars["triangles"] == sum(nx.triangles(people).values()) // 3
    two = """graph G { } graph H { } long x = 0;
Kernel look(G g, H h) { ForAll (n In g.nodes) { ForAll (m In h.nodes) { x += CALL; } } }
Program main(G g, H h) { Invoke look(g, h); }"""
    with pytest.raises(IrglError, match="nodes of two graphs"):
        check(load_text(two.replace("CALL", "common(n, m)")))
    with pytest.raises(IrglError, match="nodes of two graphs"):
        check(load_text(two.replace("CALL", "common(n, n, m)")))
    with pytest.raises(IrglError, match="'edge_to' wants node"):
        check(load_text(two.replace("CALL", "n.edge_to(m) != NONE")))


def test_the_program_asks_of_one_node_and_another() -> None:
    text = """graph Graph { } int both = 0; long ids = 0; bool there = false;
int twice(Graph g, node a, node b) { return 2 * common(a, b); }
Program main(Graph g, node src = first) {
  both = twice(g, src, g.node(1));
  For (w In common(src, g.node(1))) { ids += w.id; }
  there = src.edge_to(g.node(1)) != NONE;
}"""
    graph = directed(5, [(0, 4), (0, 2), (1, 2), (1, 3), (1, 4), (0, 4)])
    assert run(check(load_text(text)), {"g": graph}).scalars == {"both": 4, "ids": 6, "there": False}
    for target, plan in (("cpu", "none"), ("simt", "none block=32")):
        assert outcome(text, plan, target, graph).result.scalars == {"both": 4, "ids": 6, "there": False}


@pytest.mark.parametrize("asked", ["x = common(n, n.up)", "x = n.edge_to(n.up).dst == n", "x = n.up.edge_to(n) == NONE",
                                   "For (w In common(n.up, n)) { x = 1; }"])
def test_none_has_no_neighbours(asked: str) -> None:
    text = f"""graph Graph {{ node node up; }} int y = 0;
Kernel look(Graph g) {{ ForAll (n In g.nodes) {{ int x = 0; {asked}; y += x; }} }}
Program main(Graph g) {{ Invoke look(g); }}"""
    graph = directed(2, [(0, 1), (1, 0)])
    with pytest.raises(IrglError, match="NONE") as told:
        run(check(load_text(text)), {"g": graph})
    assert told.value.span is not None and told.value.span.line == 2
    with pytest.raises(IrglError, match="NONE") as told:
        outcome(text, "none", "cpu", graph)
    assert told.value.span is not None and told.value.span.line == 2


ASKED = """graph Graph { node int x = 0; }
Kernel look(Graph g) { ForAll (n In g.nodes) { ForAll (e In n.edges) { ASK } } }
Program main(Graph g) { Invoke look(g); }"""


@pytest.mark.parametrize(("asked", "sorts"), [
    ("n.x += common(n, e.dst);", True), ("n.x += n.edge_to(e.dst) == e;", True),
    ("int sum = 0; For (w In common(n, n)) { sum += 1; } n.x += sum;", True), ("n.x += 1;", False)])
def test_their_graphs_are_sorted_and_keep_the_order_of_their_nodes(asked: str, sorts: bool) -> None:
    text = ASKED.replace("ASK", asked)
    assert open_program("t.irgl", text=text).graphs[0].sorted == sorts
    refusal = why_numbered(check(load_text(text)))
    assert (refusal is not None and "rows that ascend" in str(refusal)) == sorts


def test_a_plan_with_another_order_finds_the_same() -> None:
    for graph in GRAPHS[:2]:
        same(outcome(TEXT, "order=degree", "cpu", graph).result.properties, graph)


def test_looking_changes_nothing() -> None:
    checked = check(load_text(TEXT.replace("there.reached += there.dst == w;", "")))
    effects = kernel_effects(checked, checked.kernels["look"])
    assert {p.name for p in effects.writes} == {"distinct", "ids", "loop", "lower", "both", "below", "ids_below",
                                                 "by_loop", "first"}
    assert {p.name for p in effects.reads} == {"ids", "ids_below"}


def test_python_and_the_builder_have_them_too() -> None:
    program = load_text(TEXT)
    assert difference(load(source_of("p.py", dump_python(program))), program) is None
    assert "in irgl.serial(irgl.common(e.dst, n)):" in dump_python(program)
    loop = b.for_("w", b.call("common", "n", b.member("e", "dst")),
                  [b.declare("a", b.EDGE, b.method("n", "edge_to", "w"))])
    text = """graph Graph { } Kernel k(Graph g) {
  ForAll (e In g.edges) { node n = e.src; For (w In common(n, e.dst)) { edge a = n.edge_to(w); } }
}"""
    kernel = load_text(text).decls[1]
    assert difference(kernel.body[0].body[1], loop) is None  # type: ignore[union-attr]


def test_its_name_is_free_for_a_helper_a_property_and_a_kernel() -> None:
    assert "common" not in WORDS
    text = """graph Graph { node int common = 0; edge int edge_to = 0; }
int common(int edge_to) { return edge_to + 1; }
Kernel look(Graph g) { ForAll (n In g.nodes) { n.common = common(n.common) + 1; } }
Program main(Graph g) { Invoke look(g); }"""
    assert not open_program("t.irgl", text=text).graphs[0].sorted
    for target, plan in (("cpu", "none"), ("simt", "none block=32")):
        found = outcome(text, plan, target, directed(2, [])).result.properties["common"].array
        assert np.array_equal(found, [2, 2])
    kernel = text.replace("int common(int edge_to) { return edge_to + 1; }\n", "").replace("look", "common")
    check(load_text(kernel.replace("common(n.common)", "n.common")))


@pytest.mark.parametrize(("wrong", "message", "hint"), [
    ("ForAll (w In common(n, n)) { }", "a ForAll can't run over common neighbours", "write For (w In common(...))"),
    ("n.same = common(n);", "'common' takes 2 or 3 arguments, not 1", "common(n, m)"),
    ("n.same = common(n, n, n, n);", "'common' takes 2 or 3 arguments, not 4", "common(n, m, below)"),
    ("n.same = common(n, 1);", "'common' wants node, not int", "g.node(...)"),
    ("n.same = common(n, n, 5);", "'common' wants node, not int", "g.node(...)"),
    ("n.same = common(n, n, n.edges);", "'common' wants node, not range of edge", ""),
    ("n.same = common_neighbors(n, n);", "no function 'common_neighbors'", "common(n, m)"),
    ("n.same = g.has_edge(n, n);", "no method 'has_edge'", "n.edge_to(m)"),
    ("n.edge_to(n).weight = 1;", "conflict|several iterations|race|own", ""),
])
def test_mistakes_are_told_with_a_remedy(wrong: str, message: str, hint: str) -> None:
    text = f"""graph Graph {{ node int same = 0; edge int weight = 0; }}
Kernel look(Graph g) {{ ForAll (n In g.nodes) {{ {wrong} }} }}
Program main(Graph g) {{ Invoke look(g); }}"""
    with pytest.raises(IrglError, match=message) as told:
        check(load_text(text))
    assert told.value.span is not None and told.value.hint is not None and hint in told.value.hint


def test_python_is_told_in_its_own_words() -> None:
    text = """import irgl
@irgl.graph
class Graph:
    same: irgl.node[int] = 0
@irgl.kernel
def look(g: Graph):
    for n in g.nodes:
        for w in irgl.common(n, n):
            n.same += 1
"""
    with pytest.raises(IrglError) as told:
        driver.ready("p.py", text)
    assert told.value.hint is not None and "for w in irgl.serial(irgl.common(...))" in told.value.hint
