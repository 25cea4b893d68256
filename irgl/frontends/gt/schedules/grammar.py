"""From the text of a schedule to its statements.

    section   {statement}                                    behind a line that begins with `schedule:`, if there is one
    statement "program" {"->" call} ";" | NAME "." call ";" | NAME NAME ["=" NAME | "(" values ")"] ";"
    call      NAME "(" [values] ")"          values    value {"," value}
    value     TEXT | ["-"] NUMBER | NAME | "{" value {"," value} "}"
"""

from __future__ import annotations

import difflib
from fractions import Fraction

from irgl.frontends.gt.schedules import lexer
from irgl.frontends.gt.schedules.lexer import END, MARK, NAME, NUMBER, TEXT, Token
from irgl.frontends.gt.schedules.tree import Call, Declared, Many, Number, OnObject, OnProgram, Statement, Text, Value
from irgl.frontends.gt.schedules.tree import Word as Named
from irgl.source import IrglError, Source

#: The kinds of objects.
SIMPLE, HYBRID = "SimpleGPUSchedule", "HybridGPUSchedule"
PROGRAM = "program"
_USUAL = 'program->configApplyDirection("s1", "DensePull"); or SimpleGPUSchedule s1;'


def statements(source: Source) -> tuple[Statement, ...]:
    """The statements of the schedule in a program's text, or in a text that is nothing else. Raises IrglError at the
    first mistake. O(length of the text)."""
    start = lexer.begin(source)
    return _Parser(source, 0 if start is None else start).section()


class _Parser:
    def __init__(self, source: Source, start: int) -> None:
        self._tokens = lexer.tokens(source, start)
        self._now = next(self._tokens)
        self._last = self._now

    def section(self) -> tuple[Statement, ...]:
        found: list[Statement] = []
        while self._now.kind != END:
            found += self._statement()
        return tuple(found)

    def _statement(self) -> list[Statement]:
        first = self._now
        if first.kind != NAME:
            raise IrglError(f"{first} begins no statement of a schedule", first.span, _USUAL)
        self._next()
        if self._is("->"):
            return list(self._chain(first))
        if first.text == PROGRAM:
            raise IrglError(f"expected `->` behind `program`, and found {self._now}", self._now.span, _USUAL)
        if self._is("."):
            self._next()
            on = OnObject(Named(first.text, first.span), self._call())
            self._end("call")
            return [on]
        if self._now.kind == NAME:
            return [self._declared(first)]
        raise IrglError(f"`{first.text}` begins no statement of a schedule", first.span, _USUAL)

    def _chain(self, first: Token) -> list[Statement]:
        if first.text != PROGRAM:
            near = difflib.get_close_matches(first.text, (PROGRAM,), 1)
            raise IrglError(f"`{first.text}` is no program: `->` stands behind `program` alone", first.span,
                            f"did you mean {PROGRAM}?" if near else
                            f"write {first.text}.configDirection(PULL); for an object")
        found: list[Statement] = []
        while self._is("->"):
            self._next()
            found.append(OnProgram(self._call()))
        self._end("call")
        return found

    def _declared(self, kind: Token) -> Declared:
        if kind.text not in (SIMPLE, HYBRID):
            near = difflib.get_close_matches(kind.text, (SIMPLE, HYBRID), 1)
            raise IrglError(f"there are no objects of a kind `{kind.text}`", kind.span,
                            f"did you mean {near[0]}?" if near else f"the kinds are {SIMPLE} and {HYBRID}")
        name, like, args = self._name("the object's name"), None, None
        if self._is("="):
            self._next()
            like = self._name("the object that it begins as")
        elif self._is("("):
            args = self._args()
        made = Declared(Named(kind.text, kind.span), name, like, args, kind.span.to(self._last.span))
        self._end("object")
        return made

    def _call(self) -> Call:
        name = self._name("the name of a call")
        if not self._is("("):
            raise IrglError(f"expected `(` behind `{name.name}`, and found {self._now}", self._now.span,
                            f"a call is {name.name}(...)")
        args = self._args()
        return Call(name, args, name.span.to(self._last.span))

    def _args(self) -> tuple[Value, ...]:
        opened = self._next()
        found: list[Value] = []
        if not self._is(")"):
            found.append(self._value())
            while self._is(","):
                self._next()
                found.append(self._value())
        self._close(")", opened)
        return tuple(found)

    def _value(self) -> Value:
        if not self._is("{"):
            return self._item()
        opened = self._next()
        items = [self._item()]
        while self._is(","):
            self._next()
            items.append(self._item())
        self._close("}", opened)
        return Many(tuple(items), opened.span.to(self._last.span))

    def _item(self) -> Text | Number | Named:
        at = self._now
        if at.kind == TEXT:
            self._next()
            return Text(at.text[1:-1], at.span)
        if at.kind == NAME:
            self._next()
            return Named(at.text, at.span)
        if self._is("-"):
            self._next()
            if self._now.kind != NUMBER:
                raise IrglError(f"expected a number behind `-`, and found {self._now}", self._now.span)
            number = self._next()
            return Number(-_number(number), at.span.to(number.span))
        if at.kind == NUMBER:
            self._next()
            return Number(_number(at), at.span)
        raise IrglError(f"expected a value, and found {at}", at.span,
                        'values are "s1", PUSH, 0.03, 0x42000, and in fuseFields {"a", "b"}')

    def _name(self, what: str) -> Named:
        if self._now.kind != NAME:
            raise IrglError(f"expected {what}, and found {self._now}", self._now.span)
        found = self._next()
        return Named(found.text, found.span)

    def _close(self, mark: str, opened: Token) -> None:
        if not self._is(mark):
            raise IrglError(f"expected `,` or `{mark}`, and found {self._now}", self._now.span,
                            f"the {opened} that it closes is in line {opened.span.line}")
        self._next()

    def _end(self, of: str) -> None:
        if not self._is(";"):
            raise IrglError(f"expected `;` behind the {of}, and found {self._now}", self._now.span,
                            "each statement of a schedule ends in `;`")
        self._next()

    def _is(self, mark: str) -> bool:
        return self._now.kind == MARK and self._now.text == mark

    def _next(self) -> Token:
        self._last = self._now
        self._now = next(self._tokens, self._now)
        return self._last


def _number(token: Token) -> Fraction:
    text = token.text
    if text[:2] in ("0x", "0X"):
        return Fraction(int(text, 16))
    mantissa, _, exponent = text.rstrip("fF").lower().partition("e")
    if abs(int(exponent or 0)) > 99:
        raise IrglError(f"`{text}` is no number of a schedule", token.span, "it is too large, or too small")
    return Fraction(mantissa.rstrip(".") if not mantissa.startswith(".") else f"0{mantissa}") * Fraction(10) ** int(
        exponent or 0)
