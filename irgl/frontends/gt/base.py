"""What all rules of the grammar ask of the tokens: the next one, whether it is what is wanted, and where it stands."""

from __future__ import annotations

from typing import NoReturn

from irgl.frontends.depth import check_depth
from irgl.frontends.gt.lexer import LEFT_OVER, Lexer, Part, Token
from irgl.source import IrglError, Source, Span


class Base:
    """A reader of tokens, two of which may be looked at before they are taken."""

    def __init__(self, source: Source, part: Part | None = None) -> None:
        self.source = source
        self.lexer = Lexer(source, part)
        self._ahead: list[Token] = []
        self.last = Span(source, 1, 1, 1, 1)  # of the token that was taken last
        self._depth = 0
        self.slanted = ""  # what is said of the first `end` that doesn't stand under what it closes

    def peek(self, further: int = 0) -> Token:
        while len(self._ahead) <= further:
            self._ahead.append(self.lexer.next())
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

    def at_schedule(self) -> bool:
        """Does the section of the schedule begin here?"""
        token = self.peek()
        return token.kind == "id" and token.text == "schedule" and self.peek(1).text == ":"

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

    def name(self, what: str) -> Token:
        """Takes a name of the program's own: `what` is called so."""
        token = self.peek()
        if token.kind == "word":
            if token.text in LEFT_OVER:
                self.left_over(token)
            raise IrglError(f"'{token.text}' is a word of GraphIt's, and can't be the name of {what}", token.span,
                            "choose another name")
        if token.kind != "id":
            self.fail(f"the name of {what} is missing")
        return self.take()

    def left_over(self, token: Token) -> NoReturn:
        raise IrglError(f"'{token.text}' is a word of Simit's, and means nothing in GraphIt", token.span,
                        LEFT_OVER[token.text])

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

    def note_slant(self, what: str, opened: Span, end: Span) -> None:
        """Keeps the first `end` that doesn't stand under what it closes: that may be where one is missing."""
        lines = (self.source.line(opened.line)[: opened.column - 1], self.source.line(end.line)[: end.column - 1])
        if not self.slanted and opened.column != end.column and not any(map(str.strip, lines)):
            self.slanted = f"`{what}` in line {opened.line} ends in line {end.line}, where `end` stands elsewhere"
