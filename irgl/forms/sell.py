"""sell: SELL-C-sigma. Rows of about the same length stand in chunks of C, column by column.

Among every `sigma` nodes in a row the longest come first; `chunk` of them form a chunk, in which the k-th edges of all
its rows stand side by side. So one instruction, or one warp, takes an edge of each row. Rows of a chunk go from the
longest to the shortest, and a column has places for those alone that have not ended: nothing is padded, a node of very
many edges makes no other row longer.
Source: M. Kreutzer, G. Hager, G. Wellein, H. Fehske and A. Bishop, A unified sparse matrix data format for efficient
general sparse matrix-vector multiplication on modern processors with wide SIMD units, SIAM J. Sci. Comput. 36, 2014.
"""

from __future__ import annotations

import numpy as np

from irgl.forms.form import Array, Built, Form, Native, Options, Rows, address, offsets


def _order(rows: Rows, chunk: int, sigma: int) -> tuple[Array, Array]:
    """The nodes in their new order, (n,), and their degrees there; stable among rows of one length. O(n log sigma)."""
    degree = np.diff(rows.row)
    node = _longest_first(np.arange(rows.n, dtype=rows.cols.dtype), degree, sigma)
    if sigma % chunk:
        node = _longest_first(node, degree[node], chunk)
    return node, degree[node]


def _longest_first(node: Array, degree: Array, window: int) -> Array:
    most = int(degree.max(initial=0)) + 1
    key = np.arange(len(node), dtype=np.int64) // window * most + (most - 1 - degree)
    return node[np.argsort(key, kind="stable")]


def build(rows: Rows, options: Options, native: Native) -> Built:
    """numbers: chunks, C, n. arrays: node of each row (n), the row's length (n), where each chunk begins (chunks + 1),
    the far ends (m)."""
    chunk = int(options["chunk"])
    node, degree = _order(rows, chunk, int(options["sigma"]))
    count = -(-rows.n // chunk)
    begin = offsets(degree, rows.row.dtype)[np.minimum(np.arange(count + 1) * chunk, rows.n)]
    far, edge = np.empty_like(rows.cols), np.empty(rows.m, rows.row.dtype)
    native("sell", "irgl_make_sell")(rows.n, chunk, *map(address, (rows.row, rows.cols, node, begin, far, edge)))
    return Built((count, chunk, rows.n), (node, degree, begin, far), edge)


def size(rows: Rows, options: Options) -> int:
    """The far ends, two numbers a node, one a chunk."""
    count = -(-rows.n // int(options["chunk"]))
    return (rows.m + rows.n) * rows.cols.itemsize + (rows.n + count + 1) * rows.row.itemsize


FORM = Form("sell", "sweep", build, size, ("chunk", "sigma"))
