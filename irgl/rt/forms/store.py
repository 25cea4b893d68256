"""Forms of graphs in the cache on disk, beside the graphs that they are made from, and mapped as these are.

An entry is a line of JSON (numbers, and the type and length of each array), the arrays, and a checksum; one that does
not fit is made anew. What others could have written is not read (docs/security.md).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgl.forms.form import ARRAYS, NUMBERS, Built
from irgl.rt.graphs import store as graph_store
from irgl.rt.system.own_files import open_own

Array = NDArray[Any]
_MAGIC, _HEAD, _ALIGN = b"IRGLFRM1", 4096, 64
_TYPES = ("int32", "int64", "uint16", "uint32", "uint64", "uint8", "float32", "float64")


class Kept(NamedTuple):
    """A form that is kept, and what building it took, in milliseconds."""

    built: Built
    ms: float


def _path(entry: str, key: str, digest: str) -> Path | None:
    folder = graph_store.folder()
    name = hashlib.sha256(f"{entry}\0{key}\0{digest}".encode()).hexdigest()
    return None if folder is None else folder / f"{name}.irglf"


def find(entry: str, key: str, digest: str) -> Kept | None:
    """The form of a graph's entry, mapped, and what building it took; None: there is none. A damaged one is removed."""
    path = _path(entry, key, digest)
    if path is None or not path.is_file():
        return None
    try:
        with os.fdopen(open_own(path), "rb") as file:
            data = np.memmap(file, np.uint8, "r")
        found = _opened(data)
        os.utime(path)
    except (OSError, ValueError, TypeError, KeyError):
        with contextlib.suppress(OSError):
            path.unlink()
        return None
    return found


def _opened(data: Array) -> Kept:
    """The form of an entry's bytes. ValueError if they are not what was written."""
    if len(data) < _HEAD or len(data) % 8 or bytes(data[:8]) != _MAGIC:
        raise ValueError("no form")
    body = data[:-8].view(np.uint64)
    if int(np.bitwise_xor.reduce(body)) != int(data[-8:].view(np.uint64)[0]):
        raise ValueError("a damaged form")
    head = json.loads(bytes(data[8:_HEAD]).rstrip(b"\0"))
    numbers, listed, numbered = head["numbers"], head["arrays"], head["numbered"]
    if len(numbers) > NUMBERS or len(listed) > ARRAYS or not all(isinstance(x, int) for x in numbers):
        raise ValueError("no form")
    arrays, at = [], _HEAD
    for kind, count in listed:
        if kind not in _TYPES or not isinstance(count, int) or count < 0:
            raise ValueError("no form")
        size = count * np.dtype(kind).itemsize
        if at + size > len(data) - 8:
            raise ValueError("a form that is cut off")
        arrays.append(np.asarray(data[at : at + size]).view(kind))
        at += -(-size // _ALIGN) * _ALIGN
    edge = arrays.pop() if numbered else None
    return Kept(Built(tuple(numbers), tuple(arrays), edge), float(head["ms"]))


def keep(entry: str, key: str, digest: str, built: Built, ms: float) -> None:
    """Puts a form that took so many milliseconds into the cache, in one step. Never fails."""
    path = _path(entry, key, digest)
    arrays = [*built.arrays, *([] if built.edge is None else [built.edge])]
    if path is None or sum(a.nbytes for a in arrays) > graph_store.limit():
        return
    head = json.dumps({"numbers": [int(x) for x in built.numbers], "numbered": built.edge is not None,
                       "ms": ms, "arrays": [[a.dtype.name, len(a)] for a in arrays]}).encode()
    temporary = ""
    with contextlib.suppress(OSError):
        try:
            handle, temporary = tempfile.mkstemp(prefix=".new-", dir=path.parent)
            with os.fdopen(handle, "wb") as file:
                file.write(_MAGIC + head.ljust(_HEAD - len(_MAGIC), b"\0"))
                for a in arrays:
                    file.write(np.ascontiguousarray(a).view(np.uint8).data)
                    file.write(bytes(-a.nbytes % _ALIGN))
            body = np.memmap(temporary, np.uint64, "r")
            checksum = np.bitwise_xor.reduce(body)
            del body
            with Path(temporary).open("ab") as file:
                file.write(checksum.tobytes())
            Path(temporary).replace(path)
        finally:
            if temporary and Path(temporary).exists():
                Path(temporary).unlink()
        graph_store.trim(path.parent)
