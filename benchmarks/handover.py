"""How near two of the machine's cores are to each other, and waiting until they are near.

The processors of a virtual machine move: where they share a cache a word goes from one to the other and back in some
100 ns, and in three or four times that where they don't. A program of many short rounds then takes twice the time, and
one side of a comparison more than the other.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_SOURCE = Path(__file__).with_suffix(".cpp")
#: How often it is looked whether the cores are near, s.
_LOOK = 5.0


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """The program's, which goes with this process."""
    made = tempfile.TemporaryDirectory(prefix="irgl-handover-")
    subprocess.run(["g++", "-O2", "-std=c++17", "-pthread", str(_SOURCE), "-o", f"{made.name}/handover"], check=True)
    return made


def handover_ns() -> float:
    """How long a word takes from one thread to another and back. Raises OSError or CalledProcessError without g++."""
    return float(subprocess.run([f"{_folder().name}/handover"], capture_output=True, text=True, check=True).stdout)


@dataclass
class Near:
    """Lets a benchmark go on while the cores are near: at most `limit` ns apart; None: whatever they are. It waits
    `patience` seconds in all, and then lets all pass."""

    limit: float | None = None
    patience: float = 0.0

    def wait(self) -> None:
        while not self.here() and self.patience > 0:
            self.patience -= _LOOK
            time.sleep(_LOOK)

    def here(self) -> bool:
        """Are they near now?"""
        return self.limit is None or handover_ns() <= self.limit

    def ended(self) -> bool:
        """Does what began near end near? Where there is no patience left, all does."""
        if self.patience <= 0 or self.here():
            return True
        self.patience -= _LOOK
        return False
