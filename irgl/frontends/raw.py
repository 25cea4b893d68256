"""Before the lexer: comments blanked, raw C++ blocks set aside; every other character keeps its place."""

from __future__ import annotations

import re

from irgl.source import IrglError, Source, Span

_COMMENT_OR_STRING = re.compile(r"//[^\n]*|/\*.*?\*/|/\*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_RAW_BLOCK = re.compile(r"\bCBlock\b(?=\s*(?:reads|writes)\s*\()")
_BRACKET_OR_STRING = re.compile(r"[(){};]|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
_BRACE_OR_STRING = re.compile(r"[{}]|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")


def span_at(source: Source, offset: int, length: int = 1) -> Span:
    """The span of `length` characters of one line from an offset into the text."""
    line = source.text.count("\n", 0, offset) + 1
    column = offset - (source.text.rfind("\n", 0, offset) + 1) + 1
    return Span(source, line, column, line, column + length)


def blank_comments(source: Source) -> str:
    """The text with every comment and carriage return replaced by blanks: positions stay what they were."""

    def blank(match: re.Match[str]) -> str:
        text = match.group()
        if text == "/*":
            raise IrglError("comment without end", span_at(source, match.start(), 2), "close it with */")
        return re.sub(r"[^\n]", " ", text) if text.startswith("/") else text

    text = _COMMENT_OR_STRING.sub(blank, source.text).replace("\r", " ")
    bad = text.find("\0")
    if bad >= 0:
        raise IrglError("a NUL byte is no part of a program", span_at(source, bad), "is this a text file?")
    return text


def set_raw_blocks_aside(source: Source, text: str) -> tuple[str, dict[tuple[int, int], str]]:
    """Blanks the braces of each `CBlock reads(..) writes(..) { raw }`, leaving `;` for the opening one.

    Returns the text and the raw bodies by (line, column) of that `;`. A body is what stands between its braces, to
    the letter, but for line breaks at its ends.
    """
    bodies: dict[tuple[int, int], str] = {}
    parts: list[str] = []
    at = 0
    while (match := _RAW_BLOCK.search(text, at)) is not None:
        opening = _opening(text, match.end())
        if opening < 0:
            where = span_at(source, match.start(), 6)
            raise IrglError("CBlock without a body", where, "write { C text } after its sets")
        end = _closing(source, text, opening)
        where = span_at(source, opening)
        bodies[(where.line, where.column)] = source.text[opening + 1 : end].strip("\n")
        parts += [text[at:opening], ";", re.sub(r"[^\n]", " ", text[opening + 1 : end + 1])]
        at = end + 1
    return "".join([*parts, text[at:]]), bodies


def _opening(text: str, at: int) -> int:
    """The `{` that follows the sets, which may hold braces of their own; -1 where none does."""
    depth = 0
    for match in _BRACKET_OR_STRING.finditer(text, at):
        depth += {"(": 1, ")": -1}.get(match.group(), 0)
        if depth == 0 and match.group() in "{;}":
            return match.start() if match.group() == "{" else -1
    return -1


def _closing(source: Source, text: str, opening: int) -> int:
    depth = 0
    for match in _BRACE_OR_STRING.finditer(text, opening):
        depth += {"{": 1, "}": -1}.get(match.group(), 0)
        if depth == 0:
            return match.start()
    raise IrglError("'{' without its '}'", span_at(source, opening), "close the block")
