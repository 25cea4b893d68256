"""What forms share that code a node's edges in bytes: rows in ascending order, and where each node's bytes begin.

Nodes stand in groups of 64: a group has a base, and each node 16 bits for how far behind it its bytes begin. So that
16 bits always do, a row of many edges lies behind those of all others, and where is told in its place.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from irgl.forms.form import Array, Native, Rows, address, offsets
from irgl.source import IrglError

#: Ids, and what they differ by, have so many values at most.
_MOST = 1 << 31
#: Nodes that have a base in common; the most edges of a row that stands in its place. Of 31 bits an edge and whatever
#: a form adds these must take less than 2^16 bytes together.
_GROUP, _LONGEST = 64, 192
#: Codes are read by up to 16 bytes at a time.
_BEHIND = 16


class Ascending(NamedTuple):
    """far: the far ends, (m,), each row in ascending order; edge: where each stood, None: they stood so.

    least: the least gap in any row, 0 or 1 (1 stands for more than 1, too).
    """

    far: Array
    edge: Array | None
    least: int


def ascending(rows: Rows, name: str, native: Native) -> Ascending:
    """The rows in ascending order, parallel edges in theirs. Raises IrglError for ids of more than 31 bits."""
    if rows.n > _MOST:
        raise IrglError(f"format={name} takes graphs of at most {_MOST} nodes, and this one has {rows.n}",
                        hint="take another form, or csr")
    far, edge = rows.cols, None
    least = native("sorted", "irgl_least_gap")(rows.n, address(rows.row), address(far))
    if least < 0:
        far, edge = np.empty_like(rows.cols), np.empty(rows.m, rows.row.dtype)
        native("sorted", "irgl_sort_rows")(rows.n, *map(address, (rows.row, rows.cols, far, edge)))
        least = native("sorted", "irgl_least_gap")(rows.n, address(rows.row), address(far))
    return Ascending(far, edge, least)


class Begins(NamedTuple):
    """base: of each group, (groups,); offset: of each node, (n,) uint16; codes: where each node's begin, (n,).

    bytes: of all, in which nothing is written yet but where long rows lie.
    """

    base: Array
    offset: Array
    codes: Array
    bytes: Array


def begins(sizes: Array, rows: Rows, name: str) -> Begins:
    """Where the bytes of each node begin that has so many, (n,). Raises IrglError where ids of edges can't tell."""
    number, long = rows.row.dtype, np.diff(rows.row) > _LONGEST
    place = offsets(np.where(long, number.itemsize, sizes), np.int64)
    apart = int(place[-1]) + offsets(sizes[long], np.int64)
    if int(apart[-1]) > np.iinfo(number).max:
        raise IrglError(f"format={name} takes {int(apart[-1])} bytes here, and edges have ids of "
                        f"{8 * number.itemsize} bits", hint="take another form, or csr")
    place = place[:-1]
    base, codes = place[::_GROUP], place.astype(number)
    codes[long] = apart[:-1]
    found = np.zeros(int(apart[-1]) + _BEHIND, np.uint8)
    found[place[long, None] + np.arange(number.itemsize)] = codes[long, None].view(np.uint8)
    offset = place - np.repeat(base, _GROUP)[: len(place)]
    assert not len(offset) or offset.max() < 1 << 16
    return Begins(base.astype(number), offset.astype(np.uint16), codes, found)


def beside(rows: Rows) -> int:
    """The bytes of a form but for its codes."""
    number = rows.row.itemsize
    long = int(np.count_nonzero(np.diff(rows.row) > _LONGEST))
    return -(-rows.n // _GROUP) * number + rows.n * 2 + long * number + _BEHIND
