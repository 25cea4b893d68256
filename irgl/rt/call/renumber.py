"""The graphs and values of a call as its plan's order (graphs/order.py) has them, and what it leaves, translated back.

Nobody outside sees another numbering than the graph's own.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.plan import Plan
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.order import Placed, place
from irgl.rt.manifests.manifest import Manifest, Property, inputs
from irgl.rt.results.result import Result, Values, on_host

Array = NDArray[Any]
GIVEN = "given"


class Order:
    """The graphs of a call (by parameter) and its values as a plan lays them out; ms: what that took."""

    def __init__(self, manifest: Manifest, graphs: Mapping[str, Graph], values: Mapping[str, Any], plan: Plan) -> None:
        begin = time.perf_counter()
        word = GIVEN if manifest.numbered else plan.text_of("order")
        self.manifest = manifest
        self.placed = {} if word == GIVEN else {g.name: place(graphs[g.name], word, g) for g in manifest.graphs}
        self.graphs: Mapping[str, Graph] = {**graphs, **{name: p.graph for name, p in self.placed.items()}}
        nodes = {p.name: p.graph for p in manifest.params if "node" in (p.type, p.item) and p.graph in self.placed}
        self.values = {n: _at(self.placed[nodes[n]].place, v) if n in nodes else v for n, v in values.items()}
        for name, (g, p) in inputs(manifest).items():
            if g.name in self.placed:
                self.values[name] = _moved(self.placed[g.name], p, on_host(values[name]))
        self.ms = (time.perf_counter() - begin) * 1e3 if self.placed else 0.0

    def back(self, result: Result) -> Result:
        """What a call on these graphs left, in the numbering of the given ones."""
        if not self.placed:
            return result
        found = {name: self._back(self.placed[result.home[name]], v) for name, v in result.properties.items()}
        return replace(result, properties=found)

    def _back(self, p: Placed, values: Values) -> Values:
        at = p.node if values.owner == "node" else p.edge
        array = np.empty_like(values.array)
        array[at] = values.array
        fields = self.manifest.structs.get(values.type)
        if fields is None:
            return replace(values, array=_given(p, values.type, array))
        for t, name in fields:
            array[name] = _given(p, t, array[name])
        return replace(values, array=array)


def _moved(placed: Placed, p: Property, given: Array) -> Array:
    """An input's values where its nodes or edges now are; nodes by their numbers there."""
    array: Array = given[placed.node if p.owner == "node" else placed.edge]
    if p.type == "node" and len(array):
        array = np.where(array >= 0, placed.place[np.where(array >= 0, array, 0)], array)
    return array


def _at(table: Array, node: Any) -> Any:
    """A node, or all those of a list, by their numbers there."""
    if isinstance(node, np.ndarray):
        return table[node] if len(node) else node
    return int(table[node]) if node >= 0 else node


def _given(p: Placed, t: str, array: Array) -> Array:
    """Values that are nodes or edges, by their numbers in the given graph; NONE and all other values stay."""
    if t not in ("node", "edge"):
        return array
    numbers = p.node if t == "node" else p.edge
    inside = (array >= 0) & (array < len(numbers))
    there = numbers[np.where(inside, array, 0)] if len(numbers) else array
    return np.where(inside, there, array).astype(array.dtype, copy=False)
