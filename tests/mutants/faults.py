"""The planted faults of faults.toml."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("faults.toml")
#: The rooms that faults are planted in, and the folders of each.
ROOMS = {
    "passes and analysis": ("irgl/passes/", "irgl/analysis/"),
    "codegen": ("irgl/codegen/",),
    "cpu_rt": ("cpu_rt/",),
    "cuda_rt": ("cuda_rt/",),
    "rt": ("irgl/rt/",),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """`old`, which stands in `file` once, becomes `new`.

    wrong: what that breaks. shows: an input on which it shows. tests: those that should notice first.
    """

    name: str
    file: str
    old: str
    new: str
    wrong: str
    shows: str
    tests: tuple[str, ...]

    @property
    def room(self) -> str:
        return next(room for room, folders in ROOMS.items() if self.file.startswith(folders))

    def planted(self, text: str) -> str:
        """The file's text with the fault in it. Raises ValueError where `old` doesn't stand there exactly once."""
        if (times := text.count(self.old)) != 1:
            raise ValueError(f"{self.name}: its text stands in {self.file} {times} times, and not once")
        return text.replace(self.old, self.new)


def faults(table: Path = TABLE) -> list[Fault]:
    """The faults of a table, in its order."""
    found = tomllib.loads(table.read_text(encoding="utf-8"))
    return [Fault(name, **{**parts, "tests": tuple(parts["tests"])}) for name, parts in found.items()]


def by_room(table: list[Fault]) -> Counter[str]:
    return Counter(fault.room for fault in table)
