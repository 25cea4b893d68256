"""The Program's own code on GPUs: properties, lists and arrays are the device's; what it changes is there at once."""

from __future__ import annotations

import pytest
from support.awkward_graphs import directed
from support.running import outcome
from support.tables import found_and_wanted, numbered, scalars

from irgl.driver import compile as compile_unit
from irgl.plan import Plan
from irgl.source import IrglError

GRAPH = directed(5, [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (1, 1), (0, 4)])
HEAD = """
import "array.irgl";
struct Pair { int x; int y; };
graph Graph { node int v = 0; node int u = 0; node Pair p = (Pair) {1, 2}; }
graph Other { node int v = 0; }
int t = 0;
Kernel zero(Other g) { ForAll (n In g.nodes) { n.v = 0; } }
Kernel clean(Graph g) { ForAll (n In g.nodes) { n.v = 0; n.u = 0; } t = 0; }
Kernel k(Graph g, int x) { ForAll (n In g.nodes) { n.v = n.v * 10 + x + 1; } }
Kernel mark(Graph g, list<node> l) { ForAll (n In l.items) { n.u += 1; } }
Kernel gather(Graph g, list<node> l) { ForAll (n In g.nodes) { if (n.id < 2) { l.push(n); } } }
Kernel one(Graph g) { ForAll (n In g.nodes) { ReduceAndReturn (n.v == 1); } }
Kernel raise(Graph g) { ForAll (n In g.nodes) { t += 1; ReduceAndReturn (n.v == 1); } }
Kernel use(Graph g) { ForAll (n In g.nodes) { ForAll (e In n.edges) { both(g, e.dst, 1); } } }
int change(Graph g, int x, node n) { n.v = n.v * 10 + x + 1; return n.v; }
bool twice(Graph g, node n) { return (n.v += 1).old == 0 && n.v == 1; }
int grow() { t += 10; return t - 3; }
void both(Graph g, node n, int x) { n.v += x; relaxed n.u = 3; t |= 4; cas(n.v, 3, 9); }
void fill(array<int> a, int n) { a.resize(n); a[n - 1] += n; }
void exchange(list<node> a, list<node> b) { a.clear(); a.swap(b); }
"""
#: Each starts with v, u and t 0.
BODIES = {
    "a kernel's argument": "Invoke k(g, (src.v += 1).old); s = src.v;",
    "a helper's argument": "s = change(g, (src.v += 1).old, src); s = s * 100 + src.v;",
    "both sides of and": "if ((src.v += 1) && (src.v += 1)) { s = src.v; }",
    "both sides of or": "if ((src.v -= 1).old > 0 || (src.v -= 1).old == -1) { s = src.v; }",
    "a condition": "s = (src.v += 1).old == 0 ? src.v * 10 + (src.v += 5).old : 7; s = s * 100 + src.v;",
    "before a kernel's value": "if ((src.v += 1) && Any Invoke one(g)) { s = src.v; }",
    "exchanges": "if (cas(src.v, 0, 5) && cas(src.v, 5, 7)) { s = src.v; }",
    "returned": "s = twice(g, src); s += src.v * 10;",
    "nested": "s = ((src.v += (src.u += 3).old + 1).old + (src.v xchg= 8).old) * 100 + src.u * 10 + src.v;",
    "every update": "src.v += 13; src.v -= 2; src.v |= 4; src.v &= 14; src.v ^= 3; src.v min= 9; src.v max= 7; "
                    "s = src.v;",
    "a struct": "src.p = (Pair) {src.p.x + 1, src.p.y}; s = src.p.x * 10 + src.p.y;",
    "a helper in an update": "src.v max= change(g, 1, src) - 1; s = src.v;",
    "a helper in a scalar's update": "t = 5; t max= grow(); s = t;",
    "a helper in an exchange": "t = 5; if (cas(t, grow() + 3, 7)) { s = t; }",
    "a helper in a sum": "t = 5; t += grow(); t -= grow(); s = t;",
    "a kernel in a scalar's update": "t = 3; t max= Any Invoke raise(g) ? 1 : 4; s = t;",
    "a helper of both": "Invoke use(g); both(g, src, 2); s = src.v * 100 + src.u * 10 + t;",
    "the k-th edge": "edge<g> e = src.edges[1]; s = e.dst.id * 10 + g.node(4).in_edges[0].src.id; "
                     "s = s * 10 + kth(g, src);",
    "an array": "array<int> a; fill(a, 3); fill(a, 5); s = a.size * 100 + a[2] * 10 + a[4];",
    "a list in a helper": "list<node> a; list<node> b; b.push(src); a.push(src); a.push(src); exchange(a, b); "
                          "s = a.size * 10 + b.size;",
    "layers of the other": "list<node> a; list<node> b; list<node> c; c.push(src); b.push(src); b.push(g.node(1)); "
                           "a.stack(b); b.stack(c); a.unstack(b); b.push(g.node(3)); b.unstack(c); "
                           "s = a.size * 100 + b.size * 10 + c.size;",
    "layers and a loop that swaps": "list<node> a; list<node> b; list<node> x; x.push(src); x.push(g.node(1)); "
                                    "a.push(src); a.stack(x); Pipe Once { a.swap(b); Invoke mark(g, b); } "
                                    "b.unstack(x); s = a.size * 100 + b.size * 10 + x.size;",
    "layers and a loop that clears": "list<node> a; list<node> x; x.push(src); a.push(src); a.stack(x); "
                                     "Pipe Once { a.clear(); Invoke gather(g, a); } a.unstack(x); "
                                     "s = a.size * 10 + x.size;",
    "another graph in a loop": "node<h> x = h.node(1); Pipe Once { x.v += 3; Invoke zero(h); x.v += 4; } s = x.v;",
    "nothing but another graph's node": "node<h> x = h.node(1); Pipe Once { x.v += 3; Invoke k(g, 1); } s = x.v;",
}
PLANS = [("default", "cpu"), *((f"np=fg outline={how} block=32", "simt") for how in ("off", "all", "graph"))]


