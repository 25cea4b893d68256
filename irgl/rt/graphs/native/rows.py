"""Rows out of arcs, and other rows out of those, in C++. Every function gives None where it is for NumPy to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.native.functions import bits, kind_of, native, of_bits

Array = NDArray[Any]


class Rows(NamedTuple):
    """Row offsets, far ends and weights of edges."""

    row: Array
    dst: Array
    weight: Array | None


def lacking(nodes: int, src: Array, dst: Array, weight: Array | None) -> tuple[Array, int] | None:
    """(A bit for each arc, in words: it lacks its other half; how many do); see build_csr.without_mirror.
    O(arcs * log(degree))."""
    width, kind = bits(nodes), kind_of(weight)
    call = native("rows", "irgl_without_mirror", width, bits(len(src)), len(src))
    if call is None or kind is None:
        return None
    lacks = np.empty((len(src) + 63) // 64, np.uint64)
    count = call(nodes, len(src), *_fit(width, src, dst), _whole(weight), kind, lacks)
    return (lacks, count) if count >= 0 else None


def made(nodes: int, src: Array, dst: Array, weight: Array | None, *, mirrored: bool) -> Rows | None:
    """The rows of arcs, which keep their order there; mirrored: with the fewest reverses that make them symmetric,
    each right behind its arc. O(nodes + arcs)."""
    width = bits(nodes)
    if native("rows", "irgl_place", width, bits(len(src)), len(src)) is None or kind_of(weight) is None:
        return None
    src, dst = _fit(width, src, dst)
    found = lacking(nodes, src, dst, weight) if mirrored else (None, 0)
    if found is None:
        return None
    lacks, added = found
    row = _offsets(nodes, src, dst) if not added else None
    if row is not None:
        return Rows(row, dst, weight)
    return _placed(nodes, src, dst, _whole(weight), lacks if added else None, len(src) + added)


def _offsets(nodes: int, src: Array, dst: Array) -> Array | None:
    """The row offsets of arcs whose sources ascend; None: they don't."""
    call = native("rows", "irgl_offsets", 8 * src.itemsize, bits(len(src)), len(src))
    row = np.empty(nodes + 1, of_bits(bits(len(src))))
    return row if call is not None and call(nodes, len(src), src, dst, row) == 1 else None


def _placed(nodes: int, src: Array, dst: Array, weight: Array | None, lacks: Array | None, total: int) -> Rows | None:
    call = native("rows", "irgl_place", 8 * src.itemsize, bits(total), total)
    if call is None:
        return None
    row, cols = np.empty(nodes + 1, of_bits(bits(total))), np.empty(total, src.dtype)
    weights = np.empty(total, weight.dtype) if weight is not None else None
    size = 0 if weight is None else weight.itemsize
    given = (nodes, len(src), src, dst, weight, size, lacks, row, cols, weights)
    return Rows(row, cols, weights) if call(*given) == total else None


def ascend(row: Array, dst: Array) -> bool | None:
    """Whether the far ends of every row ascend."""
    call = _of("rows", "irgl_rows_ascend", row, dst)
    return None if call is None else call(len(row) - 1, *_all(row, dst)) == 1


def transposed(row: Array, dst: Array) -> tuple[Array, Array, Array] | None:
    """(in_row, in_src, in_edge) of rows, as graph.Transpose has them."""
    in_edge = np.empty(len(dst), row.dtype)
    found = _turned(row, dst, in_edge)
    return None if found is None else (*found, in_edge)


def _turned(row: Array, dst: Array, in_edge: Array | None) -> tuple[Array, Array] | None:
    call = _of("transpose", "irgl_transpose", row, dst)
    if call is None:
        return None
    in_row, in_src = np.empty_like(row), np.empty(len(dst), dst.dtype)
    done = call(len(row) - 1, len(dst), *_all(row, dst), in_row, in_src, in_edge)
    return (in_row, in_src) if done == 1 else None


