"""Forms of graphs in the cache on disk, beside the graphs that they are made from, and mapped as these are.

An entry is a file of arrays (irgl/rt/system/arrays_file.py), each with a checksum: one that does not fit is made anew.
What others could have written is not read (docs/security.md).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path
from typing import NamedTuple

from irgl.forms.form import NUMBERS, OWN_ARRAYS, Built
from irgl.rt.graphs import store as graph_store
from irgl.rt.system.arrays_file import ArraysFile, write

MAGIC = b"IRGLFRM3"
_EDGE = "edge"


class Kept(NamedTuple):
    """A form that is kept, and what building it took, in milliseconds. numbered: is it known what edge stands where?"""

    built: Built
    ms: float
    numbered: bool = True


def _path(entry: str, key: str, digest: str) -> Path | None:
    folder = graph_store.folder()
    name = hashlib.sha256(f"{entry}\0{key}\0{digest}".encode()).hexdigest()
    return None if folder is None else folder / f"{name}.irglf"


def find(entry: str, key: str, digest: str, *, numbered: bool = True) -> Kept | None:
    """The form of a graph's entry, mapped, and what building it took; None: there is none. A damaged one is removed.

    numbered: with the edge of each place, which is neither mapped nor read otherwise; none where that isn't known.
    """
    path = _path(entry, key, digest)
    if path is None or not path.is_file():
        return None
    try:
        found = _read(path, numbered)
        os.utime(path)
    except (OSError, ValueError):
        with contextlib.suppress(OSError):
            path.unlink()
        return None
    return found if found.numbered or not numbered else None


def _read(path: Path, numbered: bool) -> Kept:
    """The form of an entry. Raises ValueError where it isn't what was written, OSError."""
    file = ArraysFile(path, MAGIC)
    said = file.said
    good = isinstance(said, dict) and said.keys() == {"numbers", "ms", "numbered"} and isinstance(said["ms"], float)
    if not good or type(said["numbered"]) is not bool:
        raise ValueError("no form")
    if not isinstance(said["numbers"], list) or not all(type(x) is int for x in said["numbers"]):
        raise ValueError("no form")
    own = [name for name in file.listed if name != _EDGE]
    if own != list(map(str, range(len(own)))) or len(own) > OWN_ARRAYS or len(said["numbers"]) > NUMBERS:
        raise ValueError("no form")
    edge = file.array(_EDGE) if numbered and _EDGE in file.listed else None
    built = Built(tuple(said["numbers"]), tuple(map(file.array, own)), edge)
    return Kept(built, said["ms"], said["numbered"] and (numbered or _EDGE not in file.listed))


def keep(entry: str, key: str, digest: str, known: Kept) -> None:
    """Puts a form into the cache, in one step. Never fails."""
    path, built = _path(entry, key, digest), known.built
    arrays = dict(zip(map(str, range(len(built.arrays))), built.arrays, strict=True))
    if built.edge is not None:
        arrays[_EDGE] = built.edge
    if path is None or sum(a.nbytes for a in arrays.values()) > graph_store.limit():
        return
    said = {"numbers": [int(x) for x in built.numbers], "ms": float(known.ms), "numbered": known.numbered}
    with contextlib.suppress(OSError):
        graph_store.put(path, lambda file: write(file, MAGIC, said, arrays))
