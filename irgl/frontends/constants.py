"""Other values of a program's constants, given with its name: `program.irgl:K=64`. They are put into its text."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from irgl.frontends.raw import blank_comments
from irgl.source import IrglError, Source

_GIVEN = re.compile(r"(.+):((?:[A-Za-z_]\w*=[^:,=]*)(?:,[A-Za-z_]\w*=[^:,=]*)*)", re.DOTALL)
_DECLARED = re.compile(r"\bconst\s+int\s+([A-Za-z_]\w*)\s*=\s*(\w+)\s*;")
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


def values_in(source: Source) -> dict[str, str]:
    """The constants that a program's own text declares, with their values as they stand there."""
    return {name: source.text[begin:end] for name, (begin, end) in _declared(source).items()}


def put(source: S, values: Mapping[str, int]) -> S:
    """The source with these values of its constants. Raises IrglError for a constant that its text doesn't declare."""
    if not values:
        return source
    found = _declared(source)
    for name in values:
        if name not in found:
            written = "K = irgl.constant(16)" if source.path.endswith(".py") else "const int K = 16;"
            raise IrglError(f"the program has no constant '{name}'", file=source.path, hint=(
                f"it has {', '.join(found)}" if found else f"one is declared by: {written}"))
    text = source.text
    for name, (begin, end) in sorted(found.items(), key=lambda one: -one[1][0]):
        if name in values:
            text = text[:begin] + str(values[name]) + text[end:]
    return replace(source, text=text)


def _word(called: ast.expr) -> str:
    return str(getattr(called, "attr", getattr(called, "id", "")))


def _declared(source: Source) -> dict[str, tuple[int, int]]:
    """Where the values of constants stand in a text, by their names."""
    if not source.path.endswith(".py"):
        return {m[1]: m.span(2) for m in _DECLARED.finditer(blank_comments(source))}
    try:
        tree = ast.parse(source.text)
    except (SyntaxError, ValueError):  # which is told with its place by who reads it next
        return {}
    lines = [0]
    for line in source.text.encode().split(b"\n"):
        lines.append(lines[-1] + len(line) + 1)

    def offset(line: int, column: int) -> int:
        return len(source.text.encode()[: lines[line - 1] + column].decode())

    found: dict[str, tuple[int, int]] = {}
    for node in ast.walk(tree):
        match node:
            case (ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=called, args=[ast.Constant() as value]))
                  | ast.AnnAssign(target=ast.Name(id=name), value=ast.Call(func=called, args=[ast.Constant() as value]))
                  ) if isinstance(value.value, int) and _word(called) == "constant":
                end = offset(value.end_lineno or value.lineno, value.end_col_offset or value.col_offset)
                found[name] = offset(value.lineno, value.col_offset), end
    return found
