"""A cache on disk of graphs that took work: parsed text, generated graphs, and what programs made of them.

An entry is a file in irgl's binary form, named by a hash of what it was made from, and mapped when it is wanted.
Entries carry a checksum; one that does not fit is made anew. The least recently used go when the cache outgrows
IRGL_CACHE_LIMIT bytes (8 GiB).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import struct
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.compile.toolchain import cache_dir
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.readers import binary
from irgl.rt.system.own_files import open_own
from irgl.rt.system.private import NotPrivateError
from irgl.source import IrglError

VERSION = "1"  # raise it when a reader, a generator or prepare changes what it makes
TAIL = struct.Struct("<8sQQ")
TAIL_MAGIC = b"IRGLSUM1"
DEFAULT_LIMIT = 8 << 30


def key_of(spec: str, *parts: str) -> str | None:
    """The name of the entry for a file as it is now, or for a generator text; None where there is no such file."""
    path = Path(spec)
    with contextlib.suppress(OSError, ValueError):
        if path.exists():
            seen = path.stat()
            text = f"file|{path.resolve()}|{seen.st_size}|{seen.st_mtime_ns}"
            return _hash(text, spec, *parts)
        return _hash("made", spec, *parts) if ":" in spec else None
    return None


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join((VERSION, *parts)).encode("utf-8", "surrogateescape")).hexdigest()


def worth_keeping(graph: Graph) -> bool:
    """Whether mapping the graph is faster than making it: tiny ones are read at once."""
    return graph.num_nodes + graph.num_edges >= 20_000


def folder() -> Path | None:
    """The folder of the entries; None where it cannot be made, and graphs are then not cached.

    Raises IrglError where others may write to it.
    """
    try:
        return cache_dir() / "graphs"
    except NotPrivateError:
        raise
    except IrglError:
        return None


def find(key: str) -> Graph | None:
    """The graph of an entry, mapped; None where there is none. A damaged entry is removed."""
    place = folder()
    path = place / f"{key}.irglg" if place is not None else None
    if path is None or not path.is_file():
        return None
    try:
        with os.fdopen(open_own(path), "rb") as file:
            data = np.memmap(file, np.uint8, "r")
        graph = _opened(str(path), data)
        os.utime(path)
    except (OSError, ValueError, IrglError):
        with contextlib.suppress(OSError):
            path.unlink()
        return None
    return graph


def _opened(path: str, data: NDArray[Any]) -> Graph:
    """The graph of an entry's bytes. IrglError if they are not what was written."""
    body = len(data) - TAIL.size
    magic, checksum, places = TAIL.unpack(bytes(data[max(0, body) :])) if body >= 0 else (b"", 0, 0)
    if magic != TAIL_MAGIC or body % 8 or places > body or _checksum(data[:body]) != checksum:
        raise IrglError("the cached graph is damaged", file=path)
    graph = binary.decode(path, data[: body - places], check=False)
    binary.check_bounds(path, graph)
    if places not in (0, 16 * graph.num_nodes):
        raise IrglError("the cached graph is damaged", file=path)
    if places:
        graph.coordinates = np.asarray(data[body - places : body]).view(np.float64).reshape(-1, 2)
    return graph


def _checksum(data: NDArray[Any]) -> int:
    """All 64-bit words joined by exclusive or: as fast as memory, and sees any block that was not written."""
    return int(np.bitwise_xor.reduce(np.asarray(data).view(np.uint64)))


def keep(key: str, graph: Graph) -> None:
    """Put the graph into the cache, in one step; then remove old entries beyond the limit. Never fails."""
    place = folder()
    if place is None or not worth_keeping(graph):
        return
    pieces = binary.encode(graph)
    size = sum(len(piece) for piece in pieces)
    pieces.append(bytes(-size % 64))
    places = graph.coordinates.nbytes if graph.coordinates is not None else 0
    if graph.coordinates is not None and places:
        pieces.append(binary.raw_bytes(graph.coordinates))
    if size + places > limit():
        return
    temporary = ""
    with contextlib.suppress(OSError):
        try:
            handle, temporary = tempfile.mkstemp(prefix=".new-", dir=place)
            with os.fdopen(handle, "wb") as file:
                file.writelines(pieces)
            body = np.memmap(temporary, np.uint8, "r")
            with Path(temporary).open("ab") as file:
                file.write(TAIL.pack(TAIL_MAGIC, _checksum(body), places))
            del body
            Path(temporary).replace(place / f"{key}.irglg")
        finally:
            if temporary and Path(temporary).exists():
                Path(temporary).unlink()
        trim(place)


def limit() -> int:
    """IRGL_CACHE_LIMIT in bytes, 8 GiB where it is not given."""
    text = os.environ.get("IRGL_CACHE_LIMIT", "")
    if text and not (text.isascii() and text.isdigit()):
        raise IrglError(f"IRGL_CACHE_LIMIT is '{text}': a number of bytes is wanted")
    return int(text) if text else DEFAULT_LIMIT


def trim(place: Path) -> None:
    """Remove the entries that were not used for longest until the rest fits the limit."""
    entries = []
    for path in (*place.glob("*.irglg"), *place.glob("*.irglf")):
        with contextlib.suppress(OSError):
            seen = path.stat()
            entries.append((seen.st_mtime_ns, seen.st_size, path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= limit():
            return
        with contextlib.suppress(OSError):
            path.unlink()
        total -= size
