"""Ranges of edges: `.when(c)`, `.skip(k)`, `[k]`, `.size`, and variables that name them, wherever they may stand."""

from __future__ import annotations

import pytest
from support.awkward_graphs import directed
from support.tables import found_and_wanted, numbered, scalars

from irgl.analysis.check import check
from irgl.driver import compile as compile_unit
from irgl.frontends.text.load import load_text
from irgl.plan import Plan
from irgl.source import IrglError

#: Ranges for a block and for a warp, short ones, and nodes without edges.
GRAPH = directed(70, [*((0, k) for k in range(1, 69)), *((1, k) for k in range(40)), (2, 3), (3, 4), (3, 5), (4, 0),
                      *((k, k + 1) for k in range(50, 60))])
HEAD = """
graph Graph { node int b = 0; node int c = 0; node node to = NONE; edge int w = 0; }
bool flag = false; bool set = true; int lim = 7; int zero = 0; int p = 0;
node pick(Graph g, node n) { n.b += 1; return g.node((n.id + n.b) % g.num_nodes); }
long turn(Graph g, node n) { long k = (n.b += 3).old % 4; return k; }
bool yes(Graph g, node n, bool c) { n.b max= 5; return c; }
int bump(int k) { p += k; return p; }
node step(Graph g, int k) { p = p * 2 + k; return g.node(p % 5); }
"""
LOOP = "ForAll (e In {}) {{ s += e.dst.id + 1; }}"
#: Loops of an operator on n, which has n.b, n.c = n.id % 3 and n.to, by what they run over.
RANGES = {
    "a parameter": "n.edges.when(on)",
    "a scalar": "n.edges.when(flag)",
    "a scalar that holds": "n.edges.when(set)",
    "a number": "n.edges.when(n.c)",
    "a literal": "n.edges.when(true)",
    "a literal number": "n.edges.when(2)",
    "a condition": "n.edges.when(n.c != 1)",
    "one of two": "n.edges.when(on || n.c == 2)",
    "twice": "n.edges.when(n.c != 1).when(n.id != 0)",
    "of a part": "n.edges.skip(1).when(n.c != 1)",
    "a part of some": "n.edges.when(n.c != 1).skip(1)",
    "beyond the last node": "g.node(n.id + 1).edges.when(n.id + 1 < g.num_nodes)",
    "beyond, of a part": "g.node(n.id + 1).edges.skip(1).when(n.id + 1 < g.num_nodes)",
    "a division": "g.node(6 / n.c).edges.when(n.c != 0)",
    "a skipped division": "n.edges.skip(6 / n.c).when(n.c != 0)",
    "NONE": "n.to.edges.when(n.to != NONE)",
    "a part of NONE": "n.to.edges.when(n.to != NONE).skip(1)",
    "NONE, of a part": "n.to.edges.skip(1).when(n.to != NONE)",
    "a call": "pick(g, n).edges.when(n.c != 0)",
    "no call": "pick(g, n).edges.when(n.c > 9)",
    "a call in the condition": "pick(g, n).edges.when(yes(g, n, n.c != 1))",
    "calls in two conditions": "pick(g, n).edges.when(yes(g, n, n.b > 3)).when(yes(g, n, n.c != 1))",
    "a call and a part": "pick(g, n).edges.skip(turn(g, n))",
    "a part of what is picked": "n.edges.skip(turn(g, n) + pick(g, n).id)",
    "parts of parts": "pick(g, n).edges.skip(turn(g, n)).skip(turn(g, n))",
    "a part, then some": "pick(g, n).edges.skip(turn(g, n)).when(yes(g, n, n.c != 1))",
    "some, then a part": "pick(g, n).edges.when(yes(g, n, n.c != 1)).skip(turn(g, n))",
}
BODIES = {
    **{f"ForAll, {word}": LOOP.format(x) for word, x in RANGES.items()},
    **{f"For and size, {word}": f"For (e In {x}) {{ s += e.dst.id + 1; }} s += {x}.size * 1000;"
       for word, x in RANGES.items()},
    **{f"variable, {word}": f"auto es = {x}; {LOOP.format('es')} s += es.size * 1000;"
       for word, x in RANGES.items() if "n.edges.when" not in x},
    **{f"deep, {word}": f"ForAll (f In n.edges.when(n.id > 1)) {{ {LOOP.format(x)} }}"
       for word, x in RANGES.items() if "(g, n" not in x},
    "element": "if (n.edges.size > 0) { s += n.edges[n.edges.size - 1].dst.id; }",
    "element of what is picked": "if (n.id == 0) { s += pick(g, n).edges[turn(g, n)].dst.id * 10; }",
    "element of some": "if (n.id == 0) { "
                       "s += g.node(pick(g, n).id % 2).edges.when(yes(g, n, true))[turn(g, n)].dst.id * 10; }",
    "own condition": f"bool mine = n.c > 0; {LOOP.format('n.edges.when(mine)')}",
    "own number": f"int mine = 2; {LOOP.format('n.edges.when(mine)')}",
    "changed condition": f"bool mine = true; if (n.c > 0) mine = false; {LOOP.format('n.edges.when(mine)')}",
    "outer condition": "bool mine = n.c > 0; ForAll (f In n.edges) { node m = f.dst; "
                       f"{LOOP.format('m.edges.when(mine)')} }}",
    "literal condition": f"bool mine = true; {LOOP.format('n.edges.when(mine)')}",
    "literal guard": f"bool mine = 1; if (mine) {{ s += 1000; }} {LOOP.format('n.edges')}",
    "fraction guard": f"bool mine = 0.5; if (mine) {{ s += 1000; }} {LOOP.format('n.edges')}",
    "true guard": f"if (true) {{ s += 1000; {LOOP.format('n.edges')} }}",
    "update as condition": f"int i = n.c; {LOOP.format('n.edges.when(i max= 1)')} s += i;",
    "update before a part": f"int i = 0; {LOOP.format('n.edges.skip(i).when((i += 1).changed)')} s += i;",
    "variable in a loop": f"auto es = n.edges; {LOOP.format('n.edges').replace('{', '{ For (f In es) { s += 1; }')}",
    "variable of a node's edges in a loop":
        f"auto es = n.to.edges.when(n.to != NONE); ForAll (e In n.edges) {{ s += es.size; {LOOP.format('es')} }}",
    "variable of numbers in a loop":
        "auto ks = range(turn(g, n), 5); ForAll (e In n.edges) { For (k In ks) { s += k; } }",
    "variable under a condition": "if (n.c > 0) { auto es = n.edges.skip(1); ForAll (e In n.edges) { s += es.size; } }",
    "variable of the kernel": "ForAll (e In n.edges) { For (f In early) { s += f.dst.id; } }",
}
#: Loops at the level of a kernel and statements of the Program: `x` stands for the range.
KERNEL = {
    "a call": "step(g, 2).edges.when(on)",
    "no call": "step(g, 2).edges.when(flag)",
    "the condition": "step(g, 2).edges.when(bump(3) > 2)",
    "condition and part": "step(g, 1).edges.skip(bump(2)).when(bump(3) > 2)",
    "part": "step(g, 1).edges.skip(bump(2))",
    "beyond": "g.node(g.num_nodes).edges.when(!on)",
    "division": "g.node(6 / lim).edges.when(lim > 3)",
}
PLANS = ["np=serial block=32", "np=fg cc=block block=64", "np=tb+wp cc=warp block=32"]


