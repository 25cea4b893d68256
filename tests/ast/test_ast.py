"""The abstract syntax: its generated classes, walking, rebuilding, comparing, and the verifier."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from support.places import ROOT
from support.random_ast import PROGRAMS

import irgl.ast
from irgl.ast import gen
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.check import verify
from irgl.ast.visit import children, deepest, difference, equal, rebuild, transform, walk
from irgl.frontends.text.load import load, parse

QUICK = settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
ONE = A.IntLit(1, T.INT)


def kernel(*body: A.Stmt) -> A.Program:
    return A.Program((A.Kernel("k", (), None, body),))


def store(value: A.Expr) -> A.Stmt:
    return A.Assign(A.Name("x"), value, "plain")


# Generation


def test_nodes_are_what_the_syntax_definition_makes() -> None:
    assert gen.source() == (Path(irgl.ast.__path__[0]) / "nodes.py").read_text()


def test_an_asdl_text_that_breaks_off_is_refused() -> None:
    with pytest.raises((ValueError, IndexError)):
        gen.parse("module m { a = B(int x }")


# Walking


def test_walk_meets_each_node_before_its_children_in_source_order() -> None:
    tree = A.Binary("+", A.Unary("-", A.Name("a")), A.Call("f", (A.Name("b"), A.Name("c"))))
    assert [getattr(n, "id", type(n).__name__) for n in walk(tree)] == ["Binary", "Unary", "a", "Call", "b", "c"]


def test_children_leave_out_absent_parts_and_types() -> None:
    assert list(children(A.VarDecl(T.INT, "x", None))) == []


def test_walk_needs_no_stack_for_a_deep_tree() -> None:
    e: A.Expr = A.Name("a")
    for _ in range(50_000):
        e = A.Unary("-", e)
    assert sum(1 for _ in walk(e)) == 50_001


def test_deepest_finds_the_node_under_most_others() -> None:
    low = A.Name("low")
    node, depth = deepest(A.Binary("+", A.Name("a"), A.Unary("-", low)))
    assert (node, depth) == (low, 3)


# Rebuilding


@given(PROGRAMS)
@QUICK
def test_a_transformation_that_changes_nothing_gives_the_very_same_tree(program: A.Program) -> None:
    assert transform(program, lambda n: n) is program


def test_transform_shares_what_it_does_not_change() -> None:
    left, right = store(A.Name("a")), store(A.Name("b"))
    program = kernel(left, right)
    new = transform(program, lambda n: A.Name("c") if isinstance(n, A.Name) and n.id == "b" else n)
    assert isinstance(new.decls[0], A.Kernel)
    assert new.decls[0].body[0] is left
    assert equal(new, kernel(store(A.Name("a")), store(A.Name("c"))))


def test_transform_sees_children_done_before_their_parent() -> None:
    seen: list[str] = []

    def note(n: A.Node) -> A.Node:
        if isinstance(n, A.Name):
            return A.Name(n.id.upper())
        if isinstance(n, A.Unary) and isinstance(n.operand, A.Name):
            seen.append(n.operand.id)
        return n

    transform(A.Unary("-", A.Name("a")), note)
    assert seen == ["A"]


def test_transform_splices_several_statements_for_one() -> None:
    first, second = A.Break(), A.Continue()
    new = transform(kernel(store(ONE)), lambda n: (first, second) if isinstance(n, A.Assign) else n)
    assert equal(new, kernel(first, second))


def test_transform_removes_a_statement_that_becomes_none() -> None:
    new = transform(kernel(store(ONE), A.Break()), lambda n: () if isinstance(n, A.Assign) else n)
    assert equal(new, kernel(A.Break()))


def test_several_nodes_for_a_field_of_one_are_a_bug() -> None:
    with pytest.raises(AssertionError, match=r"Unary\.operand holds one node"):
        transform(A.Unary("-", A.Name("a")), lambda n: () if isinstance(n, A.Name) else n)


def test_rebuild_changes_direct_children_only() -> None:
    inner = A.Unary("-", A.Name("a"))
    new = rebuild(A.Unary("!", inner), lambda n: n if n is inner else A.Name("b"))
    assert new.operand is inner


# Comparing


def test_trees_that_differ_in_their_places_alone_are_equal() -> None:
    assert equal(parse("int  a  =  1 ;", "here"), parse("\n\nint a = 1;", "there"))


@pytest.mark.parametrize(
    ("left", "right"),
    [("int a = 1;", "int a = 2;"), ("int a = 1;", "int a = 1L;"), ("int a;", "int a = 0;"), ("int a;", "long a;"),
     ("int a;", "int a, b;"), ("void f() { g(a, b); }", "void f() { g(b, a); }"), ("int a = 1;", "int a = true;")],
)  # fmt: skip
def test_trees_that_say_different_things_are_not_equal(left: str, right: str) -> None:
    assert not equal(parse(left), parse(right))


def test_difference_gives_the_first_parts_that_differ() -> None:
    left, right = A.Name("a"), A.IntLit(3, T.INT)
    assert difference(A.Unary("-", left), A.Unary("-", right)) == (left, right)


# The verifier


@pytest.mark.parametrize("path", sorted(ROOT.glob("programs/*.irgl")), ids=lambda p: p.name)
def test_the_parser_makes_well_formed_trees(path: Path) -> None:
    verify(load(path))


_WRONG = {
    "a word that is no operator": (store(A.Binary("**", ONE, A.Name("y"))), "has '**' as its op"),
    "a reduction that is none": (A.ExprStmt(A.Reduce("mean", A.Name("x"), ONE)), "has 'mean' as its op"),
    "a field of the wrong kind": (store(A.Break()), "as its value"),  # type: ignore[arg-type]
    "a list where a tuple belongs": (A.Block([A.Break()]), "as its body"),  # type: ignore[arg-type]
    "a statement missing from a body": (A.Block((None,)), "as its body"),  # type: ignore[arg-type]
    "a bool for an integer": (store(A.IntLit(True, T.INT)), "as its value"),
    "a name that is none": (store(A.Name("a b")), "which is no name"),
    "an empty name": (store(A.Call("", ())), "which is no name"),
    "break outside loops": (A.Break(), "leaves no sequential loop"),
    "break out of a ForAll": (A.ForAll("n", A.Name("g"), (A.Break(),)), "leaves no sequential loop"),
    "continue outside loops": (A.If(ONE, (A.Continue(),), ()), "stands in no loop"),
    "an integer over its type": (store(A.IntLit(2**31, T.INT)), "does not fit in its type"),
    "an integer literal of 8 bits": (store(A.IntLit(1, T.Int(8, True))), "has no type of an integer literal"),
    "a floating literal without a point": (store(A.FloatLit("12", T.DOUBLE)), "is no floating literal"),
    "an access that is none": (A.Assign(A.Name("x"), ONE, "weird"), "has 'weird' as its access"),
    "an Iterate of half a mode": (A.Iterate("while", "", "k", (), None, ()), "mixes up its mode"),
    "a waiting Atomic with an Else": (A.Atomic(A.Name("x"), (), (A.Block(()),), True), "and has an Else"),
    "a variable without type or value": (A.VarDecl(T.AUTO, "x", None), "has neither type nor value"),
    "a labelled declaration": (A.Labeled("l", A.VarDecl(T.INT, "x", None)), "labels a declaration"),
    "a header of two types": (
        A.CFor((A.VarDecl(T.INT, "i", None), A.VarDecl(T.LONG, "j", None)), None, (), ()), "variables of two types"),
    "a block in a header": (A.CFor((), None, (A.Block(()),), ()), "has a Block in its header"),
    "an empty Initial": (A.Pipe(True, A.InitialItems(()), ()), "lists no items"),
    "an Exclusive over nothing": (A.Exclusive(A.Name("g"), (), (), ()), "locks nothing"),
}  # fmt: skip


@pytest.mark.parametrize("what", _WRONG)
def test_the_verifier_finds(what: str) -> None:
    statement, complaint = _WRONG[what]
    with pytest.raises(AssertionError) as caught:
        verify(kernel(statement))
    assert complaint in str(caught.value)


def test_the_verifier_finds_a_node_that_stands_twice() -> None:
    with pytest.raises(AssertionError, match="stands twice in one tree"):
        verify(kernel(store(A.Binary("+", ONE, ONE))))


def test_the_verifier_finds_a_label_twice_in_one_kernel() -> None:
    with pytest.raises(AssertionError, match="has a label twice"):
        verify(kernel(A.Labeled("l", A.Block(())), A.Labeled("l", A.Block(()))))


def test_two_kernels_may_share_a_label() -> None:
    body = [A.Labeled("l", A.Block(())) for _ in range(2)]
    verify(A.Program(tuple(A.Kernel(f"k{i}", (), None, (s,)) for i, s in enumerate(body))))


def test_the_verifier_says_where_a_node_comes_from() -> None:
    program = parse("void f() { g(); }", "some.irgl")
    moved = transform(program, lambda n: A.Binary("=", A.Name("a"), A.Name("b"), span=n.span)
                      if isinstance(n, A.Call) else n)  # fmt: skip
    with pytest.raises(AssertionError, match=r"Binary has '=' as its op \(from some\.irgl:1:12\)"):
        verify(moved)
