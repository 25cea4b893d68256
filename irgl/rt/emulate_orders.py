"""Runs a built CUDA program in several orders of its blocks, warps and lanes, until one of them shows an error.

The first run is the natural one, and the program's own: its output, exit code and counters are the answer. The others
run for what the emulator finds in them, in silence, with the same input, for a few seconds at most.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from irgl.rt.emulate import FOUND, Message, Report, TimedOutError, run
from irgl.rt.emulate_input import repeated_input

#: How many orders a program is run in, and the seconds that those after the first may take together.
ORDERS = 40
SECONDS = 8.0
#: A run of which little would be left is not begun.
_LEAST = 0.05


@dataclass(frozen=True, slots=True)
class Explored:
    """What the orders have shown. `report` is the first run's, with what the others found in its messages."""

    report: Report
    orders: int  # that ran to their end
    seconds: float  # of those after the first
    is_cut: bool  # time ran out before all had run


def explore(executable: Path, args: Sequence[str] = (), *, source: Path, mode: str = "check", orders: int = ORDERS,
            seconds: float = SECONDS, strict: bool = False, capture: bool = True) -> Explored:
    """Runs the seeds from 0 on, until one finds an error.

    Without `capture`, the first run's output and messages go where ours go.
    """
    environment = {"IRGL_EMU_STRICT": "1"} if strict else {}
    with repeated_input(orders > 1) as stdin:
        first = run(executable, args, source=source, mode=mode, environment=environment, capture=capture,
                    stdin=stdin.first())
        begin = time.perf_counter()
        end, ran, is_cut = begin + seconds, 1, False
        messages = list(first.messages)
        for seed in range(1, orders if _is_whole(first) else 1):
            left = end - time.perf_counter()
            if left < _LEAST:
                is_cut = True
                break
            try:
                with stdin.again() as file:
                    other = run(executable, args, source=source, mode=mode, seed=seed, timeout=left, capture=False,
                                environment={**environment, "IRGL_EMU_LINES": "0"}, output=subprocess.DEVNULL,
                                stdin=file)
            except TimedOutError:
                is_cut = True
                break
            ran += 1
            known = {(m.kind, m.place) for m in messages}
            messages += [m for m in other.messages if (m.kind, m.place) not in known]
            if other.errors:
                break
            if other.code != first.code and all(m.kind != "exit-code" for m in messages):
                messages.append(_of_code(other.code, first.code, source, seed, strict))
                if strict:
                    break
    code = FOUND if any(m.level == "error" for m in messages) else first.code
    report = replace(first, code=code, messages=tuple(messages))
    return Explored(report, ran, time.perf_counter() - begin, is_cut)


def _is_whole(first: Report) -> bool:
    """Did the program end by itself, with nothing wrong? Else other orders would tell nothing more."""
    return not first.errors and bool(first.counters) and first.code < 128


def _of_code(code: int, first: int, source: Path, seed: int, strict: bool) -> Message:
    return Message("error" if strict else "warning", "exit-code", str(source),
                   f"the program ends with code {code} in this order of its blocks and threads, and with {first} in "
                   "the natural one", seed)
