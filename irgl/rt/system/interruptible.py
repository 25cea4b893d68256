"""Work in compiled code that its caller waits for and can interrupt.

It runs on a thread beside the caller's, which is kept for the next work: a thread of its own for each would cost ten
times what a small graph's run does, and OpenMP's threads anew.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import numpy as np

from irgl.rt.system.endings import out_of_time
from irgl.source import IrglError

Array = np.ndarray[Any, Any]
#: How long an interrupted program may take to end its round.
GRACE_SECONDS = 1.0
#: Seconds after which a signal is heard at the latest.
SLICE = 0.1


class _Job:
    """Work that was handed over. done: is locked until it has ended. failed: what it raised."""

    __slots__ = ("done", "failed", "work")

    def __init__(self, work: Callable[[], None]) -> None:
        self.work = work
        self.failed: BaseException | None = None
        self.done = threading.Lock()
        self.done.acquire()

    def ended(self, seconds: float | None) -> bool:
        """Waits for its end, so long at most; signals are heard meanwhile.

        A signal wakes a thread that waits only if it reaches that one, and then: one that reaches another thread, or
        this one just before it waits, is heard at the end of a slice.
        """
        until = None if seconds is None else time.monotonic() + seconds
        while not self.done.acquire(timeout=SLICE if until is None else max(0.0, min(SLICE, until - time.monotonic()))):
            if until is not None and time.monotonic() >= until:
                return False
        return True


class _Worker:
    """A thread that does one job after another."""

    def __init__(self) -> None:
        self.jobs: SimpleQueue[_Job] = SimpleQueue()
        threading.Thread(target=self._serve, name="irgl-run", daemon=True).start()

    def _serve(self) -> None:
        while True:
            job = self.jobs.get()
            try:
                job.work()
            except BaseException as e:
                job.failed = e
            _idle.append(self)
            job.done.release()
            del job  # nothing of a call is kept until the next


#: Those that wait for work. Lists are changed by one step of Python's, so that no lock is needed.
_idle: list[_Worker] = []
#: The `done` of what was interrupted, and had not ended within its grace.
_left: list[threading.Lock] = []


def _forget() -> None:
    """Of a process's threads a fork leaves only the one that forked."""
    _idle.clear()
    _left.clear()


os.register_at_fork(after_in_child=_forget)


def interruptible(work: Callable[[], None], stop: Array, limit: float | None) -> None:
    """Runs `work` while Ctrl-C is heard, which asks the program to stop by `stop[0] = 1`, and waits for that.

    The same where a signal's handler raises something else, and where it takes longer than `limit` seconds, which
    raises IrglError. On other threads than the main one, which hear no signals, it runs on the caller's own.
    """
    if limit is None and threading.current_thread() is not threading.main_thread():
        work()
        return
    job = _Job(work)
    try:
        _worker().jobs.put(job)
        in_time = job.ended(limit)
    except BaseException:
        _stop(job, stop)
        raise
    if not in_time:
        _stop(job, stop)
        raise out_of_time(limit)
    if job.failed is not None:
        raise job.failed


def _worker() -> _Worker:
    try:
        return _idle.pop()
    except IndexError:
        pass
    try:
        return _Worker()
    except RuntimeError:  # so Python says that there is no room for its stack
        raise IrglError("there is not enough memory for a thread that runs the program",
                        hint="take a smaller graph, or a machine with more memory") from None


def _stop(job: _Job, stop: Array) -> None:
    stop[0] = 1
    if not job.ended(GRACE_SECONDS):
        _left.append(job.done)


def still_running() -> bool:
    """Does a program that was told to end run on, because its round does not end?"""
    return any(done.locked() for done in _left)
