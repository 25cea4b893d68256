"""Stable orders of integer keys: the one primitive under CSR building, transposes and merging of parallel edges."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
COUNTING_FROM = 200_000  # below this a comparison sort is fast enough to spare the import of scipy


def offsets_of(keys: Array, count: int) -> Array:
    """Row offsets, (count+1,) int64: offsets[k] = how many of `keys` (each 0..count-1) are below k. O(len + count)."""
    offsets = np.zeros(count + 1, np.int64)
    if len(keys):
        np.cumsum(np.bincount(keys, minlength=count), out=offsets[1:])
    return offsets


def inverse_of(permutation: Array) -> Array:
    """Where each element of a permutation of 0..len-1 stands. O(len)."""
    place = np.empty_like(permutation)
    place[permutation] = np.arange(len(permutation), dtype=permutation.dtype)
    return place


def stable_order(keys: Array, count: int) -> Array:
    """The permutation, (len,) int32 or int64, that sorts `keys` (each 0..count-1) and keeps ties in place.

    Large inputs take a counting sort: scipy's transposition of a matrix with one entry per row. O(len + count).
    """
    length = len(keys)
    if length < COUNTING_FROM or count > 4 * length:
        return np.argsort(keys, kind="stable").astype(index_type(length), copy=False)
    from scipy.sparse import csr_array  # loaded only where it is used: it takes a tenth of a second

    index = index_type(max(length, count))
    ones: NDArray[np.int8] = np.ones(length, np.int8)
    starts = np.arange(length + 1, dtype=index)
    rows: Any = csr_array[Any]((ones, keys.astype(index, copy=False), starts), shape=(length, count))
    return np.asarray(rows.tocsc().indices)


def stable_order_by(keys: list[tuple[Array, int]]) -> Array:
    """The permutation that sorts by several (keys, count) pairs, the most important first: a radix sort."""
    order: Array | None = None
    for values, count in reversed(keys):
        if order is None:
            order = stable_order(values, count)
        else:
            order = order[stable_order(values[order], count)]
    assert order is not None, "stable_order_by needs a key"
    return order


def rank_values(values: Array) -> tuple[Array, int]:
    """(keys 0..count-1 in the order of the values, count): ranks among the distinct ones, or, where integers lie close
    together, their distance from the lowest."""
    if values.dtype.kind == "i" and len(values):
        low, high = int(values.min()), int(values.max())
        if high - low < 2 * len(values):
            return values.astype(np.int64) - low, high - low + 1
    distinct, ranks = np.unique(values, return_inverse=True)
    return ranks.reshape(-1), max(1, len(distinct))


def distinct(values: Array) -> Array:
    """The different values, ascending. By sorting: np.unique hashes integers first, which takes ten times as long."""
    ordered = np.sort(values)
    keep = np.ones(len(ordered), np.bool_)
    keep[1:] = ordered[1:] != ordered[:-1]
    return ordered[keep]


def index_type(size: int) -> type[np.int32] | type[np.int64]:
    """int32 where `size` itself fits, else int64."""
    return np.int32 if size < 2**31 else np.int64


def repeat_rows(row: Array, dtype: Any = np.int32) -> Array:
    """The source of every arc, (num_edges,), from row offsets (num_nodes+1,)."""
    return np.repeat(np.arange(len(row) - 1, dtype=dtype), np.diff(row))
