"""From .irgl text to tokens: comments blanked, raw blocks set aside, `list<node>` made one type name."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pycparser.c_lexer import CLexer

from irgl.source import IrglError, Source, Span

_COMMENT_OR_STRING = re.compile(r"//[^\n]*|/\*.*?\*/|/\*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_RAW_BLOCK = re.compile(r"\bCBlock\b(?=\s*(?:reads|writes)\s*\()")
_GENERIC = re.compile(r"(?:unique\s+)?[A-Za-z_]\w*\s*<[\w\s,<>]*>")


def span_at(source: Source, offset: int, length: int = 1) -> Span:
    """The span of `length` characters of one line from an offset into the text."""
    line = source.text.count("\n", 0, offset) + 1
    column = offset - (source.text.rfind("\n", 0, offset) + 1) + 1
    return Span(source, line, column, line, column + length)


def blank_comments(source: Source) -> str:
    """The text with every comment replaced by blanks: positions stay what they were."""

    def blank(match: re.Match[str]) -> str:
        text = match.group()
        if text == "/*":
            raise IrglError("comment without end", span_at(source, match.start(), 2), "close it with */")
        return re.sub(r"[^\n]", " ", text) if text.startswith("/") else text

    text = _COMMENT_OR_STRING.sub(blank, source.text)
    bad = text.find("\0")
    if bad >= 0:
        raise IrglError("a NUL byte is no part of a program", span_at(source, bad), "is this a text file?")
    return text


def refuse_foreign(source: Source, text: str) -> None:
    """Raises IrglError for preprocessor lines, C23 attributes and C++ scopes, which C's lexer would let pass."""
    directive = re.search(r"^[ \t]*#", text, re.MULTILINE)
    if directive is not None:
        where = span_at(source, directive.end() - 1)
        raise IrglError("preprocessor lines are not part of the language", where, "use import, or a plain constant")
    attribute = re.search(r"\[\[|::", text)
    if attribute is not None:
        raise IrglError(
            f"'{attribute.group()}' is not part of the language", span_at(source, attribute.start(), 2), None
        )


def set_raw_blocks_aside(source: Source, text: str) -> tuple[str, dict[tuple[int, int], str]]:
    """Blanks the braces of each `CBlock reads(..) writes(..) { raw }`, leaving `;` for the opening one.

    Returns the text and the raw bodies by (line, column) of that `;`.
    """
    bodies: dict[tuple[int, int], str] = {}
    at = 0
    while (match := _RAW_BLOCK.search(text, at)) is not None:
        opening = text.find("{", match.end())
        if opening < 0:
            raise IrglError("CBlock without a body", span_at(source, match.start(), 6), "write { C text } after its sets")
        depth, end = 0, opening
        while end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            if depth == 0:
                break
            end += 1
        if depth != 0:
            raise IrglError("'{' without its '}'", span_at(source, opening), "close the block")
        where = span_at(source, opening)
        bodies[(where.line, where.column)] = source.text[opening + 1 : end].strip("\n")
        hidden = ";" + re.sub(r"[^\n]", " ", text[opening + 1 : end + 1])
        text = text[:opening] + hidden + text[end + 1 :]
        at = end + 1
    return text, bodies


class Lexer(CLexer):  # type: ignore[misc]
    """pycparser's lexer, with `kind<item>` as one identifier where `kind` is in `generics`."""

    def __init__(self, error_func: Callable[[str, int, int], None], **options: str) -> None:
        self.generics: set[str] = set()
        super().__init__(error_func, **options)

    def _match_token(self) -> Any:
        match = _GENERIC.match(self._lexdata, self._pos)
        if match is not None:
            text = match.group()
            head = re.sub(r"^unique\s+", "", text)
            if re.split(r"[\s<]", head)[0] in self.generics and (end := _balanced(text)) is not None:
                return self._generic_token(text[:end])
        return super()._match_token()

    def _generic_token(self, text: str) -> Any:
        token = self._make_token("ID", normal_generic(text), self._pos)
        line_breaks = text.count("\n")
        self._pos += len(text)
        if line_breaks:
            self._lineno += line_breaks
            self._line_start = self._pos - len(text) + text.rfind("\n") + 1
        return token


def _balanced(text: str) -> int | None:
    depth = 0
    for i, c in enumerate(text):
        depth += {"<": 1, ">": -1}.get(c, 0)
        if c == ">" and depth == 0:
            return i + 1
    return None


def normal_generic(text: str) -> str:
    """`unique  list < node >` as `unique list<node>`."""
    words = re.sub(r"\s+", " ", text).strip()
    words = re.sub(r"\s*([<>])\s*", r"\1", words)
    return re.sub(r"\s*,\s*", ", ", words)
