"""Where imports point: found by line, without a parser, so that a cache can tell cheaply whether a program changed."""

from __future__ import annotations

from pathlib import Path

from irgl.source import IrglError, Source

LIBRARY = Path(__file__).resolve().parent.parent / "lib"


def read_source(path: str | Path) -> Source:
    """The text of a file; IrglError where there is none to read."""
    try:
        return Source(str(path), Path(path).read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise IrglError("this is not UTF-8 text", file=str(path), hint="is it an .irgl file?") from None
    except (OSError, ValueError) as e:
        reason = e.strerror if isinstance(e, OSError) and e.strerror is not None else str(e)
        raise IrglError(f"can't read it: {reason}", file=str(path)) from None


def import_lines(source: Source) -> list[str]:
    """What the lines that look like imports name, in order."""
    found = []
    for line in source.text.split("\n"):
        words = line.strip()
        if words.startswith("import") and words.count('"') == 2:
            found.append(words.split('"')[1])
    return found


def find(name: str, source: Source) -> Path | None:
    """The file that `import "name"` in `source` stands for: beside it, then in the library; None where none is."""
    for folder in (Path(source.path).parent, LIBRARY):
        path = folder / name
        if path.is_file():
            return path.resolve()
    return None


def closure(source: Source) -> list[Source]:
    """`source` and all that it imports, each file once, in the order of first mention. Missing ones are left out."""
    found = [source]
    seen = {Path(source.path).resolve()}
    for each in found:
        for name in import_lines(each):
            path = find(name, each)
            if path is not None and path not in seen:
                seen.add(path)
                found.append(read_source(path))
    return found
