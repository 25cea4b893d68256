"""What all rules of the grammar ask of the tokens, beside what any notation's reader does (frontends/descent.py)."""

from __future__ import annotations

from typing import NoReturn

from irgl.frontends.descent import Descent, Part, Token
from irgl.frontends.gt.lexer import LEFT_OVER, Lexer
from irgl.source import IrglError, Source, Span


class Base(Descent):
    """A reader of GraphIt's tokens."""

    def __init__(self, source: Source, part: Part | None = None) -> None:
        self.lexer = Lexer(source, part)
        super().__init__(source, self.lexer)
        self.slanted = ""  # what is said of the first `end` that doesn't stand under what it closes

    def at_schedule(self) -> bool:
        """Does the section of the schedule begin here?"""
        token = self.peek()
        return token.kind == "id" and token.text == "schedule" and self.peek(1).text == ":"

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

    def note_slant(self, what: str, opened: Span, end: Span) -> None:
        """Keeps the first `end` that doesn't stand under what it closes: that may be where one is missing."""
        lines = (self.source.line(opened.line)[: opened.column - 1], self.source.line(end.line)[: end.column - 1])
        if not self.slanted and opened.column != end.column and not any(map(str.strip, lines)):
            self.slanted = f"`{what}` in line {opened.line} ends in line {end.line}, where `end` stands elsewhere"
