"""The C++ of library types of one's own: a file beside the source that declares the type goes into the unit whole.

So a unit stays one text, which every compiler, cache and joiner takes as it is. Marks around the file's lines tell
where in it a compiler found a mistake.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from irgl.ast import nodes as A
from irgl.frontends.imports import read_source
from irgl.source import Source

_BEGIN, _END = "//// begin ", "//// end "
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"(?!c(?:pu|uda)_rt/)([^"\n]+)"[^\n]*$', re.MULTILINE)
_ONCE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+once\b[^\n]*$", re.MULTILINE)
_NAMED = re.compile(r"""["']([^"'\n]+\.hpp)["']""")


def file_name(header: str, on_gpu: bool) -> str:
    """What implements a library that names `header`: that, and for GPUs counter.cuh instead of counter.hpp."""
    return re.sub(r"\.hpp$", ".cuh", header) if on_gpu else header


def twin_name(header: str) -> str:
    """What the reference interpreter runs in its place."""
    return re.sub(r"\.hpp$", "_reference.py", header)


def find(library: A.Library, on_gpu: bool) -> Path | None:
    """The file beside the source that declares a library which implements it; None where none is there."""
    if library.span is None or not library.header.endswith(".hpp"):
        return None
    return beside(file_name(library.header, on_gpu), library.span.source.path)


def beside(name: str, source: str | Path) -> Path | None:
    """The file of that name in a source's folder, if there is one."""
    path = Path(source).parent / name
    with contextlib.suppress(OSError, ValueError):  # a name that no file system takes
        return path if path.is_file() else None
    return None


def put_in(unit: str, libraries: Iterable[A.Library], on_gpu: bool) -> str:
    """A unit's text with the files of one's own in the place of the lines that include them as irgl's.

    Raises IrglError for a file that can't be read.
    """
    seen: set[Path] = set()
    for library in libraries:
        path = find(library, on_gpu)
        if path is not None:
            line = f'#include "{"cuda_rt" if on_gpu else "cpu_rt"}/{file_name(library.header, on_gpu)}"\n'
            unit = unit.replace(line, _whole(path, seen) + "\n", 1)
    return unit


def contents(libraries: Iterable[A.Library]) -> list[str]:
    """What implements the libraries that are one's own, for all targets."""
    found = (find(library, on_gpu) for library in libraries for on_gpu in (False, True))
    return [_whole(path, set()) for path in found if path is not None]


def contents_beside(sources: Iterable[Source]) -> list[str]:
    """The same of all libraries that sources may declare, found without a parser."""
    return [_whole(path, set()) for path in _named(sources, lambda name: (name, file_name(name, on_gpu=True)))]


def files_beside(sources: Iterable[Source]) -> list[Path]:
    """The files themselves, with those that they include and the twins, which may be copied with the sources."""
    seen: set[Path] = set()
    every = list(sources)
    for path in _named(every, lambda name: (name, file_name(name, on_gpu=True))):
        _whole(path, seen)
    return [*sorted(seen), *(path.resolve() for path in _named(every, lambda name: (twin_name(name),)))]


def _named(sources: Iterable[Source], names_for: Callable[[str], Iterable[str]]) -> Iterator[Path]:
    every = list(sources)
    headers = sorted({name for source in every for name in _NAMED.findall(source.text)})
    for folder in dict.fromkeys(Path(source.path).parent for source in every if source.path):
        for name in (n for header in headers for n in names_for(header)):
            path = beside(name, folder / "_")
            if path is not None:
                yield path


def _whole(path: Path, seen: set[Path]) -> str:
    """A file between its marks; what it includes of the files beside it stands where it says so first."""
    if path.resolve() in seen:
        return ""
    seen.add(path.resolve())

    def included(found: re.Match[str]) -> str:
        other = beside(found[1], path)
        return found[0] if other is None else _whole(other, seen)

    text = _INCLUDE.sub(included, _ONCE.sub("", read_source(path).text)).rstrip("\n")
    return f"{_BEGIN}{path}\n{text}\n{_END}{path}"


def directives(head: str) -> list[str]:
    """What stands at a unit's head: its directives, and the files of one's own, each as one text."""
    found: list[str] = []
    depth = 0
    for line in head.splitlines():
        if depth > 0:
            found[-1] += f"\n{line}"
        elif line.startswith(("#", _BEGIN)):
            found.append(line)
        depth += line.startswith(_BEGIN) - line.startswith(_END)
    return found


def files(unit: str) -> list[str]:
    """The files of one's own in a unit."""
    return [line.removeprefix(_BEGIN) for line in unit.splitlines() if line.startswith(_BEGIN)]


def place(unit: str, line: int) -> tuple[str, int] | None:
    """The file of one's own, and the line in it, that a unit's line is; None for one that irgl made."""
    inside = list(_open_at(unit, line))
    return inside[-1] if inside else None


def _open_at(unit: str, line: int) -> Iterator[tuple[str, int]]:
    within: list[tuple[str, int]] = []
    for text in unit.split("\n")[: line - 1]:
        if text.startswith(_END):
            within.pop()
        if within and not text.startswith(_BEGIN):  # a file that another includes counts as the line that does it
            within[-1] = (within[-1][0], within[-1][1] + 1)
        if text.startswith(_BEGIN):
            within.append((text.removeprefix(_BEGIN), 1))
    yield from within
