"""Random numbers, and the ends of random edges, drawn by all threads (cpu_rt/graphs/random.hpp): NumPy's own.

Each function gives None where it is for NumPy to do; else the generator is behind what was drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.native.functions import bits, native, of_bits

Array = NDArray[Any]
#: So many edges are drawn at once.
STRETCH = 1 << 22


def units(generator: np.random.PCG64, count: int) -> Array | None:
    """(count,) float64 in [0, 1), 53 random bits each."""
    call = native("random", "irgl_random_units", 32, 32, count)
    if call is None:
        return None
    out = np.empty(count, np.float64)
    call(_state(generator), count, out)
    generator.advance(count)
    return out


def below(generator: np.random.PCG64, bound: int, count: int) -> Array | None:
    """(count,) whole numbers in 0..bound-1."""
    width = bits(bound - 1)
    call = native("random", "irgl_random_below", width, 32, count)
    if call is None:
        return None
    out = np.empty(count, of_bits(width))
    call(_state(generator), count, bound, out)
    generator.advance(count)
    return out


def recursive(generator: np.random.PCG64, scale: int, count: int, chances: tuple[float, float, float],
              names: Array | None, tell: Callable[[float], None]) -> tuple[Array, Array] | None:
    """The ends of `count` edges of a recursive matrix, which takes scale * count numbers: see generators._recursive.

    chances: a, a + b and a + b + c. names: of the nodes; None: their numbers. tell: is told which part is done.
    """
    width = bits(1 << scale)
    call = native("random", "irgl_random_recursive", width, 32, count)
    if call is None:
        return None
    src, dst = np.empty(count, of_bits(width)), np.empty(count, of_bits(width))
    named = None if names is None else names.astype(of_bits(width), copy=False)
    state, bounds = _state(generator), np.array(chances)
    for first in range(0, count, STRETCH):
        last = min(count, first + STRETCH)
        if call(state, count, scale, bounds, named, first, last, src, dst) != 1:
            return None
        tell(last / count)
    generator.advance(scale * count)
    return src, dst


def _state(generator: np.random.PCG64) -> Array:
    """Its state and its increment, as 64-bit words, the lower half of each first."""
    state: Any = generator.state["state"]
    return np.array([state[name] >> shift & (2**64 - 1) for name in ("state", "inc") for shift in (0, 64)], np.uint64)
