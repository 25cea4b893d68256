"""Programs in which iterations reach what another one owns: none races on a device, and each update takes effect."""

from __future__ import annotations

import pytest
from support.awkward_graphs import random_arcs
from support.tables import found_and_wanted

from irgl.driver import compile as compile_unit

GRAPH = random_arcs(5, 40, 160)
HEAD = """import "array.irgl";
graph Graph { node int p = 0; node int q = 0; node lock l; edge int m = 0; edge int k = 0; }
long s = 0;
"""
#: In an operator on node n; the array a has an element for each node and edge.
BODIES = {
    "a node by an edge's number":
        "n.p += 1; For (e In n.edges) { if (e.id < g.num_nodes) { g.node(e.id).p += 1; } }",
    "elements by a node's number and by an edge's": "a[n.id] += 1; For (e In n.edges) { a[e.id] += 2; }",
    "an edge by a node's number": "g.edge(n.id).m += 1; For (e In n.edges) { e.m += 2; }",
    "elements by an in-edge's number": "For (e In n.edges) { a[e.id] += 1; } For (e In n.in_edges) { a[e.id] += 2; }",
    "an edge by an in-edge's number":
        "For (e In n.edges) { e.m += 1; } For (e In n.in_edges) { g.edge(e.id).m += 2; }",
    "edges of a node by an edge's number": "For (e In n.edges) { e.m += 1; if (e.id < g.num_nodes) { "
        "For (f In g.node(e.id).edges) { f.m += 2; } } }",
    "nested": "n.p += 1; ForAll (e In n.edges) { a[e.id] += 1; a[n.id] += 1; g.edge(e.id).m += 1; }",
    "a load at an edge's other end": "n.p += 1; ForAll (e In n.edges) { s += e.dst.p < 999; }",
    "a load by an edge's number": "n.p += 1; For (e In n.edges) { if (e.id < 40) { s += g.node(e.id).p < 999; } }",
    "a load of what all edges reach": "ForAll (e In n.edges) { n.p += 1; s += e.dst.p < 999; }",
    "a load in front": "For (e In n.edges) { s += e.dst.p < 999; } n.p max= 3; n.q += (n.p xchg= 5).old > 0;",
    "an exchange": "s += cas(n.p, 0, 2); For (e In n.edges) { s += e.dst.p < 999; }",
    "a load under a lock": "n.p += 1; For (e In n.edges) { Atomic (e.dst.l) { s += e.dst.p < 999; } }",
}
PLANS = [("serial=0", "cpu"), ("none", "simt"), ("np=fg cc=warp block=64", "simt")]


@pytest.mark.parametrize(("plan", "target"), PLANS)
def test_nothing_races(plan: str, target: str) -> None:
    kernels = [f"Kernel k{i}(Graph g, array<int> a) {{ ForAll (n In g.nodes) {{ {body} }} }}"
               for i, body in enumerate(BODIES.values())]
    told = "Kernel told(Graph g, array<int> a) { ForAll (i In range(a.size)) { s += a[i] * i; } }"
    calls = " ".join(f"Invoke k{i}(g, a);" for i in range(len(kernels)))
    main = f"array<int> a; a.resize(g.num_nodes + g.num_edges); {calls} Invoke told(g, a);"
    text = "\n".join([HEAD, *kernels, told, f"Program main(Graph g) {{ {main} }}\n"])
    found, wanted = found_and_wanted(text, plan, target, GRAPH)
    assert found.scalars == wanted.scalars
    assert [found.properties[word] for word in "pqm"] == [wanted.properties[word] for word in "pqm"]


#: Whether a push of the item of a loop over all nodes has its word of a bitmap for itself.
PUSHES = {
    "if (n.p > 0) { a.push(n); } a.push(n);": 2,
    "a.push(n); b.push(n.up);": 1,
    "a.push(n); For (e In n.edges) { b.push(e.dst); }": 1,
    "a.push(n); For (e In n.edges) { a.push(e.dst); }": 0,
    "a.push(n); a.push(g.node(0));": 0,
    "a.push(n); put(g, a, n.up);": 0,
    "a.push(n); outer_put(g, a, n.up);": 0,
    "ForAll (e In n.edges) { if (e.dst.p > 0) { a.push(n); } }": 0,
    "a.push(n); ForAll (e In n.edges) { a.push(n); }": 0,
    "node m = n; a.push(m);": 0,
}


@pytest.mark.parametrize("body", PUSHES)
def test_a_bit_of_ones_own_is_set_without_an_atomic_only_where_nobody_sets_others_beside_it(body: str) -> None:
    text = f"""graph Graph {{ node int p = 0; node node up = NONE; }}
void put(Graph g, bitmap<node> c, node x) {{ c.push(x); }}
void outer_put(Graph g, bitmap<node> c, node x) {{ put(g, c, x); }}
Kernel k(Graph g, bitmap<node> a, bitmap<node> b) {{ ForAll (n In g.nodes) {{ {body} }} }}
Program main(Graph g) {{ bitmap<node> a; bitmap<node> b; Invoke k(g, a, b); }}
"""
    assert compile_unit("p.irgl", text=text).text.count(".push_own(") == PUSHES[body]
