"""Where imports point: found without a parser, which needs the types that they declare, and so that a cache can tell
cheaply whether a program changed."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

from irgl.frontends.kept import kept
from irgl.frontends.raw import blank_comments, span_at
from irgl.source import IrglError, Source, Span

_IMPORT = re.compile(r"\bimport\s*(\"([^\"\n]*)\")")
PROGRAMS = "`irglc programs` lists those that come with irgl, `irglc new` makes one"
LIBRARY = Path(__file__).resolve().parent.parent / "lib"


def header_of(library: str) -> str | None:
    """The name of irgl's own header that declares a library type of that name."""
    begin = re.compile(rf"^library {re.escape(library)}\b", re.MULTILINE)
    return next((p.name for p in sorted(LIBRARY.glob("*.irgl")) if begin.search(p.read_text())), None)


def read_source(path: str | Path, absent: str = PROGRAMS) -> Source:
    """The text of a file, without the mark of UTF-8 that it may begin with; IrglError where there is none to read.
    absent: the hint where there is no such file."""
    try:
        return Source(str(path), _text(Path(path)))
    except UnicodeDecodeError:
        raise IrglError("this is not UTF-8 text", file=str(path),
                        hint="is it an .irgl, a .gt or a .fal file?") from None
    except (OSError, ValueError) as e:
        reason = e.strerror if isinstance(e, OSError) and e.strerror is not None else str(e)
        raise IrglError(f"can't read it: {reason}", file=str(path),
                        hint=absent if isinstance(e, FileNotFoundError) else None) from None


#: What pipes gave, which give it once, by their names and numbers.
_PIPES: dict[tuple[Path, int], str] = {}


def _text(path: Path) -> str:
    held = kept()
    if held is not None and (unsaved := held.texts.get(path.resolve())) is not None:
        return unsaved
    if not path.is_fifo():
        return path.read_text(encoding="utf-8-sig")
    at = path, path.stat().st_ino
    if at not in _PIPES:
        _PIPES[at] = path.read_text(encoding="utf-8-sig")
    return _PIPES[at]


def imports(source: Source) -> list[tuple[str, Span]]:
    """What a source imports, in order, and where it says so. IrglError where a comment does not end."""
    found = _IMPORT.finditer(blank_comments(source))
    return [(m.group(2), span_at(source, m.start(1), len(m.group(1)))) for m in found]


def find(name: str, source: Source) -> Path | None:
    """The file that `import "name"` in `source` stands for: beside it, then in the library; None where none is."""
    for folder in (Path(source.path).parent, LIBRARY):
        with contextlib.suppress(OSError, ValueError):  # a name that no file system takes
            path = folder / name
            if path.is_file():
                return path.resolve()
    return None


def closure(source: Source) -> list[Source]:
    """`source` and all that it imports, each file once, in the order of first mention. Missing ones are left out."""
    found = [source]
    seen = {Path(source.path).resolve()}
    for each in found:
        for name, _ in imports(each):
            path = find(name, each)
            if path is not None and path not in seen:
                seen.add(path)
                found.append(read_source(path))
    return found
