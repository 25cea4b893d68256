"""What irgl says of damaged binary and compressed graph files: the whole text of each message."""

from __future__ import annotations

import gzip
import io
import lzma
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irgl.rt.graphs.load import load
from irgl.source import IrglError


def npz(**changes: Any) -> bytes:
    """A .npz file of a 2 x 2 matrix in csr layout with one entry, some of its arrays replaced."""
    arrays: dict[str, Any] = {
        "format": np.array(b"csr"),
        "shape": np.array([2, 2]),
        "indptr": ids(0, 1, 1),
        "indices": ids(1),
        "data": ids(5),
    }
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **{**arrays, **changes})
    return buffer.getvalue()


def other_npz() -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, a=ids(1))
    return buffer.getvalue()


def ids(*values: int) -> Any:
    return np.array(values, np.int32)


def words(*values: int, tail: tuple[int, ...] = ()) -> bytes:
    """64-bit words, then 32-bit ones."""
    return np.array(values, "<u8").tobytes() + np.array(tail, "<u4").tobytes()


LINES = b"1 2\n" * 500
CASES: list[tuple[str, str | None, bytes, str]] = [
    ("gz_cut", None, gzip.compress(LINES, mtime=0)[:30],
     "g: error: the compressed file ends too early: it was cut off"),
    ("gz_damaged", None, gzip.compress(LINES, mtime=0)[:-6]+b"abcdef",
     "g: error: the compressed file is damaged: CRC check failed"),
    ("xz_cut", None, lzma.compress(LINES)[:60],
     "g: error: the compressed file is cut off: Compressed data ended before the end-of-stream marker was reached"),
    ("npz_damaged", None, b"PK\x03\x04rubbish",
     "g: error: the .npz file is damaged: File is not a zip file"),
    ("npz_other_arrays", None, other_npz(),
     "g: error: the .npz file holds no SciPy sparse matrix: it has no 'format' and 'shape'"),
    ("npz_not_square", None, npz(shape=np.array([2, 3])),
     "g: error: the matrix is 2 x 3: a graph needs a square one"),
    ("npz_layout", None, npz(format=np.array(b"bsr")),
     "g: error: the matrix has layout 'bsr': known are csr, csc and coo"),
    ("npz_complex", None, npz(data=np.array([1j])),
     "g: error: complex128 values cannot be edge weights"),
    ("npz_nan", None, npz(data=np.array([np.nan])),
     "g: error: a weight is not finite"),
    ("npz_index_beyond", None, npz(indices=ids(2)),
     "g: error: an id (col) is outside 0..1"),
    ("npz_offsets_fall", None, npz(indptr=ids(0, 2, 1)),
     "g: error: the row offsets (indptr) do not climb from 0 to 1"),
    ("npz_values_missing", None, npz(data=ids()),
     "g: error: the matrix has not one value per entry"),
    ("galois_cut", None, words(1, 0),
     "g: error: the Galois graph is cut off inside its header"),
    ("galois_weight_width", None, words(1, 2, 0, 0),
     "g: error: the Galois graph has 2 bytes per edge weight: known are 0, 4 and 8"),
    ("galois_size", None, words(1, 0, 1, 1, 1),
     "g: error: the Galois graph has 40 bytes where its header asks for 48"),
    ("galois_offsets", None, words(1, 0, 2, 1, 1, 0, tail=(0, 0)),
     "g: error: the row offsets (row ends) do not climb from 0 to 1"),
    ("galois_target", None, words(1, 0, 2, 1, 0, 1, tail=(7, 0)),
     "g: error: an id (targets) is outside 0..1"),
    ("irglg_cut", None, b"IRGLCSR1" + bytes(50),
     "g: error: the binary graph is cut off inside its header"),
    ("irglg_version", None, b"IRGLCSR1" + struct.pack("<I", 2) + bytes(200),
     "g: error: the binary graph has version 2; this irgl reads version 1"),
]


@pytest.mark.parametrize(("format", "data", "message"), [pytest.param(*case[1:], id=case[0]) for case in CASES])
def test_a_wrong_file_is_refused_in_these_words(
    format: str | None, data: bytes, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("g").write_bytes(data)
    with pytest.raises(IrglError) as caught:
        load("g", format=format, use_cache=False)
    assert str(caught.value) == message
