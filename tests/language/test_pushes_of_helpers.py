"""What helpers push counts wherever they are called, so that a list has room for it before a GPU starts."""

from __future__ import annotations

import pytest
from support.flow import checked_kernel
from support.random_graphs import from_arcs
from support.random_programs import RandomProgram
from support.simt_batch import all_compared

from irgl.analysis.effects.bounds import AGAIN, bounds

#: Pushes to `out`, and gives whether the node's number is even, or a node.
HELPERS = """bool put(Graph g, list<node> out, node n) { out.push(n); out.push(n); return n.id % 2 == 0; }
node next(list<node> out, node n) { out.push(n); return n; }
long some(list<node> out, node n) { out.push(n); return 1; }
void one(list<node> out, node n) { out.push(n); }
"""
#: Bodies of a loop over all nodes, and how often each pushes to `out`, by kind of bound and size.
BODIES = {
    "a test": ("if (put(g, out, n)) { n.a += 1; }", ("static", "2 * g.num_nodes")),
    "a test and a way": ("if (put(g, out, n)) { out.push(n); } else { out.push(n); out.push(n); }",
                         ("static", "4 * g.num_nodes")),
    "a test of a loop": ("int i = 0; while (put(g, out, n) && i < 2) { i += 1; }", ("spill", "2 * any number")),
    "an argument": ("one(out, next(out, next(out, n)));", ("static", "3 * g.num_nodes")),
    "an argument of push": ("out.push(next(out, n));", ("static", "2 * g.num_nodes")),
    "a lock": ("Atomic (next(out, n).guard) { out.push(n); } Else { n.a += 1; }", ("static", "2 * g.num_nodes")),
    "elements": ("Exclusive (g, [next(out, n)]) { n.a += 1; } Else { out.push(n); }", ("static", "2 * g.num_nodes")),
    "an index": ("next(out, n).a += 3;", ("static", "g.num_nodes")),
    "an iterator": ("For (e In n.edges.skip(some(out, n))) { n.a += 1; }", ("static", "g.num_nodes")),
    "an iterator of a ForAll": ("ForAll (e In n.edges.skip(some(out, n))) { out.push(e.dst); }",
                                ("static", "g.num_nodes + g.num_edges")),
}
PARAMS = "Graph g, list<node> out"
GRAPH = from_arcs(12, [(0, 1, 1), (1, 2, 1), (0, 3, 1), (0, 4, 1), (5, 5, 1)])
PLANS = ["none block=32", "np=fg cc=block block=32", "cc=warp outline=all block=64"]


def found(body: str, name: str, over: str = "g.nodes") -> tuple[str, str]:
    checked = checked_kernel(f"ForAll (n In {over}) {{ {body} }}", PARAMS, "list<node>", HELPERS)
    one = bounds(checked, checked.kernels["k"])[name]
    return one.kind, str(one)


@pytest.mark.parametrize("where", [w for w in BODIES if w not in ("a lock", "an index")])
def test_a_bound_counts_the_pushes_of_helpers(where: str) -> None:
    body, wanted = BODIES[where]
    assert found(body.replace("n.a", "n.p"), "out") == wanted


@pytest.mark.parametrize(("name", "wanted"), [("out", ("static", "WL.size")), (AGAIN, ("static", "WL.size"))])
def test_what_comes_back_may_be_told_by_a_helper_that_pushes(name: str, wanted: tuple[str, str]) -> None:
    assert found("if (n.p > 0) { Respawn next(out, n); }", name, over="WL.items") == wanted


def test_lists_have_room_for_what_helpers_push() -> None:
    head = "graph Graph { node int a = 0; node lock guard; }\nlong s = 0;\n"
    main = "Program main(Graph g) { list<node> out; Invoke k(g, out); s = out.size; Invoke k(g, out); s += out.size; }"
    programs = [RandomProgram(f"{head}{HELPERS}Kernel k({PARAMS}) {{ ForAll (n In g.nodes) {{ {body} }} }}\n{main}\n",
                              GRAPH, {}) for where, (body, _) in BODIES.items() if where != "elements"]
    programs.append(RandomProgram(f"""{head}{HELPERS}Kernel k({PARAMS}) WL list<node> {{
  ForAll (n In WL.items) {{ n.a += 1; if (n.a < 4) {{ Respawn next(out, n); }} }}
}}
Program main(Graph g) {{
  list<node> out; Pipe Once Initial (g.nodes) {{ Invoke k(g, out); }} s = out.size;
}}
""", GRAPH, {}))
    assert all_compared(programs, PLANS) == {}
