"""Numbers of NumPy's, which stand where one of Python's may."""

from __future__ import annotations

from typing import Any


def plain(value: Any) -> Any:
    """A number of NumPy's (or an array of no dimension) as one of Python's; all else as it is."""
    numpys = hasattr(value, "dtype") and getattr(value, "ndim", None) == 0 and hasattr(value, "item")
    return value.item() if numpys else value
