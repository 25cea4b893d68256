"""Graphs whose arrays lie in a GPU's memory, and come to the host's when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.kept.later import Later
from irgl.rt.graphs.prepare import Requirements

Array = np.ndarray[Any, Any]
#: Arrays of the host and the same on a device; by the device, the identity of the host's, and the type there.
Twins = dict[tuple[int, int, str], tuple[Any, Any]]


class Lent:
    """An array of CuPy's, and its copy in the host's memory, which is made when it is first asked for."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self._copy: Array | None = None

    @property
    def dtype(self) -> np.dtype[Any]:
        found: np.dtype[Any] = self.array.dtype
        return found

    def host(self) -> Array:
        if self._copy is None:
            self._copy = self.array.get()
        return self._copy

    def fits(self, dtype: np.dtype[Any], device: int) -> bool:
        """Can a unit that runs on that device use the array as it is?"""
        a = self.array
        return bool(a.dtype == dtype and len(a) >= 2 and a.flags.c_contiguous and int(a.device.id) == device)

    def twin(self) -> Twins:
        """The array beside its copy, where there is one."""
        device = int(self.array.device.id)
        if self._copy is None or not self.fits(self.dtype, device):
            return {}
        return {(device, id(self._copy), self.dtype.str): (self._copy, self.array)}


class DeviceGraph(Later, Graph):
    """A graph of arrays of CuPy's, which stay where they are. given: those, by name; none where it was made of such."""

    given: Mapping[str, Lent] = MappingProxyType({})
    _ascend: Callable[[], bool]

    @classmethod
    def of(cls, given: Mapping[str, Lent], ascend: Callable[[], bool], source: str) -> DeviceGraph:
        """The graph of arrays `row`, `dst` and, where there are weights, `weight`. ascend: do its rows?"""
        graph = cls(np.zeros(1, np.int32), np.empty(0, np.int32), source=source)
        graph.given, graph._ascend = given, ascend
        graph.put_off({name: lent.host for name, lent in given.items()})
        return graph

    @property
    def num_nodes(self) -> int:
        return len(self.given["row"].array) - 1 if self.given else len(self.row) - 1

    @property
    def num_edges(self) -> int:
        return len(self.given["dst"].array) if self.given else len(self.dst)

    @property
    def node_type(self) -> np.dtype[Any]:
        return self.given["dst"].dtype if self.given else self.dst.dtype

    def fitting(self, need: Requirements) -> DeviceGraph | None:
        """The graph as a program needs it, where nothing has to be made for that."""
        if not self.given:
            return None
        if (need.sorted or need.simple) and not self.sorted:
            self.sorted = self._ascend()  # a look at every edge
        weight = self.given.get("weight")
        if need.directed is False or need.simple or need.transpose or need.in_edge:
            return None
        if need.sorted and not self.sorted:
            return None
        if need.weighted is not None and (weight is None or weight.dtype.name != need.weighted):
            return None
        given = {n: a for n, a in self.given.items() if n != "weight" or need.weighted is not None}
        found = DeviceGraph.of(given, self._ascend, self.source)
        found.sorted = self.sorted
        return found

    def twins(self) -> Twins:
        """Its arrays that were fetched: what is made of the graph may share them."""
        return {key: pair for lent in self.given.values() for key, pair in lent.twin().items()}


def lying(graph: Graph, name: str) -> Any:
    """An array of a graph where it lies: a Lent, or NumPy's."""
    lent = graph.given.get(name) if isinstance(graph, DeviceGraph) else None
    return getattr(graph, name) if lent is None else lent
