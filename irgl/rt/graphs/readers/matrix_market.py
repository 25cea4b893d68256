"""MatrixMarket coordinate files: an entry (row, column) is an arc row -> column."""

from __future__ import annotations

import numpy as np

from irgl.rt.graphs.build_csr import Arcs, check_size
from irgl.rt.graphs.readers.table import Columns, Values, narrowed, read_table
from irgl.rt.graphs.readers.text import BLANKS, PAD, Progress, Text, quoted
from irgl.rt.graphs.readers.words import amount, counts_line
from irgl.source import IrglError

_FIELDS: dict[bytes, Values] = {b"pattern": "none", b"integer": "integer", b"real": "real", b"double": "real"}


def read(text: Text, progress: Progress | None = None) -> Arcs:
    """The arcs of a square coordinate matrix; ids from 1. Symmetric ones are mirrored. IrglError on any fault."""
    field, symmetry = _header(text)
    size = text.next_line(text.line_end(PAD) + 1, b"%")
    rows, columns, entries = counts_line(text, size, "rows columns entries")
    if rows != columns:
        raise text.fail(f"the matrix is {rows} x {columns}: a graph needs a square one", size)
    check_size(rows, entries, text.path)
    values = _FIELDS[field]
    shape = "row column" if values == "none" else "row column value"
    start = text.line_end(size) + 1
    table = read_table(text, start, Columns(shape, values=values, low=1, high=rows), progress)
    if len(table) != entries:
        promised = amount(entries, "entry", "entries")
        raise text.fail(f"the size line promises {promised}, the file has {len(table):,}", size)
    src, dst = table.ids
    src -= 1
    dst -= 1
    weight = table.values[0] if table.values else None
    arcs = Arcs(rows, src, dst, weight, symmetry == b"symmetric", id_base=1)
    return _skewed(text, arcs) if symmetry == b"skew-symmetric" else arcs


def _header(text: Text) -> tuple[bytes, bytes]:
    """(field, symmetry) of the first line, in small letters."""
    words = text.line(PAD).strip(BLANKS).lower().split()
    if len(words) != 5 or words[0] != b"%%matrixmarket":
        raise text.fail("the first line must be '%%MatrixMarket matrix coordinate FIELD SYMMETRY'", PAD)
    _, kind, layout, field, symmetry = words
    if kind != b"matrix":
        raise text.fail(f"{quoted(kind)} is not a matrix", PAD)
    if layout == b"array":
        raise text.fail("a dense (array) matrix is no graph: every entry is there", PAD)
    if layout != b"coordinate":
        raise text.fail(f"unknown layout {quoted(layout)}: only coordinate is known", PAD)
    if field == b"complex":
        raise text.fail("complex values cannot be edge weights", PAD)
    if field not in _FIELDS:
        raise text.fail(f"unknown field {quoted(field)}: known are pattern, integer, real", PAD)
    if symmetry == b"hermitian":
        raise text.fail("a hermitian matrix has complex values, which cannot be edge weights", PAD)
    if symmetry not in (b"general", b"symmetric", b"skew-symmetric"):
        raise text.fail(f"unknown symmetry {quoted(symmetry)}: known are general, symmetric, skew-symmetric", PAD)
    if symmetry == b"skew-symmetric" and field == b"pattern":
        raise text.fail("a skew-symmetric matrix needs values", PAD)
    return field, symmetry


def _skewed(text: Text, arcs: Arcs) -> Arcs:
    """Each entry and its mirror image with the opposite sign: a directed graph."""
    if bool((arcs.src == arcs.dst).any()):
        raise IrglError("a skew-symmetric matrix has an entry on its diagonal", file=text.path)
    assert arcs.weight is not None, "pattern was refused"
    opposite = -arcs.weight.astype(np.int64) if arcs.weight.dtype.kind == "i" else -arcs.weight
    changed = (f"added {len(arcs.src):,} mirrored entries with the opposite sign",)
    src, dst = np.stack([arcs.src, arcs.dst], 1).ravel(), np.stack([arcs.dst, arcs.src], 1).ravel()
    weight = narrowed(np.stack([arcs.weight, opposite], 1).ravel())
    return Arcs(arcs.num_nodes, src, dst, weight, id_base=1, changed=changed)
