"""Runs a built CUDA program in several orders of its blocks, warps and lanes, until one of them shows an error.

The first run is the natural one, and the program's own: its output, exit code and counters are the answer. The others
run for what the emulator finds in them, in silence, with the same input, for a few seconds at most.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from irgl.rt.emulate.emulate import FOUND, Message, Report, TimedOutError, run
from irgl.rt.emulate.input import repeated_input

#: How many orders a program is run in, and the seconds that those after the first may take together.
ORDERS = 40
SECONDS = 8.0
#: A run for which less time is left is not begun.
_LEAST = 0.05


@dataclass(frozen=True, slots=True)
class Explored:
    """What the orders have shown. `report` is the first run's, with what the others found in its messages."""

    report: Report
    orders: int  # that ran to their end
    seconds: float  # of those after the first
    is_cut: bool  # time was up before all had run


@dataclass(slots=True)
class _Found:
    """What was found so far, each thing once."""

    first: Report
    is_strict: bool
    messages: list[Message] = field(default_factory=list)

    def add(self, report: Report) -> None:
        known = {_what(m) for m in self.messages}
        self.messages += [m for m in report.messages if _what(m) not in known]

    def add_code(self, other: Report, source: Path, seed: int) -> None:
        """Tells of an exit code that is the program's own, and another one than the first run's."""
        if other.code == self.first.code or FOUND in (other.code, self.first.code):
            return
        text = (f"the program ends with code {other.code} in this order of its blocks and threads, and with "
                f"{self.first.code} in the natural one")
        message = Message("error" if self.is_strict else "warning", "exit-code", str(source), text, seed)
        self.add(replace(other, messages=(message,)))

    @property
    def is_enough(self) -> bool:
        """A leak is there in any order: it says nothing against looking for more."""
        return any(m.level == "error" and m.kind != "leak" for m in self.messages)


def _what(m: Message) -> tuple[str, str]:
    """Two messages that agree in this tell of the same: on one line, or of one kernel whose blocks wait."""
    return m.kind, m.text.rpartition("; in kernel ")[2] if m.kind == "waits-for-blocks" else m.place


def explore(executable: Path, args: Sequence[str] = (), *, source: Path, mode: str = "check", orders: int = ORDERS,
            seconds: float = SECONDS, strict: bool = False, capture: bool = True,
            environment: Mapping[str, str] | None = None) -> Explored:
    """Runs the seeds from 0 on, until one finds an error.

    Without `capture`, the first run's output and messages go where ours go.
    """
    environment = {**(environment or {}), **({"IRGL_EMU_STRICT": "1"} if strict else {})}
    with repeated_input(orders > 1) as stdin:
        first = run(executable, args, source=source, mode=mode, environment=environment, capture=capture,
                    stdin=stdin.first())
        found = _Found(first, strict)
        found.add(first)

        def again(seed: int, left: float) -> bool:
            """Runs another order; False: time was up."""
            try:
                with stdin.again() as file:
                    other = run(executable, args, source=source, mode=mode, seed=seed, timeout=left, capture=False,
                                environment={**environment, "IRGL_EMU_LINES": "0"}, output=subprocess.DEVNULL,
                                stdin=file)
            except TimedOutError:
                return False
            found.add(other)
            found.add_code(other, source, seed)
            return True

        ended_itself = bool(first.counters) and first.code < 128
        ran, took, is_cut = _in_time(again, found, orders if ended_itself else 1, seconds)
    code = FOUND if any(m.level == "error" for m in found.messages) else first.code
    return Explored(replace(first, code=code, messages=tuple(found.messages)), ran, took, is_cut)


def _in_time(again: Callable[[int, float], bool], found: _Found, orders: int,
             seconds: float) -> tuple[int, float, bool]:
    """Runs orders after the first: how many there are then, how long it took, and whether time was up."""
    begin = time.perf_counter()
    for seed in range(1, orders):
        left = begin + seconds - time.perf_counter()
        if found.is_enough:
            return seed, time.perf_counter() - begin, False
        if left < _LEAST or not again(seed, left):
            return seed, time.perf_counter() - begin, True
    return orders, time.perf_counter() - begin, False
