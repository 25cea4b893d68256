"""ef: Elias-Fano rows. Every node's edges in ascending order, two to three bits more an edge than their spread needs.

Of a row the first far end is kept whole, with the number of low bits that the others have. What each of these lies
beyond the first is cut in two: its low bits stand side by side, and its high bits are told by the place of a one among
bits, which ascends by one from edge to edge at least. So the k-th edge is found without those before it: where each
64th one stands is told ahead of a row.
Sources: P. Elias, Efficient storage and retrieval by content and address of static files, J. ACM 21, 1974; S. Vigna,
Quasi-succinct indices, WSDM 2013.
"""

from __future__ import annotations

import numpy as np

from irgl.forms.coded import ascending, begins, beside
from irgl.forms.form import Array, Built, Form, Native, Options, Rows, address

#: Edges of a stretch, whose places among the bits are told; bits that tell how many low ones there are.
_STRETCH, _LOW = 64, 5


def _ahead(rows: Rows) -> int:
    """Bytes of a row's first far end with the number of low bits."""
    return -(-(max(rows.n - 1, 0).bit_length() + _LOW) // 8)


def _cut(rows: Rows) -> tuple[Array, Array]:
    """Of each node: how many low bits its edges have, (n,) uint8, and its bytes, (n,). O(m)."""
    degree = np.diff(rows.row).astype(np.int64)
    some = degree > 0
    begin = rows.row[:-1][some]
    spread = np.zeros(rows.n, np.int64)
    if len(begin):
        spread[some] = np.maximum.reduceat(rows.cols, begin) - np.minimum.reduceat(rows.cols, begin).astype(np.int64)
    more = np.maximum(degree - 1, 0)  # than the first
    low = np.frexp(np.maximum(spread // np.maximum(more, 1), 1))[1].astype(np.int64) - 1
    bits = more * (low + 1) + (spread >> low)
    longer = more * (low + 2) + (spread >> (low + 1))
    low += longer < bits
    return low.astype(np.uint8), np.where(
        some, _ahead(rows) + 4 * (more // _STRETCH) + (np.minimum(bits, longer) + 7) // 8, 0)


def build(rows: Rows, options: Options, native: Native) -> Built:  # noqa: ARG001
    """numbers: bits of an id, bytes ahead of a row. arrays: bases, offsets, and the bytes (coded.py)."""
    far, edge, _ = ascending(rows, "ef", native)
    low, sizes = _cut(rows)
    begin = begins(sizes, rows, "ef")
    id_bits = _ahead(rows) * 8 - _LOW
    native("ef", "irgl_make_ef")(rows.n, id_bits, *map(address, (rows.row, far, low, begin.codes, begin.bytes)))
    return Built((id_bits, _ahead(rows)), (begin.base, begin.offset, begin.bytes), edge)


def size(rows: Rows, options: Options) -> int:  # noqa: ARG001
    """The bytes of all nodes, and what lies beside them."""
    return beside(rows) + int(_cut(rows)[1].sum())


FORM = Form("ef", "rows", build, size)
