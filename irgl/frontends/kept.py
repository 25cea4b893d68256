"""What an editor keeps from one reading of a program to the next: unsaved texts, parts that were parsed, mistakes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from irgl.source import IrglError

if TYPE_CHECKING:  # a program that was compiled before runs without them
    from irgl.ast import nodes as A

#: So many parts are kept: those of a few programs with what they import.
_MOST = 2000


@dataclass(slots=True)
class Kept:
    """texts: what stands in files that are open, in place of what the disk has. parts: declarations of parts of texts
    and where these begin, by all that they depend on. mistakes: of one reading, each part's first.
    """

    texts: dict[Path, str] = field(default_factory=dict)
    parts: dict[tuple[object, ...], tuple[int, Sequence[A.Decl]]] = field(default_factory=dict)
    mistakes: list[IrglError] = field(default_factory=list)

    def put(self, key: tuple[object, ...], line: int, decls: Sequence[A.Decl]) -> None:
        """Keeps the declarations of a part that begins in a line; the oldest ones go where there are too many."""
        while len(self.parts) >= _MOST:
            del self.parts[next(iter(self.parts))]
        self.parts[key] = line, decls


_KEPT: ContextVar[Kept | None] = ContextVar("kept", default=None)


def kept() -> Kept | None:
    """What is kept by who reads now; None: nothing is, and the first mistake ends a reading."""
    return _KEPT.get()


@contextmanager
def keeping(what: Kept) -> Iterator[None]:
    """One reading that goes on behind mistakes, and notes them."""
    what.mistakes.clear()
    token = _KEPT.set(what)
    try:
        yield
    finally:
        _KEPT.reset(token)
