"""Signals are heard while compiled code runs, whichever thread they reach."""

from __future__ import annotations

import signal
import threading
import time
from types import FrameType

import numpy as np
import pytest

from irgl.rt.system import interruptible as interruptible_module
from irgl.rt.system.interruptible import interruptible
from irgl.source import IrglError


class Heard(Exception):
    pass


def _raise(_number: int, _frame: FrameType | None) -> None:
    raise Heard


@pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals are the main thread's")
def test_a_signal_that_reaches_another_thread_is_heard() -> None:
    """Its handler is the main thread's, which waits: nothing wakes it, nor where it is about to begin to wait."""
    stop = np.zeros(1, np.int32)
    stopped: list[bool] = []

    def work() -> None:
        signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
        until = time.monotonic() + 20
        while stop[0] == 0 and time.monotonic() < until:
            time.sleep(0.01)
        stopped.append(bool(stop[0]))

    before = signal.signal(signal.SIGUSR1, _raise)
    try:
        with pytest.raises(Heard):
            interruptible(work, stop, None)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert stopped == [True]


def test_a_thread_that_cannot_be_started_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(interruptible_module, "_idle", [])
    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(IrglError) as e:
        interruptible(lambda: None, np.zeros(1, np.int32), 10.0)
    assert str(e.value) == ("error: there is not enough memory for a thread that runs the program\n"
                            "  hint: take a smaller graph, or a machine with more memory")
