"""Programs with two graphs of different sizes: every node and edge, wherever it was kept, is one of its own graph."""

from __future__ import annotations

import pytest
from support.awkward_graphs import directed, random_arcs
from support.tables import found_and_wanted, scalars

from irgl.analysis.check import check
from irgl.frontends.text.load import load_text
from irgl.source import IrglError

GRAPHS = {"g": directed(4, [(0, 1), (0, 2), (1, 3), (3, 0)]), "h": random_arcs(3, 200, 900)}
HEAD = """
import "array.irgl";
graph Graph { node int q = 1; node int p = 0; node node up = NONE; node P best; edge int w = 2; }
struct P { int a; node b; };
struct E { edge e; int a; };
long s = 0;
int value(Graph x, P p) { return p.b.q + p.a; }
P made(Graph x, node n) { return (P){1, n}; }
P bare(node n) { return (P){2, n}; }
int weight(Graph a, Graph b, node n, node<b> m) { return n.q * 10 + m.q; }
Kernel fill(Graph x) { ForAll (n In x.nodes) { n.best = (P){3, n}; n.q = (int) n.id % 7; n.up = n; } }
Kernel swapped(Graph a, Graph b) { ForAll (n In b.nodes) { P w = (P){1, n}; s += w.b.q; } s += a.num_nodes; }
Kernel take(Graph x, P p) { s += p.b.q * 100; p.b.p += 1; }
Kernel push(Graph x) WL list<P> { ForAll (n In x.nodes) { WL.push((P){1, n}); } }
Kernel pop(Graph x) WL list<P> { ForAll (w In WL.items) { s += w.b.q; w.b.p += 2; } }
Kernel far(Graph g, Graph h, list<node<h>> l, array<node<h>> m) {
  ForAll (n In l.items) { s += n.q + n.degree; }
  ForAll (i In range(m.size)) { if (m[i] != NONE) { s += m[i].q; } }
}
Kernel back(Graph g, Graph h) WL list<node<h>> {
  ForAll (n In WL.items) { s += n.q; ForAll (e In n.edges) { if ((e.dst.p max= 700).changed) { Respawn e.dst; } } }
}
Kernel near(Graph h) WL list<node> { ForAll (n In WL.items) { s += n.q; ForAll (e In n.edges) { s += e.w; } } }
"""
#: In a kernel of g and h, over h's nodes.
OPERATOR = {
    "a literal": "P w = (P){1, n}; s += w.b.q;",
    "a copy": "P w = (P){1, n}; P v; v = w; s += v.b.q;",
    "a field": "P v; v.b = n; v.a = 2; s += v.b.q + v.a; v.b.p += 1;",
    "a field first": "P v; v.a = 2; v.b = n; s += v.b.q;",
    "one or the other": "P v; if (n.q > 3) { v = (P){1, n}; } else { v = (P){2, NONE}; } if (v.a < 2) s += v.b.q;",
    "under a condition": "if (n.q > 2) { P v = (P){1, n}; ForAll (e In n.edges) { s += v.b.q + e.w; } }",
    "of two": "P v = n.q > 3 ? (P){1, n} : n.best; s += v.b.q;",
    "of a property": "P v = n.best; s += v.b.q + n.best.b.q;",
    "stored": "n.best = (P){7, n}; s += n.best.b.q;",
    "updated": "n.best min= (P){0, n}; s += (n.best min= (P){-1, n}).old.b.q;",
    "given": "s += value(h, (P){1, n}) + value(h, n.best);",
    "given back": "s += made(h, n).b.q; P v = bare(n); s += v.b.q; s += bare(n).b.q;",
    "an edge": "ForAll (e In n.edges) { E x = (E){e, 1}; s += x.e.w + x.e.dst.q; }",
    "properties of one name": "if (n.id < g.num_nodes) { s += g.node(n.id).q * 10 + n.q; } s += n.up.q;",
    "a helper of both": "s += weight(g, h, g.node(n.id % 4), n) + weight(h, g, n, g.node(n.id % 4));",
    "both": "P v = (P){1, g.node(n.id % 4)}; P w = (P){1, n}; s += v.b.q * 10 + w.b.q;",
    "variables": "node m = g.node(0); node<h> k = n; s += m.q * 10 + k.q; auto x = n; x = k; s += x.q; m = g.node(1);",
}
PROGRAM = {
    "kernels with the graphs changed about": "Invoke swapped(h, g); Invoke swapped(g, h);",
    "structs as arguments": "P v = (P){1, h.node(150)}; Invoke take(h, v); Invoke take(g, (P){1, g.node(1)});",
    "lists of structs": "Pipe Once { Invoke push(h); Invoke pop(h); } Pipe Once { Invoke push(g); Invoke pop(g); }",
    "first items": "Pipe Once Initial [(P){1, h.node(199)}] { Invoke pop(h); }",
    "items that come back": "Pipe Once Initial [h.node(180), h.node(3)] { Invoke back(g, h); }",
    "nodes in lists": "list<node<h>> l; array<node<h>> m; m.resize(3); m[1] = h.node(180);"
                      "For (n In h.nodes) { l.push(n); } Invoke far(g, h, l, m);",
    "a list of h's nodes": "Pipe Once Initial (h.nodes) { Invoke near(h); } Iterate near(g) Initial [g.node(2)] { }",
}
PLANS = [("default", "cpu"), ("np=serial block=32", "simt"), ("np=fg cc=block outline=all block=64", "simt")]


