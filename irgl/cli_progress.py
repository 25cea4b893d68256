"""A progress bar on stderr for work that takes longer than two seconds, on a terminal only."""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE_SECONDS = 2.0


@contextmanager
def progress(what: str) -> Iterator[None]:
    """Shows `what` and the seconds gone by, from the third second on, until the block ends."""
    if not sys.stderr.isatty():
        yield
        return
    bar = _Bar(what)
    timer = threading.Timer(PATIENCE_SECONDS, bar.show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        bar.hide()


class _Bar:
    def __init__(self, what: str) -> None:
        self._what = what
        self._lock = threading.Lock()
        self._shown: Any = None
        self._over = False

    def show(self) -> None:
        # Loaded only when there is something to wait for anyway.
        rich = importlib.import_module("rich.progress")
        console = importlib.import_module("rich.console").Console(stderr=True)
        with self._lock:
            if self._over:
                return
            self._shown = rich.Progress(
                rich.TextColumn("{task.description}"), rich.BarColumn(), rich.TimeElapsedColumn(),
                console=console, transient=True)
            self._shown.add_task(self._what, total=None)
            self._shown.start()

    def hide(self) -> None:
        with self._lock:
            self._over = True
            if self._shown is not None:
                self._shown.stop()
