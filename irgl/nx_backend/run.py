"""Calls of the backend's own programs: each compiled and loaded once a process.

A call of a small graph takes some 50 microseconds, on the caller's thread. A large one runs as any program does (see
irgl.rt.call.run): on all cores, and Ctrl-C stops it.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from irgl.plan import Plan
from irgl.rt.call import abi
from irgl.rt.call.call import Call
from irgl.rt.call.run import Options, widths
from irgl.rt.call.run import run as run_large
from irgl.rt.compile.build import open_library
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.manifests.program import open_program

Array = np.ndarray[Any, Any]
PROGRAMS = Path(__file__).resolve().parent / "programs"
#: Nodes and edges of graphs that one thread is done with before others have been woken.
SMALL = 20_000
_INVOCATIONS = abi.STATS.index("invocations")


class Kernels:
    """How many compiled kernels this process has run for NetworkX, and how many for each program."""

    def __init__(self) -> None:
        self.total = 0
        self.by_program: dict[str, int] = {}

    def add(self, program: str, count: int) -> None:
        self.total += count
        self.by_program[program] = self.by_program.get(program, 0) + count


kernels = Kernels()


@dataclass(frozen=True, slots=True)
class Found:
    """What a program leaves: its scalars, and properties by name; those of a further graph h are called `h.name`."""

    scalars: dict[str, Any]
    arrays: dict[str, Array]

    def __getitem__(self, name: str) -> Any:
        return self.arrays[name] if name in self.arrays else self.scalars[name]


class Unit:
    """A program of this folder. Its plan is the compiler's own."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.plan = Plan.parse("default", "cpu")
        self.manifest: Manifest = open_program(PROGRAMS / f"{name}.irgl", self.plan)
        self._entries: dict[tuple[int, int], Callable[[Any], int]] = {}

    def entry(self, bits: tuple[int, int]) -> Callable[[Any], int]:
        if bits not in self._entries:
            library, _ = open_library(self.manifest.text, node_bits=bits[0], edge_bits=bits[1])
            self._entries[bits] = library.irgl_run
        return self._entries[bits]

    def __call__(self, graphs: tuple[Graph, ...], values: dict[str, Any]) -> Found:
        named = {g.name: graph for g, graph in zip(self.manifest.graphs, graphs, strict=True)}
        assert values.keys() == {p.name for p in self.manifest.params}, f"{self.name}: {sorted(values)}"
        if sum(g.num_nodes + g.num_edges for g in graphs) > SMALL:
            return self._large(named, values)
        bits = widths(graphs)
        call = Call(self.manifest, named, values, bits)
        call.set_knobs(self.plan, 1, 0, 0)
        call.clear()
        self.entry(bits)(ctypes.byref(call.args))
        call.check(self.manifest)
        kernels.add(self.name, int(call.stats[_INVOCATIONS]))
        scalars = {n: g[0].item() for (n, _), g in zip(self.manifest.scalars, call.globals, strict=True)}
        arrays = {}
        for at, g in enumerate(self.manifest.graphs):
            for p, a in zip(g.properties, call.arrays[g.name], strict=True):
                if a is not None:
                    arrays[f"{g.name}.{p.name}" if at else p.name] = a
        return Found(scalars, arrays)

    def _large(self, graphs: dict[str, Graph], values: dict[str, Any]) -> Found:
        out = run_large(self.manifest, graphs, values, self.plan, Options())
        kernels.add(self.name, out.stats["invocations"])
        return Found(out.result.scalars, {n: v.array for n, v in out.result.properties.items()})


_units: dict[str, Unit] = {}
_lock = threading.Lock()


def unit(name: str) -> Unit:
    """The program of that file, opened once."""
    found = _units.get(name)
    if found is None:
        with _lock:
            if name not in _units:
                _units[name] = Unit(name)
            found = _units[name]
    return found


def call(name: str, *graphs: Graph, **values: Any) -> Found:
    """Runs a program on graphs, which are as it wants them, in the order of its parameters; nodes are numbers."""
    return unit(name)(graphs, values)


def vector(values: Any, dtype: Any = np.int64) -> Graph:
    """Numbers as a graph of one node whose edges they are: how a program is given a list."""
    data = np.ascontiguousarray(values, dtype)
    return Graph(np.array([0, len(data)], np.int32), np.zeros(len(data), np.int32), data)
