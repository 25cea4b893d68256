"""Graphs as the cache on disk keeps them: row offsets are read at once, every other array when somebody asks for it.

Each array is looked at before it is used: its checksum, and that its ids and offsets lie inside of the graph.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.graph import Graph, Transpose
from irgl.rt.graphs.kept.later import Later
from irgl.rt.graphs.kept.sample import places
from irgl.rt.graphs.readers.binary import WEIGHT_TYPES, check_ids, check_offsets
from irgl.rt.system.arrays_file import ArraysFile
from irgl.rt.system.arrays_file import write as write_arrays
from irgl.source import IrglError

Array = NDArray[Any]
MAGIC = b"IRGLGRF3"
_IDS = (np.dtype("<i4"), np.dtype("<i8"))
_SAID = {"directed": bool, "sorted": bool, "simple": bool, "id_base": int, "source": str, "changed": list}
#: Arrays of the transpose; of an undirected graph the first two are its own.
_IN = ("in_row", "in_src", "in_edge")


class KeptTranspose(Later, Transpose):
    """In-edges that lie in the cache on disk."""


class KeptGraph(Later, Graph):
    """A graph that lies in the cache on disk. edges_there, ends, some: how many edges there are, their type, and what
    gives those that stand for all; None: it was copied."""

    edges_there: int | None = None
    ends: np.dtype[Any] | None = None
    some: Callable[[], Array] | None = None

    @property
    def num_edges(self) -> int:
        return len(self.dst) if self.edges_there is None else self.edges_there

    @property
    def node_type(self) -> np.dtype[Any]:
        found: np.dtype[Any] = self.dst.dtype if self.ends is None else self.ends
        return found

    @property
    def sampled(self) -> Array:
        return self.dst[places(self.num_edges)] if self.some is None else self.some()


def write(file: BinaryIO, graph: Graph) -> None:
    """Writes a graph as an entry. Raises OSError."""
    said = {name: getattr(graph, name) for name in _SAID}
    write_arrays(file, MAGIC, said, arrays_of(graph))


def arrays_of(graph: Graph) -> dict[str, Array]:
    """What an entry holds of a graph, by name."""
    spots = None if graph.coordinates is None else np.ascontiguousarray(graph.coordinates).reshape(-1)
    found = {"row": graph.row, "dst": graph.dst, "sampled": graph.sampled, "weight": graph.weight,
             "node_ids": graph.node_ids, "coordinates": spots}
    if graph._transpose is not None:
        names = _IN if graph.directed else _IN[2:]
        found |= {name: getattr(graph._transpose, name) for name in names}
    return {name: array for name, array in found.items() if array is not None}


def read(path: Path, anew: Callable[[], Graph] | None) -> KeptGraph:
    """The graph of an entry. anew: makes it, where an array proves to be damaged when it is asked for.

    Raises OSError where there is no entry, ValueError or IrglError where it isn't one, or its row offsets are damaged.
    """
    file = ArraysFile(path, MAGIC)
    said = _checked(file)
    arrays = _Arrays(path, file, anew)
    row = arrays.whole("row")
    ids = arrays.whole("node_ids") if "node_ids" in file.listed else None
    graph = KeptGraph(row, np.empty(0, np.int32), None, said["directed"], said["id_base"], ids, said["source"], None,
                      tuple(said["changed"]), said["sorted"], said["simple"])
    graph.ends, graph.edges_there = file.listed["dst"]
    graph.some = arrays.later("sampled")
    arrays.row = row
    graph.put_off({name: arrays.later(name) for name in ("dst", "weight", "coordinates") if name in file.listed})
    if "in_edge" in file.listed:
        graph._transpose = _transpose(graph, arrays)
    return graph


def _transpose(graph: KeptGraph, arrays: _Arrays) -> KeptTranspose:
    none = np.empty(0, np.int32)
    found = KeptTranspose(graph.row, none, none)
    if graph.directed:
        found.put_off({name: arrays.later(name) for name in _IN})
    else:
        found.put_off({"in_src": lambda: graph.dst, "in_edge": arrays.later("in_edge")})
    return found


def _checked(file: ArraysFile) -> Mapping[str, Any]:
    """What a file says of its graph. Raises ValueError where it is none."""
    said: Any = file.said
    listed = file.listed
    good = isinstance(said, dict) and said.keys() == _SAID.keys() and all(type(said[n]) is t for n, t in _SAID.items())
    if not good or said["id_base"] not in (0, 1) or not all(isinstance(words, str) for words in said["changed"]):
        raise ValueError("no graph")
    if not {"row", "dst", "sampled"} <= listed.keys() or listed["row"][1] < 1:
        raise ValueError("a graph without rows")
    (edge, n), (node, m) = listed["row"], listed["dst"]
    n -= 1
    if node not in _IDS or edge not in _IDS or n > np.iinfo(node).max or m > np.iinfo(edge).max:
        raise ValueError("other ids")
    ids, spots = np.dtype("<i8"), np.dtype("<f8")
    wanted = {"row": (edge, n + 1), "dst": (node, m), "sampled": (node, len(places(m))), "node_ids": (ids, n),
              "coordinates": (spots, 2 * n), "in_row": (edge, n + 1), "in_src": (node, m), "in_edge": (edge, m)}
    if "weight" in listed and listed["weight"][0] in WEIGHT_TYPES:
        wanted["weight"] = (listed["weight"][0], m)
    if any(wanted.get(name) != kind for name, kind in listed.items()):
        raise ValueError("arrays of another length, or type")
    if {name for name in _IN if name in listed} not in (set(), set(_IN if said["directed"] else _IN[2:])):
        raise ValueError("half a transpose")
    found: Mapping[str, Any] = said
    return found


class _Arrays:
    """The arrays of an entry, each checked; those of a damaged one are made anew. row: once it is known."""

    def __init__(self, path: Path, file: ArraysFile, anew: Callable[[], Graph] | None) -> None:
        self._path, self._file, self._anew = path, file, anew
        self.row: Array = np.zeros(1, np.int32)

    def later(self, name: str) -> Callable[[], Array]:
        """Gives an array when it is called, whatever has become of the entry."""
        return lambda: self._asked(name)

    def whole(self, name: str) -> Array:
        """An array. Raises ValueError, OSError or IrglError where it is not what was written, or leads outside."""
        found = self._file.array(name)
        n, m = self._file.listed["row"][1] - 1, self._file.listed["dst"][1]
        if name in ("row", "in_row"):
            check_offsets(self._damaged, found, m, name)
        elif name in ("dst", "sampled", "in_src", "in_edge"):
            check_ids(self._damaged, found, m if name == "in_edge" else n, name)
        return found.reshape(-1, 2) if name == "coordinates" else found

    def _asked(self, name: str) -> Array:
        try:
            return self.whole(name)
        except MemoryError:
            dtype, count = self._file.listed[name]
            raise IrglError(f"there is not enough memory for the graph: {count * dtype.itemsize:,} bytes of it "
                            f"({name}) can't be had", hint="take a form with fewer bytes, such as format=delta, or a "
                            "machine with more memory") from None
        except (OSError, ValueError, IrglError):
            with contextlib.suppress(OSError):
                self._path.unlink()
        if self._anew is None:
            raise self._damaged(f"array {name} of the cached graph is damaged")
        made = self._anew()
        if not np.array_equal(made.row, self.row):
            raise IrglError("the graph has changed since its run began", file=made.source or None,
                            hint="run the program again")
        found: Array = getattr(made.transpose() if name in _IN else made, name)
        return found

    def _damaged(self, message: str) -> IrglError:
        return IrglError(message, file=str(self._path))
