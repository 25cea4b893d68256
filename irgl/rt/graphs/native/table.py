"""Tables of edges out of text, read by all threads (cpu_rt/graphs/read_table.hpp)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.native.functions import LEAST_ARCS, native
from irgl.rt.graphs.native.source import Piece, UnusualError

Array = NDArray[Any]
#: What each thread reads at once: it stays in its cache.
BLOCK = 1 << 20
_HEADER = "read_table"
#: Why lines were not read, and what weights they have (cpu_rt/graphs/lines.hpp).
_WIDE_IDS, _WIDE_VALUES, _REAL_VALUES, _NO_ROOM = -2, -3, -4, -5
_VALUES = {"none": 0, "integer": 1, "real": 2, "auto": 3}


@dataclass(frozen=True, slots=True)
class Line:
    """What a line holds: a letter in front (or b''), two ids of low..high, and a weight of that kind ("auto": whole
    numbers, unless one isn't). comments: bytes that make a comment of a line, two at most. commas: these are blanks."""

    mark: bytes
    comments: bytes
    commas: bool
    values: str
    low: int
    high: int


@dataclass(slots=True)
class _Columns:
    """The ends of edges, and their weights: arrays with room for more than `count`."""

    ids: type[Any]
    value: type[Any] | None
    count: int = 0
    room: int = 0
    arrays: list[Array] = field(default_factory=list)

    def resize(self, room: int) -> None:
        """Makes room, or gives back what is too much."""
        if self.count:
            for array in self.arrays:
                array.resize(room, refcheck=False)
        else:
            self.arrays = [np.empty(room, kind) for kind in (self.ids, self.ids, self.value) if kind is not None]
        self.room = room


def ready() -> bool:
    """Whether there is a compiler."""
    return native(_HEADER, "irgl_read_lines", 32, 32, LEAST_ARCS) is not None


def read(pieces: Callable[[], Iterator[Piece]], line: Line, tell: Callable[[float], None]) -> list[Array]:
    """The columns of all lines of a text, which `pieces` gives: sources, targets and, if there are any, weights.

    Ids are int32 or int64, weights int32, int64 or float64: the narrowest that have all. tell: is told which part is
    done. Raises UnusualError where a line is not like that, or unusual in another way.
    """
    ids: type[Any] = np.int32
    value: type[Any] | None = {"none": None, "real": np.float64}.get(line.values, np.int32)
    while True:
        columns = _Columns(ids, value)
        fault = _fill(columns, pieces(), line, tell)
        if fault == _WIDE_IDS:
            ids = np.int64
        elif fault == _WIDE_VALUES:
            value = np.int64
        elif fault == _REAL_VALUES:
            value = np.float64
        elif fault:
            raise UnusualError
        else:
            columns.resize(columns.count)
            return columns.arrays


def _fill(columns: _Columns, pieces: Iterator[Piece], line: Line, tell: Callable[[float], None]) -> int:
    """Reads them into the columns. 0, or why that was not done."""
    call, readers, size = (native(_HEADER, f"irgl_{name}", 32, 32, LEAST_ARCS)
                           for name in ("read_lines", "readers", "buffer_bytes"))
    if call is None or readers is None or size is None:
        raise UnusualError
    blocks = min(256, 4 * readers())
    buffers = np.empty(blocks * size(BLOCK), np.uint8)
    comments = line.comments.ljust(2, b"\0")
    values = line.values
    if columns.value is np.float64:
        values = "real"
    said = [*line.mark.ljust(1, b"\0"), *comments, line.commas, _VALUES[values], line.low, line.high,
            np.dtype(columns.ids).itemsize, 0 if columns.value is None else np.dtype(columns.value).itemsize,
            line.values == "auto", 0, 0]
    told = np.array(said, np.int64)
    for piece in pieces:
        data = np.frombuffer(piece.data, np.uint8)
        at = piece.first
        while at < piece.size:
            arrays = [*columns.arrays, None, None, None][:3]
            found = call(piece.file, data, piece.first, piece.size, at, BLOCK, blocks, buffers, told, *arrays,
                         columns.count, columns.room)
            if found == _NO_ROOM:
                share = (piece.size - at) / max(1, int(told[10]) - at)
                columns.resize(int(told[11]) + int((int(told[11]) - columns.count) * (share - 1) * 1.02) + 1000)
                continue
            if found < 0:
                return found
            columns.count += found
            at = int(told[10])
            begin, end = piece.parts
            tell(begin + (end - begin) * at / piece.size)
    return 0
