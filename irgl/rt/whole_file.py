"""Files that stand there whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from irgl.source import IrglError


@contextlib.contextmanager
def scratch_for(path: Path) -> Iterator[Path]:
    """A name beside `path` to write to, which takes its place in the end; if anything is raised, it goes.

    Raises IrglError for what the system refuses.
    """
    if not path.name:
        raise IrglError("can't write it: it names no file", file=str(path))
    scratch = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield scratch
        scratch.replace(path)
    except OSError as e:
        raise IrglError(f"can't write it: {e.strerror}", file=str(path)) from None
    finally:
        with contextlib.suppress(OSError):
            scratch.unlink()


def write_whole(path: Path, text: str) -> None:
    """Writes a text. Raises IrglError for what the system refuses."""
    with scratch_for(path) as scratch:
        scratch.write_text(text, encoding="utf-8")
