"""A process that runs a unit: what the program prints is passed on as it comes, what the unit's frame says is kept."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from irgl.rt.system.endings import out_of_time
from irgl.rt.system.refused import start_refused

#: How the run-time library's lines on stderr begin (cuda_rt/runtime.cuh).
CUDA = "irgl: CUDA: "
#: What that library or the emulator says, and not the program: it belongs into the one message of an error.
_FRAME = re.compile(rf"{CUDA}|\S*: (error|warning): ")


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended: its exit code (negative: the signal that ended it), and what its frame said."""

    code: int
    said: tuple[str, ...]


def run(words: Sequence[str], *, limit: float | None = None, environment: Mapping[str, str] | None = None) -> Ended:
    """Runs a process to its end; it has our stdout, and its lines on stderr go to ours.

    Raises IrglError where it takes longer than `limit` seconds, and KeyboardInterrupt where it or we are interrupted.
    No process is left behind.
    """
    said: list[str] = []
    late = threading.Event()
    timer = None
    try:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   errors="replace", env=environment)
    except OSError as e:
        raise start_refused(e, words[0]) from None
    try:  # from here on, so that an interrupt at any moment ends the process
        assert process.stderr is not None

        def end() -> None:
            late.set()
            process.kill()

        if limit is not None:
            timer = threading.Timer(limit, end)
            timer.daemon = True
            timer.start()
        for line in process.stderr:
            if _FRAME.match(line):
                said.append(line.rstrip("\n"))
            else:
                print(line, end="", file=sys.stderr, flush=True)
        code = process.wait()
    finally:
        if timer is not None:
            timer.cancel()
        with process:
            process.kill()
    if late.is_set():
        raise out_of_time(limit)
    if code == -signal.SIGINT:
        raise KeyboardInterrupt
    return Ended(code, tuple(said))


def how_it_ended(code: int) -> str:
    """An exit code in words."""
    if code >= 0:
        return f"ended with code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"
