"""What the checker accepts, the types that it finds, and that all of it becomes C++ that compiles."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from irgl.analysis.check import check
from irgl.analysis.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.driver import compile
from irgl.frontends.text import load_text
from tests.support.diagnostics import PATH, Case, right_programs

ROOT = Path(__file__).resolve().parent.parent
RIGHT = right_programs()


def checked(text: str) -> Checked:
    return check(load_text(text, PATH))


def in_kernel(body: str, *, params: str = "Graph g", worklist: str = "") -> Checked:
    return checked(f'import "prelude.irgl";\nKernel k({params}) {worklist} {{\n{body}\n}}\n')


def local(c: Checked, name: str) -> T.Type:
    """The type of the variable `name`, with the graph of nodes and edges."""
    return next(s.type for n, s in c.symbols.items() if isinstance(n, A.VarDecl) and s.name == name)


@pytest.mark.parametrize("case", RIGHT, ids=str)
def test_every_expression_has_a_definite_type_in(case: Case) -> None:
    c = checked(case.text)
    for e in walk(c.program):
        if isinstance(e, A.Expr) and e in c.types:
            assert not isinstance(c.types[e], T.Inf | T.Nothing | T.Auto)


def test_every_right_program_becomes_cxx_that_compiles(tmp_path: Path) -> None:
    units = [case for case in RIGHT if case.topic != "libraries"]
    lines = []
    for i, case in enumerate(units):
        (tmp_path / f"{i}.cpp").write_text(compile(PATH, text=case.text).text, encoding="utf-8")
        lines += [
            f"#define unit unit_{i}",
            f"#define irgl_run irgl_run_{i}",
            f'#include "{i}.cpp"',
            "#undef unit",
            "#undef irgl_run",
        ]
    (tmp_path / "all.cpp").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = subprocess.run(
        ["g++", "-fsyntax-only", "-std=c++17", "-fopenmp", f"-I{ROOT}", str(tmp_path / "all.cpp")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[:3000]


# Types


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
    c = in_kernel(f"ForAll (n In g.nodes) {{ auto x = {expression}; }}")
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
        ("n.label min= INF;", "int"),
        ("cas(n.score, INF, 0);", "double"),
        ("n.best = (Pair){INF, NONE};", "int"),
        ("n.label = (int)INF;", "int"),
        ("n.seen = n.id < INF;", "long"),
        ("if ((n.label += 1).old == INF) { n.seen = true; }", "int"),
    ],
)
def test_inf_takes_the_type_of_its_place(statement: str, type_: str) -> None:
    c = in_kernel(f"ForAll (n In g.nodes) {{ {statement} }}")
    kernel = c.kernels["k"]
    found = {
        str(T.promoted(c.types[e]) if type_ == "long" else c.types[e])
        for e in walk(kernel)
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
    c = in_kernel(f"ForAll (n In g.nodes) {{ {statement} }}")
    found = [c.types[e] for e in walk(c.kernels["k"]) if isinstance(e, A.Name) and e.id == "NONE"]
    assert len(found) == 1 and isinstance(found[0], T.NodeT | T.EdgeT)


def test_an_incoming_edge_in_a_variable_is_a_plain_edge() -> None:
    c = in_kernel(
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


# What kernels do with their worklists


@pytest.mark.parametrize(
    ("body", "facts"),
    [
        ("ForAll (n In g.nodes) { n.label = 1; }", ""),
        ("ForAll (n In WL.items) { n.label min= 1; }", "reads"),
        ("ForAll (i In WL) { node n = WL.pop(i); n.label min= 1; }", "reads"),
        ("ForAll (n In g.nodes) { WL.push(n); }", "pushes"),
        ("ForAll (n In WL.items) { Respawn n; }", "reads retries"),
        ("ForAll (n In WL.items) { Retry n; }", "reads retries"),
        ("ForAll (n In g.nodes) { ReduceAndReturn(n.seen); }", "returns"),
    ],
)
def test_the_facts_of_a_kernel(body: str, facts: str) -> None:
    found = in_kernel(body).facts["k"]
    assert " ".join(f for f in ("reads", "pushes", "retries", "returns") if getattr(found, f)) == facts


# What loops combine


@pytest.mark.parametrize(
    ("body", "combined"),
    [
        ("int x = 0; ForAll (n In g.nodes) { x += n.label; } high = x;", ["x sum"]),
        ("int x = 0; ForAll (n In g.nodes) { x -= n.label; } high = x;", ["x sum"]),
        ("int x = INF; ForAll (n In g.nodes) { x min= n.label; } high = x;", ["x min_of"]),
        ("int x = 0; ForAll (n In g.nodes) { x max= n.label; } high = x;", ["x max_of"]),
        ("bool x = true; ForAll (n In g.nodes) { x &= n.seen; } high = x;", ["x bit_and"]),
        ("bool x = false; ForAll (n In g.nodes) { x |= n.seen; } high = x;", ["x bit_or"]),
        ("ForAll (n In g.nodes) { total += 1; }", ["total sum"]),
        ("ForAll (n In g.nodes) { total += 1; high max= n.label; }", ["total sum", "high max_of"]),
        ("ForAll (n In g.nodes) { if (total += 1) { n.label = 1; } }", []),
        ("ForAll (n In g.nodes) { total += 1; total min= 3; }", []),
        ("ForAll (n In g.nodes) { high ^= 1; }", []),
        ("ForAll (n In g.nodes) { int x = 0; x += 1; n.label = x; }", []),
    ],
)
def test_what_a_forall_combines(body: str, combined: list[str]) -> None:
    c = in_kernel(body)
    (loop,) = [n for n in walk(c.kernels["k"]) if isinstance(n, A.ForAll)]
    assert [f"{symbol.name} {how}" for symbol, how in c.combined[loop]] == combined


def test_a_variable_is_combined_by_every_loop_that_stands_between_it_and_its_update() -> None:
    c = in_kernel(
        "ForAll (n In g.nodes) { int x = 0; ForAll (e In n.edges) { ForAll (f In e.dst.edges) { x += 1; } } "
        "n.label = x; }"
    )
    loops = [n for n in walk(c.kernels["k"]) if isinstance(n, A.ForAll)]
    assert [len(c.combined[loop]) for loop in loops] == [0, 1, 1]