def text_of() -> str:
    kernels = [f"Kernel k{i}(Graph g, Graph h) {{ ForAll (n In h.nodes) {{ {b} }} }}"
               for i, b in enumerate(OPERATOR.values())]
    steps = [*(f"Invoke k{i}(g, h);" for i in range(len(kernels))), *PROGRAM.values()]
    main = "\n".join(f"{{ s = 0; {step} s{i} = s; Invoke fill(g); Invoke fill(h); }}" for i, step in enumerate(steps))
    first = "Invoke fill(g); Invoke fill(h);"
    return "\n".join([HEAD, scalars(len(steps)), *kernels, f"Program main(Graph g, Graph h) {{ {first} {main} }}\n"])


@pytest.mark.parametrize(("plan", "target"), PLANS)
def test_what_is_of_a_graph_stays_of_it(plan: str, target: str) -> None:
    found, wanted = found_and_wanted(text_of(), plan, target, GRAPHS, ["s", *OPERATOR, *PROGRAM])
    assert found.scalars == wanted.scalars
    assert [found.properties[name] for name in ("p", "q")] == [wanted.properties[name] for name in ("p", "q")]


#: In an operator over h's nodes; `m` is one of g.
REFUSED = {
    "P v = (P){1, m}; v.b = n;": "'b' wants node<g>, not node<h>",
    "P v = (P){1, n}; v.b = m;": "'b' wants node<h>, not node<g>",
    "P v = (P){1, m}; P w = (P){1, n}; v = w;": "this P holds nodes or edges of 'h', and those of 'g' are wanted",
    "P v; v = (P){1, m}; v = (P){1, n};": "of 'h', and those of 'g' are wanted",
    "P v; s += v.b == NONE; v.b = n;": "'b' wants node<g>, not node<h>",
    "n.best = (P){1, m};": "of 'g', and those of 'h' are wanted",
    "m.best = n.best;": "of 'h', and those of 'g' are wanted",
    "n.best min= (P){1, m};": "of 'g', and those of 'h' are wanted",
    "s += cas(n.best, n.best, m.best);": "of 'g', and those of 'h' are wanted",
    "P v = s > 0 ? (P){1, n} : (P){1, m};": "of 'g', and those of 'h' are wanted",
    "s += value(g, (P){1, n});": "of 'h', and those of 'g' are wanted",
    "s += value(g, n.best);": "of 'h', and those of 'g' are wanted",
    "P v = made(h, n); v = made(g, m);": "of 'g', and those of 'h' are wanted",
    "P v = bare(n); v = bare(m);": "of 'g', and those of 'h' are wanted",
    "s += less(n, m);": "these are nodes or edges of two graphs, 'h' and 'g'",
    "l.push((P){1, n});": "of 'h', and those of 'g' are wanted",
    "a[n.id] = (P){1, n};": "of 'h', and those of 'g' are wanted",
    "P v = (P){1, n}; v = a[0];": "of 'g', and those of 'h' are wanted",
    "D v = (D){n, m};": "field 'y' wants node<h>, not node<g>",
}
REFUSED_IN_THE_PROGRAM = {
    "list<P> l; array<P> a; Invoke k(h, g, l, a);": "of 'g', and those of 'h' are wanted",
    "P v = (P){1, h.node(0)}; Invoke take(g, v);": "of 'h', and those of 'g' are wanted",
    "Pipe Once Initial [(P){1, g.node(0)}] { Invoke pop(h); }": "of 'g', and those of 'h' are wanted",
    "Pipe Once { Invoke push(g); Invoke pop(h); }":
        "kernels of one Pipe share lists, but the nodes in those of 'push' are of 'g', and in those of 'pop' of 'h'",
    "list<P> l; Invoke keep(l, h.node(3));": "these are nodes or edges of two graphs, 'g' and 'h'",
    "list<P> l; l.push((P){1, h.node(3)});": "of 'h', and those of 'g' are wanted",
}
TAIL = """
struct D { node x; node y; };
bool less(node a, node b) { return a < b; }
Kernel keep(list<P> l, node n) { l.push((P){1, n}); }
"""


def refused(operator: str, program: str) -> str:
    kernel = f"Kernel k(Graph g, Graph h, list<P> l, array<P> a) {{ ForAll (n In h.nodes) {{ {operator} }} }}"
    with pytest.raises(IrglError) as e:
        check(load_text(f"{HEAD}{TAIL}{kernel} Program main(Graph g, Graph h) {{ {program} }}\n"))
    assert e.value.span is not None and e.value.hint
    return e.value.message


@pytest.mark.parametrize(("body", "why"), REFUSED.items())
def test_items_of_two_graphs_never_mix_in_a_kernel(body: str, why: str) -> None:
    assert why in refused(f"node m = g.node(0); {body}", "")


@pytest.mark.parametrize(("body", "why"), REFUSED_IN_THE_PROGRAM.items())
def test_items_of_two_graphs_never_mix_in_the_program(body: str, why: str) -> None:
    assert why in refused("", body)


def test_a_field_names_no_graph() -> None:
    with pytest.raises(IrglError, match="a field can't be node<h>"):
        check(load_text("struct S { node<h> n; };"))
