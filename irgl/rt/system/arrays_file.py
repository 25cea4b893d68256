"""Files of arrays in the cache on disk, each of which is mapped when it is asked for, and its checksum looked at then.

A file is a line of JSON - what its maker says of it, and of each array its name, type, length and checksum - behind a
checksum of its own, then the arrays. What nobody asks for is neither mapped nor read.
"""

from __future__ import annotations

import errno
import json
import mmap
import os
import struct
import weakref
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from irgl.rt.system.own_files import open_own

Array = NDArray[Any]
#: What the file is, how long the JSON is, and its checksum.
HEAD = struct.Struct("<8sII")
_ALIGN = 64
_TYPES = ("<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f4", "<f8")


class ArraysFile:
    """A file that `write` wrote. said: what its maker said of it; listed: by name, the type and length of each array.

    Raises OSError where there is none that only this user can have written, ValueError where it isn't what was written.
    """

    def __init__(self, path: Path, magic: bytes) -> None:
        self._file = open_own(path)  # which stays the same file, whatever becomes of the path
        weakref.finalize(self, os.close, self._file)
        self.listed: dict[str, tuple[np.dtype[Any], int]] = {}
        self._places: dict[str, tuple[int, int]] = {}
        length = self._size_of_head(magic)
        try:
            head = json.loads(os.pread(self._file, length, HEAD.size))
            self.said: Any = head["said"]
            end = self._list(head["arrays"], _aligned(HEAD.size + length))
        except (KeyError, TypeError, RecursionError):
            raise ValueError("another head") from None
        if end != os.fstat(self._file).st_size:
            raise ValueError("another length")

    def array(self, name: str) -> Array:
        """An array, read-only. O(bytes). Raises ValueError where it is not what was written, OSError, MemoryError."""
        dtype, count = self.listed[name]
        at, checksum = self._places[name]
        size = count * dtype.itemsize
        if size == 0:
            return np.empty(0, dtype)
        before = at % mmap.ALLOCATIONGRANULARITY
        try:
            mapped = mmap.mmap(self._file, before + size, access=mmap.ACCESS_READ, offset=at - before)
        except OSError as e:
            raise (MemoryError() if e.errno == errno.ENOMEM else e) from None
        found: Array = np.frombuffer(mapped, dtype, count, before)
        if checksum_of(found) != checksum:
            raise ValueError(f"array {name} is not what was written")
        return found

    def _size_of_head(self, magic: bytes) -> int:
        begin = os.pread(self._file, HEAD.size, 0)
        said, length, checksum = HEAD.unpack(begin) if len(begin) == HEAD.size else (b"", 0, 0)
        if said != magic or zlib.crc32(os.pread(self._file, length, HEAD.size)) != checksum:
            raise ValueError("another file")
        return int(length)

    def _list(self, arrays: Any, at: int) -> int:
        """Notes where each array lies; where the last one ends."""
        for name, kind, count, checksum in arrays:
            if kind not in _TYPES or not isinstance(count, int) or not isinstance(checksum, int) or count < 0:
                raise ValueError("another head")
            self.listed[str(name)], self._places[str(name)] = (np.dtype(kind), count), (at, checksum)
            at = _aligned(at + count * np.dtype(kind).itemsize)
        return at


def write(file: BinaryIO, magic: bytes, said: Any, arrays: Mapping[str, Array]) -> None:
    """Writes a file of arrays of one dimension; `said` is JSON. Raises OSError."""
    whole = {name: np.ascontiguousarray(a) for name, a in arrays.items()}
    listed = [[name, a.dtype.str, len(a), checksum_of(a)] for name, a in whole.items()]
    head = json.dumps({"said": said, "arrays": listed}).encode()
    pieces: list[bytes | memoryview] = [HEAD.pack(magic, len(head), zlib.crc32(head)) + head]
    pieces += [a.view(np.uint8).data for a in whole.values()]
    for piece in pieces:
        file.write(piece)
        file.write(bytes(-len(piece) % _ALIGN))


def checksum_of(array: Array) -> int:
    """All 64-bit words joined by exclusive or: as fast as memory, and sees any block that was not written."""
    data = np.ascontiguousarray(array).view(np.uint8)
    words = len(data) // 8 * 8
    rest = int.from_bytes(data[words:].tobytes(), "little")
    return int(np.bitwise_xor.reduce(data[:words].view(np.uint64))) ^ rest


def _aligned(at: int) -> int:
    return -(-at // _ALIGN) * _ALIGN
