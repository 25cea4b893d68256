"""delta: every node's edges in ascending order, as gaps in byte codes.

Of a row the first far end is told by its distance from the node, the others by the gaps between them. Four values make
a group: a byte says how many bytes each of them has, so that a group is decoded without a branch. After every 64 edges
a row begins anew, and where is told ahead of it, so that several threads may share one. Which widths a value can have,
1, 2, 3, 4 or 0, 1, 2, 4 bytes, is chosen for the graph; where no row has parallel edges a gap of 1 counts as 0.
Sources: J. Shun, L. Dhulipala and G. Blelloch, Smaller and faster: parallel processing of compressed graphs with
Ligra+, DCC 2015; D. Lemire, N. Kurz and C. Rupp, Stream VByte: faster byte-oriented integer compression, Information
Processing Letters 130, 2018.
"""

from __future__ import annotations

import numpy as np

from irgl.forms.coded import ascending, begins, beside
from irgl.forms.form import Array, Built, Form, Native, Options, Rows, address

#: Edges after which a row begins anew.
_STRETCH = 64


def build(rows: Rows, options: Options, native: Native) -> Built:  # noqa: ARG001
    """numbers: which widths, what is taken from each gap. arrays: bases, offsets, and the bytes (coded.py)."""
    far, edge, least = ascending(rows, "delta", native)
    sizes = np.empty((2, rows.n), np.int64)
    for kind in (0, 1):
        native("delta", "irgl_count_delta")(rows.n, kind, least, *map(address, (rows.row, far, sizes[kind])))
    kind = int(np.argmin(sizes.sum(axis=1)))
    begin = begins(sizes[kind], rows, "delta")
    native("delta", "irgl_make_delta")(rows.n, kind, least, *map(address, (rows.row, far, begin.codes, begin.bytes)))
    return Built((kind, least), (begin.base, begin.offset, begin.bytes), edge)


#: From which value on a code is a byte longer, of either set of widths; the last one counts twice in 0, 1, 2, 4.
_LONGER = (1, 1 << 8, 1 << 16, 1 << 24)
#: So many gaps are looked at in one go.
_AT_ONCE = 1 << 20


def size(rows: Rows, options: Options) -> int:  # noqa: ARG001
    """The codes, and what lies beside them. Where rows don't ascend, as they will once they are sorted, it is not known
    what gaps there are: at most as many bytes of each edge as a distance may have."""
    degree = np.diff(rows.row)
    groups, marks = int(((degree + 3) // 4).sum()), int((np.maximum(degree - 1, 0) // _STRETCH).sum())
    codes = _codes(rows, degree)
    widest = min(4, max(1, -(-(2 * rows.n).bit_length() // 8)))
    return beside(rows) + 4 * marks + groups + (widest * rows.m if codes is None else codes)


def _codes(rows: Rows, degree: Array) -> int | None:
    """The bytes of all values of rows that ascend; None: some don't."""
    count = (degree + (_STRETCH - 1)) // _STRETCH
    near = np.repeat(np.arange(rows.n), count)
    first = rows.row[near] + _STRETCH * (np.arange(len(near)) - np.repeat(np.cumsum(count) - count, count))
    begin = rows.row[:-1][degree > 0]
    longer = [_at_least(rows, first, least) for least in (0, 1)]  # of gaps, by what is taken from each
    order = _at_least(rows, begin, 0, (0, 1))
    inside = rows.m - len(begin)
    if order[0] < inside:
        return None
    away = np.abs(rows.cols[first] - near) * 2 - (rows.cols[first] < near)
    found = np.array(longer[int(order[1] == inside)]) + [np.count_nonzero(away >= limit) for limit in _LONGER]
    return min(rows.m + int(found[1:].sum()), int(found[:3].sum() + found[2]))


def _at_least(rows: Rows, but: Array, least: int, limits: tuple[int, ...] = _LONGER) -> list[int]:
    """How many gaps between an edge's end and the one before are as large, less `least`, but for those at `but`."""
    far, found = rows.cols, [0] * len(limits)
    for at in range(1, rows.m, _AT_ONCE):
        gap = np.diff(far[at - 1 : at - 1 + _AT_ONCE + 1])
        for k, limit in enumerate(limits):
            found[k] += int(np.count_nonzero(gap >= limit + least))
    but = but[but > 0]
    gap = far[but] - far[but - 1]
    return [n - int(np.count_nonzero(gap >= limit + least)) for n, limit in zip(found, limits, strict=True)]


FORM = Form("delta", "rows", build, size, is_bound=True)
