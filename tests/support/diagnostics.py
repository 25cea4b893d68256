"""Programs of the checker's tests. tests/diagnostics/*.txt holds wrong ones with the whole message that each must get:

    === what is wrong
    the program
    ---
    the message: file:line:col, the source line, carets, a hint

and tests/accepted/*.txt right ones, without message. Both import from tests/diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from support.places import TESTS

FOLDER = TESTS / "analysis" / "diagnostics"
#: Where every program is said to stand.
PATH = str(FOLDER / "t.irgl")


@dataclass(frozen=True, slots=True)
class Case:
    """A program; message is '' for a right one."""

    topic: str
    name: str
    text: str
    message: str

    def __str__(self) -> str:
        return f"{self.topic}: {self.name}"


def cases_in(path: Path) -> Iterator[Case]:
    """The cases of a file, in its order, the texts as they stand there: without a line's end behind them."""
    for block in ("\n" + path.read_text(encoding="utf-8")).split("\n=== ")[1:]:
        head, _, rest = block.partition("\n")
        text, _, message = rest.partition("\n---\n")
        yield Case(path.stem, head, text, message.strip("\n"))


def cases(folder: Path) -> Iterator[Case]:
    """The cases of a folder's files, by topic (the file's name) and in the order of its file."""
    for path in sorted(folder.glob("*.txt")):
        for case in cases_in(path):
            yield replace(case, text=case.text.rstrip("\n") + "\n")


def wrong_programs() -> list[Case]:
    """By topic (the file's name) and in the order of its file."""
    return list(cases(FOLDER))


def right_programs() -> list[Case]:
    """By topic (the file's name) and in the order of its file."""
    return list(cases(FOLDER.parent / "accepted"))
