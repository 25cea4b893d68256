"""A progress bar on stderr for work that takes longer than two seconds, on a terminal only."""

from __future__ import annotations

import importlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE_SECONDS = 2.0
#: Told what is being done, and which part of it is done (None: nobody knows).
Progress = Callable[[str, float | None], None]


@contextmanager
def progress(what: str, patience: float = PATIENCE_SECONDS) -> Iterator[Progress]:
    """Shows what goes on in the block, once it has gone on for `patience` seconds; the block may call what it gets."""
    if not sys.stderr.isatty():
        yield _ignore
        return
    bar = _Bar(what)
    timer = threading.Timer(patience, bar.show)
    timer.daemon = True
    timer.start()
    try:
        yield bar.update
    finally:
        timer.cancel()
        bar.hide()


def _ignore(what: str, part: float | None) -> None:
    del what, part


class _Bar:
    def __init__(self, what: str) -> None:
        self._title = what
        self._state: tuple[str, float | None] = ("", None)
        self._lock = threading.Lock()
        self._shown: Any = None
        self._task: Any = None
        self._over = False
        self._begin = time.monotonic()

    def update(self, what: str, part: float | None) -> None:
        with self._lock:
            self._state = (what, part)
            if self._shown is not None:
                self._shown.update(self._task, **self._fields())

    def show(self) -> None:
        # Loaded only when there is something to wait for anyway.
        rich = importlib.import_module("rich.progress")
        column = importlib.import_module("rich.table").Column
        console = importlib.import_module("rich.console").Console(stderr=True)
        one_line = column(no_wrap=True, overflow="ellipsis")
        text = rich.TextColumn("{task.description}", markup=False, table_column=one_line)
        part = rich.TextColumn("{task.fields[percent]:>4}")
        shown = rich.Progress(text, rich.BarColumn(), part, rich.TimeElapsedColumn(), console=console, transient=True)
        with self._lock:
            if self._over:
                return
            self._task = shown.add_task(**self._fields())
            shown.tasks[0].start_time = self._begin  # the time counts from the work's begin
            shown.start()
            self._shown = shown

    def hide(self) -> None:
        with self._lock:
            self._over = True
            if self._shown is not None:
                self._shown.stop()

    def _fields(self) -> dict[str, Any]:
        what, part = self._state
        description = f"{self._title}: {what}" if what else self._title
        percent = "" if part is None else f"{part:.0%}"
        return {"description": description, "total": None if part is None else 1.0, "completed": part or 0.0,
                "percent": percent}
