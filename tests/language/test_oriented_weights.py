"""A graph that is oriented has the weights of the edges that it keeps: the CPU target beside the interpreter."""

from __future__ import annotations

from support.agreement import disagreements
from support.random_graphs import from_arcs
from support.random_parts import RandomProgram

TEXT = """graph Graph { edge int w; }
long s = 0;
long t = 0;
Kernel weigh(Graph h) { ForAll (n In h.nodes) { ForAll (e In n.edges) { s += e.w * (e.dst.id + 1); t += 1; } } }
Program entry(undirected simple Graph g) { Graph h = oriented(g); Invoke weigh(h); }
"""
ARCS = [(a, b, min(a, b) * 7 + max(a, b)) for a in range(40) for b in range(40) if a != b and (a * b) % 3 == 1]


def test_an_oriented_graph_has_the_weights_of_its_edges() -> None:
    assert disagreements([RandomProgram(TEXT, from_arcs(40, ARCS), {})]) == []
