"""The types that the checker finds: of expressions, of INF and NONE in their places, of items of two graphs."""

from __future__ import annotations

import pytest
from support.checking import kernel
from support.diagnostics import PATH

from irgl.analysis.check import check
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.frontends.text.load import load_text


def checked(text: str) -> Checked:
    return check(load_text(text, PATH))


def local(c: Checked, name: str) -> T.Type:
    """The type of the variable `name`, with the graph of nodes and edges."""
    return next(s.type for n, s in c.symbols.items() if isinstance(n, A.VarDecl) and s.name == name)


@pytest.mark.parametrize(
    ("expression", "type_"),
    [
        ("1", "int"),
        ("1u", "uint32"),
        ("2147483648", "long"),
        ("1.5f", "float"),
        ("1.5f + 1", "float"),
        ("1.5f + 1.5", "double"),
        ("'a'", "int"),
        ("true", "bool"),
        ("!n.label", "bool"),
        ("n.seen + n.seen", "int"),
        ("-n.seen", "int"),
        ("n.label < n.score", "bool"),
        ("n.label && n.score", "bool"),
        ("n.degree + 1", "long"),
        ("n.id", "node<g> id"),
        ("n.id + 0", "long"),
        ("1u + n.label", "uint32"),
        ("1u + n.degree", "long"),
        ("(uint8)1 << 9", "int"),
        ("n.degree >> 1u", "long"),
        ("n.seen ? 1 : 2.5", "double"),
        ("n.seen ? n.seen : true", "bool"),
        ("n.seen ? n : NONE", "node<g>"),
        ("n.best", "Pair"),
        ("n.best.b", "node<g>"),
        ("n.edges", "range of edge<g>"),
        ("n.edges[0]", "edge<g>"),
        ("n.edges[0].dst.up", "node<g>"),
        ("n.in_edges[0]", "edge<g>"),
        ("g.node(3)", "node<g>"),
        ("min(1, n.degree)", "long"),
        ("max(n, n.up)", "node<g>"),
        ("sqrt(2)", "double"),
        ("sqrt(2.0f)", "float"),
        ("pow(2.0f, 2)", "double"),
        ("abs(n.seen)", "int"),
        ("hash(n.id)", "uint32"),
        ("popcount(n.degree)", "int"),
        ("cas(n.label, 1, 2)", "bool"),
        ("(n.label += 1).old", "int"),
        ("(n.up min= n).old", "node<g>"),
        ("(n.label += 1).changed", "bool"),
        ("relaxed n.up", "node<g>"),
        ("(Pair){1, n}", "Pair"),
        ("range(3)", "range of long"),
    ],
)
def test_the_type_of(expression: str, type_: str) -> None:
    c = kernel(f"ForAll (n In g.nodes) {{ auto x = {expression}; }}")
    assert str(local(c, "x")) == type_


@pytest.mark.parametrize(
    ("statement", "type_"),
    [
        ("n.label = INF;", "int"),
        ("n.score = -INF;", "double"),
        ("long x = INF;", "long"),
        ("uint8 x = INF;", "uint8"),
        ("n.seen = n.label == INF;", "int"),
        ("n.seen = INF > n.score;", "double"),
        ("n.score = n.label + INF;", "int"),
        ("n.label = min(n.level, INF);", "int"),
        ("n.label = n.seen ? INF : 1;", "int"),
        ("n.score = n.seen ? INF : INF;", "double"),
        ("n.score = n.seen ? 0 : INF;", "double"),
        ("n.score = n.seen ? 0 : n.label == 1 ? -1 : -INF;", "double"),
        ("n.score = INF / 2;", "double"),
        ("n.label = INF - 1;", "int"),
        ("long x = n.seen ? 0 : INF;", "long"),
        ("long x = INF / 2 - 1;", "long"),
        ("long x = n.seen ? n.label : INF;", "int"),
        ("n.seen = n.score < INF / 2;", "double"),
        ("n.label min= INF;", "int"),
        ("cas(n.score, INF, 0);", "double"),
        ("n.best = (Pair){INF, NONE};", "int"),
        ("n.label = (int)INF;", "int"),
        ("n.seen = n.id < INF;", "long"),
        ("if ((n.label += 1).old == INF) { n.seen = true; }", "int"),
    ],
)
def test_inf_takes_the_type_of_its_place(statement: str, type_: str) -> None:
    c = kernel(f"ForAll (n In g.nodes) {{ {statement} }}")
    body = c.kernels["k"]
    found = {
        str(T.promoted(c.types[e]) if type_ == "long" else c.types[e])
        for e in walk(body)
        if isinstance(e, A.Name) and e.id == "INF"
    }
    assert found == {type_}


@pytest.mark.parametrize(
    "statement",
    [
        "n.up = NONE;",
        "n.seen = n.up == NONE;",
        "edge e = NONE;",
        "n.up = n.seen ? NONE : n;",
        "cas(n.up, NONE, n);",
        "n.best = (Pair){1, NONE};",
        "n.up xchg= NONE;",
    ],
)
def test_none_takes_the_type_of_its_place(statement: str) -> None:
    c = kernel(f"ForAll (n In g.nodes) {{ {statement} }}")
    found = [c.types[e] for e in walk(c.kernels["k"]) if isinstance(e, A.Name) and e.id == "NONE"]
    assert len(found) == 1 and isinstance(found[0], T.NodeT | T.EdgeT)


def test_an_incoming_edge_in_a_variable_is_a_plain_edge() -> None:
    c = kernel(
        "ForAll (n In g.nodes) { For (e In n.in_edges) { auto f = e; edge h = e; n.label += f.mark + h.mark; } }"
    )
    assert local(c, "f") == T.EdgeT(False, "g") and local(c, "h") == T.EdgeT(False, "g")


# Two graphs

TWO = "graph Graph { node int a; node node up; }\n"


def test_a_node_without_a_graph_is_of_the_first_one() -> None:
    c = checked(TWO + "Kernel k(Graph x, Graph y, node n) { n.a = 1; }\n")
    assert [s.type for n, s in c.symbols.items() if isinstance(n, A.Param) and s.name == "n"] == [T.NodeT("x")]


def test_a_variable_takes_the_graph_of_its_first_value() -> None:
    c = checked(TWO + "Kernel k(Graph g, Graph h) { node m = h.node(0); m.a = 1; }\n")
    assert local(c, "m") == T.NodeT("h")


def test_a_node_valued_property_is_of_its_own_graph() -> None:
    c = checked(TWO + "Kernel k(Graph g, Graph h, node<h> n) { auto m = n.up; m.a = 1; }\n")
    assert local(c, "m") == T.NodeT("h")


def test_a_helper_gives_nodes_of_the_graph_that_it_is_given() -> None:
    c = checked(
        TWO + "node pick(Graph q) { return q.node(0); }\nKernel k(Graph g, Graph h) { auto m = pick(h); m.a = 1; }\n"
    )
    assert local(c, "m") == T.NodeT("h")


def test_a_helper_without_a_graph_gives_nodes_of_what_it_is_given() -> None:
    c = checked(
        TWO + "node same(node n) { return n; }\nKernel k(Graph g, Graph h) { auto m = same(h.node(0)); m.a = 1; }\n"
    )
    assert local(c, "m") == T.NodeT("h")
