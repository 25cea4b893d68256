"""The progress bar: on a terminal only, only for work that takes its time, and gone without a trace afterwards."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

_WORK = """
import time
from irgl.cli.progress import progress
with progress("loading [big] {name}", {patience}) as tell:
    tell("read", {part})
    time.sleep({seconds})
print("done")
"""


def _text(patience: float, seconds: float, part: float | None = 0.25, name: str = "g") -> str:
    return _WORK.format(patience=patience, seconds=seconds, part=part, name=name)


def _on_a_terminal(text: str, columns: int = 80) -> str:
    """What a terminal gets of a program that writes there."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")} | {"TERM": "xterm"}
    with subprocess.Popen([sys.executable, "-c", text], stdin=theirs, stdout=theirs, stderr=theirs, env=environment):
        os.close(theirs)
        got = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # how a terminal ends on Linux
                break
            if not piece:
                break
            got += piece
    os.close(ours)
    return got.decode()


def test_bar_appears_with_title_stage_and_part_when_patience_ends() -> None:
    shown = _on_a_terminal(_text(patience=0.1, seconds=1.5))
    assert "loading [big] g: read" in shown
    assert " 25% " in shown


def test_bar_without_a_known_part_shows_no_percentage() -> None:
    shown = _on_a_terminal(_text(patience=0.1, seconds=1.5, part=None))
    assert "loading [big] g: read" in shown
    assert "%" not in shown


def test_time_counts_from_the_begin_of_the_work() -> None:
    assert "0:00:02" in _on_a_terminal(_text(patience=1.5, seconds=2.8))


def test_work_that_is_done_in_time_shows_nothing() -> None:
    assert _on_a_terminal(_text(patience=30, seconds=0)) == "done\r\n"


def test_line_of_the_bar_is_cleared_and_the_cursor_back() -> None:
    before, after = _on_a_terminal(_text(patience=0.1, seconds=1.5)).rsplit("\x1b[2K", 1)
    assert after == "done\r\n"
    assert before.endswith("\x1b[?25h\r\x1b[1A")


def test_long_title_stays_on_one_line() -> None:
    shown = _on_a_terminal(_text(patience=0.1, seconds=1.5, name="x" * 200), columns=60)
    assert "loading [big] xxx" in shown
    assert shown.count("\n") == 2  # the bar's own end, which is cleared, and the program's line


def test_nothing_is_printed_where_stderr_is_no_terminal() -> None:
    done = subprocess.run([sys.executable, "-c", _text(patience=0, seconds=1)], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("done\n", "")
