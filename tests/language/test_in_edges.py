"""In-edges on every target: their order, where they stand for edges, and beside NONE."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from support.awkward_graphs import directed
from support.tables import found_and_wanted
from support.verifying import edges

from irgl import driver

ARCS = directed(5, [(0, 1), (0, 2), (1, 3), (2, 3), (3, 0), (0, 3), (4, 0), (3, 3), (2, 3)])
#: Rows that don't ascend, a self-loop, parallel edges that weigh the same and others that don't.
ENDS = [(3, 0), (3, 2), (1, 0), (4, 1), (0, 2), (1, 2), (2, 2), (0, 4), (3, 2), (2, 3), (3, 4)]
TWO_WAYS = edges(5, ENDS, [5, 7, 1, 2, 3, 4, 9, 8, 7, 6, 1])
PLANS = ["np=serial block=32", "np=fg cc=block block=64", "np=tb+wp+fg cc=warp outline=all block=64"]
HEAD = """
import "array.irgl";
graph Graph { node int p = 1; node int q = 0; node edge kept = NONE; edge int w = 0; edge int load; }
struct Way { edge by; int far; };
long s = 0;
int number(Graph g, edge e) { return (int) (e.src.id * 10 + e.dst.id); }
edge same(edge e) { return e; }
edge one_into(Graph g, node n) { return n.in_edges[0]; }
Kernel visit(Graph g) WL list<edge> { ForAll (e In WL.items) { e.w += 1; s += e.src.id * 10 + e.dst.id; } }
Kernel visit_one(Graph g, edge e) { e.w += 50; s += number(g, e); }
Kernel hand_on(Graph g, list<edge> found) WL list<edge> {
  ForAll (n In g.nodes) {
    ForAll (e In n.in_edges) { found.push(e); }
    ForAll (e In n.in_edges) { WL.push(e); }
  }
}
Kernel count(Graph g, list<edge> found) { ForAll (e In found.items) { e.w += 100; } }
Kernel again(Graph g) WL list<edge> {
  ForAll (e In WL.items) {
    s += e.src.id * 10 + e.dst.id;
    ForAll (x In e.src.in_edges) { if ((x.w += 1).old == 0) { Respawn x; } }
  }
}
Kernel urgent(Graph g) WL buckets<edge> { ForAll (e In WL.items) { e.w += 1; s += number(g, e); } }
"""
#: What a case did to the graph and to `s`, as one number.
TELL = """
Kernel tell_NUMBER(Graph g) {
  ForAll (n In g.nodes) {
    told_NUMBER += (long) hash(n.id * 10007 + n.p) + hash(n.id * 101 + n.q) + hash(n.id * 1009 + n.kept.id) % 1000;
    n.p = 1; n.q = 0; n.kept = NONE;
  }
  ForAll (e In g.edges) { told_NUMBER += hash(e.id * 10009 + e.w); e.w = 0; }
}
"""
#: In an operator over all nodes.
OPERATOR = {
    "order": "For (e In n.in_edges) { n.p = n.p * 7 + (int) e.src.degree; n.q = n.q * 3 + e.load; }",
    "index": "if (n.in_degree > 1) { n.p = (int) n.in_edges[1].src.id; n.q = n.in_edges[1].load; }",
    "skip": "For (e In n.in_edges.skip(2)) { n.p = n.p * 7 + (int) (e.src.id + e.id); }",
    "weights": "ForAll (e In n.in_edges) { e.w = e.load * 10 + (int) (e.src.id - e.dst.id); }",
    "or none": "edge x = n.in_edges.size > 0 ? n.in_edges[0] : NONE; if (x != NONE) { x.w += 3; n.p = x.load; }",
    "none or": "edge x = n.in_degree < 2 ? NONE : n.in_edges[1]; if (x != NONE) { x.w += 3; n.p = (int) x.dst.id; }",
    "none within": "edge x = n.in_degree > 0 ? (n.degree > 1 ? NONE : n.in_edges[0]) : NONE; n.p = x == NONE;",
    "none in max": "if (n.in_degree > 0) { n.kept = max(n.in_edges[0], NONE); }",
    "none in min": "if (n.in_degree > 0) { n.q = min(NONE, n.in_edges[0]) == NONE; }",
    "none in a loop": "For (e In n.in_edges) { edge x = e.src.degree > 1 ? e : NONE; if (x != NONE) { x.w += 2; } }",
    "under a condition": "if (n.in_degree > 1) { edge x = n.in_edges[1]; ForAll (e In n.edges) { x.w += 1; } }",
    "in a struct": "ForAll (e In n.in_edges) { Way w = (Way){e, 2}; w.by.w += w.far; s += number(g, w.by); }",
    "in a field": "Way w; For (e In n.in_edges) { w.by = e; } if (w.by != NONE) { w.by.w += 1; }",
    "in a property": "For (e In n.in_edges) { n.kept max= e; } if (n.kept != NONE) { n.p = number(g, n.kept); }",
    "stored": "if (n.in_degree > 0) { n.kept = n.in_edges[n.in_degree - 1]; n.p = number(g, n.kept); }",
    "compared": "For (e In n.in_edges) { For (x In n.edges) { n.p += e == x; n.q += x < e; n.q += e.id == x.id; } }",
    "handed over": "For (e In n.in_edges) { same(e).w += 1; n.p += number(g, same(e)); }",
    "given back": "if (n.in_degree > 0) { one_into(g, n).w += 5; }",
    "one of two": "if (n.in_degree > 1 && n.degree > 0) { edge x = n.p > 0 ? n.in_edges[1] : n.edges[0]; x.w += 1; }",
    "of a variable": "auto into = n.in_edges; For (e In into) { edge x = e; x = e; x.w += 1; n.p = number(g, x); }",
}
PROGRAM = {
    "first items": "Pipe Once Initial (g.node(3).in_edges) { Invoke visit(g); }",
    "some first items": "Pipe Once Initial (g.node(3).in_edges.skip(1)) { Invoke visit(g); }",
    "one first item": "Pipe Once Initial [g.node(3).in_edges[1]] { Invoke visit(g); }",
    "first items of an Iterate": "Iterate again(g) Initial (g.node(3).in_edges) { }",
    "lists": "list<edge> found; Pipe Once { Invoke hand_on(g, found); Invoke visit(g); } Invoke count(g, found);",
    "a variable": "edge e = g.node(3).in_edges[1]; e.w = 7; s = e.load; Invoke visit_one(g, g.node(3).in_edges[0]);",
    "an array": "array<edge> a; a.resize(2); a[1] = g.node(3).in_edges[1]; a[1].w += 4; s = number(g, a[1]);",
    "urgent ones": "Pipe Initial (g.node(3).in_edges) { Invoke urgent(g); }",
    "a loop": "For (e In g.node(3).in_edges) { e.w += 1; s = s * 100 + number(g, e); }",
}


def text_of(bodies: Mapping[str, str], program: Mapping[str, str]) -> str:
    """A program of all cases, with a scalar for what each one did."""
    count = len(bodies) + len(program)
    kernels = [f"Kernel k{i}(Graph g) {{ ForAll (n In g.nodes) {{ {b} }} }}" for i, b in enumerate(bodies.values())]
    steps = [*(f"Invoke k{i}(g);" for i in range(len(bodies))), *program.values()]
    told = "".join(f"long told_{i} = 0; {TELL.replace('NUMBER', str(i))}" for i in range(count))
    main = "\n".join(f"{{ s = 0; {step} told_{i} += s; Invoke tell_{i}(g); }}" for i, step in enumerate(steps))
    return "\n".join([HEAD, told, *kernels, f"Program main(Graph g) {{ {main} }}\n"])


@pytest.mark.parametrize(("plan", "target"), [("default", "cpu"), *((plan, "simt") for plan in PLANS)])
def test_in_edges_are_the_same_edges_in_the_same_order_everywhere(plan: str, target: str) -> None:
    text = text_of(OPERATOR, PROGRAM)
    names = ["s", *OPERATOR, *PROGRAM]
    for graph in (ARCS, TWO_WAYS):
        found, wanted = found_and_wanted(text, plan, target, graph, names)
        assert found.scalars == wanted.scalars


ORIENTED = """
graph Graph { node int p = 0; edge int load; edge int own = 0; }
long total = 0;
long far = 0;
Kernel gather(Graph h) {
  ForAll (n In h.nodes) {
    total += n.in_degree;
    ForAll (e In n.in_edges) { n.p += (int) (e.src.id * 3) + e.load; e.own += 1; }
    For (e In n.in_edges) { n.p = n.p * 7 + (int) e.id; }
  }
}
Kernel hand_out(Graph h) { ForAll (n In h.nodes) { ForAll (e In n.edges) { e.dst.p += (int) n.id % 10 + 1; } } }
Kernel tell(Graph h) {
  ForAll (n In h.nodes) { total += n.p * (n.id + 1); ForAll (e In n.edges) { far += e.own * e.id * e.load; } }
}
Program main(undirected Graph g) { Graph h = oriented(g); Invoke gather(h); Invoke hand_out(h); Invoke tell(h); }
"""
PULLED = """
graph Graph { node int p = 0; }
long total = 0;
Kernel hand_out(Graph h) { ForAll (n In h.nodes) { ForAll (e In n.edges) { e.dst.p += (int) n.id + 1; } } }
Kernel tell(Graph h) { ForAll (n In h.nodes) { total += n.p * (n.id + 1); } }
Program main(undirected Graph g) { Graph h = oriented(g); Invoke hand_out(h); Invoke tell(h); }
"""


@pytest.mark.parametrize(("text", "plan", "target"), [(ORIENTED, "default", "cpu"), (PULLED, "direction=pull", "cpu"),
                                                      (ORIENTED, PLANS[0], "simt"), (ORIENTED, PLANS[2], "simt")])
def test_an_oriented_graph_has_in_edges(text: str, plan: str, target: str) -> None:
    found, wanted = found_and_wanted(text, plan, target, TWO_WAYS)
    assert found.scalars == wanted.scalars


WEIGHTS = """
graph Graph { node long p = 0; node long q = 0; edge int load; }
Kernel gather(Graph g) {
  ForAll (n In g.nodes) {
    ForAll (e In n.in_edges) { n.p += (e.src.id + 1) * e.load; }
    For (e In n.in_edges) { n.q = n.q * 7 + e.load; }
    if (n.in_degree > 1) { n.q = n.q * 3 + n.in_edges[1].load; }
  }
}
Program main(Graph g) { Invoke gather(g); For (e In g.node(3).in_edges) { g.node(3).q += e.load * 1000; } }
"""


@pytest.mark.parametrize(("plan", "target"), [("default", "cpu"), *((plan, "simt") for plan in PLANS)])
def test_weights_of_in_edges_are_those_of_the_edges(plan: str, target: str) -> None:
    weighted = replace(ARCS, weight=7 + np.arange(ARCS.num_edges) ** 2 % 41)
    for graph in (weighted, ARCS, TWO_WAYS):
        found, wanted = found_and_wanted(WEIGHTS, plan, target, graph)
        assert [found.properties[p] for p in "pq"] == [wanted.properties[p] for p in "pq"]


def test_who_reads_weights_of_in_edges_alone_needs_no_numbers_of_them() -> None:
    asked = driver.compile("one.irgl", text=WEIGHTS).graph_params[0].needs
    assert (asked.transpose, asked.in_edge, asked.in_weights) == (True, False, True)
    asked = driver.compile("one.irgl", text=ORIENTED).graph_params[0].needs  # whose weights the run lays out
    assert (asked.in_edge, asked.in_weights) == (True, False)


def test_a_property_of_another_graph_type_may_have_the_name_of_weights_of_in_edges() -> None:
    text = """graph A { edge int load; } graph B { edge int load = 3; edge int w; } long p = 0; long q = 0;
Kernel a(A g) { ForAll (n In g.nodes) { ForAll (e In n.in_edges) { p += (e.src.id + 1) * e.load; } } }
Kernel b(B g) { ForAll (n In g.nodes) { ForAll (e In n.in_edges) { q += (e.src.id + 1) * e.load * e.w; } } }
Program main(A g, B h) { Invoke a(g); Invoke b(h); }
"""
    weighted = replace(ARCS, weight=7 + np.arange(ARCS.num_edges) ** 2 % 41)
    found, wanted = found_and_wanted(text, "default", "cpu", weighted)
    assert found.scalars == wanted.scalars
