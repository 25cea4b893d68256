"""Files that stand there whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from irgl.source import IrglError


@contextlib.contextmanager
def scratch_for(path: Path) -> Iterator[Path]:
    """A name beside `path` to write to, which takes its place in the end; if anything is raised, it goes.

    A link stays, and what it leads to is written. A device or a pipe stays, too, and is given the text when it is
    whole. Raises IrglError for what the system refuses.
    """
    if not path.name:
        raise IrglError("can't write it: it names no file", file=str(path))
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            with tempfile.TemporaryDirectory() as folder:
                scratch = Path(folder) / "whole"
                yield scratch
                with scratch.open("rb") as whole, path.open("wb") as device:
                    shutil.copyfileobj(whole, device)
            return
        target = path.resolve()
        scratch = target.with_name(f".{target.name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
        try:
            yield scratch
            scratch.replace(target)
        finally:
            with contextlib.suppress(OSError):
                scratch.unlink()
    except OSError as e:
        raise IrglError(f"can't write it: {e.strerror}", file=str(path)) from None


def check_place(path: Path) -> None:
    """Raises IrglError where no file of that name can be: what is known before there is anything to write."""
    if not path.name:
        raise IrglError("can't write it: it names no file", file=str(path))
    refused = "Is a directory" if path.is_dir() else "" if path.parent.is_dir() else "No such file or directory"
    if refused:
        raise IrglError(f"can't write it: {refused}", file=str(path))


def check_other(path: Path, source: str) -> None:
    """Raises IrglError where `path` is the file `source`, which is only to be read."""
    try:
        same = path.samefile(source)
    except (OSError, ValueError):  # one of them is not there
        return
    if same:
        raise IrglError("the program itself would be written over", file=str(path), hint="name another file")


def write_whole(path: Path, text: str) -> None:
    """Writes a text. Raises IrglError for what the system refuses."""
    with scratch_for(path) as scratch:
        scratch.write_text(text, encoding="utf-8")
