"""A worker as the tuner sees it: asked, waited for, and started anew where it has died."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO

from irgl.rt.system.child import how_it_ended
from irgl.rt.system.interruptible import GRACE_SECONDS
from irgl.source import IrglError
from irgl.tune.inputs.inputs import Input
from irgl.tune.measure.protocol import VERIFIED, Look, Ran, Run, Seen
from irgl.tune.results.trial import Status

#: What a worker may take beyond a run's own limit: for loading, verifying and answering.
_SLACK_SECONDS = 30.0
#: The most that loading and verifying an input may take.
_PATIENCE_SECONDS = 3600.0
#: Starts a worker with this very package; the folder that we are in, which may be anybody's, is not looked into (-P).
_HOME = str(Path(__file__).resolve().parents[3])
_START = "import sys; sys.path.append(sys.argv[2]); from irgl.tune.measure.worker import main; main()"


class Remote:
    """One worker. It is started when it is first asked, in a session of its own, so that Ctrl-C is for the tuner."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None
        self._said: IO[bytes] | None = None
        self._seen: set[Input] = set()
        self.starts = 0

    def look(self, asked: Look) -> Seen:
        """What an input is. Raises IrglError for one that can't be loaded."""
        answer = self._ask(asked, _PATIENCE_SECONDS)
        if isinstance(answer, Seen):
            self._seen.add(asked.input)
            return answer
        if isinstance(answer, Ran):
            raise IrglError(f"loading {asked.input.name} fails: {answer.why}",
                            hint="take a smaller graph, or a machine with more memory")
        raise answer

    def run(self, asked: Run) -> Ran:
        """How a run ended; a crash or a hang of the worker is a way to end, too."""
        limit = asked.options.time_limit
        # What it has to load, or to verify in full, takes as long as it takes.
        known = asked.input in self._seen and asked.check != VERIFIED
        patience = limit + GRACE_SECONDS + _SLACK_SECONDS if limit is not None and known else _PATIENCE_SECONDS
        answer = self._ask(asked, patience)
        if isinstance(answer, Ran):
            self._seen.add(asked.input)
            return answer
        assert not isinstance(answer, Seen)
        raise answer

    def kill(self) -> None:
        """Ends the worker, and what it has started, at once; who waits for its answer is told that it died."""
        process = self._process
        if process is not None and process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)

    def stop(self) -> None:
        """Ends the worker, and takes away all that there was for it."""
        self.kill()
        if self._process is not None:
            self._process.wait()
        if self._pipe is not None:
            self._pipe.close()
        if self._said is not None:
            self._said.close()
        self._process, self._pipe, self._said = None, None, None
        self._seen.clear()

    def _ask(self, asked: Look | Run, patience: float) -> Seen | Ran | Exception:
        pipe = self._started()
        try:
            pipe.send(asked)
            if not pipe.poll(patience):
                self.stop()
                return Ran(Status.TIME_OUT, why="the worker does not answer")
            answer, spent = pipe.recv()
        except (EOFError, ConnectionError):
            return self._died()
        if spent:
            self.stop()
        found: Seen | Ran | Exception = answer
        return found

    def _died(self) -> Ran:
        assert self._process is not None and self._said is not None
        code = self._process.wait()
        self._said.seek(0)
        said = self._said.read().decode(errors="replace").strip().splitlines()
        self.stop()
        last = f": {said[-1][-300:]}" if said else ""
        memory = " (the system may have been short of memory)" if code == -signal.SIGKILL else ""
        return Ran(Status.CRASH, why=f"the process {how_it_ended(code)}{memory}{last}")

    def _started(self) -> Connection:
        if self._process is not None and self._process.poll() is not None:
            self.stop()
        if self._pipe is None:
            mine, theirs = socket.socketpair()
            # What a program prints is not asked for here.
            self._said = tempfile.TemporaryFile()  # noqa: SIM115
            with theirs:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-c", _START, str(theirs.fileno()), _HOME], stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL, stderr=self._said, pass_fds=[theirs.fileno()], start_new_session=True)
            self._pipe = Connection(mine.detach())
            self.starts += 1
        return self._pipe
