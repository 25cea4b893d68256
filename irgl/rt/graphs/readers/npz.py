"""Sparse matrices as SciPy saves them (.npz): csr, csc and coo. An entry (row, column) is an arc row -> column."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.build_csr import Arcs, check_size
from irgl.rt.graphs.readers.binary import check_ids, check_offsets, check_weights
from irgl.source import IrglError

Array = NDArray[Any]
MAGIC = b"PK\x03\x04"


def read(path: str, data: bytes) -> Arcs:
    """The arcs of a square matrix. Boolean entries are edges without weight; duplicates are parallel edges."""

    def fail(message: str) -> IrglError:
        return IrglError(message, file=path)

    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            found = {name: archive[name] for name in archive.files}
    except Exception as error:
        # The zip and array readers raise a dozen kinds of error; each means that the file is damaged.
        raise fail(f"the .npz file is damaged: {error}") from None
    if "format" not in found or found["format"].shape != () or "shape" not in found:
        raise fail("the .npz file holds no SciPy sparse matrix: it has no 'format' and 'shape'")
    name = found["format"].item()
    layout = name.decode("ascii", "replace") if isinstance(name, bytes) else str(name)
    shape = found["shape"]
    if shape.shape != (2,) or shape.dtype.kind not in "iu":
        raise fail("the matrix's shape is damaged")
    rows, columns = int(shape[0]), int(shape[1])
    if rows != columns or rows < 0:
        raise fail(f"the matrix is {rows} x {columns}: a graph needs a square one")
    wanted = {"csr": ("indptr", "indices"), "csc": ("indptr", "indices"), "coo": ("row", "col")}.get(layout)
    if wanted is None:
        raise fail(f"the matrix has layout '{layout}': known are csr, csc and coo")
    arrays = [_indices(fail, found, key) for key in wanted]
    values = found.get("data")
    if values is None or values.ndim != 1 or len(values) != len(arrays[1]):
        raise fail("the matrix has not one value per entry")
    check_size(rows, len(values), path)
    if layout == "coo":
        src, dst = arrays
        if len(src) != len(dst):
            raise fail("the matrix has not one row per column index")
        check_ids(fail, src, rows, "row")
    else:
        if len(arrays[0]) != rows + 1:
            raise fail(f"the matrix has {len(arrays[0])} row offsets for {rows} rows")
        check_offsets(fail, arrays[0], len(arrays[1]), "indptr")
        src, dst = np.repeat(np.arange(rows), np.diff(arrays[0])), arrays[1]
    check_ids(fail, dst, rows, "col")
    if layout == "csc":
        src, dst = dst, src
    return Arcs(rows, src, dst, _weights(fail, values))


def _indices(fail: Any, found: dict[str, Array], key: str) -> Array:
    values = found.get(key)
    if values is None or values.ndim != 1 or values.dtype.kind not in "iu":
        raise fail(f"the matrix has no list of integers '{key}'")
    if not len(values) and key == "indptr":
        raise fail("the matrix has no row offsets")
    if values.dtype.kind == "u" and len(values) and int(values.max()) >= 2**63:
        raise fail(f"an id ({key}) does not fit 64 bits")
    return values.astype(np.int64) if values.dtype != np.int32 else values


def _weights(fail: Any, values: Array) -> Array | None:
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind == "b":
        return None
    if kind not in "iuf" or size > 8:
        raise fail(f"{values.dtype.name} values cannot be edge weights")
    if kind == "u" and size == 8 and len(values) and int(values.max()) >= 2**63:
        raise fail("a weight does not fit 64 bits")
    if kind == "f":
        check_weights(fail, values)
        return values.astype(np.float32 if size <= 4 else np.float64)
    small = size < 4 or (size == 4 and kind == "i")
    return values.astype(np.int32 if small else np.int64)
