"""A unit's process that serves many calls (cuda_rt/process.cuh), and one that runs a single call under a tool."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from irgl.rt.emulate import emulate
from irgl.source import IrglError

#: How the error of a run begins that was ended because it took too long.
TOO_LONG = "> "
#: For the device, when a process starts.
START = 60.0


class Server:
    """Started when it is first asked. A process that faults or hangs is ended, and the next call starts another."""

    def __init__(self, executable: Path, simulated: bool, *, eager: bool = True) -> None:
        self._words, self._simulated = [str(executable)], simulated
        self._environment = {**os.environ, **({} if eager else {"CUDA_MODULE_LOADING": "LAZY"})}
        self._process: subprocess.Popen[bytes] | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="irgl-server-")
        self._said = Path(self._folder.name) / "said"
        self._report = Path(self._folder.name) / "report.json"
        self.started = 0

    def start(self) -> None:
        """Has a process that holds the device. Raises IrglError where there is none to be had."""
        if self._process is not None and self._process.poll() is None:
            return
        more = {"IRGL_EMU_MODE": "check", "IRGL_EMU_REPORT": str(self._report)} if self._simulated else {}
        self.started += 1
        with self._said.open("wb") as said:  # unbuffered: a select on the pipe then sees every line that was not read
            self._process = subprocess.Popen(self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said,
                                             env={**self._environment, **more}, bufsize=0)
        code = self._answer(START)
        if code != 0:
            said = self.said()
            self.close()
            raise IrglError(f"a process of the program can't start (code {code}): {said}")

    def call(self, unit: int, file: Path, limit: float) -> tuple[int, str]:
        """The exit code of a unit's call, and the end of what was said on stderr meanwhile.

        Raises IrglError where it takes longer than `limit` seconds.
        """
        self.start()
        assert self._process is not None and self._process.stdin is not None
        before = self._said.stat().st_size
        try:
            self._process.stdin.write(f"{unit} {file}\n".encode())
        except OSError:  # it has just ended
            return self._ended(), self.said(before)
        return self._answer(limit), self.said(before)

    def close(self) -> str:
        """Ends the process; what the emulator found ('': nothing)."""
        if self._process is None:
            return ""
        with self._process as process:
            assert process.stdin is not None
            process.stdin.close()
            try:  # in the emulator it writes its report; on a GPU it may hang
                process.wait(20.0 if self._simulated else 2.0)
            except subprocess.TimeoutExpired:
                process.kill()
        self._process = None
        if not self._report.exists():
            return ""
        messages = [emulate.Message(**m) for m in json.loads(self._report.read_text())["messages"]]
        self._report.unlink()
        errors = [str(m) for m in messages if m.level == "error"]
        return f"the emulator found {errors[0]}" if errors else ""

    def said(self, since: int = 0) -> str:
        with self._said.open("rb") as f:
            f.seek(since)
            return " ".join(f.read().decode(errors="replace").split())[-300:]

    def _answer(self, limit: float) -> int:
        """The next code that the process tells, or the one that it ends with."""
        assert self._process is not None and self._process.stdout is not None
        line, until = b"", time.monotonic() + limit
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._process.stdout, selectors.EVENT_READ)
            while not line.endswith(b"\n"):
                if not waiting.select(max(0.0, until - time.monotonic())):
                    self._process.kill()
                    self._ended()
                    raise IrglError(f"{TOO_LONG}{limit:.0f} s")
                part = os.read(self._process.stdout.fileno(), 64)
                if not part:
                    return self._ended()
                line += part
        return int(line)

    def _ended(self) -> int:
        """The exit code of the process, which is over; a code of 0 would be that of a call."""
        assert self._process is not None
        with self._process as process:
            code = process.wait()
        self._process = None
        return code or 2


def under_tool(prefix: Sequence[str], executable: Path, unit: int, file: Path | None, limit: float,
               simulated: bool) -> tuple[int, str]:
    """As Server.call, for one call in a process of its own, under a tool. Without a file: without arguments.

    What is left of it when the tool is ended ends by itself, soon after. A tool works on every kernel that is loaded:
    so none is that isn't used.
    """
    environment = {"UNIT": str(unit), "IRGL_SECONDS": str(int(limit) + 5), "CUDA_MODULE_LOADING": "LAZY"}
    command = [*prefix, str(executable), *([str(file)] if file is not None else [])]
    if not simulated:
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  text=True, errors="replace", check=False, timeout=limit,
                                  env={**os.environ, **environment})
        except subprocess.TimeoutExpired:
            raise IrglError(f"{TOO_LONG}{limit:.0f} s") from None
        return done.returncode, " ".join(done.stderr.split())[-300:]
    with tempfile.TemporaryDirectory(prefix="irgl-under-") as folder:
        wrapper = Path(folder) / "under-a-tool"
        wrapper.write_text(f"#!/bin/sh\nexec {' '.join(command)}\n", encoding="utf-8")
        wrapper.chmod(0o755)
        report = emulate.run(wrapper, [], mode="check", timeout=limit, environment=environment)
    return report.code, report.stderr.strip()[-300:]
