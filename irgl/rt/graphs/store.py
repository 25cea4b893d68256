"""A cache on disk of graphs that took work: parsed text, generated graphs, and what programs made of them.

An entry is a file of arrays (irgl/rt/system/arrays_file.py), named by a hash of what it was made from; each array is
mapped when it is wanted, and has a checksum: what does not fit is made anew. The least recently used go when the cache
outgrows IRGL_CACHE_LIMIT bytes (8 GiB).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from irgl.rt.compile.toolchain import cache_dir
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.kept import kept_graph
from irgl.rt.system.private import NotPrivateError
from irgl.source import IrglError

VERSION = "2"  # raise it when a reader, a generator or prepare changes what it makes
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


def find(key: str, anew: Callable[[], Graph] | None = None) -> Graph | None:
    """The graph of an entry, whose arrays but the row offsets are mapped when they are asked for; None: there is none.

    A damaged entry is removed. anew: makes the graph, and the entry, where it proves to be damaged later.
    """
    path = _path(key)
    if path is None or not path.is_file():
        return None
    try:
        graph = kept_graph.read(path, anew)
        os.utime(path)
    except (OSError, ValueError, IrglError):
        with contextlib.suppress(OSError):
            path.unlink()
        return None
    return graph


def _path(key: str) -> Path | None:
    place = folder()
    return None if place is None else place / f"{key}.irglg"


def keep(key: str, graph: Graph) -> None:
    """Put the graph into the cache, in one step; then remove old entries beyond the limit. Never fails."""
    path = _path(key)
    if path is None or not worth_keeping(graph):
        return
    if sum(array.nbytes for array in kept_graph.arrays_of(graph).values()) <= limit():
        with contextlib.suppress(OSError):
            put(path, lambda file: kept_graph.write(file, graph))


def put(path: Path, write: Callable[[BinaryIO], None]) -> None:
    """Write an entry in one step. Then remove old entries beyond the limit. Raises OSError."""
    handle, temporary = tempfile.mkstemp(prefix=".new-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
        Path(temporary).replace(path)
    finally:
        if Path(temporary).exists():
            Path(temporary).unlink()
    trim(path.parent)


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
