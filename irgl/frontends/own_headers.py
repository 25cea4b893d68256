"""The C++ of library types of one's own: a file beside the source that declares the type goes into the unit whole.

So a unit stays one text, which every compiler, cache and joiner takes as it is. Marks around the file's lines tell
where in it a compiler found a mistake; what they say once stands behind a guard, since a unit is no header.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from irgl.source import IrglError

if TYPE_CHECKING:  # a program that was compiled before runs without them
    from irgl.ast import nodes as A

_BEGIN, _END = "//// begin ", "//// end "
#: Around a CBlock, whose lines are told by those of the program.
BLOCK, BLOCK_END = "//// CBlock", "//// end of CBlock"
_COMMENT = r"[ \t]*(?://[^\n]*|/\*[^*\n]*\*/[ \t]*)?"
_INCLUDE = re.compile(rf'^[ \t]*#[ \t]*include[ \t]*"(?!c(?:pu|uda)_rt/)([^"\n]+)"{_COMMENT}$', re.MULTILINE)
_ONCE = re.compile(rf"^[ \t]*#[ \t]*pragma[ \t]+once\b{_COMMENT}$", re.MULTILINE)
_LINE = re.compile(r'#line (\d+)(?: "((?:\\.|[^"\\])*)")?$')
_GUARD = re.compile(r"#(?:ifndef|define|endif  //) IRGL_ONCE_[0-9a-f]{16}")
#: Files that were looked for: a digest of each, "" for those that are not there.
Files = dict[str, str]


def file_name(header: str, on_gpu: bool) -> str:
    """What implements a library that names `header`: that, and for GPUs counter.cuh instead of counter.hpp."""
    return re.sub(r"\.hpp$", ".cuh", header) if on_gpu else header


def twin_name(header: str) -> str:
    """What the reference interpreter runs in its place."""
    return re.sub(r"\.(?:hpp|cuh)$", "_reference.py", header)


def find(library: A.Library, on_gpu: bool) -> Path | None:
    """The file beside the source that declares a library which implements it; None where none is there."""
    if library.span is None or not library.header.endswith(".hpp"):
        return None
    return beside(file_name(library.header, on_gpu), library.span.source.path)


def beside(name: str, source: str | Path, looked: Files | None = None) -> Path | None:
    """The file of that name in a source's folder, if there is one; `looked` is told what was looked for."""
    path = Path(source).parent / name
    found = _digest(path)
    if looked is not None:
        looked[str(path)] = found
    return path if found else None


def _digest(path: Path) -> str:
    with contextlib.suppress(OSError, ValueError):  # a name that no file system takes
        if path.is_file():
            return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    return ""


def put_in(unit: str, libraries: Iterable[A.Library], on_gpu: bool) -> str:
    """A unit's text with the files of one's own in the place of the lines that include them as irgl's.

    Raises IrglError for a file that can't be read.
    """
    own: dict[str, list[Path | None]] = {}
    for library in libraries:
        own.setdefault(file_name(library.header, on_gpu), []).append(find(library, on_gpu))
    for name, paths in own.items():
        line = f'#include "{"cuda_rt" if on_gpu else "cpu_rt"}/{name}"\n'
        found = [_whole(path, (), {}) + "\n" for path in dict.fromkeys(paths) if path is not None]
        if found:
            unit = unit.replace(line, "".join([line] * (None in paths) + found), 1)
    return unit


def contents(libraries: Iterable[A.Library]) -> list[str]:
    """What implements the libraries that are one's own, for all targets, wherever it lies."""
    found = (find(library, on_gpu) for library in libraries for on_gpu in (False, True))
    texts = [_whole(path, (), {}) for path in found if path is not None]
    return ["\n".join(line for line in text.split("\n") if not _is_made(line)) for text in texts]


def looked_for(libraries: Iterable[A.Library], on_gpu: bool) -> Files:
    """All files beside their sources that the C++ of libraries depends on, whether they are there or not."""
    looked: Files = {}
    for library in libraries:
        if library.span is not None:
            path = beside(file_name(library.header, on_gpu), library.span.source.path, looked)
            if path is not None:
                _whole(path, (), looked)
    return looked


def unchanged(looked: Files) -> bool:
    """Are they still what they were?"""
    return all(_digest(Path(path)) == digest for path, digest in looked.items())


def _whole(path: Path, within: tuple[Path, ...], looked: Files) -> str:
    """A file between its marks, with what it includes of the files beside it; nothing for one that includes itself."""
    real = path.resolve()
    if real in within:
        return ""

    def included(found: re.Match[str]) -> str:
        other = beside(found[1], path, looked)
        return found[0] if other is None else _whole(other, (*within, real), looked)

    given = _read(path)
    text = _INCLUDE.sub(included, _ONCE.sub("", given)).rstrip("\n")
    if _ONCE.search(given):
        guard = f"IRGL_ONCE_{hashlib.sha256(str(real).encode(errors='surrogateescape')).hexdigest()[:16]}"
        text = f"#ifndef {guard}\n#define {guard}\n{text}\n\n#endif  // {guard}"
    return f"{_BEGIN}{path}\n{text}\n{_END}{path}"


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise IrglError("this is not UTF-8 text", file=str(path)) from None
    except OSError as e:
        raise IrglError(f"can't read it: {e.strerror}", file=str(path)) from None


def _is_made(line: str) -> bool:
    return line.startswith((_BEGIN, _END)) or _GUARD.fullmatch(line) is not None


def behind(unit: str) -> int:
    """Where a unit goes on behind the files of one's own; 0 where none are in it."""
    begin = unit.rfind(f"\n{_END}") + 1
    return unit.find("\n", begin) + 1 if begin else 0


def directives(head: str) -> list[str]:
    """What stands at a unit's head: its directives, and the files of one's own, each as one text."""
    found: list[str] = []
    depth = 0
    for line in head.split("\n"):
        if depth > 0:
            found[-1] += f"\n{line}"
        elif line.startswith(("#", _BEGIN)):
            found.append(line)
        depth += line.startswith(_BEGIN) - line.startswith(_END)
    return found


def files(unit: str) -> list[str]:
    """The files of one's own in a unit."""
    return list(dict.fromkeys(line.removeprefix(_BEGIN) for line in unit.split("\n") if line.startswith(_BEGIN)))


def blocks(unit: str) -> list[tuple[str, range]]:
    """The CBlocks in a unit: each with its file, as C++ writes that name, and its lines there."""
    found: list[tuple[str, range]] = []
    path, inside, first, count = "", False, 0, 0
    for text in unit.split("\n"):
        told = _LINE.match(text)
        if told is not None:
            first, path, count = int(told[1]), path if told[2] is None else told[2], 0
        elif text.strip() == BLOCK_END:
            found.append((path, range(first, first + count)))
            inside = False
        elif inside:
            count += 1
        inside = inside or text.strip() == BLOCK
    return found


def place(unit: str, line: int) -> tuple[str, int] | None:
    """The file of one's own, and the line in it, that a unit's line is; None for one that irgl made."""
    within: list[tuple[str, int]] = []
    for text in unit.split("\n")[: line - 1]:
        if text.startswith(_END):
            within.pop()
        if within and not text.startswith(_BEGIN) and not _GUARD.fullmatch(text):
            within[-1] = (within[-1][0], within[-1][1] + 1)  # a file that another includes is the line that does it
        if text.startswith(_BEGIN):
            within.append((text.removeprefix(_BEGIN), 1))
    return within[-1] if within else None
