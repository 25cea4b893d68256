"""The printer: what it prints parses back to an equal tree, and reads well."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from support.places import ROOT
from support.random_ast import EXPRESSIONS, PROGRAMS

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.dump import dump, tree
from irgl.ast.visit import difference, equal
from irgl.frontends.text.load import load, parse

SOURCES = sorted([*ROOT.glob("programs/*.irgl"), *ROOT.glob("irgl/lib/*.irgl")])
RELAXED = settings(deadline=None, max_examples=120, suppress_health_check=list(HealthCheck))


def reparsed(expression: A.Expr) -> A.Expr:
    """The expression that the printed one parses to, where any expression may stand."""
    program = parse(f"struct Pair {{ int p; node q; }};\nvoid f() {{ u = {dump(expression)}; }}")
    function = program.decls[1]
    assert isinstance(function, A.Function)
    store = function.body[0]
    assert isinstance(store, A.Assign)
    return store.value


def expression(text: str) -> A.Expr:
    program = parse(f"struct Pair {{ int p; node q; }};\nvoid f() {{ u = {text}; }}")
    function = program.decls[1]
    assert isinstance(function, A.Function) and isinstance(function.body[0], A.Assign)
    return function.body[0].value


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_a_source_file_survives_printing(path: Path) -> None:
    program = parse(path.read_text(), str(path))
    assert difference(program, parse(dump(program), str(path))) is None


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_a_linked_program_survives_printing(path: Path) -> None:
    program = load(path)
    assert difference(program, parse(dump(program))) is None


@given(EXPRESSIONS)
@RELAXED
def test_any_expression_survives_printing(e: A.Expr) -> None:
    assert difference(e, reparsed(e)) is None


@given(PROGRAMS)
@RELAXED
def test_any_program_survives_printing(program: A.Program) -> None:
    assert difference(program, parse(dump(program))) is None


@pytest.mark.matrix
@given(PROGRAMS)
@settings(RELAXED, max_examples=5000)
def test_any_of_many_programs_survives_printing(program: A.Program) -> None:
    assert difference(program, parse(dump(program))) is None


@given(PROGRAMS)
@settings(RELAXED, max_examples=40)
def test_printing_again_changes_nothing(program: A.Program) -> None:
    text = dump(program)
    assert dump(parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "a + b * c", "(a + b) * c", "a - (b - c)", "a - b - c", "-(-a)", "- a", "!(a == b)", "~a & b", "(a & b) == c",
        "a << b + c", "(a << b) + c", "a ? b : c ? d : e", "(a ? b : c) ? d : e", "a ? b += c : d", "(a ? b : c).d",
        "(int)a.b", "((int)a).b", "(int)(a + b)", "-(int)a", "(Pair){a, b}.p", "(a min= b).changed", "a += b += c",
        "(a += b) + c", "relaxed n.p + relaxed m.p", "(relaxed n.p).q", "Any Invoke k(a) && All Invoke k(b)",
        "(Any Invoke k()).x", "a[b][c + d].e(f, g)", "(1).x", "(1.5f).x", "a.b().c[d]", "1u", "1L", "1uL", "4294967296",
        "(a += b)[c]", "-1", "- 1.5", '"a\\"b\\\\\\n"', "a == b == c", "a == (b == c)", "(a || b) && c", "a || b && c",
    ],
)  # fmt: skip
def test_an_expression_is_printed_with_the_fewest_parentheses(text: str) -> None:
    printed = dump(expression(text))
    assert printed.replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("text", ["((a))", "(a.b).c", "(a * b) + c", "(-a) + b", "(a)[b]", "a + (b)", "(f)(a)"])
def test_parentheses_without_need_are_left_out(text: str) -> None:
    assert len(dump(expression(text))) < len(text)


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [(5, T.INT, "5"), (5, T.UINT, "5u"), (5, T.LONG, "5L"), (5, T.ULONG, "5uL"), (2**31, T.LONG, "2147483648"),
     (2**32, T.ULONG, "4294967296u"), (2**63, T.ULONG, "9223372036854775808u")],
)  # fmt: skip
def test_an_integer_is_printed_with_the_suffix_of_its_type(value: int, kind: T.Int, text: str) -> None:
    assert dump(A.IntLit(value, kind)) == text


@pytest.mark.parametrize("word", ["Retry", "For", "racy", "relaxed", "Pipe", "Invoke"])
def test_a_store_to_a_variable_named_like_a_statement_keeps_its_meaning(word: str) -> None:
    update = A.ExprStmt(A.Reduce("min", A.Name(word), A.IntLit(3, T.INT)))
    program = A.Program((A.Function(T.VOID, "f", (), (update,)),))
    assert equal(program, parse(dump(program)))


def test_each_kind_of_declaration_and_statement_is_laid_out_to_be_read() -> None:
    text = """\
import "array.irgl";
import "mesh.irgl";

graph Graph {
    node int mark = INF;
    edge int w;
}

struct Pair {
    int first;
    node second;
};

int total = 0;
double share;

library Ring<T> "ring.hpp" {
    long size;
    appends void put(T item) thread(put_many) warp(put_warp);
    elements T;
    iterator T items;
}

int twice(int x) {
    return x + x;
}

Kernel visit(Graph g, int turn) WL unique list<node> {
    s1: ForAll (n In WL.items) {
        ForAll (e In n.edges) {
            if (e.dst.mark == INF) {
                racy e.dst.mark = turn;
                WL.push(e.dst);
            } else if (turn > 3) {
                continue;
            } else {
                total += 1;
            }
        }
        Atomic (n.door) {
            relaxed n.mark = 3;
        } Else {
            Retry n;
        }
        Exclusive (g, [n, n]) {
            Respawn n;
        }
        for (int i = 0, j = 9; i < j; i += 1, j -= 1) {
            do {
                break;
            } while (true);
        }
        CBlock reads(n.mark) writes() {
            raw();
        }
    }
    SyncRunningThreads;
    ReduceAndReturn(total > 3);
}

Program main(directed weighted Graph g, node src = first, int d = auto(3)) verify role(a = mark) any_valid {
    while (Any Invoke visit(g, 1)) {}
    Pipe Once Initial [src] {
        Iterate Until All visit(g, 2) Initial (g.nodes) {
            return;
        }
        Iterate visit(g, 3);
    }
}
"""
    assert dump(parse(text)) == text


def test_a_tree_fits_on_one_line_or_takes_one_line_a_field() -> None:
    program = parse("int total = 1 + 2;")
    assert tree(program) == """\
(Program
  decls=[
    (Global
      type=<int>
      name='total'
      init=(Binary op='+' left=(IntLit value=1 type=<int>) right=(IntLit value=2 type=<int>))
      hidden=False)])"""


def test_a_tree_shows_what_is_absent() -> None:
    assert tree(A.Return(None)) == "(Return value=-)"
