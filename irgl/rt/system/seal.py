"""A seal behind a file's end: its length and a checksum, by which damage to it shows before it is used.

Loaders of programs and linkers pass over bytes behind what they know, and to a compiler the seal is a comment.
"""

from __future__ import annotations

import zlib
from pathlib import Path

from irgl.rt.system.own_files import read

_SEAL = b"\n// irgl seal %016x %08x\n"
_SIZE = len(_SEAL % (0, 0))


def seal(path: Path) -> None:
    """Puts the seal behind the file's end."""
    with path.open("r+b") as file:
        body = file.read()
        file.write(_SEAL % (len(body), zlib.crc32(body)))


def sealed(path: Path) -> bool:
    """Whether there is such a file to read, and it is as it was sealed: O(its size), some 0.03 ms for 100 KB."""
    return unsealed(path) is not None


def unsealed(path: Path) -> memoryview | None:
    """What was sealed; None where there is no such file, or it is another now, or somebody else may have written it."""
    try:
        data = read(path)
    except OSError:
        return None
    body = memoryview(data)[:-_SIZE]
    return body if data[-_SIZE:] == _SEAL % (len(body), zlib.crc32(body)) else None
