"""A schedule as it is written: objects and calls, each with the place where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from irgl.source import Span


@dataclass(frozen=True, slots=True)
class Text:
    """`"s1"`."""

    value: str
    span: Span


@dataclass(frozen=True, slots=True)
class Number:
    """`4`, `0.03`, `0x42000`, `-1`."""

    value: Fraction
    span: Span


@dataclass(frozen=True, slots=True)
class Word:
    """`PUSH`, or the name of an object."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Many:
    """`{"a", "b"}`."""

    items: tuple[Text | Number | Word, ...]
    span: Span


Value = Text | Number | Word | Many


@dataclass(frozen=True, slots=True)
class Call:
    """`name(args)`; span: all of it."""

    name: Word
    args: tuple[Value, ...]
    span: Span

    def __str__(self) -> str:
        return as_written(self.span)


@dataclass(frozen=True, slots=True)
class OnProgram:
    """`program->call;` one of a chain."""

    call: Call


@dataclass(frozen=True, slots=True)
class OnObject:
    """`s1.call;`."""

    name: Word
    call: Call


@dataclass(frozen=True, slots=True)
class Declared:
    """`Kind name;`, `Kind name = like;`, `Kind name(args);`."""

    kind: Word
    name: Word
    like: Word | None
    args: tuple[Value, ...] | None
    span: Span

    def __str__(self) -> str:
        return as_written(self.span)


Statement = OnProgram | OnObject | Declared


def as_written(span: Span) -> str:
    """The text of a stretch, on one line."""
    lines = [span.source.line(n) for n in range(span.line, span.end_line + 1)]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return " ".join(" ".join(lines).split())
