"""Runs a CUDA unit in this process, on arrays of CuPy's: results stay on the GPU, and a graph is brought there once.

Only calls from Python come here, where CuPy is installed; other runs have a process of their own
(irgl/rt/call/device.py).
"""

from __future__ import annotations

import ctypes
import importlib
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from irgl.plan import Plan
from irgl.rt.call import abi
from irgl.rt.call.call import Call, in_weights_of, padded, weights_of
from irgl.rt.call.renumber import Order
from irgl.rt.call.run import Options, Outcome, flush, widths_for
from irgl.rt.call.telling import listener
from irgl.rt.compile import nvcc
from irgl.rt.compile.build import loaded
from irgl.rt.emulate import emulate
from irgl.rt.graphs.device_graph import Lent, Twins, lying
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.manifest import GraphParam, Manifest
from irgl.rt.results.result import Result, on_host
from irgl.rt.system.interruptible import interruptible
from irgl.source import IrglError

Array = np.ndarray[Any, Any]


def cupy() -> Any:
    """CuPy, where it is installed and there is a GPU that can be used; else None."""
    try:
        nvcc.require_device()
        return importlib.import_module("cupy")
    except (IrglError, ImportError):
        return None


def run(cp: Any, manifest: Manifest, graphs: Mapping[str, Graph], values: Mapping[str, Any], plan: Plan,
        options: Options, lent: Mapping[str, Twins]) -> Outcome:
    """Runs a program as irgl.rt.call.run.run does; its properties are arrays of CuPy's (`cp`), structs NumPy's.

    lent: by graph parameter, what is on a device already; what is brought there is added. Waits for CuPy's current
    stream before it begins, and has ended when it returns. It runs where a given graph lies, else on CuPy's current
    device. Raises what irgl.rt.call.run.run does.
    """
    bits = widths_for(manifest, graphs.values())
    listener()("building", None)
    begin = time.perf_counter()
    device = _device(cp, graphs.values())
    library = opened(manifest.text, bits, nvcc.architecture(device))
    build_ms = (time.perf_counter() - begin) * 1e3
    listener()("running", None)
    order = Order(manifest, graphs, values, plan)
    with cp.cuda.Device(device):
        cp.cuda.get_current_stream().synchronize()
        call = DeviceCall(cp, device, lent, manifest, order.graphs, order.values, bits)
        call.set_knobs(plan, 1, options.worklist_capacity, options.seed)
        cp.cuda.get_current_stream().synchronize()  # what is uploaded is there
    times: list[float] = []

    def work() -> None:
        with cp.cuda.Device(device):  # which is each thread's own
            for _ in range(options.repeat):
                call.clear()
                start = time.perf_counter()
                code = library.irgl_run(ctypes.byref(call.args))
                on_gpu = int(call.stats[abi.DEVICE_STATS.index("run_ns")]) * 1e-6
                times.append(on_gpu if on_gpu > 0 else (time.perf_counter() - start) * 1e3)
                if code != 0:
                    break

    interruptible(work, call.stop, options.time_limit)
    flush()  # what the program printed
    if call.fault[0] == abi.FAULT_DEVICE:
        raise IrglError("CUDA failed, as it says on stderr", hint="arrays on the GPU may be lost: begin a new process")
    call.check(manifest)
    stats = {name: int(call.stats[i]) for i, name in enumerate(abi.DEVICE_STATS)}
    with cp.cuda.Device(device):
        result = _back(cp, order, call.result(manifest, graphs))
    return Outcome(result, build_ms, tuple(times), 1, stats, order_ms=order.ms, forms=call.told())


@cache
def opened(text: str, bits: tuple[int, int], architecture: str) -> ctypes.CDLL:
    """A unit as a library of this process, built once for that kind of GPU.

    Raises IrglError where nvcc can't, or it can't be loaded.
    """
    defines = [f"IRGL_NODE_BITS={bits[0]}", f"IRGL_EDGE_BITS={bits[1]}"]
    return loaded(lambda: nvcc.build(text, emulate.folder().parent, defines, architecture, shared=True))


