"""What is said about each mistake of syntax, to the letter: tests/data/syntax_errors.txt; and about texts that are
too deep, too long, or no text at all."""

from __future__ import annotations

import pytest
from support.diagnostics import cases_in
from support.parsed import GRAPH
from support.places import TESTS

from irgl.frontends.text.load import parse
from irgl.source import IrglError

CASES = [*cases_in(TESTS / "frontends" / "text" / "syntax_errors.txt")]
BLOCKS = {c.name: c for c in CASES}


def message(text: str) -> str:
    with pytest.raises(IrglError) as caught:
        parse(text, "x.irgl")
    return str(caught.value)


def in_kernel(text: str) -> str:
    return f"{GRAPH}Kernel k(Graph g) {{\n{text}\n}}\n"


def test_each_case_has_a_name_of_its_own() -> None:
    assert len(BLOCKS) == len(CASES)


@pytest.mark.parametrize("what", BLOCKS)
def test_the_message_about(what: str) -> None:
    assert message(BLOCKS[what].text) == BLOCKS[what].message


DEEP = {
    "parentheses": "x = " + "(" * 10_000 + "1" + ")" * 10_000 + ";",
    "braces": "{" * 10_000 + "}" * 10_000,
    "a sum": "x = 1" + " + 1" * 10_000 + ";",
    "signs": "x = " + "- " * 10_000 + "1;",
    "members": "x = a" + ".b" * 10_000 + ";",
    "indices": "x = " + "a[" * 10_000 + "1" + "]" * 10_000 + ";",
    "calls": "x = " + "f(" * 10_000 + "1" + ")" * 10_000 + ";",
    "casts": "x = " + "(int)" * 10_000 + "1;",
    "conditionals": "x = " + "a ? b : " * 10_000 + "c;",
    "updates": "a " + "+= b " * 10_000 + ";",
    "relaxed loads": "x = " + "relaxed " * 10_000 + "a;",
    "struct literals": "x = " + "(Pair){" * 10_000 + "1" + "}" * 10_000 + ";",
    "branches": "if (a) f();" + " else if (a) f();" * 10_000,
    "loops": "ForAll (n In g.nodes) " * 10_000 + "f();",
    "labels": "a: " * 10_000 + "f();",
    "kernel results": "x = " + "Any Invoke k(" * 10_000 + ")" * 10_000 + ";",
}


@pytest.mark.parametrize("what", DEEP)
def test_what_stands_too_deep_is_refused_where_it_does(what: str) -> None:
    with pytest.raises(IrglError) as caught:
        parse(in_kernel(DEEP[what]), "x.irgl")
    assert (caught.value.message, caught.value.hint) == ("nested too deeply", "split it with variables or functions")
    assert caught.value.span is not None and caught.value.span.line == 4


def test_updates_in_updates_may_not_add_up_to_a_deeper_tree() -> None:
    chain = " + 1" * 100
    with pytest.raises(IrglError, match="nested too deeply"):
        parse(in_kernel(f"x min= (x min= (x min= 1{chain}){chain}){chain};"))


@pytest.mark.parametrize("text", ["(" * 70 + "1" + ")" * 70, "1" + " + 1" * 140, "f(" * 60 + ")" * 60])
def test_what_people_write_is_not_too_deep(text: str) -> None:
    parse(in_kernel(f"x = {text};"))


def test_lists_may_be_long() -> None:
    parse(in_kernel("f(" + "a, " * 5_000 + "a);" + " x += 1;" * 5_000))


@pytest.mark.parametrize("text", ["list<" * 10_000 + "node x;", "int " + "*" * 10_000, "int " + "(" * 10_000])
def test_a_monster_of_a_type_is_an_error(text: str) -> None:
    with pytest.raises(IrglError):
        parse(in_kernel(text))


def test_a_number_of_thousands_of_digits_is_not_repeated() -> None:
    with pytest.raises(IrglError) as caught:
        parse(in_kernel("x = " + "9" * 10_000 + ";"))
    assert caught.value.message == "this number does not fit in 64 bits"


def test_a_nul_byte_is_no_part_of_a_program() -> None:
    assert message("int a;\n\0") == """\
x.irgl:2:1: error: a NUL byte is no part of a program
    \0
    ^
  hint: is this a text file?"""


def test_an_invisible_character_is_named() -> None:
    assert message("int\u00a0a;") == """\
x.irgl:1:4: error: U+00A0 (NO-BREAK SPACE) is no character of the language
    int\u00a0a;
       ^"""


def test_a_tab_keeps_carets_in_their_place() -> None:
    assert message("void f() {\n\tint x\t= @;\n}") == """\
x.irgl:2:10: error: '@' is no character of the language
    \tint x\t= @;
    \t     \t  ^"""


@pytest.mark.parametrize("text", ["", "\n\n", "// nothing\n", ";;"])
def test_a_text_of_nothing_is_a_program_of_nothing(text: str) -> None:
    assert parse(text).decls == ()
