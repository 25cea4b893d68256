"""Programs in which iterations reach what another one owns: none races on a device, and each update takes effect."""

from __future__ import annotations

import pytest
from support.awkward_graphs import random_arcs
from support.running import outcome
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


#: How many pushes into bitmaps take no atomic, of a loop over all nodes; and of loops below the iteration, how many
#: take none unless threads share these.
PUSHES: dict[str, int | tuple[int, int]] = {
    "if (n.p > 0) { a.push(n); } a.push(n);": 2,
    "a.push(n); b.push(n.up);": 1,
    "a.push(n); For (e In n.edges) { b.push(e.dst); }": 1,
    "a.push(n); For (e In n.edges) { a.push(e.dst); }": 0,
    "a.push(n); a.push(g.node(0));": 0,
    "a.push(n); put(g, a, n.up);": 0,
    "a.push(n); outer_put(g, a, n.up);": 0,
    "ForAll (e In n.edges) { if (e.dst.p > 0) { a.push(n); } }": (0, 1),
    "a.push(n); ForAll (e In n.edges) { a.push(n); }": (1, 1),
    "a.push(n); ForAll (e In n.edges) { a.push(e.dst); }": 0,
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
    wanted, unit = PUSHES[body], compile_unit("p.irgl", text=text).text
    found = unit.count(".push_own("), unit.count(".template push_of<IRGL_SHARED(inner)>(")
    assert found == (wanted if isinstance(wanted, tuple) else (wanted, 0))


SATURATE = """graph Graph { node long excess = 0; node node up = NONE; edge int w; edge int flow = 0; edge int into = 0;
  edge int at = 0; edge int later = 0; }
long sent = 0;
long top = 0;
Kernel saturate(Graph g, node s) {
  ForAll (e In s.edges) { e.flow = e.w; e.flow *= 2; e.flow += 1; e.dst.excess += e.flow; s.excess -= e.flow;
    sent += e.flow; }
  ForAll (e In s.in_edges) { e.into = e.w; e.into ^= 5; }
  ForAll (i In range(s.degree)) { edge e = s.edges[i]; e.at = (int)i + 1; e.at *= 3; }
  ForAll (i In range(9)) { if (i < s.degree) { auto r = s.edges; ForAll (e In r) { sent += e.w; } r[i].at += 1; } }
  ForAll (e In g.node(top).edges.skip(1)) { e.later = e.w; e.later *= 3; racy top = s.id; }
  ForAll (e In s.up.edges.when(s.id > 3)) { relaxed s.up = e.dst; e.later += 1; e.later *= 2; }
}
Program main(Graph g) {
  For (s In g.nodes) { if (s.id % 10 == 7) { top = s.id - 2; s.up = g.node(s.id - 1); Invoke saturate(g, s); } }
}
"""


@pytest.mark.parametrize(("plan", "target"), [*PLANS, ("default", "cpu"), ("default", "simt"),
                                              ("np=tb+wp+fg cc=block outline=all", "simt")])
def test_the_edges_of_one_node_are_stored_by_a_loop_over_them(plan: str, target: str) -> None:
    flow, into, at, later = ([0] * GRAPH.num_edges for _ in range(4))
    sent, excess, rows, weight = 0, [0] * GRAPH.num_nodes, GRAPH.row.tolist(), GRAPH.weight.tolist()
    for s in (7, 17, 27, 37):
        for k, e in enumerate(range(rows[s], rows[s + 1])):
            flow[e], at[e] = weight[e] * 2 + 1, 3 * k + 3 + (k < 9)
            sent += flow[e] + weight[e] * min(rows[s + 1] - rows[s], 9)
            excess[GRAPH.dst[e]] += flow[e]
            excess[s] -= flow[e]
        for e in (e for e, v in enumerate(GRAPH.dst) if v == s):
            into[e] = weight[e] ^ 5
        for e in range(rows[s - 2] + 1, rows[s - 1]):
            later[e] = weight[e] * 3
        for e in range(rows[s - 1], rows[s]):
            later[e] = later[e] * 2 + 2
    left = outcome(SATURATE, plan, target, GRAPH).result
    assert left.scalars["sent"] == sent
    assert [left.properties[word].array.tolist() for word in ("excess", "flow", "into", "at", "later")] == [
        excess, flow, into, at, later]


APPEND = """import "append_only_list.irgl";
graph Graph { node long at = 0; node long got = 0; node lock l; edge int w; edge long to = 0; edge long had = 0; }
long s = 0; long t = 0;
Kernel once(Graph g, AppendOnlyList<long> a) {
  ForAll (n In g.nodes) { long q = a.append(5); a[q] = n.id; a[q] *= 3; a[q] += 1; n.at = q; a[n.id % 4] += 1;
    t += a[n.id % 4] >= 0; a[a.append(0)] = 1; Atomic (n.l) { a[q] += 2; } }
}
Kernel below(Graph g, AppendOnlyList<long> a) {
  ForAll (n In g.nodes) { if (n.id > 2) {
    long q = a.append(0); a[q] = n.id;
    ForAll (e In n.edges) { long p = a.append(0); a[p] = e.w; a[p] *= 2; e.to = p; a[e.w % 4] += 1; }
    a[q] *= 7; a[n.id % 4] += 1; n.at = q;
  } }
}
Kernel around(Graph g, AppendOnlyList<long> a) {
  ForAll (n In g.nodes) { if (n.id > 2) {
    long q = a.append(0); a[q] = 1; ForAll (e In n.edges) { a[q] += e.w; } a[q] *= 2; n.at = q; } }
}
Kernel look(Graph g, AppendOnlyList<long> a) {
  ForAll (n In g.nodes) { n.got = n.got * 100 + a[n.at]; ForAll (e In n.edges) { e.had = a[e.to]; } }
}
Program main(Graph g) {
  AppendOnlyList<long> a;
  for (int i = 0; i < 4; i++) { a.append(0); }
  Invoke once(g, a); Invoke look(g, a); Invoke below(g, a); Invoke look(g, a); Invoke around(g, a); Invoke look(g, a);
  For (x In a.items) { s += x; }
}
"""


@pytest.mark.parametrize(("plan", "target"), [*PLANS, ("default", "cpu"), ("default", "simt"),
                                              ("np=tb+wp+fg cc=block outline=all", "simt")])
def test_what_an_iteration_appends_it_stores_beside_others_updates_of_what_was_there(plan: str, target: str) -> None:
    rows, weight, n = GRAPH.row.tolist(), GRAPH.weight.tolist(), GRAPH.num_nodes
    mine = [range(rows[v], rows[v + 1]) for v in range(n)]
    first = [v * 3 + 3 for v in range(n)]
    second = [v * 7 if v > 2 else first[v] for v in range(n)]
    third = [2 + 2 * sum(weight[e] for e in mine[v]) if v > 2 else first[v] for v in range(n)]
    reached = range(rows[3], GRAPH.num_edges)
    s = sum(first) + 2 * n + sum(second[3:]) + sum(2 * weight[e] + 1 for e in reached) + (n - 3) + sum(third[3:])
    left = outcome(APPEND, plan, target, GRAPH).result
    assert (left.scalars["s"], left.scalars["t"]) == (s, n)
    assert left.properties["got"].array.tolist() == [(a * 100 + b) * 100 + c for a, b, c in
                                                     zip(first, second, third, strict=True)]
    assert left.properties["had"].array.tolist()[rows[3]:] == [2 * weight[e] for e in reached]
