"""A text read part by part, for editors: a part that did not change is not parsed again.

A part is a declaration outside all braces, up to the next one. Each is parsed alone, with blanks in the place of what
stands before it, so that positions stay what they were.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from typing import TypeVar

from irgl.ast import nodes as A
from irgl.ast.visit import field_names
from irgl.frontends.kept import Kept
from irgl.frontends.raw import blank_comments, set_raw_blocks_aside
from irgl.frontends.text.base import own_types
from irgl.frontends.text.grammar import Grammar
from irgl.frontends.text.lexer import refuse_foreign
from irgl.source import IrglError, Source, Span

_MARK = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|[{}();]")


def parse(source: Source, known: set[str], generics: set[str], kept: Kept) -> A.Program:
    """The syntax of a source, without the parts that have mistakes, which are noted. Raises IrglError for mistakes
    that are no part's: the first of them is the one that a parser of the whole text tells."""
    aside, _ = set_raw_blocks_aside(source, blank_comments(source))
    refuse_foreign(source, aside)
    types = own_types(aside)
    decls: list[A.Decl] = []
    for line, begin, end in parts(aside):
        before = own_types(aside[:begin])
        reader = _Reader(source, line, begin, end, known | before[0], generics | before[1], types)
        key = reader.key()
        at, found = kept.parts.get(key, (line, None))
        if found is not None and at != line:
            found = [_moved(d, source, line - at) for d in found]
            kept.put(key, line, found)
        if found is None:
            try:
                found = reader.read()
            except IrglError as e:
                kept.mistakes.append(e)
                continue
            kept.put(key, line, found)
        decls.extend(found)
    return A.Program(tuple(decls), span=Span(source, 1, 1, 1, 1))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one part. known, generics: the types declared before it; types: those of the whole file."""

    source: Source
    line: int
    begin: int
    end: int
    known: Set[str]
    generics: Set[str]
    types: tuple[Set[str], Set[str]]

    def key(self) -> tuple[object, ...]:
        """All that its declarations depend on, but for the line in which it begins."""
        text = self.source.text[self.begin : self.end]
        return (self.source.path, text, *map(frozenset, (self.known, self.generics, *self.types)))

    def read(self) -> tuple[A.Decl, ...]:
        """Its declarations. Raises IrglError as a parser of the whole text does."""
        try:
            return self._alone(self.source.text[self.begin : self.end])
        except IrglError:  # which may speak of a text's end where the whole text goes on
            return self._alone(self.source.text[self.begin :])

    def _alone(self, text: str) -> tuple[A.Decl, ...]:
        placed = Source(self.source.path, "\n" * (self.line - 1) + text)
        return Grammar(placed, set(self.known), set(self.generics)).program(self.types).decls


N = TypeVar("N", bound=A.Node)


def _moved(node: N, source: Source, by: int) -> N:
    """A tree as it stands some lines further down."""
    changed: dict[str, object] = {}
    for name in field_names(type(node)):
        value = getattr(node, name)
        if isinstance(value, A.Node):
            changed[name] = _moved(value, source, by)
        elif isinstance(value, tuple) and value and isinstance(value[0], A.Node):
            changed[name] = tuple(_moved(v, source, by) for v in value)
    at = node.span
    if at is not None:
        changed["span"] = Span(source, at.line + by, at.column, at.end_line + by, at.end_column)
    return replace(node, **changed)  # type: ignore[arg-type]


def parts(text: str) -> Iterator[tuple[int, int, int]]:
    """Line of the first character, its offset and that behind the last, of each declaration of a text without comments.
    A part begins at a line's begin where nothing else stands before it there."""
    depth = begin = 0
    line = 1
    for mark in _MARK.finditer(text):
        word = mark.group()
        if word in "{(":
            depth += 1
        elif word in "})":
            depth = max(0, depth - 1)
        if depth or word not in "};":
            continue
        stop = mark.end()
        newline = text.find("\n", stop)
        rest = text[stop : newline if newline >= 0 else len(text)]
        if rest.strip():
            continue  # the line goes on: what follows belongs to this part
        stop += len(rest)
        yield line, begin, stop
        line += text.count("\n", begin, stop)
        begin = stop
        if newline >= 0:
            begin, line = newline + 1, line + 1
    if text[begin:].strip():
        yield line, begin, len(text)
