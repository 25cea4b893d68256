"""Texts that are read in parts, so that a file may be larger than memory: as they lie on disk, or compressed."""

from __future__ import annotations

import gzip
import lzma
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

GZIP, XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
#: So much of a compressed text is in memory at once, beside a line.
PART = 1 << 24
#: So much is looked through at once.
SCAN = 1 << 20


class UnusualError(Exception):
    """Something that is not read here. Readers that have the whole text in memory read it, or say what is wrong."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Whole lines: bytes first..size of a file, or where `file` is below 0, of `data`. parts: of the whole text."""

    file: int
    data: bytes
    first: int
    size: int
    parts: tuple[float, float] = (0.0, 1.0)


class Source:
    """A file that holds text. Raises OSError where it can't be opened, UnusualError where it is no regular file.

    It stays the file that was opened, whatever becomes of its path. It is never mapped: another program may shorten it.
    """

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            self._stat = os.fstat(self._file)
            if not stat.S_ISREG(self._stat.st_mode):
                raise UnusualError
            begin = os.pread(self._file, len(XZ), 0)
        except BaseException:
            self.close()
            raise
        self._magic = next((magic for magic in (GZIP, XZ) if begin.startswith(magic)), b"")

    @property
    def size(self) -> int:
        """The bytes of the file."""
        return self._stat.st_size

    def close(self) -> None:
        os.close(self._file)

    def unchanged(self) -> bool:
        """Whether the file is as it was when it was opened."""
        now = os.fstat(self._file)
        return (now.st_size, now.st_mtime_ns) == (self._stat.st_size, self._stat.st_mtime_ns)

    def head(self, count: int) -> bytes:
        """The text's first bytes. Raises UnusualError where it is damaged."""
        if not self._magic:
            return os.pread(self._file, count, 0)
        with self._opened() as file:
            return _read(file, count)

    def pieces(self, first: int) -> Iterator[Piece]:
        """The text from byte `first` on. Raises UnusualError where it is damaged."""
        if not self._magic:
            yield Piece(self._file, b"", first, self._stat.st_size)
            return
        rest, part, size = b"", 0.0, max(1, self._stat.st_size)
        with self._opened() as file:
            _skip(file, first)
            while data := _read(file, PART):
                cut = data.rfind(b"\n") + 1
                before, part = part, os.lseek(self._file, 0, os.SEEK_CUR) / size
                if cut:
                    text = rest + data[:cut]
                    yield Piece(-1, text, 0, len(text), (before, part))
                rest = data[cut:] if cut else rest + data
        if rest:
            yield Piece(-1, rest, 0, len(rest), (part, 1.0))

    def blocks(self, first: int) -> Iterator[bytes]:
        """The text from byte `first` on, SCAN bytes at a time."""
        if self._magic:
            with self._opened() as file:
                _skip(file, first)
                while data := _read(file, SCAN):
                    yield data
            return
        while data := os.pread(self._file, SCAN, first):
            yield data
            first += len(data)

    @contextmanager
    def _opened(self) -> Iterator[gzip.GzipFile | lzma.LZMAFile]:
        with os.fdopen(os.dup(self._file), "rb") as raw:  # which shares its place with ours
            raw.seek(0)
            if self._magic == GZIP:
                with gzip.GzipFile(fileobj=raw) as file:
                    yield file
            else:
                with lzma.LZMAFile(raw, format=lzma.FORMAT_XZ) as file:
                    yield file


def _read(file: gzip.GzipFile | lzma.LZMAFile, count: int) -> bytes:
    try:
        return file.read(count)
    except (EOFError, OSError, zlib.error, lzma.LZMAError):
        raise UnusualError from None


def _skip(file: gzip.GzipFile | lzma.LZMAFile, count: int) -> None:
    while count > 0 and (data := _read(file, min(count, PART))):
        count -= len(data)