def text_of() -> str:
    """A program of all bodies, each with a scalar of its own for what it finds."""
    made = [numbered(body, i) for i, body in enumerate(BODIES.values())]
    main = "\n".join(f"Invoke clean(g); {{ {body} }}" for body in made)
    kth = "long kth(Graph g, node n) { edge e = n.edges[2]; return e.dst.id; }"
    return f"{HEAD}{scalars(len(made))}\n{kth}\nProgram main(Graph g, Other h) {{ node<g> src = g.node(0);\n{main} }}\n"


@pytest.mark.parametrize(("plan", "target"), PLANS)
def test_what_the_program_changes_is_there_at_once(plan: str, target: str) -> None:
    found, wanted = found_and_wanted(text_of(), plan, target, GRAPH, ["t", *BODIES])
    assert found.scalars == wanted.scalars


def test_a_node_has_no_edge_behind_its_last() -> None:
    text = "graph Graph { node int v = 0; }\nProgram main(Graph g) { edge e = g.node(0).edges[3]; e.src.v = 1; }"
    with pytest.raises(IrglError, match=r":2:\d+: error: access through NONE or outside of its bounds"):
        outcome(text, "default", "simt", GRAPH)


def test_a_helper_that_kernels_call_may_not_clear_a_list() -> None:
    text = """graph Graph { node int v = 0; }
void empty(list<node> l) { l.clear(); }
void through(list<node> l) { empty(l); }
Kernel k(Graph g, list<node> l) { through(l); ForAll (n In l.items) { n.v += 1; } }
Program main(Graph g) { list<node> l; Invoke k(g, l); }"""
    with pytest.raises(IrglError, match="'clear' inside a kernel does not run on a device"):
        compile_unit("p.irgl", text=text, target="simt", plan=Plan.parse("default", "simt"))
