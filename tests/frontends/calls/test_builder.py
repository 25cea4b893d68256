"""Programs that code has built."""

from __future__ import annotations

import numpy as np
import pytest

from irgl import builder as b
from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.ast.visit import walk
from irgl.source import IrglError, Source, Span

GRAPH = b.graph("Graph", [b.node_property("p", b.INT, 0)])
G = [b.param("g", b.named("Graph"))]


def zeroes(*body: A.Stmt) -> A.Program:
    """A program whose kernel does `body` for every node n."""
    kernel = b.kernel("k", G, [b.forall("n", b.member("g", "nodes"), body)])
    return b.program([GRAPH, kernel, b.entry("p", G, [b.invoke("k", "g")])])


def store(value: b.Value) -> A.Stmt:
    return b.assign(b.member("n", "p"), value)


@pytest.mark.parametrize(("value", "text"), [
    (5, "5"), (-5, "-5"), (2.5, "2.5"), (-1e30, "-1e+30"), (True, "true"), (3_000_000_000, "3000000000"), ("n", "n"),
    (np.int64(-3), "-3"), (np.float32(0.5), "0.5"), (np.bool_(True), "true"),
])
def test_numbers_and_names_stand_for_expressions(value: b.Value, text: str) -> None:
    assert dump(b.expression(value)) == text


def test_a_program_is_checked_as_a_text_is() -> None:
    b.check(zeroes(store(0)))


def test_the_text_of_a_built_program() -> None:
    assert b.text(zeroes(store(b.binary("+", "n", 1)))).count("n.p = n + 1;") == 1


def test_mistakes_quote_the_text_that_was_built() -> None:
    with pytest.raises(IrglError) as caught:
        b.check(zeroes(store("x")))
    assert str(caught.value).split("\n")[:2] == ["<built>:7:15: error: 'x' is not declared", "            n.p = x;"]


def test_mistakes_quote_the_user_s_own_source_where_it_was_said() -> None:
    source = Source("theirs.lang", "set all p to x\n")
    with b.at(Span(source, 1, 14, 1, 15)):
        wrong = b.name("x")
    with b.at(Span(source, 1, 1, 1, 15)):
        body = [b.forall("n", b.member("g", "nodes"), [store(wrong)])]
        kernel = b.kernel("k", [b.param("g", b.named("Graph"))], body)
        graph = b.graph("Graph", [b.node_property("p", b.INT, 0)])
    with pytest.raises(IrglError, match=r"^theirs.lang:1:14: error: 'x' is not declared"):
        b.check(b.program([graph, kernel]))


def test_a_node_may_be_used_at_several_places() -> None:
    one = b.binary("+", 1, 1)
    program = zeroes(store(one), store(one))
    assert len({id(n) for n in walk(program)}) == len(list(walk(program)))


def test_imports_are_put_in_their_places() -> None:
    program = b.program([b.import_("array.irgl"), GRAPH, b.entry("p", G, [b.declare("a", b.named("array", b.INT))])])
    b.check(program)
    assert [type(d) for d in program.decls] == [A.Library, A.GraphType, A.Entry]


@pytest.mark.parametrize(("make", "message"), [
    (lambda: b.binary("**", 1, 2), "Binary has '**' as its op"),
    (lambda: b.name("two words"), "Name has 'two words' as its id, which is no name"),
    (lambda: b.worklist("heap", b.NODE), "there is no worklist kind 'heap'"),
    (lambda: b.worklist("priority_queue", b.NODE), "by what is the queue ordered?"),
    (lambda: b.worklist("list", b.NODE, by="level"), "a list goes by 'level'"),
    (lambda: b.worklist("priority_queue", b.NODE, by="level +"), "a priority_queue goes by 'level +'"),
    (lambda: b.integer(24), "no integer has 24 bits"),
    (lambda: b.literal(float("inf")), "inf has no literal"),
    (lambda: b.literal(2**70), "IntLit does not fit in its type"),
    (lambda: b.expression(None), "None is no expression"),  # type: ignore[arg-type]
    (lambda: b.block([b.name("n")]), "a body holds Name, which is an expression: do(...) makes a statement of it"),
    (lambda: b.assign("x", 1, "loose"), "Assign has 'loose' as its access"),
    (lambda: b.iterate("k", [], mode="while"), "Iterate mixes up its mode and its reduction"),
    (lambda: b.exclusive("g", [], []), "Exclusive locks nothing"),
    (lambda: b.struct("Pair", {}), "Struct has no fields"),
    (lambda: b.declare("x", b.AUTO), "VarDecl has neither type nor value"),
    (lambda: zeroes(b.break_()), "Break leaves no sequential loop"),
    (lambda: zeroes(store(_deep(200))), "nested too deeply"),
    (lambda: zeroes(store(_deep(2000))), "nested too deeply"),
    (lambda: b.literal("x"), "'x' is no number"),  # type: ignore[arg-type]
    (lambda: b.block(b.break_()), "a Break is no body"),  # type: ignore[arg-type]
    (lambda: b.program([3]), "a program holds int, which is no declaration"),  # type: ignore[list-item]
])
def test_what_no_text_could_say_is_refused(make: object, message: str) -> None:
    with pytest.raises(IrglError) as caught:
        make()  # type: ignore[operator]
    assert caught.value.message == message


def _deep(levels: int) -> A.Expr:
    value = b.expression(1)
    for _ in range(levels):
        value = b.unary("~", value)
    return value


def test_every_node_of_the_syntax_can_be_built() -> None:
    from support.through_builder import _CALLS

    inside_others = {A.Program, A.Field, A.Cooperative, A.Role, A.InitialItems, A.InitialIterator}
    nodes = {n for n in vars(A).values() if isinstance(n, type) and issubclass(n, A.Node)} - {A.Node}
    assert nodes == inside_others | set(_CALLS)
