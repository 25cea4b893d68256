"""The Pygments lexer: it is found by its name, knows the language's words, and loses nothing of a text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, String, Text, Whitespace
from support.places import PROGRAMS, ROOT

from irgl.ast.types import KINDS, NAMES
from irgl.frontends.text.spelling import DECLARATIONS, USAGE
from irgl.notation import FUNCTIONS, NEEDS
from irgl.notebook.lexer import IrglLexer

FILES = sorted([*(PROGRAMS).glob("*.irgl"), *(ROOT / "irgl").rglob("*.irgl")])
PAGES = sorted((ROOT / "docs").glob("*.md"))


def tokens(text: str) -> list[tuple[object, str]]:
    return [(kind, word) for kind, word in IrglLexer(ensurenl=False).get_tokens(text) if kind is not Whitespace]


def test_pygments_finds_it_by_name_and_by_ending() -> None:
    assert type(get_lexer_by_name("irgl")) is IrglLexer
    assert type(get_lexer_for_filename("program.irgl")) is IrglLexer


@pytest.mark.parametrize("path", FILES, ids=[f.name for f in FILES])
def test_a_program_is_all_tokens(path: Path) -> None:
    text = path.read_text()
    found = list(IrglLexer(ensurenl=False, stripnl=False).get_tokens(text))
    assert "".join(word for _, word in found) == text
    assert [word for kind, word in found if kind in (Error, Text)] == []


@pytest.mark.parametrize("word", [*USAGE, *DECLARATIONS, *NEEDS, *KINDS, *NAMES])
def test_every_word_of_the_language_is_a_keyword(word: str) -> None:
    assert [kind in Keyword for kind, _ in tokens(word)] == [True]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_of_the_language_is_built_in_where_it_is_called(function: str) -> None:
    assert tokens(f"{function}(x)")[0] == (Name.Builtin, function)


@pytest.mark.parametrize(("text", "kind"), [
    ("// Kernel", Comment.Single), ("/* a * b\n */", Comment.Multiline), ('"a \\" b"', String), ("0x1fu", Number.Hex),
    ("1.5e-3f", Number.Float), ("12uL", Number.Integer), ("min=", Operator), ("minimum", Name),
    ("INF", Keyword.Constant),
    ("WL", Name.Builtin.Pseudo), ("mine(", Name.Function),
])  # fmt: skip
def test_kind_of(text: str, kind: object) -> None:
    assert tokens(text)[0][0] is kind


def test_what_is_behind_a_dot_is_no_keyword() -> None:
    assert tokens("n.node")[-1] == (Name.Attribute, "node")


def test_half_a_program_is_coloured_as_far_as_it_goes() -> None:
    assert tokens('Kernel k(Graph g) { x = "open')[0] == (Keyword.Declaration, "Kernel")


@pytest.mark.parametrize("page", PAGES, ids=[p.name for p in PAGES])
def test_programs_in_the_docs_are_all_tokens(page: Path) -> None:
    for text in re.findall(r"^```irgl[^\n]*\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
        assert [word for kind, word in IrglLexer().get_tokens(text) if kind in (Error, Text)] == []
