"""A pytest plugin for NetworkX's own tests: which of them ran a compiled kernel in a call of which function.

`IRGL_NX_COUNTS=counts.json pytest -p support.nx_counting --pyargs networkx` writes {function: [test, ...]}. A call
counts where the kernel counter rises in it, or in a step of the generator that it gives. The listed exceptions are
expected to fail: one that passes is a failure.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from irgl.nx_backend.backend import Backend
from irgl.nx_backend.offers import OFFERS
from irgl.nx_backend.run import kernels
from support.nx_exceptions import EXCEPTIONS

_reached: dict[str, set[str]] = {}
_test = [""]


def _counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def note(before: int) -> None:
        if kernels.total > before:
            _reached.setdefault(name, set()).add(_test[0])

    def steps(found: Iterator[Any]) -> Iterator[Any]:
        while True:
            before = kernels.total
            try:
                item = next(found)
            except StopIteration:
                return
            finally:
                note(before)
            yield item

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        before = kernels.total
        try:
            found = function(*args, **kwargs)
        finally:
            note(before)
        return steps(found) if isinstance(found, Iterator) else found

    return call


def pytest_configure() -> None:
    for name, offer in OFFERS.items():
        setattr(Backend, name, staticmethod(_counted(name, offer.function)))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    _test[0] = item.nodeid


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for test, reason in EXCEPTIONS.items():
            if item.nodeid.endswith(test):
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))


def pytest_sessionfinish() -> None:
    place = os.environ.get("IRGL_NX_COUNTS")
    if place:
        Path(place).write_text(json.dumps({name: sorted(tests) for name, tests in sorted(_reached.items())}, indent=1))
