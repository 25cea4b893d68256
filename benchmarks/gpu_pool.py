"""Worker processes (gpu_worker.py) behind futures. One that outlasts its time is ended with all that it started."""

from __future__ import annotations

import json
import os
import queue
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from gpu_run import environment

Reply = dict[str, Any]
_HERE = Path(__file__).resolve().parent


class Worker:
    """One process, started when it is first asked."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, request: dict[str, Any], until: float, told: Callable[[Reply], None]) -> bool:
        """Hands each reply to `told`; False where the worker ended, or was ended at `until` (time.monotonic)."""
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
            with selectors.DefaultSelector() as waiting:
                waiting.register(process.stdout, selectors.EVENT_READ)
                while waiting.select(max(0.0, until - time.monotonic())):
                    line = process.stdout.readline()
                    if not line:
                        break
                    reply = json.loads(line)
                    if reply.get("done"):
                        return True
                    told(reply)
        except OSError:
            pass
        self.close()
        return False

    def close(self) -> None:
        if self._process is not None:
            with_group = os.getpgid(self._process.pid) if self._process.poll() is None else 0
            if with_group:
                os.killpg(with_group, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            # Unbuffered: a select on the pipe then sees every line that was not read.
            self._process = subprocess.Popen([sys.executable, str(_HERE / "gpu_worker.py")], stdin=subprocess.PIPE,
                                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
                                             env=environment(), start_new_session=True)
        return self._process


class Pool:
    """`count` workers; requests wait in the order in which they came."""

    def __init__(self, count: int) -> None:
        self._workers = [Worker() for _ in range(count)]
        self._free: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        for worker in self._workers:
            self._free.put(worker)
        self._threads = ThreadPoolExecutor(count)

    def submit(self, request: dict[str, Any], until: float,
               told: Callable[[Reply], None] = lambda _: None) -> Future[str]:
        """'' once all replies were handed to `told`; else why some were not."""
        return self._threads.submit(self._work, request, until, told)

    def _work(self, request: dict[str, Any], until: float, told: Callable[[Reply], None]) -> str:
        if time.monotonic() >= until:
            return "the time was over"
        worker = self._free.get()
        try:
            if worker.ask(request, until, told):
                return ""
            return "the time was over" if time.monotonic() >= until else "its worker ended"
        finally:
            self._free.put(worker)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.close()
