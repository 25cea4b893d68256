"""The tokens of a schedule."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from irgl.source import IrglError, Source, Span

#: Kinds of tokens. A mark's text says which it is.
NAME, NUMBER, TEXT, MARK, END = "name", "number", "text", "mark", "end"
_TOKEN = re.compile(
    r"(?P<space>[ \t\r\n\f\v\ufeff]+|%[^\n]*|//[^\n]*|/\*.*?\*/)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<number>0[xX][0-9A-Fa-f]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[fF]?)"
    r"|(?P<text>\"[^\"\n]*\")"
    r"|(?P<mark>->|[.,;:(){}=-])", re.DOTALL)
#: No schedule has longer numbers: a digit more and they are slow to read.
_DIGITS = 40
#: Where the section of a program's text begins, which is a line that begins so.
_SECTION = re.compile(r"^[ \t]*schedule[ \t]*:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Token:
    """kind: one of those above; text: as it is written."""

    kind: str
    text: str
    span: Span

    def __str__(self) -> str:
        return "the end of the schedule" if self.kind == END else f"`{self.text}`"


def begin(source: Source) -> int | None:
    """Where the schedule begins in a text, behind `schedule:`; None: it has no such line. O(length)."""
    found = _SECTION.search(source.text)
    return None if found is None else found.end()


def tokens(source: Source, start: int) -> Iterator[Token]:
    """The tokens of a text from `start` on, the last of which is END. Raises IrglError for what is none. O(length)."""
    text = source.text
    lines = [0, *(m.end() for m in re.finditer("\n", text))]

    def span(at: int, to: int) -> Span:
        line, last = bisect_right(lines, at), bisect_right(lines, to)
        return Span(source, line, at - lines[line - 1] + 1, last, to - lines[last - 1] + 1)

    at = start
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise _unreadable(text, at, span(at, at + 1))
        kind, word, at = str(found.lastgroup), found[0], found.end()
        if kind == NUMBER:
            _check(word, text[at : at + 1], span(found.start(), at))
        if kind != "space":
            yield Token(kind, word, span(found.start(), at))
    end = len(text.rstrip()) if text.rstrip() else 0
    yield Token(END, "", span(max(end, start), max(end, start)))


def _check(word: str, behind: str, span: Span) -> None:
    if len(word) > _DIGITS:
        raise IrglError("a number of so many digits is none of a schedule", span, "write it shorter")
    if behind.isalnum() or behind in ("_", "."):
        raise IrglError(f"`{word}{behind}` is no number, and begins no name", span,
                        "numbers are 12, 0.03, 3e-2 and 0x42000; names begin with a letter")


def _unreadable(text: str, at: int, span: Span) -> IrglError:
    if text[at] == '"':
        return IrglError("the text that begins here isn't closed on its line", span, 'write "text"')
    if text.startswith("/*", at):
        return IrglError("the comment that begins here isn't closed", span, "close it by */")
    shown = text[at] if text[at].isprintable() else f"\\u{ord(text[at]):04x}"
    return IrglError(f"`{shown}` is no part of a schedule", span,
                     "a schedule has calls such as program->configApplyDirection(\"s1\", \"DensePull\"); comments "
                     "begin with % or //")
