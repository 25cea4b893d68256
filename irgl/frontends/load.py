"""A program from a file, whichever notation it is in: `x.irgl`, `x.gt` (GraphIt's), `x.fal` (Falcon's), `x.py`; or
`x.py:name` for one of several programs, `x.gt:name` for one of the functions that it exports; behind it, `x.irgl:K=64`,
other values of its constants.

A name alone, `x`, is a program that comes with irgl (shipped.py).
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irgl.frontends import constants, imports
from irgl.frontends.gt.source import GraphItSource
from irgl.frontends.python.places import PythonSource
from irgl.frontends.scheduled import ScheduledSource
from irgl.frontends.shipped import located
from irgl.source import IrglError, Source, is_falcon, is_graphit

if TYPE_CHECKING:  # a program that was compiled before runs without them
    from irgl.ast import nodes as A

__all__ = ["chosen_of", "closure", "has_schedule", "load", "loads_of", "open_source", "source_of"]

#: The notations with schedules, by the ends of their files' names.
SCHEDULED: dict[str, type[ScheduledSource]] = {".gt": ScheduledSource}

_SCHEDULE = "--schedule names a file of program->...; calls; without it the program's own schedule holds"


def open_source(path: str | Path, chosen: str = "", schedule: str | Path | None = None) -> Source:
    """The text of a program's file, or of a program that comes with irgl. schedule: the file of a schedule, which holds
    in the place of the program's own. IrglError where one can't be read, and for a notation without schedules."""
    plain, values = constants.split(located(str(path)))
    file, name = _split(plain)
    kind = SCHEDULED.get(Path(file).suffix)
    if kind is None and schedule is not None:
        raise IrglError("programs in this notation have no schedules: a plan says how they run", file=str(path),
                        hint=f"leave out --schedule, or say --plan; notations with schedules: {', '.join(SCHEDULED)}")
    source = constants.put(imports.read_source(file), values)
    return _of_notation(source, chosen or name, None if schedule is None else imports.read_source(schedule, _SCHEDULE))


def has_schedule(path: Any, schedule: str | Path | None = None, source: Source | None = None) -> bool:
    """Has the program in a file, or in a source that was made of one, a schedule, or is it given one? Raises IrglError
    as `open_source` does; reads no file of a notation without schedules."""
    if source is None:
        if schedule is None and not (isinstance(path, str | Path) and
                                 Path(_split(constants.split(str(path))[0])[0]).suffix in SCHEDULED):
            return False
        source = open_source(path, schedule=schedule)
    return isinstance(source, ScheduledSource) and source.schedule is not None


def source_of(path: str | Path, text: str) -> Source:
    """A text in memory under a name, whose ending says which notation it is in."""
    plain, values = constants.split(str(path))
    file, name = _split(plain)
    source = Source(file, text.removeprefix("\ufeff"))  # the mark of UTF-8, as files have it
    return _of_notation(constants.put(source, values), name)


def chosen_of(source: Source) -> str:
    """Which of a file's programs is meant, '' where none is said."""
    return source.chosen if isinstance(source, PythonSource | GraphItSource) else ""


def load(source: Source) -> A.Program:
    """The program in a source, linked with all that it imports. Raises IrglError at the first mistake."""
    # Each notation's reader is loaded where it is wanted.
    if isinstance(source, PythonSource):
        read: Any = importlib.import_module("irgl.frontends.python.load").load
        program: A.Program = read(source)
    elif is_graphit(source.path):
        schedule = source.schedule if isinstance(source, ScheduledSource) else None
        program = importlib.import_module("irgl.frontends.gt.load").load(source, schedule)
    elif is_falcon(source.path):
        program = importlib.import_module("irgl.frontends.falcon.load").load(source)
    else:
        program = importlib.import_module("irgl.frontends.text.load").load_text(source.text, source.path)
    return program


def loads_of(source: Source | None) -> str:
    """The name of the graph that a program loads by itself, '' where it must be given one."""
    if source is None or not is_graphit(source.path):
        return ""
    graph = importlib.import_module("irgl.frontends.gt.load").read(source).graph
    return graph if isinstance(graph, str) else ""


def closure(source: Source) -> list[Source]:
    """`source` and every file that it takes declarations from, each once."""
    if isinstance(source, PythonSource):
        found: list[Source] = importlib.import_module("irgl.frontends.python.modules").closure(source)
        return found
    if isinstance(source, ScheduledSource):
        return [source, *([source.given] if source.given is not None else [])]
    return [source] if is_falcon(source.path) else imports.closure(source)


def _of_notation(source: Source, chosen: str, schedule: Source | None = None) -> Source:
    """A source that tells which of its programs is meant, and has the schedule that is given beside it."""
    if source.path.endswith(".py"):
        return PythonSource(source.path, source.text, chosen)
    kind = SCHEDULED.get(Path(source.path).suffix)
    return source if kind is None else kind(source.path, source.text, chosen, schedule)


def _split(path: str) -> tuple[str, str]:
    """`x.py:name` is the program `name` of x.py, `x.gt:name` the function `name` that x.gt exports."""
    file, colon, name = path.rpartition(":")
    several = colon and file.endswith((".py", ".gt")) and name.isidentifier() and not Path(path).is_file()
    return (file, name) if several else (path, "")