def program(what: str) -> tuple[str, list[str]]:
    """All bodies of a kind, and what they are called; each has a scalar of its own for what it finds."""
    bodies = BODIES if what == "operators" else KERNEL
    made = [numbered(body, i) for i, body in enumerate(bodies.values())]
    kernels = ["Kernel start(Graph g) { ForAll (n In g.nodes) { n.b = 0; n.c = (int)(n.id % 3); "
               "n.to = n.id % 2 == 0 ? n : NONE; } }"]
    if what == "operators":
        kernels += [f"Kernel k{i}(Graph g, bool on) {{ auto early = g.node(3).edges; ForAll (n In g.nodes) {{ {body} "
                    f"s{i} += n.b * 100; }} }}" for i, body in enumerate(made)]
    elif what == "kernels":
        kernels += [f"Kernel k{i}(Graph g, bool on) {{ ForAll (e In {x}) {{ s{i} += e.dst.id + 1; }} s{i} += p * 100; "
                    f"long z = {x}.size; s{i} += z * 10000 + p; }}" for i, x in enumerate(KERNEL.values())]
    invoked = " ".join(f"Invoke start(g); Invoke k{i}(g, lim > 3);" for i in range(len(made)))
    loops = "bool on = lim > 3; " + " ".join(
        f"{{ For (e In {x}) {{ s{i} += e.dst.id + 1; }} s{i} += p * 100 + {x}.size * 10000; s{i} += p; }}"
        for i, x in enumerate(KERNEL.values()))
    main = loops if what == "Program" else invoked
    parts = [scalars(len(made)), HEAD, *kernels, f"Program main(Graph g) {{ Invoke start(g); {main} }}\n"]
    return "\n".join(parts), [*bodies]


