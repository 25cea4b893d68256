"""Whose C++ it is that a compiler refuses, or that the emulator found a mistake in: irgl's, or a program's own."""

from __future__ import annotations

import re
from pathlib import Path

from irgl.codegen.cxx.code import escaped
from irgl.frontends.own_headers import blocks, files, place
from irgl.source import IrglError

_HINT = "docs/libraries.md says what such a file holds"
_HINT_OF_BLOCKS = "docs/language.md says what a CBlock is given"
#: g++'s `unit.cpp:12:3: error: ...`, nvcc's `unit.cu(12): error: ...`, the emulator's `unit.cu:12: error: ...`.
_ERROR = re.compile(r"^(.*?)[:(](\d+)\)?:(?:\d+:)? (?:fatal )?error: (.*)$", re.MULTILINE)


def own_fault(unit: str, source: Path, said: str) -> IrglError | None:
    """The error of a unit with C++ of the program's own in it, by what a compiler says of the unit, which it found at
    `source`; None for a unit without such files and CBlocks."""
    own, raw = files(unit), blocks(unit)
    if not own and not raw:
        return None
    errors: list[tuple[str, str, str]] = _ERROR.findall(said)
    for file, line, message in errors:
        found = place(unit, int(line)) if Path(file).name == source.name else None
        if found is not None:
            return IrglError(message, file=f"{found[0]}:{found[1]}", hint=_HINT)
        if any(escaped(file) == path and int(line) in lines for path, lines in raw):
            return IrglError(message, file=f"{file}:{line}", hint=_HINT_OF_BLOCKS)
    first = errors[0][2] if errors else (said.strip().splitlines() or ["it gives no reason"])[-1]
    named = " and ".join([*own, *(f"the CBlock at {path}:{lines.start}" for path, lines in raw)])
    return IrglError(f"the C++ compiler refuses the code that uses {named}: {first}",
                     hint=_HINT if own else _HINT_OF_BLOCKS)


def own_mistake(unit: str, shown: str, what: str) -> IrglError | None:
    """The same of what the emulator found at a place FILE:LINE, which it says in words."""
    own = files(unit)
    line = re.search(r"\.cu:(\d+)$", shown)  # of the unit, not of a header
    found = None if line is None else place(unit, int(line[1]))
    if found is not None:
        return IrglError(what, file=f"{found[0]}:{found[1]}")
    return IrglError(what, file=shown, hint=f"is it the code of {' and '.join(own)}?") if own else None
