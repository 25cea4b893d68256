"""ell: ELLPACK. Every node has `width` places for its edges, found by arithmetic; what it has beyond stands behind.

Places lie in slabs of 32 nodes: the k-th edges of a slab's nodes side by side, so that the threads of a warp read what
lies together, and a CPU finds a node's edges in few cache lines. A slab tells where the rest of its nodes' edges
begins, in the order of rows; which of it is whose follows from their degrees.
Source: N. Bell and M. Garland, Implementing sparse matrix-vector multiplication on throughput-oriented processors, SC
2009 (ELL, HYB, and the width that as many as a third of the rows fill).
"""

from __future__ import annotations

import numpy as np

from irgl.forms.form import Array, Built, Form, Native, Options, Rows, address, offsets
from irgl.source import IrglError

#: Nodes of a slab; the largest width; one node of so many fills the width that is chosen; no form takes so many times
#: the bytes of rows.
_SLAB, _WIDEST, _FILLING, _MOST = 32, 64, 3, 4


def _width(rows: Rows, options: Options) -> int:
    """Refuses one whose places would take far more than rows."""
    degree = np.diff(rows.row)
    if options["width"] == "auto":
        at_least = np.bincount(np.minimum(degree, _WIDEST), minlength=_WIDEST + 1)[::-1].cumsum()[::-1]
        return max(1, int(np.count_nonzero(at_least[1:] * _FILLING >= rows.n))) if rows.n else 1
    width = int(options["width"])
    taken, in_rows = width * rows.n * rows.cols.itemsize, rows.row.nbytes + rows.cols.nbytes
    if taken > _MOST * in_rows:
        raise IrglError(f"format=ell with width={width} takes {taken:,} bytes for its places alone, more than "
                        f"{_MOST} times the {in_rows:,} of rows", hint="take width=auto, or format=sell")
    return width


def _slabs(rows: Rows) -> int:
    return -(-rows.n // _SLAB)


def _beyond(rows: Rows, width: int) -> Array:
    """Of each slab, where its nodes' edges beyond the width begin among all of these, (slabs + 1,)."""
    rest = offsets(np.maximum(np.diff(rows.row) - width, 0), rows.row.dtype)
    return rest[np.minimum(np.arange(_slabs(rows) + 1) * _SLAB, rows.n)]


def build(rows: Rows, options: Options, native: Native) -> Built:
    """numbers: width, places of all slabs. arrays: where each slab's rest begins, the far ends: of the places (0: none
    is there), then of the rest."""
    width = _width(rows, options)
    places, beyond = _slabs(rows) * _SLAB * width, _beyond(rows, width)
    total = places + int(beyond[-1])
    if total > np.iinfo(rows.row.dtype).max:
        raise IrglError(f"format=ell has {total:,} places for this graph, more than its ids",
                        hint="load the graph with --index-bits 64, or take a smaller width")
    far, edge = np.zeros(total, rows.cols.dtype), np.full(total, -1, rows.row.dtype)
    native("ell", "irgl_make_ell")(rows.n, _SLAB, width, places, *map(address, (
        rows.row, rows.cols, beyond, far, edge)))
    return Built((width, places), (beyond, far), edge)


def size(rows: Rows, options: Options) -> int:
    """The places, the far ends beyond the width, a number a slab."""
    width = _width(rows, options)
    beyond = _beyond(rows, width)
    return beyond.nbytes + (_slabs(rows) * _SLAB * width + int(beyond[-1])) * rows.cols.itemsize


FORM = Form("ell", "rows", build, size, ("width",))
