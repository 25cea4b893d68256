"""What hides another variable is a variable of its own, whatever passes and the generated text make of the blocks."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

import pytest
from support.awkward_graphs import directed
from support.tables import found_and_wanted, numbered

from irgl.analysis.check import check
from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.ast.visit import walk
from irgl.driver import compile as compile_unit
from irgl.frontends.text.load import load_text
from irgl.passes import unique_names
from irgl.plan import Plan
from irgl.source import IrglError

GRAPH = directed(5, [(0, 1), (1, 2), (2, 3), (3, 4), (1, 1), (0, 4), (4, 0), (3, 0)])
#: In an iteration over a graph's nodes `n`, in a kernel that is given 7 as `z` and a list of nodes as `out`.
OPERATOR = {
    "behind a continue": "if (n.id == 3) { continue; } else { int z = 5; s += z; } s += z * 100;",
    "before a continue": "if (n.id < 3) { int z = 5; s += z; } else { continue; } s += z * 100;",
    "beside a continue": "if (n.id == 3) { continue; } else { int k = 1; s += k; } int k = 2; s += k * 100;",
    "beside another": "if (n.id == 3) { continue; } else { int k = 1; s += k; } { int k = z; s += k * 100; }",
    "a continue in a block": "{ int z = 5; if (n.id == 3) { continue; } s += z; } s += z * 100;",
    "a nested loop": "if (n.id > 2) { int z = 5; ForAll (e In n.edges) { s += z; } } s += z * 100;",
    "a nested loop in a block": "{ int z = 5; ForAll (e In n.edges) { s += z; } } s += z * 100;",
    "a nested loop otherwise": "if (n.id > 2) { s += z; } else { long z = n.id; "
                               "ForAll (e In n.edges) { s += z; } } s += z;",
    "the node": "if (n.id > 2) { node m = n; int n = 5; ForAll (e In m.edges) { s += n; } } s += n.id;",
    "an edge's node": "ForAll (e In n.edges) { node n = e.dst; s += e.src.id * 100 + n.id; }",
    "an edge": "ForAll (e In n.edges) { For (e In e.dst.edges) { s += e.src.id * 10 + e.dst.id; } }",
    "edges in parallel": "ForAll (e In n.edges) { ForAll (e In e.dst.edges) { s += e.src.id * 10 + e.dst.id; } }",
    "under a lock": "if (n.id > 0) { int z = 5; Exclusive (g, [n]) { int z = z + 2; s += z; } s += z * 10; } "
                    "s += z * 100;",
    "a list": "if (n.id > 1) { out.push(n); } int out = 5; s += out;",
    "a list of many": "ForAll (e In n.edges) { out.push(e.dst); int out = 5; s += out; }",
    "itself": "int y = z; { int y = y + 1; { int y = y * 10; s += y; } s += y; } s += y;",
    "a parameter": "{ long z = z + n.id; s += z; } s += z * 100;",
    "sequential loops": "int i = 3; for (long i = i; i < 9; i += 2) { s += i; } "
                        "For (i In range(i)) { s += i * 10; } s += i;",
    "in a loop's body": "int j = 0; for (int i = 0; i < 3; i += 1 + j) { int j = i; s += j; } "
                        "while (j < 3) { j += 1; int j = j * 10; s += j; } do { int j = 2; s += j; } "
                        "while ((j += 1).old < 5);",
    "later": "int i = 1; { s += i; i += 1; int i = i + 40; s += i; } { s += i * 7; int i = 5; s += i; } s += i * 100;",
    "declared behind": "{ int i = 3; s += i; { int i = i + 1; s += i; } } int i = 9; s += i;",
    "a struct": "Pair p = pair(z); { Pair p = pair(p.y + (int)n.id); p.x = p.y * 2; s += p.x; } s += p.x;",
}
#: At a kernel's own level.
KERNEL = {
    "a sum": "long w = 0; ForAll (n In g.nodes) { w += n.id; int w = 5; s += w; } s += w * 100;",
    "a least one": "long w = 9; ForAll (n In g.nodes) { w min= n.id + 2; For (w In range(3)) { s += w; } } "
                   "s += w * 100;",
    "loops side by side": "int w = 0; ForAll (n In g.nodes) { long w = n.id; s += w; } "
                          "ForAll (n In g.nodes) { s += w + z; }",
    "a bound": "ForAll (z In range(z)) { s += z; }",
    "a node": "node n = g.node(2); ForAll (n In n.edges) { s += n.dst.id; node z = n.dst; "
              "{ node n = z; s += n.id * 10; } } s += n.id;",
}
#: In a helper that is given `z`.
HELPER = {
    "itself": "int y = z; { int y = y + 1; z += y; } return z * 10 + y;",
    "a parameter": "if (z > 3) { int z = z * 2; if (z > 3) { return z; } } return z;",
    "loops": "int i = z; for (int i = i; i > 0; i -= 1) { int z = i; z += 1; } return z * 10 + i;",
}
#: In the Program, which has a 7 in `v`.
PROGRAM = {
    "itself": "int z = v; { int z = z + 1; s = z; } s += z * 100;",
    "a loop": "int i = 3; for (long i = i; i < 9; i += 2) { s += i; } s += i * 100;",
    "a Pipe": "Pipe Initial [g.node(0)] { Invoke j(g, v, out); s += out.size; int v = 1000; s += v; }",
    "an Iterate": "Iterate j(g, v, out) Initial [g.node(0)] { s += 1; int v = 1000; s += v; }",
    "a Pipe over nodes": "int z = 3; Pipe Initial (g.nodes) "
                         "{ int y = z + 1; int z = y * 2; Invoke j(g, z, out); s += z; } s += z * 100;",
    "a Pipe that ends": "int z = 1; Pipe Initial (g.nodes) { z += 1; int z = z * 2; Invoke j(g, z, out); s += z; "
                        "if (z > 4) { int z = 100; s += z; break; } } s += z * 1000;",
    "rounds": "int x = 2; Iterate While Any r(g, x) { int x = 1; s += x; "
              "if (s > 3) { int x = 5; s += x; break; } } s += x;",
    "a graph": "int h = 7; { Graph h = oriented(g); node<h> a = h.node(1); list<node<h>> b; b.push(a); "
               "s = a.degree + b.size; } s += h * 100;",
    "before a graph": "{ int h = 5; s += h; } Graph h = oriented(g); node<h> a = h.node(2); s += a.degree * 10;",
    "a list": "list<node> l; l.push(g.node(3)); { int l = 5; s += l; } s += l.size * 100; "
              "{ list<node> l; s += l.size; }",
}
BODIES = {"operator": OPERATOR, "kernel": KERNEL, "helper": HELPER, "Program": PROGRAM}
PLANS = [("default", "cpu"), ("outline=off block=32", "simt"), ("np=fg cc=block outline=all unroll=4 block=64", "simt"),
         ("np=tb+wp cc=warp outline=graph block=32", "simt")]
HEAD = """graph Graph { node int p = 0; node int c = 0; } struct Pair { int x; int y; };
Pair pair(int k) { Pair p; p.x = k; p.y = k + 1; return p; }
Kernel j(Graph g, int z, list<node> out) WL list<node> {
  ForAll (n In WL.items) { n.c += z; if (n.c < 30) { WL.push(n); } else { out.push(n); } }
}
Kernel r(Graph g, int x) { ForAll (n In g.nodes) { n.c += x; ReduceAndReturn (n.c < 8); } }
"""


def text_of(bodies: Mapping[str, Mapping[str, str]]) -> str:
    """A program of all bodies, by where they stand; each has a scalar of its own for what it finds."""
    scalars, parts, main = [], [HEAD], []
    for where, body in ((where, body) for where, table in bodies.items() for body in table.values()):
        i = len(main)
        scalars.append(f"long s{i} = 0;")
        params, run_it = "int z, list<node> out", f"Invoke k{i}(g, v, out); s{i} += out.size * 1000;"
        if where == "helper":
            parts.append(f"int f{i}(int z) {{ {body} }}")
            params, body, run_it = "int z", f"s += f{i}((int)n.id + z);", f"Invoke k{i}(g, v); s{i} += f{i}(v) * 1000;"
        if where in ("helper", "operator"):
            body = f"ForAll (n In g.nodes) {{ {body} }}"
        body = numbered(body, i)
        if where != "Program":
            parts.append(f"Kernel k{i}(Graph g, {params}) {{ {body} }}")
            body = run_it
        main.append(f"{{ int v = 7; list<node> out; {body} }}")
    return "\n".join([*scalars, *parts, "Program main(Graph g) {", *main, "}\n"])


@pytest.mark.parametrize(("plan", "target"), PLANS)
def test_a_variable_that_hides_another_is_one_of_its_own(plan: str, target: str) -> None:
    words = [word for table in BODIES.values() for word in table]
    found, wanted = found_and_wanted(text_of(BODIES), plan, target, GRAPH, words)
    assert found.scalars == wanted.scalars


#: Along the edges `e` of a graph's nodes `n`, in a kernel that is given 7 as `z`.
PULLED = {
    "a guard": ("", "if (e.dst.p != z) { int z = 3; e.dst.c += z; racy e.dst.p = z; }"),
    "what is kept": ("int y = (int)n.id + z;",
                     "e.dst.c += y; { int y = y + 1; { int y = y * 2; e.dst.c += y; } e.dst.c += y; }"),
    "nodes": ("", "int n = 3; e.dst.c += n; { long e = e.dst.id; n += 1; } e.dst.p max= n;"),
}


@pytest.mark.parametrize("how", ["pull", "hybrid"])
def test_it_is_one_of_its_own_where_a_loop_is_turned(how: str) -> None:
    parts = ["graph Graph { }"]
    for i, (before, body) in enumerate(PULLED.values()):
        body = numbered(body, i, "p|c")
        parts[0] = parts[0].replace("}", f"node int p{i} = 0; node int c{i} = 0; }}")
        body = f"{before} ForAll (e In n.edges) {{ {body} }}"
        parts.append(f"Kernel k{i}(Graph g, int z) {{ ForAll (n In g.nodes) {{ {body} }} }}")
    main = " ".join(f"Invoke k{i}(g, 7);" for i in range(len(PULLED)))
    text = "\n".join([*parts, f"Program main(Graph g) {{ {main} }}\n"])
    found, wanted = found_and_wanted(text, f"direction={how}", "cpu", GRAPH)
    assert found.properties == wanted.properties
    applied = compile_unit("p.irgl", plan=Plan.parse(f"direction={how}"), text=text).applied
    assert [f"k{i}.loop1: direction={how}" in applied for i in range(len(PULLED))] == [True] * len(PULLED)


def after(text: str) -> str:
    """What the pass makes of a text; the result has been checked."""
    changed = unique_names.run(check(load_text(text)).program)
    check(changed)
    return dump(changed).strip()


def test_what_hides_another_gets_a_new_name() -> None:
    assert after("""
        graph Graph { node int p = 0; }
        Kernel k(Graph g, int z, int z_2) {
            ForAll (n In g.nodes) {
                { int y = z; int z = y; }
                long y = z;
                ForAll (n In n.edges) { y += n.src.id; }
                for (int i = z; i < z; i += z) { int z = i + z; For (i In range(i)) { n.p += z + (int)i; } }
            }
        }
        Program main(Graph g) {
            int h = 5;
            while (h > 0) { h -= 1; Graph h = oriented(g); list<node<h>> l; For (a In l.items) { node<h> h_2 = a; } }
        }""") == textwrap.dedent("""
        graph Graph {
            node int p = 0;
        }

        Kernel k(Graph g, int z, int z_2) {
            ForAll (n In g.nodes) {
                {
                    int y_2 = z;
                    int z_3 = y_2;
                }
                long y = z;
                ForAll (n_2 In n.edges) {
                    y += n_2.src.id;
                }
                for (int i = z; i < z; i += z) {
                    int z_4 = i + z;
                    For (i_2 In range(i)) {
                        n.p += z_4 + (int)i_2;
                    }
                }
            }
        }

        Program main(Graph g) {
            int h = 5;
            while (h > 0) {
                h -= 1;
                Graph h_3 = oriented(g);
                list<node<h_3>> l;
                For (a In l.items) {
                    node<h_3> h_2 = a;
                }
            }
        }""").strip()


def test_names_that_hide_nothing_stay() -> None:
    text = """
        graph Graph { node int p = 0; }
        int f(int z) { return z; }
        Kernel k(Graph g, int z) {
            ForAll (n In g.nodes) { if (n.p > z) { int x = 1; n.p += x; } else { int x = 2; n.p += x; } { int x = z; } }
            ForAll (n In g.nodes) { ForAll (e In n.edges) { n.p += 1; } For (e In n.edges) { n.p += 2; } }
        }
        Program main(Graph g) { int y = 3; { int z = y; Invoke k(g, z); } { int z = 5; Invoke k(g, z); } }"""
    program = check(load_text(text)).program
    assert unique_names.run(program) is program


def test_every_name_means_what_it_meant() -> None:
    before = check(load_text(text_of(BODIES)))
    changed = unique_names.run(before.program)
    means = [[checked.symbols[n].span for n in walk(checked.program) if isinstance(n, A.Name) and n in checked.symbols]
             for checked in (before, check(changed))]
    assert means[0] == means[1]
    assert unique_names.run(changed) is changed


def test_a_cblock_that_names_what_hides_another_is_refused() -> None:
    text = """graph Graph { node int a = 0; }
