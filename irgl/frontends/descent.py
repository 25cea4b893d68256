"""What readers of a notation by descent ask of its tokens: the next one, whether it is wanted, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn, Protocol

from irgl.frontends.depth import check_depth
from irgl.source import IrglError, Source, Span


@dataclass(frozen=True, slots=True)
class Part:
    """Characters `start` to `end` (exclusive) of a text, in a line of number `line` that begins at `begin`."""

    start: int
    end: int
    line: int
    begin: int


@dataclass(frozen=True, slots=True)
class Token:
    """kind is id, word (one of the notation's own), number, text, sign or end; start: its first character in the text.
    """

    kind: str
    text: str
    span: Span
    start: int


class Tokens(Protocol):
    """What gives the tokens of a text one after the other, at last one of kind `end`."""

    def next(self) -> Token: ...


class Descent:
    """A reader of tokens, any number of which may be looked at before they are taken."""

    def __init__(self, source: Source, tokens: Tokens) -> None:
        self.source = source
        self._tokens = tokens
        self._ahead: list[Token] = []
        self.last = Span(source, 1, 1, 1, 1)  # of the token that was taken last
        self._depth = 0

    def peek(self, further: int = 0) -> Token:
        while len(self._ahead) <= further:
            self._ahead.append(self._tokens.next())
        return self._ahead[further]

    def take(self) -> Token:
        token = self.peek()
        del self._ahead[0]
        self.last = token.span
        return token

    def at(self, *texts: str) -> bool:
        """Is the next token one of these words or signs?"""
        token = self.peek()
        return token.text in texts and token.kind in ("word", "sign")

    def taken(self, *texts: str) -> bool:
        """The same, and it is taken then."""
        if self.at(*texts):
            self.take()
            return True
        return False

    def want(self, text: str, where: str, hint: str | None = None) -> Token:
        """Takes a word or sign that has to stand here; `where` tells what it is part of."""
        if not self.at(text):
            self.fail(f"'{text}' is missing {where}", hint)
        return self.take()

    def fail(self, message: str, hint: str | None = None) -> NoReturn:
        """Raises the mistake that the next token is."""
        raise self.mistake(message, hint)

    def mistake(self, message: str, hint: str | None = None) -> IrglError:
        """The mistake that the next token is; what is missing at a line's end is shown there."""
        token = self.peek()
        span = token.span
        if message.startswith("';'") or token.kind == "end":
            last = self.last
            span = Span(self.source, last.end_line, last.end_column, last.end_line, last.end_column + 1)
        elif message.endswith("is missing") or "is missing " in message:
            message = f"{message}, before {self.shown(token)}"
        return IrglError(message, span, hint)

    def shown(self, token: Token) -> str:
        return "the end of the file" if token.kind == "end" else f"'{token.text[:40]}'"

    def down(self) -> None:
        """One level further into what is nested."""
        self._depth += 1
        check_depth(self.peek().span, self._depth)

    def up(self) -> None:
        self._depth -= 1
