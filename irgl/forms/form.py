"""What a form of edges is to the rest of irgl: what it can do, how it is built, how large it will be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
#: Values of the plan's options that are the form's own, as text (`tile`: "16").
Options = Mapping[str, str]
#: Gives a C++ function of cpu_rt/forms/make_NAME.hpp, compiled for ids as wide as the rows' (rt/forms/native.py).
Native = Callable[[str, str], Any]

#: How many numbers and arrays struct irgl_form has room for (cpu_rt/abi.hpp); the last two arrays are irgl's own.
NUMBERS, ARRAYS = 8, 8
OWN_ARRAYS = ARRAYS - 2


class Rows(NamedTuple):
    """The edges of one direction as rows: those of node v are cols[row[v]] .. cols[row[v+1]-1].

    row: (n + 1,) int32 or int64; cols: (m,) int32 or int64. part: the most nodes that a part of a sweep may have, 0: as
    many as the form likes. numbered: will anybody ask which edge stands at a place of a form? Otherwise what builds one
    need not say.
    """

    row: Array
    cols: Array
    part: int = 0
    numbered: bool = True

    @property
    def n(self) -> int:
        """How many nodes there are."""
        return len(self.row) - 1

    @property
    def m(self) -> int:
        """How many edges there are."""
        return len(self.cols)

    def places(self) -> Array | None:
        """Room for the edge of each of m places; None where nobody asks."""
        return np.empty(self.m, self.row.dtype) if self.numbered else None


class Built(NamedTuple):
    """A form in memory: `numbers` and `arrays` in the order in which its headers read them.

    edge: of each place of the form the edge that stands there, its position in `Rows.cols`; -1: none. None: the places
    are those positions, or nobody asked (`Rows.numbered`).
    """

    numbers: tuple[int, ...]
    arrays: tuple[Array, ...]
    edge: Array | None


@dataclass(frozen=True, slots=True)
class Form:
    """kind: `rows` serves any loop over a node's edges, `sweep` loops over all nodes and all of their edges.

    build: from rows, the form's options, and what gives C++ functions. size: the bytes that `build` takes in the end,
    without weights and edge numbers, told before it is built; with `is_bound` it may take less. quick_bound: a bound of
    that, told at once, where `size` looks at all edges. options: the plan's options that are the form's own.
    swept: an option and a value under which a form of kind `rows` has no way from a node to its edges, so that it
    serves as a sweep alone. copies: what edges want of their far ends is copied to their places before they are taken.
    segmented: an option that cuts the edges of parts further, unless it is `off`. All blocks of a GPU meet before each
    segment.
    cpu_alone: values of options that the header for CUDA doesn't know, each with the reason.
    """

    name: str
    kind: str
    build: Callable[[Rows, Options, Native], Built]
    size: Callable[[Rows, Options], int]
    options: tuple[str, ...] = ()
    swept: tuple[str, str] | None = None
    copies: bool = False
    segmented: str = ""
    cpu_alone: Mapping[tuple[str, str], str] = field(default_factory=dict)
    is_bound: bool = False
    quick_bound: Callable[[Rows], int] | None = None

    def is_swept(self, options: Options) -> bool:
        """Does it serve sweeps alone, under these options?"""
        return self.kind == "sweep" or (self.swept is not None and options[self.swept[0]] == self.swept[1])

    def is_segmented(self, options: Options) -> bool:
        """Are the edges of parts cut further, under these options?"""
        return self.segmented != "" and options[self.segmented] != "off"


def offsets(counts: Array, dtype: Any) -> Array:
    """0 and the running sums of `counts`, (len + 1,)."""
    found = np.zeros(len(counts) + 1, dtype)
    np.cumsum(counts, out=found[1:])
    return found


def address(array: Array | None) -> int | None:
    """Where an array lies, for a C++ function; None stays."""
    return None if array is None else array.ctypes.data
