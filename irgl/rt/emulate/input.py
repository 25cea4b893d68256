"""The standard input of a program that runs several times: each run reads the same.

A file is read from where it stands. Of a pipe, what comes while the first run lasts is kept for the others. A terminal
is the first run's; the others find its end.
"""

from __future__ import annotations

import contextlib
import io
import os
import stat
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO


class _Inherited:
    """The first run has our own input, others what `file` gives."""

    def first(self) -> IO[bytes] | int | None:
        return None

    @contextlib.contextmanager
    def again(self) -> Iterator[IO[bytes] | int]:
        yield subprocess.DEVNULL


class _OfFile(_Inherited):
    def __init__(self) -> None:
        self._from = os.lseek(0, 0, os.SEEK_CUR)

    @contextlib.contextmanager
    def again(self) -> Iterator[IO[bytes] | int]:
        with Path("/dev/fd/0").open("rb", buffering=0) as file:
            file.seek(self._from)
            yield file


class _OfPipe(_Inherited):
    def __init__(self) -> None:
        self._seen = io.BytesIO()
        read, self._write = os.pipe()
        self._read = os.fdopen(read, "rb", buffering=0)
        threading.Thread(target=self._pass_on, daemon=True).start()

    def _pass_on(self) -> None:
        """Until our input or the first run ends."""
        with contextlib.suppress(OSError), os.fdopen(self._write, "wb", buffering=0) as to:
            while data := os.read(0, 1 << 16):
                self._seen.write(data)
                rest = memoryview(data)
                while rest:
                    rest = rest[to.write(rest):]

    def first(self) -> IO[bytes] | int | None:
        return self._read

    @contextlib.contextmanager
    def again(self) -> Iterator[IO[bytes] | int]:
        self._read.close()
        with tempfile.TemporaryFile() as file:
            file.write(self._seen.getvalue())
            file.seek(0)
            yield file


@contextlib.contextmanager
def repeated_input(is_repeated: bool) -> Iterator[_Inherited]:
    """Our standard input, for one run or for several."""
    kind = _kind() if is_repeated else 0
    if stat.S_ISREG(kind):
        yield _OfFile()
    elif stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind):
        yield _OfPipe()
    else:
        yield _Inherited()


def _kind() -> int:
    try:
        return os.fstat(0).st_mode
    except OSError:  # it is closed
        return 0
