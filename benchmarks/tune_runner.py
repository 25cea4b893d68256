"""Runs many variants of one program on one graph in this process, each evaluation little more than the call itself."""

from __future__ import annotations

import ctypes
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tune_inputs import loaded

from irgl.driver import Ready, emit, ready
from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.call import Call
from irgl.rt.call.renumber import Order
from irgl.rt.call.run import cores, widths
from irgl.rt.compile.build import open_library
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.describe import manifest_of
from irgl.rt.manifests.manifest import GraphParam, Manifest
from irgl.source import IrglError

#: A short run is repeated until it has taken so long, in milliseconds, at most so often; the fastest counts.
_TURN_MS, _REPEATS = 6.0, 5


@dataclass(frozen=True)
class Unit:
    """What plans that generated code can't tell apart share. error: why there is none."""

    manifest: Manifest | None
    library: ctypes.CDLL | None
    error: str = ""


class Units:
    """The units of one program, built once for all graphs."""

    def __init__(self, path: Path) -> None:
        self.program: Ready = ready(path)
        self._units: dict[str, Unit] = {}

    def build(self, plans: list[Plan]) -> None:
        """Builds what the plans need, on all cores."""
        wanted = {p.in_code: p for p in plans if p.in_code not in self._units}
        with ThreadPoolExecutor(cores()) as pool:
            self._units |= dict(zip(wanted, pool.map(self._made, wanted.values()), strict=True))

    def of(self, plan: Plan) -> Unit:
        return self._units[plan.in_code]

    def _made(self, plan: Plan) -> Unit:
        try:
            manifest = manifest_of(emit(self.program, plan, "cpu"), str(plan))
            return Unit(manifest, open_library(manifest.text)[0])
        except IrglError as e:
            return Unit(None, None, e.message)


class Runner:
    """One program on one graph, on `threads` threads. One call's memory serves all plans that see the same graph."""

    def __init__(self, units: Units, spec: str, threads: int) -> None:
        self.units, self.spec, self.threads = units, spec, threads
        self._graphs: dict[tuple[GraphParam, ...], tuple[dict[str, Graph], dict[str, str]]] = {}
        self._calls: dict[tuple[tuple[str, ...], tuple[GraphParam, ...]], Call] = {}
        self._watch = _Watch()

    def close(self) -> None:
        self._watch.close()

    def facts(self, plan: Plan) -> dict[str, int]:
        graph = next(iter(self._given(self._manifest(plan))[0].values()))
        return {"nodes": graph.num_nodes, "arcs": graph.num_edges}

    def evaluate(self, plan: Plan, limit: float) -> tuple[float | None, dict[str, Any]]:
        """Milliseconds, and the scalars of the answer; None where it was stopped after `limit` seconds."""
        unit, call = self.units.of(plan), self._call(plan)
        assert unit.library is not None and unit.manifest is not None
        call.set_knobs(plan, self.threads, 0, 0)
        best, spent = float("inf"), 0.0
        for _ in range(_REPEATS):
            call.clear()
            call.stop[0] = 0
            self._watch.begin(call, limit)
            begin = time.perf_counter()
            unit.library.irgl_run(ctypes.byref(call.args))
            took = (time.perf_counter() - begin) * 1e3
            self._watch.end()
            if call.stop[0]:
                return None, {}
            call.check(unit.manifest)
            best, spent = min(best, took), spent + took
            if spent >= _TURN_MS:
                break
        scalars = {n: g[0].item() for (n, _), g in zip(unit.manifest.scalars, call.globals, strict=True)}
        return best, scalars

    def _manifest(self, plan: Plan) -> Manifest:
        manifest = self.units.of(plan).manifest
        assert manifest is not None
        return manifest

    def _given(self, manifest: Manifest) -> tuple[dict[str, Graph], dict[str, str]]:
        if manifest.graphs not in self._graphs:
            self._graphs[manifest.graphs] = loaded(manifest, self.spec)
        return self._graphs[manifest.graphs]

    def _call(self, plan: Plan) -> Call:
        manifest = replace(self._manifest(plan), plan=str(plan))  # in which a plan's factors of defaults are found
        words = tuple(plan.text_of(o.name) for o in plan.options if o.at_run and o.words)
        key = (words, manifest.graphs)
        if key not in self._calls:
            graphs, given = self._given(manifest)
            order = Order(manifest, graphs, bind(manifest, graphs, given), plan)
            bits = widths(graphs.values())
            assert bits == (32, 32), "the units are built for ids of 32 bits"
            self._calls[key] = Call(manifest, order.graphs, order.values, bits)
        return self._calls[key]


class _Watch:
    """Asks a call to stop when it has taken too long; one thread for all calls."""

    def __init__(self) -> None:
        self._call: Call | None = None
        self._deadline = 0.0
        self._lock = threading.Lock()
        self._done = threading.Event()
        threading.Thread(target=self._look, daemon=True).start()

    def begin(self, call: Call, limit: float) -> None:
        with self._lock:
            self._call, self._deadline = call, time.monotonic() + limit

    def end(self) -> None:
        with self._lock:
            self._call = None

    def close(self) -> None:
        self._done.set()

    def _look(self) -> None:
        while not self._done.wait(0.05):
            with self._lock:
                if self._call is not None and time.monotonic() > self._deadline:
                    self._call.stop[0] = 1
