"""Source text, positions in it, and the one error type that users see."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """One text that a user wrote: a file's path (or a made-up name) and its characters."""

    path: str
    text: str

    def line(self, number: int) -> str:
        """Line `number` (1-based) without its line end; '' beyond the text."""
        lines = self.text.split("\n")
        return lines[number - 1].rstrip("\r") if 1 <= number <= len(lines) else ""


#: The notations of others, by the ends of their files' names; each is called as its room in frontends/.
_NOTATIONS = {".gt": "gt", ".fal": "falcon"}


def notation_of(path: str) -> str:
    """Whose notation a file is in: gt (GraphIt's) or falcon; '' for irgl's own, in text or in Python."""
    return next((name for suffix, name in _NOTATIONS.items() if path.endswith(suffix)), "")


def is_graphit(path: str) -> bool:
    """Is a file in GraphIt's notation? Its programs know nodes by their files' numbers, and stdout is theirs."""
    return notation_of(path) == "gt"


def is_falcon(path: str) -> bool:
    """Is a file in Falcon's notation?"""
    return notation_of(path) == "falcon"


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open stretch of one source: 1-based line and column of its first and last-plus-one character.

    `str(span)` is `file:line:column`.
    """

    source: Source
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.source.path}:{self.line}:{self.column}"

    @property
    def width(self) -> int:
        """How many characters of its first line; 0 for all to the line's end, where it goes on behind that."""
        return self.end_column - self.column if self.end_line == self.line else 0

    def to(self, other: Span) -> Span:
        """The stretch from the start of this span to the end of `other`."""
        return Span(self.source, self.line, self.column, other.end_line, other.end_column)


class IrglError(Exception):
    """Something the user can mend: message, where, and how.

    `str(error)` is the whole report: `file:line:col: error: message`, the line, carets, a hint.
    Without a span it is `error: message` and the hint; `file` names a file that has no useful position.
    """

    def __init__(
        self, message: str, span: Span | None = None, hint: str | None = None, *, file: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.hint = hint
        self.file = file

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> list[str]:
        lines = []
        if self.span is not None:
            lines.append(f"{self.span}: error: {self.message}")
            lines.extend(_quote(self.span))
        elif self.file is not None:
            lines.append(f"{self.file}: error: {self.message}")
        else:
            lines.append(f"error: {self.message}")
        if self.hint is not None:
            lines.append(f"  hint: {self.hint}")
        return lines


#: Longer lines are shown around what the carets point at.
_SHOWN = 160


def _quote(span: Span) -> list[str]:
    text = span.source.line(span.line)
    if not text.strip():
        return []
    last = span.end_column if span.end_line == span.line else len(text) + 1
    width = max(1, min(last, len(text) + 1) - span.column)
    start = span.column - 1
    if len(text) > _SHOWN:
        cut = max(0, min(start - _SHOWN // 4, len(text) - _SHOWN))
        head, tail = "... " * (cut > 0), " ..." * (cut + _SHOWN < len(text))
        text, start = head + text[cut : cut + _SHOWN] + tail, start - cut + len(head)
        width = max(1, min(width, _SHOWN + len(head) - start))
    # Tabs are kept in the caret line, so that carets stay under what they point at.
    lead = "".join("\t" if c == "\t" else " " for c in text[:start])
    return [f"    {text}", f"    {lead}{'^' * width}"]
