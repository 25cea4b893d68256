"""The values of calls: each is what its call takes, or an IrglError at its place."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from fractions import Fraction

from irgl.frontends.gt.schedules.tree import Call, Declared, Number, Text, Value, Word
from irgl.source import IrglError, Span

_ARGUMENT = re.compile(r"argv\[([0-9]{1,4})\]")
#: The largest number that a schedule may say.
_MOST = 10**18


def check_count(call: Call | Declared, args: tuple[Value, ...], least: int, most: int, usage: str) -> None:
    """Raises IrglError for too few or too many values."""
    if not least <= len(args) <= most:
        takes = str(least) if least == most else f"{least} to {most}"
        values = "value" if takes == "1" else "values"
        raise IrglError(f"`{call.name.name}` takes {takes} {values}, and is given {len(args)}", call.span, usage)


def text(value: Value, what: str) -> str:
    """A text between quotes."""
    if not isinstance(value, Text):
        raise IrglError(f"{what} is a text between quotes", value.span, 'write "text"')
    return value.value


def one_of(value: Value, words: Iterable[str], what: str) -> str:
    """A text that is one of these."""
    return _known(text(value, f"a {what}"), list(words), what, value.span)


def word(value: Value, words: Iterable[str], what: str) -> str:
    """A word without quotes that is one of these."""
    known = list(words)
    if not isinstance(value, Word):
        raise IrglError(f"a {what} is a word without quotes", value.span, _among(known))
    return _known(value.name, known, what, value.span)


def _known(said: str, known: list[str], what: str, span: Span) -> str:
    if said not in known:
        near = difflib.get_close_matches(said, known, 1)
        meant = f"did you mean {near[0]}? " if near else ""
        raise IrglError(f"`{said}` is no {what}", span, f"{meant}{_among(known)}")
    return said


def _among(known: list[str]) -> str:
    return f"there is {known[0]} alone" if len(known) == 1 else f"there are {', '.join(known)}"


def whole(value: Value, what: str, least: int = 1) -> int:
    """A whole number from `least` on."""
    if not isinstance(value, Number) or value.value.denominator != 1 or not least <= value.value < _MOST:
        raise IrglError(f"{what} is a whole number from {least} on", value.span)
    return int(value.value)


def argument(value: Value) -> int | None:
    """The number of an argument, of `"argv[3]"`; None: the value is no text."""
    if not isinstance(value, Text):
        return None
    found = _ARGUMENT.fullmatch(value.value)
    if found is None or int(found[1]) == 0:
        raise IrglError(f"`{value.value}` is no argument of the program", value.span, 'write "argv[1]", "argv[2]", ...')
    return int(found[1])


def part(value: Value, what: str) -> str:
    """A number from 0 to 1, as plans write it; or the name of the parameter that an argument is."""
    number = argument(value)
    if number is not None:
        return f"argv{number}"
    if not isinstance(value, Number):
        raise IrglError(f"{what} is a number from 0 to 1", value.span, 'write 0.03, or "argv[3]"')
    if value.value < 0:
        raise IrglError(f"{what} below 0", value.span, "it is a part of the graph's vertices, from 0 to 1")
    if value.value > 1:
        raise IrglError(f"{what} above 1", value.span, "it is a part of the graph's vertices, from 0 to 1")
    return _decimal(value.value)


def _decimal(number: Fraction) -> str:
    """A number from 0 to 1 with 6 places at most, else as a fraction."""
    scaled = number * 10**6
    if scaled.denominator != 1:
        return str(number)
    return f"{int(scaled) // 10**6}.{int(scaled) % 10**6:06}".rstrip("0").rstrip(".")
