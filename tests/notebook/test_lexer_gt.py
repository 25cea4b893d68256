"""The Pygments lexer for GraphIt: it is registered, knows the language's words, and loses nothing of a text."""

from __future__ import annotations

import importlib
from configparser import ConfigParser

import pytest
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, String, Text, Whitespace
from support.gt_libraries import HOPS, RANKS
from support.places import PROGRAMS, ROOT

from irgl.frontends.gt.lexer import LEFT_OVER, WORDS
from irgl.notebook.highlight import highlighted
from irgl.notebook.lexer_gt import GraphItLexer

FILES = sorted((PROGRAMS / "gt").glob("*.gt"))
SCHEDULE = """schedule:
% GraphIt's first language
program->configApplyDirection("s0:s1", "DensePull")->configApplyNumSSG("s1", "fixed-vertex-count", 0x10);
// and its second
SimpleGPUSchedule s1;
s1.configLoadBalance(EDGE_ONLY, BLOCKED, 14000);
HybridGPUSchedule h(INPUT_VERTEXSET_SIZE, 0.03, s1, s1);
program->applyGPUSchedule("s1", h);
"""


def tokens(text: str) -> list[tuple[object, str]]:
    return [(kind, word) for kind, word in GraphItLexer(ensurenl=False).get_tokens(text) if kind is not Whitespace]


def test_each_registered_lexer_is_called_as_it_is_registered() -> None:
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg")
    lines = setup["options.entry_points"]["pygments.lexers"].strip().splitlines()
    entries = dict(line.split(" = ") for line in lines)
    assert set(entries) == {"irgl", "graphit"}
    for name, place in entries.items():
        module, _, lexer = place.partition(":")
        assert name in getattr(importlib.import_module(module), lexer).aliases


@pytest.mark.parametrize("text", [*(f.read_text() for f in FILES), RANKS + SCHEDULE, HOPS],
                         ids=[*(f.name for f in FILES), "schedule", "hops"])
def test_a_program_is_all_tokens(text: str) -> None:
    found = list(GraphItLexer(ensurenl=False, stripnl=False).get_tokens(text))
    assert "".join(word for _, word in found) == text
    assert [word for kind, word in found if kind in (Error, Text)] == []


@pytest.mark.parametrize("word", sorted(WORDS - LEFT_OVER.keys()))
def test_no_word_of_the_language_is_a_mere_name(word: str) -> None:
    kinds = {tokens(f"x {word}{behind} y")[1][0] for behind in ("", "(")}
    assert any(kind in Keyword or kind in (Operator.Word, Name.Builtin) for kind in kinds)


@pytest.mark.parametrize(("text", "kind"), [
    ("% func", Comment.Single), ('"a.el"', String), ("1.5e-3", Number.Float), ("12", Number.Integer),
    ("min=", Operator), ("minimum", Name), ("true", Keyword.Constant), ("argv[1]", Name.Builtin.Pseudo),
    ("writeMin(x", Name.Builtin), ("mine(", Name.Function),
])  # fmt: skip
def test_kind_of(text: str, kind: object) -> None:
    assert tokens(text)[0][0] is kind


def test_a_label_and_what_is_behind_a_dot() -> None:
    found = tokens("# s1 # edges.from(f).apply(g);")
    assert found[1] == (Name.Label, "s1") and (Name.Function, "from") in found and (Name.Function, "apply") in found


def test_a_schedule_has_words_of_its_own() -> None:
    found = tokens(SCHEDULE)
    assert found[0] == (Keyword.Namespace, "schedule") and (Keyword.Type, "HybridGPUSchedule") in found
    assert (Comment.Single, "// and its second") in found and (Number.Hex, "0x10") in found


def test_half_a_program_is_coloured_as_far_as_it_goes() -> None:
    assert tokens('export func f(x = "open')[0] == (Keyword.Declaration, "export")


def test_a_page_shows_a_program_of_graphits_in_its_colours() -> None:
    assert '<span class="kd">export</span>' in highlighted(RANKS, ".gt")
