"""Worker processes (worker.py) behind futures. One that outlasts its time is ended with all that it started."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from on_gpu.run import TIME_OVER, environment

Reply = dict[str, Any]


class Worker:
    """One process, started when it is first asked. log: what it says on stderr; nice: how far it steps back."""

    def __init__(self, log: Path | None = None, nice: int = 0) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._log, self._nice = log, nice

    def ask(self, request: dict[str, Any], until: float, told: Callable[[Reply], None]) -> str:
        """Hands each reply to `told`; '' once all were, else why not: the worker ended, or was ended at `until`.

        What `told` raises goes on, and takes the worker with it: its other replies would be taken for the next
        request's.
        """
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        why = TIME_OVER
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
            with selectors.DefaultSelector() as waiting:
                waiting.register(process.stdout, selectors.EVENT_READ)
                while waiting.select(max(0.0, until - time.monotonic())):
                    line = process.stdout.readline()
                    if not line:
                        why = self._ended()
                        break
                    reply = json.loads(line)
                    if reply.get("done"):
                        return ""
                    told(reply)
        except OSError:
            why = self._ended()
        except BaseException:
            self.close()
            raise
        self.close()
        return why

    def close(self) -> None:
        if self._process is not None:
            with_group = os.getpgid(self._process.pid) if self._process.poll() is None else 0
            if with_group:
                os.killpg(with_group, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def _ended(self) -> str:
        said = self._log.read_text(encoding="utf-8", errors="replace").split() if self._log is not None else []
        return "its worker ended" + (f": {' '.join(said)[-300:]}" if said else "")

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            # Unbuffered: a select on the pipe then sees every line that was not read.
            command = [sys.executable, "-m", "on_gpu.worker", str(self._nice)]
            with open(self._log or os.devnull, "wb") as log:  # noqa: PTH123
                self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                                                 bufsize=0, env=environment(), start_new_session=True)
        return self._process


class Pool:
    """`count` workers; requests wait in the order in which they came."""

    def __init__(self, count: int, log: Path | None = None, nice: int = 0) -> None:
        logs = [None if log is None else log.with_name(f"{log.name}.{k}.log") for k in range(count)]
        self._workers = [Worker(log, nice) for log in logs]
        self._free: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        for worker in self._workers:
            self._free.put(worker)
        self._threads = ThreadPoolExecutor(count)

    def submit(self, request: dict[str, Any], until: float,
               told: Callable[[Reply], None] = lambda _: None) -> Future[str]:
        """'' once all replies were handed to `told`; else why some were not."""
        try:
            return self._threads.submit(self._work, request, until, told)
        except RuntimeError:  # the pool was closed
            return done(TIME_OVER)

    def _work(self, request: dict[str, Any], until: float, told: Callable[[Reply], None]) -> str:
        if time.monotonic() >= until:
            return TIME_OVER
        worker = self._free.get()
        try:
            return worker.ask(request, until, told)
        except Exception as e:  # of `told`: one that waits for this work is told
            return f"the suite fails: {type(e).__name__}: {e}"
        finally:
            self._free.put(worker)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.close()


def done(why: str) -> Future[str]:
    """A future that is over."""
    found: Future[str] = Future()
    found.set_result(why)
    return found


def after(needed: Sequence[Future[str]], then: Callable[[], Future[str]]) -> Future[str]:
    """What `then` begins, once all that is needed is over, well or not; nobody waits for it meanwhile."""
    result: Future[str] = Future()
    left, lock = [len(needed) + 1], threading.Lock()

    def told(inner: Future[str]) -> None:
        with contextlib.suppress(Exception):  # whoever waited may have gone
            result.set_result(TIME_OVER if inner.cancelled() else inner.result())

    def one(_: object) -> None:
        with lock:
            left[0] -= 1
            last = left[0] == 0
        if last:
            try:
                then().add_done_callback(told)
            except Exception as e:
                result.set_result(f"the suite fails: {type(e).__name__}: {e}")

    for future in needed:
        future.add_done_callback(one)
    one(None)
    return result
