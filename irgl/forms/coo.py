"""coo: both ends of every edge, in the order of the near one. Parts are stretches of nodes with about as many edges.

With `segments` a part's edges are cut further, by stretches of their far ends: what is read of a stretch's nodes stays
in the cache while the edges that lead there are taken. A CPU's thread takes a part's segments one after the other; on a
GPU all blocks take the same segment at the same time.
Sources: coordinates of sparse matrices, as in N. Bell and M. Garland, Implementing sparse matrix-vector multiplication
on throughput-oriented processors, SC 2009; segments of the caches in Y. Zhang and others, Making caches work for graph
analytics, Big Data 2017, and EdgeBlocking in C. Zhang and others, Taming the Zoo: the Unified GraphIt Compiler
Framework for Novel Architectures, ISCA 2021.
"""

from __future__ import annotations

import numpy as np

from irgl.forms.cut import parts
from irgl.forms.form import Built, Form, Native, Options, Rows
from irgl.forms.segments import OPTION, count_of, cut


def build(rows: Rows, options: Options, native: Native) -> Built:
    """numbers: parts, segments. arrays: first node of each part, the first place of each of its segments, part by part,
    the near end and the far end of each edge."""
    first, count = parts(rows, max(1, rows.n)), count_of(rows, options)
    if count > 1:
        begin, near, far, edge = cut(rows, first, options, native)
        return Built((len(first) - 1, count), (first, begin, near, far), edge)
    near = np.repeat(np.arange(rows.n, dtype=rows.cols.dtype), np.diff(rows.row))
    return Built((len(first) - 1, 1), (first, rows.row[first], near, rows.cols), None)


def size(rows: Rows, options: Options) -> int:
    """Two ends of each edge; a number a part, and one a segment of it."""
    count = len(parts(rows, max(1, rows.n)))
    begin = (count - 1) * count_of(rows, options) + 1
    return 2 * rows.cols.itemsize * rows.m + (count + begin) * rows.row.itemsize


FORM = Form("coo", "sweep", build, size, (OPTION,), segmented=OPTION)
