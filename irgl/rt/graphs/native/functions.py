"""Functions of cpu_rt/graphs, where it is worth calling them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.forms.form import address
from irgl.rt.compile.native import function
from irgl.source import IrglError

Array = NDArray[Any]
#: Fewer arcs than this are no work: NumPy has done with them before a library is loaded, let alone compiled.
LEAST_ARCS = 300_000
#: What kind of weights a function is told (cpu_rt/graphs/weights.hpp).
_KINDS = {np.dtype(np.int32): 1, np.dtype(np.int64): 2, np.dtype(np.float32): 3, np.dtype(np.float64): 4}


def native(header: str, name: str, node_bits: int, edge_bits: int, arcs: int) -> Callable[..., int] | None:
    """A function of cpu_rt/graphs/HEADER.hpp that is given so many arcs; arrays may be given as they are.

    None where there is too little to do, no C++ compiler, or no cache for what it makes.
    """
    if arcs < LEAST_ARCS:
        return None
    try:
        found = function(f"cpu_rt/graphs/{header}.hpp", name, node_bits, edge_bits)
    except IrglError:
        return None

    def call(*args: Any) -> int:
        return found(*(address(a) if isinstance(a, np.ndarray) else a for a in args))

    return call


def bits(size: int) -> int:
    """How wide ids of so many nodes, or edges, are."""
    return 32 if size < 2**31 else 64


def of_bits(width: int) -> type[np.int32] | type[np.int64]:
    """The type of such ids."""
    return np.int32 if width == 32 else np.int64


def kind_of(weight: Array | None) -> int | None:
    """What kind of weights these are; None: none that C++ knows."""
    return 0 if weight is None else _KINDS.get(weight.dtype)
