"""Rows cut into parts: stretches of nodes whose edges one thread, or one block of threads, works off by itself."""

from __future__ import annotations

import numpy as np

from irgl.forms.form import Array, Rows

#: A part holds no more than one of so many of a graph's edges, or so many edges, so that threads have parts to share.
_SHARE, _EDGES = 24, 1 << 15


def parts(rows: Rows, most: int) -> Array:
    """The first node of each part, and n behind the last: at most `most` nodes each, (parts + 1,) of `row`'s dtype.

    With `rows.part` all have that many, but the last. O(parts log n).
    """
    row, n = rows.row, rows.n
    if rows.part:
        return np.append(np.arange(0, n, min(rows.part, most)), n).astype(row.dtype)
    edges = max(_EDGES, rows.m // _SHARE)
    first = [0]
    while first[-1] < n:
        at = first[-1]
        wanted = row.dtype.type(min(int(row[at]) + edges, rows.m))  # of row's dtype, or all of row would be converted
        end = int(np.searchsorted(row, wanted, "right")) - 1
        first.append(min(max(end, at + 1), at + most, n))
    return np.array(first, row.dtype)
