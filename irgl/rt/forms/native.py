"""C++ that builds forms of edges: compiled once for each width of ids, and kept in the cache of units."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from irgl.rt.compile.build import open_library


def native(node_bits: int, edge_bits: int) -> Callable[[str, str], Any]:
    """Gives a function of cpu_rt/forms/make_NAME.hpp: (NAME, function). It takes whole numbers, and addresses or None.

    Raises IrglError where there is no compiler.
    """
    def found(name: str, function: str) -> Any:
        return _called(_library(name, node_bits, edge_bits), function)

    return found


@cache
def _library(name: str, node_bits: int, edge_bits: int) -> ctypes.CDLL:
    library, _ = open_library(f'#include "cpu_rt/forms/make_{name}.hpp"\n', node_bits=node_bits, edge_bits=edge_bits)
    return library


def _called(library: ctypes.CDLL, function: str) -> Callable[..., int]:
    of = getattr(library, function)
    of.restype = ctypes.c_int64

    def call(*args: int | None) -> int:
        result: int = of(*(None if a is None else ctypes.c_int64(a) for a in args))
        return result

    return call
