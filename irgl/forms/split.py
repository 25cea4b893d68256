"""split: every node's edges are cut into pieces of at most `split` (virtual nodes), which threads share evenly.

A piece is the unit by which a node of very many edges is shared. All pieces of any other node are walked by one thread,
so that what the node owns stays its thread's own.
Source: A. Nodehi Sabet, J. Qiu and Z. Zhao, Tigr: transforming irregular graphs for GPU-friendly graph processing,
ASPLOS 2018.
"""

from __future__ import annotations

import numpy as np

from irgl.forms.form import Array, Built, Form, Native, Options, Rows, offsets


def _pieces(rows: Rows, options: Options) -> Array:
    """How many pieces each node has."""
    most = int(options["split"])
    return (np.diff(rows.row) + (most - 1)) // most


def build(rows: Rows, options: Options, native: Native) -> Built:  # noqa: ARG001
    """numbers: pieces, edges of one at most. arrays: the first piece of each node (n + 1), the first edge of each piece
    (pieces + 1), the far ends (m)."""
    count = _pieces(rows, options)
    first = offsets(count, rows.row.dtype)
    most = int(options["split"])
    begin = np.repeat(rows.row[:-1] - most * first[:-1], count) + most * np.arange(first[-1], dtype=rows.row.dtype)
    return Built((int(first[-1]), most), (first, np.append(begin, rows.m).astype(rows.row.dtype), rows.cols), None)


def size(rows: Rows, options: Options) -> int:
    """The far ends; a number a node, and one a piece."""
    pieces = int(_pieces(rows, options).sum())
    return rows.m * rows.cols.itemsize + (rows.n + pieces + 2) * rows.row.itemsize


FORM = Form("split", "rows", build, size, ("split",))
