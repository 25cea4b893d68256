"""Progress bars for calls from Python: tqdm's where it is installed, else a line of text."""

from __future__ import annotations

import importlib
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol

from irgl.rt.call.telling import View
from irgl.rt.graphs.readers.text import Progress

#: Work that takes less shows no bar, unless the call asked for one.
PATIENCE_SECONDS = 2.0
_TICK_SECONDS = 0.25
_FORMAT = "{desc}: {percentage:3.0f}%|{bar:20}| {elapsed}"
_WAITING = "{desc} {elapsed}"


class Bar(Protocol):
    """What is shown: a line, drawn again and again, and gone at the end."""

    def draw(self, text: str, part: float | None) -> None:
        """Shows what is done, and which part of it is."""

    def close(self) -> None:
        """Takes it away."""


class _Tqdm:
    def __init__(self) -> None:
        self._bar: Any = importlib.import_module("tqdm.auto").tqdm(total=1.0, leave=False, bar_format=_WAITING)

    def draw(self, text: str, part: float | None) -> None:
        self._bar.bar_format = _WAITING if part is None else _FORMAT
        self._bar.n = part or 0.0
        self._bar.set_description_str(text, refresh=False)
        self._bar.refresh()

    def close(self) -> None:
        self._bar.close()


class _Line:
    """A line of its own on stderr."""

    def __init__(self) -> None:
        self._begin = time.monotonic()
        self._width = 0

    def draw(self, text: str, part: float | None) -> None:
        done = "" if part is None else f" {part:4.0%}"
        self._write(f"{text}{done} {time.monotonic() - self._begin:.0f} s")

    def close(self) -> None:
        self._write("")
        sys.stderr.write("\r")

    def _write(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)


def bar() -> Bar:
    """The bar that there is."""
    try:
        return _Tqdm()
    except ImportError:
        return _Line()


@contextmanager
def progress(title: str, patience: float = 0.0) -> Iterator[Progress]:
    """Shows what goes on in the block, once it has gone on for `patience` seconds, and that time passes."""
    state: list[tuple[str, float | None]] = [("", None)]
    over = threading.Event()

    def show() -> None:
        if over.wait(patience):
            return
        shown = bar()
        try:
            while True:
                what, part = state[0]
                shown.draw(f"{title}: {what}" if what else title, part)
                if over.wait(_TICK_SECONDS):
                    return
        finally:
            shown.close()

    def tell(what: str, part: float | None) -> None:
        state[0] = (what, part)

    thread = threading.Thread(target=show, name="irgl-progress", daemon=True)
    thread.start()
    try:
        yield tell
    finally:
        over.set()
        thread.join()


#: The view of a notebook's calls.
after_a_while: View = partial(progress, patience=PATIENCE_SECONDS)
