"""One call into a compiled unit: its argument block, the memory for its results, and what its faults mean."""

from __future__ import annotations

import ctypes
import linecache
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from irgl.plan import Plan
from irgl.rt.call import abi
from irgl.rt.call.dtypes import dtype_of
from irgl.rt.call.mesh import MeshCall
from irgl.rt.forms.placed import Placed, Told, number_of, placed
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.manifest import GraphParam, Manifest, Property, inputs
from irgl.rt.meshes.meshes import Mesh
from irgl.rt.results.result import Result, make_result, on_host
from irgl.source import IrglError, Source, Span, is_falcon, is_graphit

Array = np.ndarray[Any, Any]


class Call:
    """The argument block of one run, and everything it points to."""

    def __init__(self, manifest: Manifest, graphs: Mapping[str, Graph], values: Mapping[str, Any],
                 bits: tuple[int, int], mesh: Mesh | None = None, gpu_cache: int = 0) -> None:
        self.kept: list[Any] = []
        self.kept_records: list[Any] = []
        self.forms: dict[str, list[Placed]] = {}
        self.arrays: dict[str, list[Any]] = {}
        self.bits = bits
        self.gpu_cache = gpu_cache
        self.structs = manifest.structs
        self.inputs = {name: values[name] for name in inputs(manifest)}
        try:
            records = [self._graph(g, graphs[g.name]) for g in manifest.graphs]
        except MemoryError:
            raise IrglError("there is not enough memory for the program's properties") from None
        self.params = [np.ascontiguousarray(values[p.name], self._dtype(p.item)) if p.item else
                       np.array([values[p.name]], self._dtype(p.type)) for p in manifest.params]
        self.params += [np.array([len(values[p.name])], np.int64) for p in manifest.params if p.item]
        self.globals = [np.zeros(1, self._dtype(t)) for _, t in manifest.scalars]
        self.stats = np.zeros(abi.STATS_SIZE, np.int64)
        self.fault = np.zeros(abi.FAULT_SIZE, np.int64)
        self.stop = np.zeros(1, np.int32)
        self.property_counts = [len(g.properties) + sum(p.changed for p in g.properties) + g.in_weights
                                for g in manifest.graphs]
        self.records = (abi.Graph * max(1, len(records)))(*records)
        self.args = abi.RunArgs(
            num_graphs=len(records),
            graphs=self.records,
            params=_pointers(self.params),
            globals=_pointers(self.globals),
            stats=self.stats.ctypes.data_as(ctypes.POINTER(ctypes.c_int64)),
            fault=self.fault.ctypes.data_as(ctypes.POINTER(ctypes.c_int64)),
            stop=self.stop.ctypes.data_as(ctypes.POINTER(ctypes.c_int32)),
        )
        self.mesh = None if mesh is None else MeshCall(mesh)
        if self.mesh is not None:
            self.args.mesh, self.args.allocate = ctypes.pointer(self.mesh.record), self.mesh.allocate

    def set_knobs(self, plan: Plan, threads: int, worklist_capacity: int, seed: int) -> None:
        self.args.threads = threads
        self.args.worklist_capacity = worklist_capacity
        for name, number in plan.limits.items():
            setattr(self.args, name, number)
        self.args.seed = seed

    def clear(self) -> None:
        """Before each repetition."""
        self.stats[:] = 0
        self.fault[:] = 0
        for g in self.globals:
            g[:] = 0
        if self.mesh is not None:
            self.mesh.begin()

    def check(self, manifest: Manifest) -> None:
        """Raises what the program's fault means, if it has one."""
        code, line, column, source, width = (int(x) for x in self.fault)
        if code == 0:
            return
        if code == abi.FAULT_STOPPED:
            raise KeyboardInterrupt
        message, hint = abi.FAULTS[code]
        if code == abi.FAULT_STOP:
            message = next((text for *at, text in manifest.stops if at == [source, line, column]), message)
            raise IrglError(message, span_at(manifest.sources[source], line, column, width))
        if line == 0 or not 0 <= source < len(manifest.sources):
            raise IrglError(message, hint=hint)
        span = span_at(manifest.sources[source], line, column, width)
        if code == abi.FAULT_ACCESS and is_graphit(span.source.path):  # which has no word for NONE
            hint = "vertices go from 0 to one less than the graph has, and -1 is none: test the number first"
        if code == abi.FAULT_ACCESS and is_falcon(span.source.path):  # nor has this
            hint = "points go from 0 to graph.npoints - 1, and a Point or edge that is not there has no properties"
        raise IrglError(message, span, hint)

    def result(self, manifest: Manifest, graphs: Mapping[str, Graph]) -> Result:
        scalars = {n: g[0].item() for (n, _), g in zip(manifest.scalars, self.globals, strict=True)}
        arrays = {
            (g.name, p.owner, p.name): a
            for g in manifest.graphs
            for p, a in zip(g.properties, self.arrays[g.name], strict=True)
            if a is not None
        }
        left = None if self.mesh is None else self.mesh.left()
        return make_result(manifest, graphs, scalars, arrays, left)

    def told(self) -> tuple[Told, ...]:
        """What is told of the forms that the graphs' edges are in."""
        return tuple(p.told(graph) for graph, forms in self.forms.items() for p in forms)

    def _dtype(self, type_name: str) -> np.dtype[Any]:
        return dtype_of(type_name, self.structs, *self.bits)

    def _graph(self, g: GraphParam, graph: Graph) -> abi.Graph:
        node, edge = self._dtype("node"), self._dtype("edge")
        row, cols = self._ends(graph, g.ends)
        in_row = in_cols = in_eid = None
        if g.transpose and not graph.directed and not g.in_edge:
            in_row, in_cols = self._ends(graph, g.in_ends)
        elif g.transpose:
            t = graph.transpose()
            in_row, in_cols, in_eid = t.in_row, t.in_src if g.in_ends else None, t.in_edge if g.in_edge else None
        self.arrays[g.name] = [self._property(p, graph) for p in g.properties]
        memory = [self._weights(graph, self._dtype(p.type)) if p.weights else
                  self._input(self.inputs[p.name], self._dtype(p.type), max(1, p.length)) if p.borrowed else a
                  for p, a in zip(g.properties, self.arrays[g.name], strict=True)]
        memory += [self._input(self.inputs[p.name], self._dtype(p.type)) for p in g.properties if p.changed]
        memory += [self._in_weights(graph, self._dtype(p.type)) for p in g.properties if p.weights and g.in_weights]
        self.kept += [a for a in memory if a is not None]
        flags = abi.GRAPH_DIRECTED * graph.directed | abi.GRAPH_SIMPLE * graph.simple
        flags |= abi.GRAPH_SORTED * graph.sorted
        forms = self._forms(g, graph)
        return abi.Graph(
            num_forms=len(forms),
            forms=forms,
            nodes=graph.num_nodes,
            edges=graph.num_edges,
            row=self._address(row, edge),
            cols=self._address(cols, node),
            in_row=self._address(in_row, edge),
            in_cols=self._address(in_cols, node),
            in_eid=self._address(in_eid, edge),
            properties=_pointers(memory),
            flags=flags,
        )

    def _forms(self, g: GraphParam, graph: Graph) -> Any:
        """The graph's edges in the forms that the unit runs over, as records."""
        found = placed(graph, g.forms, lambda name: weights_of(graph, self._dtype(name)), self.gpu_cache)
        self.forms[g.name] = found
        records = (abi.Form * len(found))()
        for record, p in zip(records, found, strict=True):
            record.numbers[: len(p.built.numbers)] = p.built.numbers
            kept = {**dict(enumerate(p.built.arrays)), **({} if p.edge is None else {abi.FORM_EDGES: p.edge})}
            for k, array in kept.items():
                record.arrays[k], record.bytes[k] = self._address(array, array.dtype), array.nbytes
            if p.weights is not None:  # made for this call
                weights = self._input(p.weights, p.weights.dtype)
                self.kept.append(weights)
                record.arrays[abi.FORM_WEIGHTS], record.bytes[abi.FORM_WEIGHTS] = _place(weights), p.weights.nbytes
        self.kept_records.append(records)
        return records

    def _property(self, p: Property, graph: Graph) -> Any:
        if p.borrowed or p.type == "lock":
            return None
        shape = p.shape(graph.num_nodes if p.owner == "node" else graph.num_edges)
        found = self._output(self._dtype(p.type), math.prod(shape), max(1, p.length))
        return found.reshape(shape) if p.length else found

    # Where memory is the host's. irgl/rt/call/on_device.py has the same for a device's.

    def _ends(self, graph: Graph, wanted: bool) -> tuple[Any, Any]:
        """Row offsets, and the far ends where they are wanted: else nobody asks for them."""
        return graph.row, graph.dst if wanted else None

    def _weights(self, graph: Graph, dtype: np.dtype[Any]) -> Any:
        return padded(weights_of(graph, dtype), 1)

    def _in_weights(self, graph: Graph, dtype: np.dtype[Any]) -> Any:
        return padded(in_weights_of(graph, dtype), 1)

    def _input(self, array: Any, dtype: np.dtype[Any], least: int = 1) -> Any:
        return padded(np.ascontiguousarray(on_host(array), dtype).reshape(-1), least)

    def _output(self, dtype: np.dtype[Any], count: int, least: int) -> Any:
        return np.empty(max(least, count), dtype)[:count]  # what faults in an empty graph uses the first

    def _address(self, array: Any, dtype: np.dtype[Any]) -> int | None:
        if array is None:
            return None
        held = padded(np.ascontiguousarray(array, dtype), 2)
        self.kept.append(held)
        return int(held.ctypes.data)


