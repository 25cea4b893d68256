"""The listing of tokens that `dump tokens` shows."""

from __future__ import annotations

from irgl.frontends.text.tokens import tokens


def test_each_token_has_its_place_kind_and_text() -> None:
    assert tokens("int a; // why\n  a min= 3u;\n") == """\
1:1      INT             int
1:5      ID              a
1:6      SEMI            ;
2:3      ID              a
2:5      ID              min
2:8      EQUALS          =
2:10     INT_CONST_DEC   3u
2:12     SEMI            ;
"""


def test_a_generic_type_is_one_token() -> None:
    assert tokens("unique list < node > x;").split("\n")[0] == "1:1      ID              unique list<node>"


def test_a_generic_type_of_the_text_is_one_token() -> None:
    assert "1:35     ID              Ring<int>" in tokens('library Ring<T> "r.hpp" {} void f(Ring<int> r) {}')


def test_a_raw_block_is_one_token() -> None:
    assert tokens('CBlock reads(a) { x["}"]; }').split("\n")[5] == "1:17     RAW             ' x[\"}\"]; '"


def test_a_text_of_nothing_has_no_tokens() -> None:
    assert tokens("/* nothing */") == ""
