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

from irgl.forms.form import Array, Built, Form, Native, Options, Rows, address, offsets
from irgl.source import IrglError

#: Distances and gaps have 32 bits, one of a distance is its sign.
_MOST = 1 << 31
#: A group is read by 16 bytes at a time.
_BEHIND = 16
#: Edges after which a row begins anew.
_STRETCH = 64


def build(rows: Rows, options: Options, native: Native) -> Built:  # noqa: ARG001
    """numbers: which widths, what is taken from each gap. arrays: where each node's bytes begin (n + 1), the bytes."""
    if rows.n > _MOST:
        raise IrglError(f"format=delta takes graphs of at most {_MOST} nodes, and this one has {rows.n}",
                        hint="take another form, or csr")
    far, edge = rows.cols, None
    if native("delta", "irgl_least_gap")(rows.n, address(rows.row), address(far)) < 0:
        far, edge = np.empty_like(rows.cols), np.empty(rows.m, rows.row.dtype)
        native("delta", "irgl_sort_rows")(rows.n, *map(address, (rows.row, rows.cols, far, edge)))
    least = native("delta", "irgl_least_gap")(rows.n, address(rows.row), address(far))
    sizes = np.empty((2, rows.n), np.int64)
    for kind in (0, 1):
        native("delta", "irgl_count_delta")(rows.n, kind, least, *map(address, (rows.row, far, sizes[kind])))
    kind = int(np.argmin(sizes.sum(axis=1)))
    begin = _begins(sizes[kind], rows)
    data = np.zeros(int(begin[-1]) + _BEHIND, np.uint8)
    native("delta", "irgl_make_delta")(rows.n, kind, least, *map(address, (rows.row, far, begin, data)))
    return Built((kind, least), (begin, data), edge)


def _begins(sizes: Array, rows: Rows) -> Array:
    """Where each node's bytes begin."""
    found = offsets(sizes, np.int64)
    if int(found[-1]) > np.iinfo(rows.row.dtype).max:
        raise IrglError(f"format=delta takes {int(found[-1])} bytes here, and edges have ids of "
                        f"{8 * rows.row.itemsize} bits", hint="take another form, or csr")
    return found.astype(rows.row.dtype)


def size(rows: Rows, options: Options) -> int:  # noqa: ARG001
    """A number a node, and of each edge as many bytes as a distance may have, at most; gaps of real graphs are
    shorter."""
    degree = np.diff(rows.row)
    stretches, groups = int(((degree + (_STRETCH - 1)) // _STRETCH).sum()), int(((degree + 3) // 4).sum())
    widest = max(1, -(-(2 * rows.n).bit_length() // 8))
    return (rows.n + 1) * rows.row.itemsize + 4 * stretches + groups + min(4, widest) * rows.m + _BEHIND


FORM = Form("delta", "rows", build, size)