def by_target(row: Array, dst: Array) -> Array | None:
    """The numbers of edges in the order of their far ends, those of one in their own order."""
    call = _of("transpose", "irgl_transpose", row, dst)
    order = np.empty(len(dst), row.dtype)
    return order if call is not None and call(len(row) - 1, len(dst), *_all(row, dst), None, None, order) == 1 else None


def reverses(row: Array, dst: Array, weight: Array | None) -> Array | None:
    """Of each arc of symmetric rows its reverse; of parallel ones the k-th by weight and number is that of the k-th."""
    call, pair = _of("transpose", "irgl_transpose", row, dst), _of("transpose", "irgl_pair_arcs", row, dst)
    kind = kind_of(weight)
    if call is None or pair is None or kind is None:
        return None
    nodes, in_row = len(row) - 1, np.empty_like(row)
    back, found = np.empty(len(dst), row.dtype), np.empty(len(dst), row.dtype)
    row, dst = _all(row, dst)
    if call(nodes, len(dst), row, dst, in_row, None, back) != 1:
        return None
    return found if pair(nodes, len(dst), row, dst, _whole(weight), kind, in_row, back, found) == 1 else None


def in_order(row: Array, dst: Array, weight: Array | None) -> tuple[Array, Array | None] | None:
    """(Far ends, weights) of rows that are sorted by far end; parallel edges keep their order."""
    call = _of("simplify", "irgl_sort_rows", row, dst)
    if call is None or kind_of(weight) is None:
        return None
    cols = np.empty_like(dst)
    weights = np.empty(len(dst), weight.dtype) if weight is not None else None
    size = 0 if weight is None else weight.itemsize
    return (cols, weights) if call(len(row) - 1, *_all(row, dst), _whole(weight), size, cols, weights) == 1 else None


def simplified(row: Array, dst: Array, weight: Array | None) -> tuple[Rows, int] | None:
    """(Sorted rows without self-loops, of parallel edges the lightest; how many self-loops there were)."""
    call, kind = _of("simplify", "irgl_simplify", row, dst), kind_of(weight)
    if call is None or kind is None:
        return None
    new, cols = np.empty_like(row), np.empty(len(dst), dst.dtype)
    weights = np.empty(len(dst), weight.dtype) if weight is not None else None
    loops = call(len(row) - 1, *_all(row, dst), _whole(weight), kind, new, cols, weights)
    if loops < 0:
        return None
    for array in (cols, weights):
        if array is not None:
            array.resize(int(new[-1]), refcheck=False)
    return Rows(new, cols, weights), loops


def joined(given: Rows) -> Rows | None:
    """Sorted rows without parallel edges, and the reverse of each; of the two weights of a pair the lighter."""
    in_edge = None if given.weight is None else np.empty(len(given.dst), given.row.dtype)
    back, kind = _turned(given.row, given.dst, in_edge), kind_of(given.weight)
    if back is None or kind is None:
        return None
    in_row, in_src = back
    if given.row.dtype == np.int32 and 2 * len(given.dst) >= 2**31:
        return None
    call = _of("simplify", "irgl_join_back", given.row, given.dst)
    if call is None:
        return None
    row = np.empty_like(given.row)
    arrays = (len(row) - 1, *_all(given.row, given.dst), _whole(given.weight), kind, in_row, in_src, in_edge)
    total = call(*arrays, row, None, None)
    cols = np.empty(total, given.dst.dtype)
    weights = np.empty(total, given.weight.dtype) if given.weight is not None else None
    call(*arrays, row, cols, weights)
    return Rows(row, cols, weights)


def _of(header: str, name: str, row: Array, dst: Array) -> Callable[..., int] | None:
    return native(header, name, 8 * dst.itemsize, 8 * row.itemsize, len(dst))


def _all(*arrays: Array) -> list[Array]:
    return [np.ascontiguousarray(a) for a in arrays]


def _whole(weight: Array | None) -> Array | None:
    return None if weight is None else np.ascontiguousarray(weight)


def _fit(width: int, src: Array, dst: Array) -> tuple[Array, Array]:
    """The ends of arcs, with ids of that width."""
    return np.ascontiguousarray(src, of_bits(width)), np.ascontiguousarray(dst, of_bits(width))
