"""Cases of wrong programs with the whole message that each must get, kept in tests/diagnostics/*.txt:

    === what is wrong
    the program
    ---
    the message: file:line:col, the source line, carets, a hint
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "diagnostics"


@dataclass(frozen=True, slots=True)
class Case:
    topic: str
    name: str
    text: str
    message: str

    def __str__(self) -> str:
        return f"{self.topic}: {self.name}"


def cases() -> list[Case]:
    """Every case, by topic (the file's name) and in the order of its file."""
    found = []
    for path in sorted(FOLDER.glob("*.txt")):
        for block in ("\n" + path.read_text(encoding="utf-8")).split("\n=== ")[1:]:
            head, _, rest = block.partition("\n")
            text, _, message = rest.partition("\n---\n")
            found.append(Case(path.stem, head, text + "\n", message.strip("\n")))
    return found
