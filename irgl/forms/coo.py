"""coo: both ends of every edge, in the order of the near one. Parts are stretches of nodes with about as many edges.

Source: coordinates of sparse matrices, as in N. Bell and M. Garland, Implementing sparse matrix-vector multiplication
on throughput-oriented processors, SC 2009.
"""

from __future__ import annotations

import numpy as np

from irgl.forms.cut import parts
from irgl.forms.form import Built, Form, Native, Options, Rows


def build(rows: Rows, options: Options, native: Native) -> Built:  # noqa: ARG001
    """numbers: parts. arrays: first node of each part, its first place, the near end and the far end of each edge."""
    first = parts(rows, max(1, rows.n))
    near = np.repeat(np.arange(rows.n, dtype=rows.cols.dtype), np.diff(rows.row))
    return Built((len(first) - 1,), (first, rows.row[first], near, rows.cols), None)


def size(rows: Rows, options: Options) -> int:  # noqa: ARG001
    """Two ends of each edge; parts are few."""
    count = len(parts(rows, max(1, rows.n)))
    return 2 * rows.cols.itemsize * rows.m + 2 * count * rows.row.itemsize


FORM = Form("coo", "sweep", build, size)
