"""What the passes for GPUs move, guard or compute before a loop is computed as often as the program says, and where."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from support.awkward_graphs import directed
from support.running import outcome
from support.tables import found_and_wanted, numbered, scalars

from irgl.analysis.check import check
from irgl.driver import compile as compile_unit
from irgl.frontends.text.load import load_text
from irgl.interpret import run
from irgl.passes.lowering.lower_cuda import lower
from irgl.plan import Plan
from irgl.source import IrglError

GRAPH = directed(5, [(0, 1), (0, 2), (1, 3), (2, 3), (3, 0), (0, 3), (4, 0)])
HEAD = """
import "append_only_list.irgl"; import "array.irgl";
struct Pair { int a; node b; };
graph Graph { node lock guard; node int c = 1; node long v = 0; node node o = NONE; node Pair pair = (Pair){0, NONE};
  edge int w = 0; }
long calls = 0;
node pick(Graph g, node n) { calls += 1; return g.node((n.id + 1) % g.num_nodes); }
Kernel pairs(Graph h) { ForAll (n In h.nodes) { Pair z = (Pair){3, n}; n.pair = z; n.o = n; } }
"""
#: In an iteration over g's nodes, or a kernel's whole body. What it appends goes to `out`, `more` and `far`.
APPENDED = {
    "of a helper's node": "ForAll (e In pick(g, n).edges) { out.push(e.dst); }",
    "of a helper's node, to a library's list": "ForAll (e In pick(g, n).edges) { more.append(e.dst); }",
    "behind what others count": "ForAll (e In n.edges.skip(n.c)) "
                                "{ out.push(e.dst); e.dst.c += 1; s -= (e.dst.id + 1) * 1000000 + 1000; }",
    "behind what it counts": "ForAll (e In n.edges.skip((n.v += 1).old)) { out.push(e.dst); }",
    "behind a variable": "long k = 0; k += n.id % 2; ForAll (e In n.edges.skip(k)) { out.push(e.dst); }",
    "of the next node": "if (n.id + 1 < g.num_nodes) { ForAll (e In g.node(n.id + 1).edges.skip(1)) "
                        "{ out.push(e.dst); } }",
    "another graph's nodes": "ForAll (m In h.nodes) { far.push(m); }",
    "another graph's nodes by edges": "ForAll (m In h.nodes) { ForAll (e In m.edges) "
                                      "{ if (e.dst.id > 0) { far.push(e.dst); } } }",
}
GUARDED = {
    "a number of the next node": "if (n.id + 1 < g.num_nodes) { auto i = g.node(n.id + 1).id; "
                                 "ForAll (e In n.edges) { n.v += 1; } s += i; n.o = i; }",
    "a number in a long": "if (n.id + 1 < g.num_nodes) { long i = g.node(n.id + 1).id; "
                          "ForAll (e In n.edges) { n.v += 1; } s += i; }",
    "a number as its node": "if (n.id > 1) { node x = n.id; ForAll (e In n.edges) { n.v += 1; } x.c += 1; }",
    "a number of the next as its node": "if (n.id + 1 < g.num_nodes) { node x = g.node(n.id + 1).id; "
                                        "ForAll (e In n.edges) { n.v += 1; } x.c += 1; }",
    "edges of the next node": "if (n.id + 1 < g.num_nodes) { auto es = g.node(n.id + 1).edges; "
                              "ForAll (e In n.edges) { n.v += 1; } For (f In es) { n.c += 1; } }",
    "edges of a counted node": "if (n.id > 1) { auto es = g.node((s += 1).old * 0).edges; "
                               "ForAll (e In n.edges) { n.v += 1; } For (f In es) { n.c += 1; } }",
    "a loop over a counted node's edges":
        "if (n.id > 1) { ForAll (e In g.node((s += 1).old * 0).edges) { n.v += 1; } }",
    "its own node by another name": "if (n.id > 1) { node x = n; ForAll (e In n.edges) { n.c += 1; } x.v = 7; }",
    "its own node by its number": "if (n.id > 1) { node x = g.node(n.id); ForAll (e In n.edges) { n.c += 1; } "
                                  "x.v = 7; }",
    "its own number": "if (n.id > 1) { long i = n.id; auto j = i; ForAll (e In n.edges) { n.c += 1; } "
                      "g.node(j).v = 7; }",
    "a struct": "if (n.id > 1) { Pair z = n.pair; ForAll (e In n.edges) { z.b.v += 1; } z.b.v += 10; s += z.a; }",
    "a struct that changes": "if (n.id > 1) { Pair z = n.pair; ForAll (e In n.edges) { n.v += 1; } z.a = z.a + 5; "
                             "s += z.a; }",
    "a struct of fields": "if (n.id > 1) { Pair z = (Pair){n.c, pick(g, n)}; ForAll (e In n.edges) { z.b.v += 1; } "
                          "s += z.a; }",
    "another graph's struct": "ForAll (m In h.nodes) { if (m.id > 0) { Pair z = m.pair; "
                              "ForAll (e In m.edges) { z.b.v += 1; } z.b.v += 10; } }",
    "an edge into it": "if (n.in_degree > 1) { edge q = n.in_edges[0]; ForAll (e In n.edges) { q.w += 1; } "
                       "s += q.src.id; }",
    "an edge into it by its number": "if (n.in_degree > 1) { auto i = n.in_edges[0].id; edge q = n.in_edges[1].id; "
                                     "ForAll (e In n.edges) { q.w += 1; } s += i * 10 + q.src.id; }",
    "otherwise": "if (n.id > 2) { n.v += 1; } else { node x = pick(g, n); auto i = x.id; "
                 "ForAll (e In x.edges) { n.v += i; } long j = x.id * 2; ForAll (e In n.edges) { n.v += j; } }",
}
EXCLUSIVE = {
    "a helper's node": "Exclusive (g, [n, pick(g, n)]) { n.v += 0; }",
    "a helper's node, under a condition": "if (n.id > 1) { Exclusive (g, [pick(g, n)]) { n.v += 0; } }",
    "one after the other": "int i = 0; Exclusive (g, [g.node(i), g.node((i += 1).old), g.node(i), "
                           "g.node((i += 2).old)]) { i += 4; } s += i % 4;",
    "a counted lock": "Atomic (g.node((s += 1).old * 0).guard) { n.v += 1; }",
}
PARAMS = "(Graph g, Graph h, list<node> out, AppendOnlyList<node> more, list<node<h>> far)"
TALLY = f"Kernel tally{PARAMS}" """ {
  s += calls * 100000000;
  calls = 0;
  ForAll (n In g.nodes) { s += n.v * (n.id + 1) + n.c * 1000 + n.o.id; n.v = 0; n.c = 1; n.o = n; }
  ForAll (n In h.nodes) { s += n.v * (n.id + 1) * 100 + n.c * 7000; n.v = 0; n.c = 1; }
  ForAll (n In out.items) { s += (n.id + 1) * 1000000; }
  ForAll (n In more.items) { s += (n.id + 1) * 1000000; }
  ForAll (n In far.items) { s += (n.id + 1) * 1000000; n.c += 0; }
}"""
STEP = """list<node> out; AppendOnlyList<node> more; list<node<h>> far;
Invoke body(g, h, out, more, far); Invoke tally(g, h, out, more, far);"""
GPU_PLANS = ["np=serial cc=warp block=32", "np=fg cc=block block=64", "np=tb+wp cc=thread block=32"]
PLANS = [("none", "cpu"), ("default", "cpu"), *((plan, "simt") for plan in GPU_PLANS)]
TABLES = pytest.mark.parametrize("bodies", [APPENDED, GUARDED, EXCLUSIVE], ids=["appended", "guarded", "exclusive"])


def text_of(bodies: Mapping[str, str]) -> str:
    """A program of all bodies, each with a scalar of its own for what it finds and leaves."""
    parts = [scalars(len(bodies)), HEAD]
    steps = ["Invoke pairs(g); Invoke pairs(h);"]
    for i, body in enumerate(bodies.values()):
        whole = body if "In h.nodes" in body else f"ForAll (n In g.nodes) {{ {body} }}"
        kernel = f"Kernel body{PARAMS} {{ {whole} }} {TALLY}"
        parts.append(numbered(kernel, i, "s|body|tally"))
        steps.append(numbered(STEP, i, "body|tally|out|more|far"))
    main = "\n".join(steps)
    return "\n".join([*parts, f"Program main(Graph g, Graph h) {{ {main} }}\n"])


@pytest.mark.parametrize(("plan", "target"), PLANS)
@TABLES
def test_each_part_is_computed_once_and_where_it_is_wanted(bodies: Mapping[str, str], plan: str, target: str) -> None:
    found, wanted = found_and_wanted(text_of(bodies), plan, target, GRAPH, [*bodies, "calls"])
    assert found.scalars == wanted.scalars


@pytest.mark.parametrize("plan", GPU_PLANS)
@TABLES
def test_what_loops_at_the_top_mean_is_what_was_written(bodies: Mapping[str, str], plan: str) -> None:
    written = check(load_text(text_of(bodies)))
    made = dict(lower(written, Plan.parse(plan, "simt")).stages)["guard_loops"]
    graphs = {"g": GRAPH, "h": GRAPH}
    assert run(check(made), graphs).scalars == run(written, graphs).scalars


CHANGING = """
graph Graph { node node o = NONE; node int met = 0; }
long named = 0;
Kernel start(Graph g) { ForAll (n In g.nodes) { n.o = g.node(n.id / 2); } }
Kernel meet(Graph g) WL list<node> {
  ForAll (n In WL.items) {
    bool done = false;
    Exclusive (g, [n, relaxed n.o]) { n.met += 1; relaxed n.o = g.node(0); g.node(4).o = n; done = true; }
    if (!done) { Retry n; }
  }
}
Program main(Graph g) { Invoke start(g); Pipe Once Initial (g.nodes) { Invoke meet(g); } }
"""


@pytest.mark.parametrize(("plan", "target"), [("default", "cpu"), ("block=32", "simt")])
def test_an_exclusive_frees_what_it_took_though_its_elements_change(plan: str, target: str) -> None:
    assert outcome(CHANGING, plan, target, GRAPH).result.array("met").tolist() == [1] * 5


@pytest.mark.parametrize("body", [
    "Exclusive (m, [near]) { } near[0] += 1;",
    "Exclusive (m, [(near[0] += 1).old, near]) { }",
])
def test_a_list_of_elements_that_may_change_is_refused_on_gpus(body: str) -> None:
    text = f"""import "array.irgl"; import "mesh.irgl";
    graph Graph {{ node int p = 0; }}
    Kernel k(Mesh m, array<long> near) {{ ForAll (t In m.triangles) {{ {body} }} }}
    Program main(Graph g) {{ Mesh m; array<long> near; near.resize(1); Invoke k(m, near); }}"""
    with pytest.raises(IrglError, match="'near' may change while the Exclusive takes its elements"):
        compile_unit("p.irgl", text=text, target="cuda", plan=Plan.parse("default", "cuda"))
