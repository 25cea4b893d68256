"""A program from a file, whichever notation it is in: `x.irgl`, `x.gt` (GraphIt's), `x.py`; or `x.py:name` for one of
several programs, `x.gt:name` for one of the functions that it exports.

A name alone, `x`, is a program that comes with irgl (shipped.py).
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irgl.frontends import imports
from irgl.frontends.gt.source import GraphItSource
from irgl.frontends.python.places import PythonSource
from irgl.frontends.shipped import located
from irgl.source import Source

if TYPE_CHECKING:  # a program that was compiled before runs without them
    from irgl.ast import nodes as A

__all__ = ["chosen_of", "closure", "is_graphit", "load", "open_source", "source_of"]


def open_source(path: str | Path, chosen: str = "") -> Source:
    """The text of a program's file, or of a program that comes with irgl. IrglError where it can't be read."""
    file, name = _split(located(str(path)))
    source = imports.read_source(file)
    return _of_notation(source, chosen or name)


def source_of(path: str | Path, text: str) -> Source:
    """A text in memory under a name, whose ending says which notation it is in."""
    file, name = _split(str(path))
    return _of_notation(Source(file, text.removeprefix("\ufeff")), name)  # the mark of UTF-8, as files have it


def chosen_of(source: Source) -> str:
    """Which of a file's programs is meant, '' where none is said."""
    return source.chosen if isinstance(source, PythonSource | GraphItSource) else ""


def load(source: Source) -> A.Program:
    """The program in a source, linked with all that it imports. Raises IrglError at the first mistake."""
    # Each notation's reader is loaded where it is wanted.
    if isinstance(source, PythonSource):
        read: Any = importlib.import_module("irgl.frontends.python.load").load
        program: A.Program = read(source)
    elif is_graphit(source):
        program = importlib.import_module("irgl.frontends.gt.load").load(source)
    else:
        program = importlib.import_module("irgl.frontends.text.load").load_text(source.text, source.path)
    return program


def closure(source: Source) -> list[Source]:
    """`source` and every file that it takes declarations from, each once."""
    if isinstance(source, PythonSource):
        found: list[Source] = importlib.import_module("irgl.frontends.python.modules").closure(source)
        return found
    return [source] if is_graphit(source) else imports.closure(source)


def is_graphit(source: Source) -> bool:
    """Is it a program in GraphIt's notation?"""
    return source.path.endswith(".gt")


def _of_notation(source: Source, chosen: str) -> Source:
    """A source that tells which of its programs is meant."""
    if source.path.endswith(".py"):
        return PythonSource(source.path, source.text, chosen)
    return GraphItSource(source.path, source.text, chosen) if is_graphit(source) else source


def _split(path: str) -> tuple[str, str]:
    """`x.py:name` is the program `name` of x.py, `x.gt:name` the function `name` that x.gt exports."""
    file, colon, name = path.rpartition(":")
    several = colon and file.endswith((".py", ".gt")) and name.isidentifier() and not Path(path).is_file()
    return (file, name) if several else (path, "")