def weights_of(graph: Graph, dtype: np.dtype[Any]) -> Array:
    """The weights as the program's type; 1 everywhere where the graph has none.

    Raises IrglError where a weight doesn't fit.
    """
    if graph.weight is None:
        return np.ones(graph.num_edges, dtype)
    if graph.weight.dtype == dtype:
        return graph.weight
    converted = graph.weight.astype(dtype)
    if dtype.kind in "iu" and not np.array_equal(converted, graph.weight):
        raise IrglError(f"a weight doesn't fit into the program's {dtype}", file=graph.source or None,
                        hint="declare the edge property with a wider type")
    return converted


def in_weights_of(graph: Graph, dtype: np.dtype[Any]) -> Array:
    """The same in the order of the graph's in-edges, kept with the graph."""
    number = number_of(graph, "in")
    if number is None:
        return weights_of(graph, dtype)
    key = f"in_weights {dtype}"
    if key not in graph.forms:
        graph.forms[key] = weights_of(graph, dtype)[number]
    found: Array = graph.forms[key]
    return found


def padded(array: Array, least: int) -> Array:
    """`array`, or where it is shorter one with zeros at its end: a fault in an empty graph goes on with item 0."""
    return array if len(array) >= least else np.append(array, np.zeros(least - len(array), array.dtype))


def _pointers(arrays: Sequence[Any]) -> Any:
    """An array of addresses, of NumPy's arrays or CuPy's; the caller keeps the arrays alive."""
    return (ctypes.c_void_p * max(1, len(arrays)))(*(None if a is None else _place(a) for a in arrays))


def _place(array: Any) -> int:
    return int(array.ctypes.data if isinstance(array, np.ndarray) else array.data.ptr)


def span_at(path: str, line: int, column: int, width: int) -> Span:
    """A place in the program: to the line's end where the width is unknown (0), the whole line where the column is."""
    try:
        source = Source(path, Path(path).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        source = Source(path, "".join(linecache.getlines(path)))  # of a notebook, it is kept there
    text = source.line(line)
    begin = column if column > 0 else len(text) - len(text.lstrip()) + 1
    return Span(source, line, begin, line, begin + width if width > 0 else len(text.rstrip()) + 1)
