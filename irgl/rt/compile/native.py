"""C++ of irgl's own that Python calls: a header, compiled once for each width of ids and kept in the cache of units."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

from irgl.rt.compile.build import open_library


def function(header: str, name: str, node_bits: int, edge_bits: int) -> Callable[..., int]:
    """A function that a header (`cpu_rt/...`) defines. It takes whole numbers, and addresses or None.

    Raises IrglError where there is no compiler.
    """
    of = getattr(_library(header, node_bits, edge_bits), name)
    of.restype = ctypes.c_int64

    def call(*args: int | None) -> int:
        result: int = of(*(None if a is None else ctypes.c_int64(a) for a in args))
        return result

    return call


@cache
def _library(header: str, node_bits: int, edge_bits: int) -> ctypes.CDLL:
    library, _ = open_library(f'#include "{header}"\n', node_bits=node_bits, edge_bits=edge_bits)
    return library
