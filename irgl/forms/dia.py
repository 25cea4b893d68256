"""dia: diagonals that hold at least half of their places, without ids; the other edges with both of their ends.

A diagonal is all places (near, near + offset). A full one needs its offset alone, another one a bit for each place.
Grids, bands and whatever else has the same few offsets everywhere are held in next to nothing; the rest is as coo.
Never more than four times the bytes of rows: a diagonal takes three numbers and a bit a place, and holds half of them.
Source: Y. Saad, SPARSKIT: a basic tool kit for sparse matrix computations, 1990 (DIA, and DIA with a rest, HDC).
"""

from __future__ import annotations

from math import isqrt
from typing import Any, NamedTuple

import numpy as np

from irgl.forms.cut import parts
from irgl.forms.form import Array, Built, Form, Native, Options, Rows, address, offsets
from irgl.source import IrglError

#: The most nodes of a part: what is kept for each of them stays in the cache from diagonal to diagonal.
_NODES = 1 << 14
_WORD = 64


class _Laid(NamedTuple):
    """Of each diagonal: its offset, counted from 1 - n, how many places it has, and how many edges stand on them."""

    slant: Array
    places: Array
    held: Array

    def words(self) -> Array:
        """How many words of bits each diagonal has: none where it is full."""
        found: Array = np.where(self.held < self.places, -(-self.places // _WORD), 0)
        return found


def _places(n: int, slant: Array) -> Array:
    found: Array = n - np.abs(slant - (n - 1))
    return found


def build(rows: Rows, options: Options, native: Native) -> Built:  # noqa: ARG001
    """numbers: parts, diagonals, n, places on diagonals. arrays: first node of each part, its first edge of the rest;
    of each diagonal the offset, its first word of bits (-1: it is full) and its first place; the bits; the rest's near
    ends and far ends. Edges of the rest stand behind all places."""
    n, number, first = rows.n, rows.row.dtype, parts(rows, _NODES)
    table = np.zeros(max(0, 2 * n - 1), number)
    most = isqrt(8 * rows.m) + 1  # diagonals: k of them have at least k * k / 4 places, of which m edges fill half
    slant, held, rest = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(len(first) - 1, number)
    given = (len(first) - 1, *map(address, (first, rows.row, rows.cols, table)))
    count = native("dia", "irgl_find_dia")(n, *given, *map(address, (slant, held, rest)))
    laid = _Laid(slant[:count], _places(n, slant[:count]), held[:count])
    place, begin, words = offsets(laid.places, np.int64), offsets(rest, number), offsets(laid.words(), np.int64)
    refuse_beyond(int(place[-1]) + int(begin[-1]), number)
    bits = np.where(laid.held < laid.places, words[:-1], -1)
    held_bits = np.zeros(int(words[-1]), np.uint64)
    near, far = (np.empty(int(begin[-1]), rows.cols.dtype) for _ in range(2))
    edge = np.empty(int(place[-1] + begin[-1]), number) if rows.numbered else None
    native("dia", "irgl_make_dia")(n, count, *given, *map(address, (
        slant, bits, place, begin, held_bits, near, far, edge)))
    diagonals = np.stack([laid.slant - (n - 1), bits, place[:-1]], axis=1).ravel().astype(number)
    return Built((len(first) - 1, count, n, int(place[-1])), (first, begin, diagonals, held_bits, near, far), edge)


def refuse_beyond(places: int, number: np.dtype[Any]) -> None:
    """Raises IrglError for more places than the numbers of edges reach."""
    if places > np.iinfo(number).max:
        raise IrglError(f"format=dia has {places:,} places for this graph, more than its ids",
                        hint="load the graph with --index-bits 64, or take format=coo")


def size(rows: Rows, options: Options) -> int:  # noqa: ARG001
    """Three numbers a diagonal, words of bits for those that aren't full, both ends of the rest; two numbers a part."""
    laid = _lay(rows)
    numbers = 3 * len(laid.slant) + 2 * len(parts(rows, _NODES))
    rest = rows.m - int(laid.held.sum())
    return numbers * rows.row.itemsize + int(laid.words().sum()) * 8 + 2 * rest * rows.cols.itemsize


def _lay(rows: Rows) -> _Laid:
    """The diagonals. O(n + m)."""
    n = rows.n
    near = np.repeat(np.arange(n, dtype=rows.cols.dtype), np.diff(rows.row))
    slant = rows.cols.astype(np.int64)
    slant -= near
    slant += n - 1
    count = np.bincount(slant, minlength=max(0, 2 * n - 1))
    found = np.flatnonzero(count)
    found = found[2 * count[found] >= _places(n, found)]
    held = count[found]
    if len(found) and not _ascend(rows.cols, near):
        held = _without_parallel(found, near, slant, n)
    kept = 2 * held >= _places(n, found)
    return _Laid(found[kept], _places(n, found[kept]), held[kept])


def _ascend(far: Array, near: Array) -> bool:
    """Are there no parallel edges, as far as one sees at a glance: does each row ascend?"""
    return bool(np.all((far[1:] > far[:-1]) | (near[1:] != near[:-1])))


def _without_parallel(found: Array, near: Array, slant: Array, n: int) -> Array:
    """How many places of each of these diagonals have an edge."""
    which = np.full(2 * n - 1, -1, np.int64)
    which[found] = np.arange(len(found))
    k = which[slant]
    on = k >= 0
    k = k[on]
    base = offsets(_places(n, found), np.int64)
    there = np.zeros(int(base[-1]), np.bool_)
    there[base[k] + near[on] + np.minimum(found - (n - 1), 0)[k]] = True
    held: Array = np.diff(offsets(there, np.int64)[base])
    return held


def quick_bound(rows: Rows) -> int:
    """Four times the bytes of rows."""
    return 4 * (rows.row.nbytes + rows.cols.nbytes)


FORM = Form("dia", "sweep", build, size, quick_bound=quick_bound)
