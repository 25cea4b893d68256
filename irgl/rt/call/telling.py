"""Who is told what a call of a program is doing: nobody, or a view that the caller opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar

from irgl.rt.graphs.readers.text import Progress

#: Opens a view for the work of that title; it is told what is being done, and which part of it is done.
View = Callable[[str], AbstractContextManager[Progress]]

_listener: ContextVar[Progress | None] = ContextVar("irgl_listener", default=None)
_usual: list[View] = []


def listener() -> Progress:
    """What is to be told of this call's progress."""
    return _listener.get() or _nobody


def usual_view(view: View | None) -> None:
    """Sets the view of calls that do not say whether they want one; None: they have none."""
    _usual[:] = [] if view is None else [view]


@contextmanager
def shown(title: str, view: View | None = None) -> Iterator[None]:
    """Shows the progress of what is done in the block in a view, or in the usual one, if there is one."""
    chosen = view if view is not None else _usual[0] if _usual else None
    if chosen is None:
        yield
        return
    with chosen(title) as told:
        token = _listener.set(told)
        try:
            yield
        finally:
            _listener.reset(token)


def _nobody(what: str, part: float | None) -> None:
    del what, part
