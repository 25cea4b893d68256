"""Text with one edge per line and the same columns in every line: the body of most formats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.native import table as native
from irgl.rt.graphs.native.rate import with_rate
from irgl.rt.graphs.native.source import UnusualError
from irgl.rt.graphs.readers.text import Opening, Progress, Text, quoted
from irgl.rt.graphs.readers.tokens import LARGEST, Chunk, chunks, integers, reals
from irgl.rt.graphs.readers.words import amount

Array = NDArray[Any]
Values = Literal["none", "integer", "real", "auto"]


@dataclass(frozen=True, slots=True)
class Columns:
    """What a line holds: `mark` (a letter, or b''), `ids` node ids of low..high, `values` numbers of one kind.

    `auto` values are integers unless one has a decimal point or an exponent. `shape` shows a line, and `noun` says what
    the numbers are, for messages.
    """

    shape: str
    mark: bytes = b""
    ids: int = 2
    values: Values = "none"
    count: int = 1
    low: int = 0
    high: int | None = None
    commas: bool = False
    noun: str = "weight"

    @property
    def width(self) -> int:
        return (self.mark != b"") + self.ids + (self.count if self.values != "none" else 0)


@dataclass(slots=True)
class Table:
    """The columns of all lines: `ids` and `values`, each (lines,); values int32 or int64 if integers, else float64."""

    ids: list[Array]
    values: list[Array]

    def __len__(self) -> int:
        return len(self.ids[0])


def read_table(
    text: Text, start: int, columns: Columns, progress: Progress | None = None, stop: int | None = None,
    comments: bytes = b"",
) -> Table:
    """All lines from offset `start` to `stop`, empty ones left out. IrglError at the first that does not fit.

    comments: what makes a comment of a line of an Opening, at its begin; in other texts they are blanks already.
    """
    if isinstance(text, Opening):
        return _read_parts(text, start, columns, progress, comments)
    ids: list[list[Array]] = [[] for _ in range(columns.ids)]
    values: list[list[Array]] = [[] for _ in range(columns.width - columns.ids - (columns.mark != b""))]
    for chunk in chunks(text, start, columns.commas, stop):
        if progress is not None:
            progress("read", int(chunk.newlines[-1]) / len(text.data))
        _check_shape(chunk, columns)
        first = 0
        if columns.mark:
            first = 1
            chunk.strange = _without_marks(chunk, columns)
        for place, column in enumerate(ids):
            column.append(_ids(chunk, slice(first + place, None, columns.width), columns))
        for place, column in enumerate(values):
            column.append(_values(chunk, slice(first + columns.ids + place, None, columns.width), columns))
    return Table([_joined(c, np.int32) for c in ids], [narrowed(_joined(c, np.int64)) for c in values])


def _read_parts(text: Opening, start: int, columns: Columns, progress: Progress | None, comments: bytes) -> Table:
    """The same of a text that is larger than what is in memory. UnusualError at the first line that does not fit."""
    if columns.ids != 2 or columns.count != 1:
        raise UnusualError
    high = LARGEST if columns.high is None else columns.high
    line = native.Line(columns.mark, comments, columns.commas, columns.values, columns.low, high)
    tell = with_rate(progress, "read", text.source.size / 1e6, "MB")
    src, dst, *values = native.read(lambda: text.source.pieces(text.place(start)), line, tell)
    return Table([src, dst], values)


def _joined(parts: list[Array], empty: Any) -> Array:
    return np.concatenate(parts) if parts else np.empty(0, empty)


def narrowed(values: Array) -> Array:
    """Integers as int32 where all fit, else int64; floats stay."""
    if values.dtype.kind != "i":
        return values
    fits = not len(values) or (int(values.min()) >= -(2**31) and int(values.max()) < 2**31)
    return values.astype(np.int32) if fits else values.astype(np.int64)


def _check_shape(chunk: Chunk, columns: Columns) -> None:
    counts = chunk.counts()
    wrong = (counts != columns.width) & (counts != 0)
    if wrong.any():
        line = int(np.argmax(wrong))
        offset = int(chunk.starts[int(counts[:line].sum())])
        found = int(counts[line])
        raise chunk.text.fail(f"expected '{columns.shape}', found {amount(found, 'item')}", offset)


def _without_marks(chunk: Chunk, columns: Columns) -> Array:
    """The strange bytes other than the marks that begin the lines, which are checked here."""
    pick = slice(0, None, columns.width)
    starts, ends = chunk.starts[pick], chunk.ends[pick]
    data = np.frombuffer(chunk.text.data, np.uint8)
    bad = (ends - starts != 1) | (data[starts] != columns.mark[0])
    if bad.any():
        index = int(np.argmax(bad))
        token = chunk.token(index * columns.width)
        mark = columns.mark.decode()
        raise chunk.text.fail(f"a line must begin with '{mark}', not {quoted(token)}", int(starts[index]))
    return np.setdiff1d(chunk.strange, starts, assume_unique=True)


def _ids(chunk: Chunk, pick: slice, columns: Columns) -> Array:
    """The node ids of one column, int32 where they fit, checked against low..high."""
    ids = integers(chunk, pick, "node id")
    if not len(ids):
        return ids.astype(np.int32)
    low, high = int(ids.min()), int(ids.max())
    if low < columns.low or (columns.high is not None and high > columns.high):
        bad = ids < columns.low
        if columns.high is not None:
            bad |= ids > columns.high
        index = int(np.argmax(bad))
        allowed = f"in {columns.low}..{columns.high}" if columns.high is not None else f"at least {columns.low}"
        raise chunk.text.fail(f"node id {int(ids[index])} is not {allowed}", int(chunk.starts[pick][index]))
    return ids.astype(np.int32) if high < 2**31 else ids


def _values(chunk: Chunk, pick: slice, columns: Columns) -> Array:
    kind = columns.values
    if kind == "auto":
        data = np.frombuffer(chunk.text.data, np.uint8)
        signs = np.isin(data[chunk.strange], np.frombuffer(b"+-", np.uint8))
        starts, ends = chunk.starts[pick], chunk.ends[pick]
        odd = chunk.strange[~signs]
        kind = "real" if (np.searchsorted(odd, ends) > np.searchsorted(odd, starts)).any() else "integer"
    return reals(chunk, pick, columns.noun) if kind == "real" else integers(chunk, pick, columns.noun)
