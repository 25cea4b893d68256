"""Other values of a program's constants, given with its name: `program.irgl:K=64`. They are put into its text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from irgl.frontends.raw import blank_comments
from irgl.source import IrglError, Source

_GIVEN = re.compile(r"(.+):((?:[A-Za-z_]\w*=[^:,=]*)(?:,[A-Za-z_]\w*=[^:,=]*)*)", re.DOTALL)
_DECLARED = re.compile(r"\bconst\s+int\s+([A-Za-z_]\w*)\s*=\s*(\w+)\s*;")
_IN_PYTHON = re.compile(r"^([A-Za-z_]\w*)[ \t]*=[ \t]*(?:irgl\.)?constant\([ \t]*(\w+)[ \t]*\)", re.MULTILINE)
S = TypeVar("S", bound=Source)


def split(path: str) -> tuple[str, dict[str, int]]:
    """A program's name, and the values of its constants behind it. Raises IrglError for what is no whole number."""
    found = _GIVEN.fullmatch(path)
    if found is None or Path(path).is_file():
        return path, {}
    values: dict[str, int] = {}
    for word in found[2].split(","):
        name, _, value = word.partition("=")
        if not re.fullmatch(r"\d{1,10}", value, re.ASCII) or int(value) > 2**31 - 1:
            raise IrglError(f"constant '{name}' can't be '{value}'", file=found[1],
                            hint="it is a whole number from 0 to 2147483647")
        if name in values:
            raise IrglError(f"constant '{name}' is given twice", file=found[1], hint="give one value")
        values[name] = int(value)
    return found[1], values


def joined(path: str, values: Mapping[str, object]) -> str:
    """The name of a program with values of its constants: what `split` takes apart."""
    return path if not values else f"{path}:{','.join(f'{name}={value}' for name, value in values.items())}"


def names_in(source: Source) -> list[str]:
    """The constants that a program's own text declares, in its order."""
    return [m[1] for m in _declared(source)]


def put(source: S, values: Mapping[str, int]) -> S:
    """The source with these values of its constants. Raises IrglError for a constant that its text doesn't declare."""
    if not values:
        return source
    found = {m[1]: m.span(2) for m in _declared(source)}
    for name in values:
        if name not in found:
            raise IrglError(f"the program has no constant '{name}'", file=source.path, hint=(
                f"it has {', '.join(found)}" if found else "one is declared by: const int K = 16;"))
    text = source.text
    for name, (begin, end) in sorted(found.items(), key=lambda one: -one[1][0]):
        if name in values:
            text = text[:begin] + str(values[name]) + text[end:]
    return replace(source, text=text)


def _declared(source: Source) -> Iterator[re.Match[str]]:
    python = source.path.endswith(".py")
    return (_IN_PYTHON if python else _DECLARED).finditer(source.text if python else blank_comments(source))
