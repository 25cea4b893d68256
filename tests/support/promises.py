"""Which promise of docs/security.md a test holds irgl to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Test = TypeVar("Test", bound=Callable[..., None])


def keeps(promise: str) -> Callable[[Test], Test]:
    """Marks a test; test_security_doc.py compares the promises that are marked with those of the page."""
    assert promise

    def mark(test: Test) -> Test:
        return test

    return mark
