"""The report of an error: place, line, carets, hint."""

from __future__ import annotations

from irgl.source import IrglError, Source, Span


def _report(text: str, column: int, end: int) -> list[str]:
    return str(IrglError("no", Span(Source("a.irgl", text), 1, column, 1, end), "try again")).split("\n")


def test_carets_stand_under_the_span() -> None:
    assert _report("int x = y;", 9, 10) == [
        "a.irgl:1:9: error: no",
        "    int x = y;",
        "            ^",
        "  hint: try again",
    ]


def test_tabs_keep_the_carets_in_place() -> None:
    assert _report("\tint x;", 2, 5)[1:3] == ["    \tint x;", "    \t^^^"]


def test_a_long_line_is_shown_around_the_carets() -> None:
    _, line, carets, _ = _report("a" * 500 + "BAD" + "b" * 500, 501, 504)
    assert len(line) < 180
    assert line[carets.index("^") : carets.rindex("^") + 1] == "BAD"
    assert line.strip().startswith("... ")
    assert line.endswith(" ...")


def test_without_a_span_the_file_is_named() -> None:
    assert str(IrglError("empty", file="a.irgl")) == "a.irgl: error: empty"
    assert str(IrglError("empty")) == "error: empty"