Kernel k(Graph g, int z) { ForAll (n In g.nodes) { int z = 5; int y = 1; CBlock writes(n.a) { g.a[n] = y + z; } } }"""
    with pytest.raises(IrglError, match="a CBlock names 'z', which hides another variable") as refused:
        unique_names.run(check(load_text(text)).program)
    assert str(refused.value.span) == "<text>:2:74"
    unique_names.run(check(load_text(text.replace("y + z", "y"))).program)


@pytest.mark.parametrize(("plan", "target", "body", "message"), [
    ("direction=pull", "cpu", "auto x = range(x); ForAll (e In n.edges) { For (i In x) { e.dst.p += 1; } }",
     "its inner ForAll uses 'x', which can't be kept for each node"),
    ("outline=all", "simt", "n.p = 1;", "it declares the list<node> 'x', which the host makes"),
])
def test_messages_say_what_stands_in_the_text(plan: str, target: str, body: str, message: str) -> None:
    text = f"""graph Graph {{ node int p = 0; }}
Kernel j(Graph g) WL list<node> {{ ForAll (n In WL.items) {{ n.p += 1; if (n.p < 9) {{ WL.push(n); }} }} }}
Kernel k(Graph g, int x) {{ ForAll (n In g.nodes) {{ {body} }} }}
Program main(Graph g) {{ list<node> x; Invoke k(g, 3); Pipe Initial [g.node(0)] {{ list<node> x; Invoke j(g); }} }}
"""
    unit = compile_unit("p.irgl", target=target, plan=Plan.parse(plan, target), text=text)
    assert any(message in line for line in unit.not_applicable), unit.not_applicable
