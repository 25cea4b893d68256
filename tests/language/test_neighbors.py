"""`n.neighbors` is a loop over the far ends of edges, in every notation and on every target."""

from __future__ import annotations

import networkx as nx
import pytest
from support.awkward_graphs import directed
from support.running import outcome

from irgl import builder as b
from irgl.analysis.check import check
from irgl.ast import types as T
from irgl.ast.visit import difference
from irgl.frontends.load import load, source_of
from irgl.frontends.text.load import load_text
from irgl.interpret import run

TEXT = """
graph Graph { node long after = 0; node long before = 0; node int twice = 0; }

Kernel look(Graph g) {
  ForAll (n In g.nodes) {
    ForAll (m In n.neighbors) { n.after += m.id; }
    ForAll (m In n.in_neighbors) { n.before += m.id; }
    For (m In n.neighbors) {
      For (k In m.neighbors) { if (k == n) { n.twice += 1; } }
    }
  }
}

Program main(Graph g) { Invoke look(g); }
"""
PYTHON = """
import irgl

@irgl.graph
class Graph:
    after: irgl.node[irgl.long] = 0

@irgl.kernel
def look(g: Graph):
    for n in g.nodes:
        for m in n.neighbors:
            n.after += m.id

@irgl.program
def main(g: Graph):
    look(g)
"""
SAME = """
graph Graph { node long after = 0; }
Kernel look(Graph g) {
  ForAll (n In g.nodes) { ForAll (edge_of_m In n.edges) { node m = edge_of_m.dst; n.after += m.id; } }
}
Program main(Graph g) { Invoke look(g); }
"""
GRAPH = nx.gnp_random_graph(40, 0.1, seed=4, directed=True)


@pytest.mark.parametrize(("target", "plan"), [("cpu", "none"), ("simt", "none block=32"), ("simt", "np=fg block=64")])
def test_it_finds_networkxs_neighbours(target: str, plan: str) -> None:
    found = outcome(TEXT, plan, target, directed(40, list(GRAPH.edges))).result.properties
    assert found["after"].array.tolist() == [sum(GRAPH.successors(n)) for n in GRAPH]
    assert found["before"].array.tolist() == [sum(GRAPH.predecessors(n)) for n in GRAPH]
    assert found["twice"].array.tolist() == [sum(GRAPH.has_edge(m, n) for m in GRAPH.successors(n)) for n in GRAPH]


def test_the_interpreter_finds_networkxs_neighbours() -> None:
    found = run(check(load_text(TEXT)), {"g": directed(40, list(GRAPH.edges))}).properties
    assert list(found["after"]) == [sum(GRAPH.successors(n)) for n in GRAPH]


def test_it_is_a_loop_over_edges() -> None:
    short = SAME.replace("edge_of_m In n.edges) { node m = edge_of_m.dst;", "m In n.neighbors) {")
    assert difference(load_text(short), load_text(SAME)) is None


def test_python_has_it_too() -> None:
    assert difference(load(source_of("p.py", PYTHON)), load_text(SAME)) is None


def test_a_builder_has_it_too() -> None:
    loop = b.forall("m", b.member("n", "neighbors"), [])
    same = b.forall("edge_of_m", b.member("n", "edges"), [b.declare("m", T.NODE, b.member("edge_of_m", "dst"))])
    assert difference(loop, same) is None


def test_its_edge_is_called_as_nothing_in_the_body() -> None:
    short = "m In n.neighbors) { long edge_of_m = 1;"
    text = SAME.replace("edge_of_m In n.edges) { node m = edge_of_m.dst;", short).replace("+= m.id", "+= edge_of_m")
    found = run(check(load_text(text)), {"g": directed(3, [(0, 1), (0, 2)])}).properties
    assert list(found["after"]) == [2, 0, 0]


def test_of_two_graphs_each_has_its_own() -> None:
    text = """
graph G { node long sum = 0; } graph H { node long sum = 0; }
Kernel look(G g, H h) {
  ForAll (n In g.nodes) { ForAll (m In n.neighbors) { n.sum += m.id; } }
  ForAll (n In h.nodes) { ForAll (m In n.neighbors) { n.sum += m.id; } }
}
Program main(G g, H h) { Invoke look(g, h); }
"""
    graphs = {"g": directed(3, [(0, 2)]), "h": directed(3, [(1, 2), (0, 1)])}
    found = outcome(text, "none", "cpu", graphs).result.properties
    assert (found["sum"].array.tolist(), found["h.sum"].array.tolist()) == ([2, 0, 0], [1, 2, 0])
