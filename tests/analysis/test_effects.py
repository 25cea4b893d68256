"""Effects and closures: what kernels, helpers and host statements touch, and in which way."""

from __future__ import annotations

import pytest
from support.flow import HEAD, checked_kernel

from irgl.analysis.check import check
from irgl.analysis.effects.effects import Effects, closure, effects_of, home_graph, kernel_effects
from irgl.ast import nodes as A
from irgl.ast.visit import walk
from irgl.frontends.text.load import load_text

PARAMS = "Graph g, list<node> l, int limit"


def listed(effects: Effects) -> list[str]:
    return [f"{way} {place}" for place, way in effects.first]


def of_kernel(body: str, params: str = PARAMS, head: str = "", worklist: str = "list<node>") -> list[str]:
    checked = checked_kernel(f"ForAll (n In g.nodes) {{ {body} }}", params, worklist, head)
    return listed(kernel_effects(checked, checked.kernels["k"]))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("", []),
        ("int x = limit;", []),
        ("int x = n.p;", ["load g.node.p"]),
        ("n.p = 1;", ["store g.node.p"]),
        ("n.p += n.q;", ["load g.node.q", "update g.node.p"]),
        ("total += 1;", ["update scalar total"]),
        ("int x = total;", ["load scalar total"]),
        ("ForAll (e In n.edges) { relaxed e.dst.p = e.weight; }", ["load g.edge.weight", "store g.node.p"]),
        ("bool b = cas(n.p, n.q, 1);", ["update g.node.p", "load g.node.q"]),
        ("l.push(n);", ["append list l"]),
        ("long x = l.size;", ["load list l"]),
        ("ForAll (m In l.items) { }", ["load list l"]),
        ("WL.push(n);", ["append list WL"]),
        ("Atomic (n.guard) { n.p += 1; } Else { n.q += 1; }",
         ["load g.node.guard", "update g.node.p", "update g.node.q"]),
        ("CBlock reads(n.p) writes(n.q) { x }", ["load g.node.p", "store g.node.q"]),
        ("n.p = 1; n.p = 2; int x = n.p;", ["store g.node.p", "load g.node.p"]),
    ],
)  # fmt: skip
def test_what_an_operator_touches(body: str, expected: list[str]) -> None:
    assert of_kernel(body) == expected


def test_properties_are_told_apart_by_graph() -> None:
    body = "node<h> m = h.node(0); m.p += 1; n.p += 1;"
    assert of_kernel(body, "Graph g, Graph h") == ["update h.node.p", "update g.node.p"]


def test_what_a_kernel_declares_for_itself_is_none_of_its_caller_s() -> None:
    text = (HEAD + "Kernel k(Graph g, list<node> out) { ForAll (n In g.nodes) { "
            "scratch<node> marks; marks.push(n); out.push(n); } }\n"
            "Program entry(Graph g) { list<node> l; Invoke k(g, l); }")
    checked = check(load_text(text))
    assert checked.entry is not None
    assert listed(effects_of(checked, checked.entry.body, "g")) == ["append list l"]


def test_an_object_is_read_appended_to_and_indexed() -> None:
    body = "a.append(1); long x = a.size; a[0] += 1;"
    assert of_kernel(body, "Graph g, array<int> a", 'import "array.irgl";\n') == [
        "append object a", "load object a", "update element a"
    ]  # fmt: skip


def test_a_helper_touches_what_it_is_given() -> None:
    head = "void keep(Graph one, list<node> to, node n) { to.push(n); n.q = n.p; }\n"
    checked = checked_kernel("ForAll (n In g.nodes) { }", PARAMS, head=head)
    assert listed(kernel_effects(checked, checked.functions["keep"])) == [
        "append list to", "load one.node.p", "store one.node.q"
    ]  # fmt: skip
    racy = head.replace("n.q = n.p", "relaxed n.q = 1")
    assert of_kernel("keep(g, l, n);", head=racy) == ["append list l", "store g.node.q"]


PROGRAM = HEAD + """
Kernel k(Graph one, list<node> out) { ForAll (n In one.nodes) { n.p += 1; out.push(n); } }
Program main(Graph g, node s = first) { Graph h = oriented(g); list<node<h>> l; %s }
"""


def of_host(body: str) -> Effects:
    checked = check(load_text(PROGRAM % body, "p.irgl"))
    assert checked.entry is not None
    return effects_of(checked, checked.entry.body[2:], home_graph(checked, checked.entry.params))


def test_an_invocation_touches_what_it_gives_its_kernel() -> None:
    assert listed(of_host("Invoke k(h, l);")) == ["update h.node.p", "append list l"]


def test_host_statements_touch_properties_scalars_and_lists() -> None:
    assert listed(of_host("s.p = total; l.clear();")) == ["load scalar total", "store g.node.p", "change list l"]


def test_a_swap_changes_both_lists() -> None:
    assert listed(of_host("list<node<h>> o; l.swap(o);")) == ["change list l", "change list o"]


def test_what_only_a_host_can_do_is_named() -> None:
    assert list(of_host("print(random(3));").host) == ["random", "print"]


def test_reads_and_writes_take_updates_for_both() -> None:
    effects = of_host("s.p += 1; total = s.q;")
    assert [str(p) for p in effects.reads] == ["g.node.p", "g.node.q"]
    assert [str(p) for p in effects.writes] == ["g.node.p", "scalar total"]


@pytest.mark.parametrize(
    ("body", "reads", "reduces"),
    [
        ("ForAll (e In n.edges) { }", [], []),
        ("int x = 1; ForAll (e In n.edges) { e.dst.p += x; }", ["x"], []),
        ("ForAll (e In n.edges) { e.dst.p += n.q + limit; }", ["n", "limit"], []),
        ("int x = 0; ForAll (e In n.edges) { x += e.weight; } n.p = x;", [], ["x"]),
        ("ForAll (e In n.edges) { int y = e.weight; e.dst.p += y; total += 1; }", [], []),
        ("int x = 0; ForAll (e In n.edges) { ForAll (f In n.edges) { x += f.weight; } } n.p = x;", ["n"], ["x"]),
        ("ForAll (e In n.edges) { l.push(e.dst); }", ["l"], []),
    ],
)
def test_the_closure_of_a_nested_loop(body: str, reads: list[str], reduces: list[str]) -> None:
    checked = checked_kernel(f"ForAll (n In g.nodes) {{ {body} }}", PARAMS)
    loop = [n for n in walk(checked.kernels["k"]) if isinstance(n, A.ForAll)][1]
    found = closure(checked, loop)
    assert ([s.name for s in found.reads], [s.name for s in found.reduces]) == (reads, reduces)
    assert found.stores == []
