"""The parser: literals and expressions become the trees that irgl.asdl has for them."""

from __future__ import annotations

import pytest
from support.parsed import call, expression, name, number, same, statement

from irgl.ast import nodes as A
from irgl.ast import types as T

# Literals


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("0", 0, T.INT), ("2147483647", 2**31 - 1, T.INT), ("2147483648", 2**31, T.LONG), ("5u", 5, T.UINT),
        ("5L", 5, T.LONG), ("5LL", 5, T.LONG), ("5ul", 5, T.ULONG), ("5Lu", 5, T.ULONG),
        ("4294967296u", 2**32, T.ULONG),
        ("9223372036854775808", 2**63, T.ULONG), ("0x1F", 31, T.INT), ("0b101", 5, T.INT), ("017", 15, T.INT),
        ("0xFFFFFFFF", 2**32 - 1, T.LONG), ("18446744073709551615u", 2**64 - 1, T.ULONG), ("'a'", 97, T.INT),
        (r"'\n'", 10, T.INT), (r"'\x41'", 65, T.INT), (r"'\''", 39, T.INT),
    ],
)  # fmt: skip
def test_an_integer_literal_has_value_and_type(text: str, value: int, kind: T.Int) -> None:
    same(expression(text), A.IntLit(value, kind))


@pytest.mark.parametrize(
    ("text", "digits", "kind"),
    [("1.5", "1.5", T.DOUBLE), ("1.", "1.", T.DOUBLE), (".5", ".5", T.DOUBLE), ("1e9", "1e9", T.DOUBLE),
     ("2.5f", "2.5", T.FLOAT), ("1E-3F", "1E-3", T.FLOAT), ("0x1.8p1", "3.0", T.DOUBLE),
     ("3.4e38f", "3.4e38", T.FLOAT)],
)  # fmt: skip
def test_a_floating_literal_has_digits_and_type(text: str, digits: str, kind: T.Float) -> None:
    same(expression(text), A.FloatLit(digits, kind))


@pytest.mark.parametrize(
    ("text", "value"),
    [(r'"a\tb\\\"\n"', 'a\tb\\"\n'), ('"über"', "über"), (r'"A"', "A"), ('"a" "b"', "ab"), (r'"\1" "23"', "\x0123"),
     (r'"\101"', "A"), ('"// no comment"', "// no comment"), ('"#"', "#"), ('"[[::"', "[[::"), ('""', "")],
)  # fmt: skip
def test_a_string_literal_stands_for_its_characters(text: str, value: str) -> None:
    same(expression(text), A.StringLit(value))


@pytest.mark.parametrize("text", ["true", "false"])
def test_truth_values_are_literals(text: str) -> None:
    same(expression(text), A.BoolLit(text == "true"))


# Expressions


@pytest.mark.parametrize(
    ("loose", "tight"),
    [("||", "&&"), ("&&", "|"), ("|", "^"), ("^", "&"), ("&", "=="), ("==", "<"), ("!=", ">="), ("<", "<<"),
     (">", ">>"),
     ("<=", "+"), ("<<", "-"), ("+", "*"), ("-", "/"), ("+", "%")],
)  # fmt: skip
def test_an_operator_binds_tighter_than_another(loose: str, tight: str) -> None:
    a, b, c = name("a"), name("b"), name("c")
    same(expression(f"a {loose} b {tight} c"), A.Binary(loose, a, A.Binary(tight, b, c)))
    same(expression(f"a {tight} b {loose} c"), A.Binary(loose, A.Binary(tight, a, b), c))


@pytest.mark.parametrize("op", ["||", "&&", "|", "^", "&", "==", "<", "<<", "-", "/"])
def test_an_operator_groups_to_the_left(op: str) -> None:
    same(expression(f"a {op} b {op} c"), A.Binary(op, A.Binary(op, name("a"), name("b")), name("c")))


@pytest.mark.parametrize("op", ["-", "+", "!", "~"])
def test_a_prefix_operator(op: str) -> None:
    same(expression(f"{op}a.b"), A.Unary(op, name("a.b")))


def test_a_conditional_groups_to_the_right() -> None:
    wanted = A.Conditional(name("a"), name("b"), A.Conditional(name("c"), name("d"), name("e")))
    same(expression("a ? b : c ? d : e"), wanted)


def test_a_cast_binds_tighter_than_a_product() -> None:
    same(expression("(double)a * b"), A.Binary("*", A.Cast(T.DOUBLE, name("a")), name("b")))


def test_a_struct_literal_names_its_type() -> None:
    same(expression("(Pair){1, n}.first"), A.Member(A.StructLit(T.Named("Pair"), (number(1), name("n"))), "first"))


def test_calls_methods_members_and_indices_chain() -> None:
    wanted = A.Member(A.Index(A.MethodCall(A.Call("f", (name("a"),)), "g", ()), number(3)), "h")
    same(expression("f(a).g()[3].h"), wanted)


def test_a_member_may_have_the_name_of_a_type() -> None:
    same(expression("e.node"), A.Member(name("e"), "node"))


def test_a_relaxed_load_reaches_over_the_whole_location() -> None:
    wanted = A.Binary("+", A.Relaxed(A.Member(A.Index(name("a"), name("i")), "b")), number(1))
    same(expression("relaxed a[i].b + 1"), wanted)


@pytest.mark.parametrize("op", ["+", "-", "|", "&", "^", "min", "max", "xchg", "*", "/", "%", "<<", ">>"])
def test_an_update_is_a_statement(op: str) -> None:
    same(statement(f"e.dst.level {op}= n.level;"), A.ExprStmt(A.Reduce(op, name("e.dst.level"), name("n.level"))))


@pytest.mark.parametrize("field", ["old", "changed"])
@pytest.mark.parametrize("op", ["min", "max", "+", "xchg"])
def test_an_update_has_a_value(op: str, field: str) -> None:
    same(expression(f"(n.level {op}= 3).{field}"), A.Member(A.Reduce(op, name("n.level"), number(3)), field))


def test_an_update_is_a_condition() -> None:
    found = statement("if (e.dst.level min= n.level + e.weight) f();")
    wanted = A.Reduce("min", name("e.dst.level"), A.Binary("+", name("n.level"), name("e.weight")))
    same(found, A.If(wanted, (call("f"),), ()))


@pytest.mark.parametrize("op", ["++", "--"])
@pytest.mark.parametrize("text", ["n.level{}", "{}n.level"])
def test_counting_is_an_update_by_one(op: str, text: str) -> None:
    same(statement(text.format(op) + ";"), A.ExprStmt(A.Reduce(op[0], name("n.level"), number(1))))


def test_min_and_max_are_functions_too() -> None:
    same(expression("min(a, max(b, 3))"), A.Call("min", (name("a"), A.Call("max", (name("b"), number(3))))))


@pytest.mark.parametrize("text", ["Any Invoke k(g)", "Any(Invoke k(g))"])
def test_a_kernel_result_is_a_value(text: str) -> None:
    same(expression(text), A.InvokeResult("any", "k", (name("g"),)))


def test_a_kernel_result_is_a_condition() -> None:
    same(statement("while (!All Invoke k(g)) {}"), A.While(A.Unary("!", A.InvokeResult("all", "k", (name("g"),))), ()))
