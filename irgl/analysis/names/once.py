"""What is asked of a checked program again and again is found once."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Concatenate, ParamSpec, TypeVar

from irgl.analysis.names.symbols import Checked

P = ParamSpec("P")
R = TypeVar("R")


def once(f: Callable[Concatenate[Checked, P], R]) -> Callable[Concatenate[Checked, P], R]:
    """`f`, whose findings are kept beside the tables of a program that has been checked.

    For what goes by the tables alone, is given nodes or other values as they stand, and finds what nobody changes.
    """

    def found(checked: Checked, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if checked.found is None:  # the tables are being made
            return f(checked, *args, **kwargs)
        key = (f, checked.lowered, args, *kwargs.items())
        if key not in checked.found:
            checked.found[key] = f(checked, *args, **kwargs)
        known: R = checked.found[key]
        return known

    update_wrapper(found, f)
    return found
