"""dia: diagonals that hold at least half of their places, without ids; the other edges with both of their ends.

A diagonal is all places (near, near + offset). A full one needs its offset alone, another one a bit for each place.
Grids, bands and whatever else has the same few offsets everywhere are held in next to nothing; the rest is as coo.
Never more than four times the bytes of rows: a diagonal takes three numbers and a bit a place, and holds half of them.
Source: Y. Saad, SPARSKIT: a basic tool kit for sparse matrix computations, 1990 (DIA, and DIA with a rest, HDC).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from irgl.forms.cut import parts
from irgl.forms.form import Array, Built, Form, Native, Options, Rows, offsets
from irgl.source import IrglError

#: The most nodes of a part: what is kept for each of them stays in the cache from diagonal to diagonal.
_NODES = 1 << 14
_WORD = 64


class _Laid(NamedTuple):
    """offset, base, held: of each diagonal, its first place among all, (diagonals + 1,), how many edges it holds.

    edge: of each place its edge, or -1. rest: the edges that are on no diagonal.
    """

    offset: Array
    base: Array
    held: Array
    edge: Array
    rest: Array

    def partial(self) -> Array:
        """Which diagonals have places without an edge."""
        return np.flatnonzero(self.held < np.diff(self.base))


def _near(rows: Rows) -> Array:
    return np.repeat(np.arange(rows.n, dtype=np.int64), np.diff(rows.row))


def _lay(rows: Rows) -> _Laid:
    """Finds the diagonals. Of parallel edges the first stands on one. O(n + m)."""
    n, near = rows.n, _near(rows)
    slant = rows.cols - near + (n - 1)
    count = np.bincount(slant, minlength=max(0, 2 * n - 1))
    laid = _on(np.flatnonzero((count > 0) & (2 * count >= _places(n, np.arange(len(count))))), rows, near, slant)
    keep = 2 * laid.held >= np.diff(laid.base)  # without parallel edges
    return laid if keep.all() else _on(laid.offset[keep] + (n - 1), rows, near, slant)


def _places(n: int, slant: Array) -> Array:
    found: Array = n - np.abs(slant - (n - 1))
    return found


def _on(slants: Array, rows: Rows, near: Array, slant: Array) -> _Laid:
    """The edges on the diagonals `slants`, which are offsets counted from 1 - n."""
    offset = slants - (rows.n - 1)
    base = offsets(_places(rows.n, slants), np.int64)
    which = np.full(max(0, 2 * rows.n - 1), -1, np.int64)
    which[slants] = np.arange(len(slants))
    diagonal = which[slant]
    on = np.flatnonzero(diagonal >= 0)[::-1]  # the first of several is put down last
    edge = np.full(int(base[-1]), -1, np.int64)
    k = diagonal[on]
    edge[base[k] + near[on] + np.minimum(offset, 0)[k]] = on
    there = offsets(edge >= 0, np.int64)[base]
    stands = np.zeros(rows.m, np.bool_)
    stands[edge[edge >= 0]] = True
    return _Laid(offset, base, np.diff(there), edge, np.flatnonzero(~stands))


def build(rows: Rows, options: Options, native: Native) -> Built:  # noqa: ARG001
    """numbers: parts, diagonals, n, places on diagonals. arrays: first node of each part, its first edge of the rest;
    of each diagonal the offset, its first word of bits (-1: it is full) and its first place; the bits; the rest's near
    ends and far ends. Edges of the rest stand behind all places."""
    laid, first = _lay(rows), parts(rows, _NODES)
    if len(laid.edge) + len(laid.rest) > np.iinfo(rows.row.dtype).max:
        raise IrglError(f"format=dia has {len(laid.edge) + len(laid.rest):,} places for this graph, more than its ids",
                        hint="load the graph with --index-bits 64, or take format=coo")
    begin, words = np.full(len(laid.offset), -1, np.int64), [np.zeros(0, np.uint64)]
    at = 0
    for k in laid.partial():
        there = laid.edge[laid.base[k] : laid.base[k + 1]] >= 0
        bits = np.packbits(np.pad(there, (0, -len(there) % _WORD)), bitorder="little").view(np.uint64)
        begin[k], at = at, at + len(bits)
        words.append(bits)
    near = _near(rows)[laid.rest].astype(rows.cols.dtype)
    diagonals = np.stack([laid.offset, begin, laid.base[:-1]], axis=1).ravel()
    number = rows.row.dtype
    return Built((len(first) - 1, len(laid.offset), rows.n, len(laid.edge)), (
        first, np.searchsorted(near, first).astype(number), diagonals.astype(number), np.concatenate(words), near,
        rows.cols[laid.rest]), np.concatenate([laid.edge, laid.rest]).astype(number))


def size(rows: Rows, options: Options) -> int:  # noqa: ARG001
    """Three numbers a diagonal, words of bits for those that aren't full, both ends of the rest; two numbers a part."""
    laid = _lay(rows)
    words = int((-(-np.diff(laid.base)[laid.partial()] // _WORD)).sum())
    numbers = 3 * len(laid.offset) + 2 * len(parts(rows, _NODES))
    return numbers * rows.row.itemsize + words * 8 + 2 * len(laid.rest) * rows.cols.itemsize


FORM = Form("dia", "sweep", build, size)