@pytest.mark.parametrize(("what", "target", "plan"), [
    *(("operators", "simt", plan) for plan in PLANS), *((what, "simt", PLANS[1]) for what in ("kernels", "Program")),
    *((what, "cpu", "default") for what in ("operators", "kernels", "Program"))])
def test_ranges_are_those_of_the_language(what: str, target: str, plan: str) -> None:
    text, names = program(what)
    found, wanted = found_and_wanted(text, plan, target, GRAPH, [*names, "flag", "set", "lim", "zero", "p"])
    assert found.scalars == wanted.scalars


def test_a_loop_whose_body_uses_a_range_of_its_item_stays_with_its_thread() -> None:
    text = """graph Graph { } long s = 0;
Kernel k(Graph g) {
  ForAll (n In g.nodes) {
    auto es = n.edges;
    ForAll (e In n.edges) { For (f In es) { s += 1; } }
  }
}
Program main(Graph g) { Invoke k(g); }
"""
    unit = compile_unit("p.irgl", target="cuda", plan=Plan.parse("np=fg", "cuda"), text=text)
    assert "irgl::nested" not in unit.text
    assert [line for line in unit.not_applicable if ": np=" in line] == [
        "k.loop1.loop1: np=fg: it uses a range that a variable of its item's thread names"]


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_other_ranges_beside_a_nested_loop(target: str) -> None:
    text = """graph Graph { edge int w; } long s = 0;
Kernel fill(Graph g, list<edge> xs) { ForAll (n In g.nodes) { For (e In n.edges) { xs.push(e); } } }
Kernel k(Graph g, list<edge> xs) {
  ForAll (n In g.nodes) {
    if (n.id > 2) {
      auto ks = range(6 / n.id); auto ys = xs.items; auto ns = g.nodes;
      ForAll (e In n.edges) { s += 1; }
      ForAll (x In xs.items) { s += x.dst.id; }
      For (k In ks) { s += k; }
      For (x In ys) { s += x.dst.id; }
      For (m In ns) { s += m.id; }
    }
  }
}
Program main(Graph g) { list<edge> xs; Invoke fill(g, xs); Invoke k(g, xs); }
"""
    graph = directed(5, [(4, 0), (4, 1), (1, 2), (3, 4)])
    found, wanted = found_and_wanted(text, "default" if target == "cpu" else PLANS[1], target, graph)
    assert found.scalars == wanted.scalars


@pytest.mark.parametrize("use", ["ForAll (e In xs.items.skip(1)) { s += 1; }", "s += xs.items[0].id;",
                                 "auto es = xs.items; For (e In es.when(s > 0)) { s += 1; }"])
def test_edges_in_a_list_are_no_edges_of_a_node(use: str) -> None:
    text = f"graph Graph {{ }} long s = 0;\nKernel k(Graph g, list<edge> xs) {{ {use} }}\n" + \
        "Program main(Graph g) { list<edge> xs; Invoke k(g, xs); }"
    with pytest.raises(IrglError, match=r"items of a list have no method|has no elements to index"):
        check(load_text(text))