class DeviceCall(Call):
    """A call whose graphs and properties lie in a device's memory."""

    def __init__(self, cp: Any, device: int, lent: Mapping[str, Twins], manifest: Manifest,
                 graphs: Mapping[str, Graph], values: Mapping[str, Any], bits: tuple[int, int]) -> None:
        self._cp, self._device, self._lent = cp, device, lent
        self._twins: Twins = {}
        super().__init__(manifest, graphs, values, bits)

    def result(self, manifest: Manifest, graphs: Mapping[str, Graph]) -> Result:
        for g in manifest.graphs:
            for k, p in enumerate(g.properties):
                array = self.arrays[g.name][k]
                if array is not None and p.type in self.structs:  # CuPy has none
                    self.arrays[g.name][k] = on_host(array).view(self._dtype(p.type))
        return super().result(manifest, graphs)

    def _graph(self, g: GraphParam, graph: Graph) -> abi.Graph:
        self._twins = self._lent.get(g.name, {})
        record = super()._graph(g, graph)
        record.flags |= abi.GRAPH_ON_DEVICE
        return record

    def _ends(self, graph: Graph, wanted: bool) -> tuple[Any, Any]:
        return lying(graph, "row"), lying(graph, "dst") if wanted else None

    def _address(self, array: Any, dtype: np.dtype[Any]) -> int | None:
        if array is None:
            return None
        there = self._there(array, dtype, lambda host: np.ascontiguousarray(host, dtype))
        self.kept.append(there)
        return int(there.data.ptr)

    def _weights(self, graph: Graph, dtype: np.dtype[Any]) -> Any:
        return self._there(lying(graph, "weight"), dtype, lambda _: weights_of(graph, dtype))

    def _in_weights(self, graph: Graph, dtype: np.dtype[Any]) -> Any:
        if not graph.directed or graph.weight is None:
            return self._weights(graph, dtype)
        return self._there(in_weights_of(graph, dtype), dtype, lambda host: host)

    def _input(self, array: Any, dtype: np.dtype[Any], least: int = 1) -> Any:
        there = self._cp.ascontiguousarray(self._cp.asarray(array), dtype)
        return there if len(there) else self._cp.zeros(least, dtype)

    def _output(self, dtype: np.dtype[Any], count: int, least: int) -> Any:
        """Room for a property, to the end of its last word: atomics take whole words."""
        if dtype.names is not None:
            return self._cp.empty(max(least, count) * dtype.itemsize, np.uint8)[: count * dtype.itemsize]
        if dtype.itemsize < 4:
            return self._cp.zeros(max(least, count) + 3, dtype)[:count]
        return self._cp.empty(max(least, count), dtype)[:count]

    def _there(self, array: Any, dtype: np.dtype[Any], made: Callable[[Any], Array]) -> Any:
        """An array of a graph on the device: the caller's own, or that which was brought there, now or before."""
        if isinstance(array, Lent):
            if array.fits(dtype, self._device):
                return array.array
            array = array.host()
        key = (self._device, id(array), dtype.str)
        if key not in self._twins:
            self._twins[key] = (array, self._cp.asarray(padded(made(array), 2)))
        return self._twins[key][1]


def _device(cp: Any, graphs: Iterable[Graph]) -> int:
    given = (lying(g, "row") for g in graphs)
    return next((int(a.array.device.id) for a in given if isinstance(a, Lent)), int(cp.cuda.Device().id))


def _back(cp: Any, order: Order, result: Result) -> Result:
    """What a call left, in the numbering of the given graphs: where a plan chose another, it is translated here."""
    if not order.placed:
        return result
    fetched = {n: replace(v, array=on_host(v.array)) for n, v in result.properties.items()}
    found = order.back(replace(result, properties=fetched)).properties
    return replace(result, properties={
        n: v if v.array.dtype.names is not None else replace(v, array=cp.asarray(v.array)) for n, v in found.items()})
