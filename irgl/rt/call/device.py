"""Runs a CUDA unit in a process of its own: built by nvcc, on a GPU; or by g++, in the SIMT emulator."""

from __future__ import annotations

import hashlib
import os
import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from irgl.plan import Plan
from irgl.rt.call import abi
from irgl.rt.call.call import Call
from irgl.rt.call.process import CallFile
from irgl.rt.call.renumber import Order
from irgl.rt.call.run import Options, Outcome, widths, widths_for
from irgl.rt.compile import nvcc
from irgl.rt.compile.blame import own_fault, own_mistake
from irgl.rt.compile.build import cached
from irgl.rt.emulate import emulate
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.meshes.meshes import Mesh
from irgl.rt.results.profile import of_rounds
from irgl.rt.results.rounds import of_emulator, of_gpu
from irgl.rt.system import child
from irgl.rt.system.endings import CrashedError, RefusedCodeError, WrongCodeError
from irgl.rt.system.own_place import temporary
from irgl.source import IrglError


def run(manifest: Manifest, graphs: Mapping[str, Graph], values: Mapping[str, Any], plan: Plan, options: Options, *,
        mode: str = "check", mesh: Mesh | None = None) -> Outcome:
    """Runs a program as irgl.rt.call.run.run does. In the emulator, `mode` is its own, and the seed orders its threads.

    Raises IrglError where the program faults, and where there is no GPU or nvcc; WrongCodeError where the emulator
    finds an error in the generated code, of which the first message is told with its place.
    """
    if manifest.mesh and mesh is None:
        raise IrglError(f"{manifest.program} needs a mesh for `{manifest.mesh}`")
    simulated = plan.target == "simt"
    if not simulated:
        nvcc.require_device()
    begin = time.perf_counter()
    executable = build(manifest, widths_for(manifest, graphs.values()), simulated)
    build_ms = (time.perf_counter() - begin) * 1e3
    return run_built(executable, build_ms, manifest, graphs, values, plan, options, mode=mode, mesh=mesh)


def run_built(executable: Path, build_ms: float, manifest: Manifest, graphs: Mapping[str, Graph],
              values: Mapping[str, Any], plan: Plan, options: Options, *, mode: str = "check",
              mesh: Mesh | None = None) -> Outcome:
    """Runs the executable that `build` made of `manifest` for graphs of that size."""
    simulated = plan.target == "simt"
    bits = widths(graphs.values())
    order = Order(manifest, graphs, values, plan)
    call = Call(manifest, order.graphs, order.values, bits, mesh, options.gpu_cache)
    call.set_knobs(plan, 1, options.worklist_capacity, options.seed)
    call.args.devices = _devices(manifest, options)
    noted: list[int] = []
    with temporary("irgl-call-") as folder:
        file = CallFile(call, Path(folder) / "call", options.repeat)
        if simulated:
            counters, said = _simulated(executable, file, manifest.text, mode, options)
        else:
            log = Path(folder) / "rounds"
            environment = None if manifest.rounds is None else {**os.environ, "IRGL_ROUNDS": str(log)}
            ended = child.run([str(executable), str(file.path)], limit=options.time_limit, environment=environment)
            counters, said = {}, ended.said
            _check_end(ended)
            noted = np.fromfile(log, np.int64).tolist() if log.exists() else []
        file.results()
    if call.fault[0] == abi.FAULT_DEVICE and said:
        raise IrglError(f"CUDA failed: {' '.join(said).removeprefix(child.CUDA)}", hint=abi.FAULTS[abi.FAULT_DEVICE][1])
    call.check(manifest)
    rounds = None
    if manifest.rounds is not None:
        rounds = of_emulator(counters, manifest.rounds) if simulated else of_gpu(noted, manifest.rounds)
    profile = None
    if rounds is not None and manifest.sites is not None:
        profile = of_rounds(rounds, manifest.sites, max((g.num_edges for g in graphs.values()), default=0))
        rounds = None
    told = {name: n for name, n in counters.items() if name not in ("rounds", "further_rounds")}
    stats: dict[str, Any] = {name: int(call.stats[i]) for i, name in enumerate(abi.DEVICE_STATS)} | told
    result = order.back(call.result(manifest, graphs))
    times = tuple(float(x) for x in file.times)
    return Outcome(result, build_ms, times, 1, stats, order_ms=order.ms, forms=call.told(), rounds=rounds,
                   profile=profile)


def _devices(manifest: Manifest, options: Options) -> int:
    """The devices, a bit each. Raises IrglError for several where nothing could use the second."""
    if len(options.devices) > 1 and "irgl::moving_part(" not in manifest.text:
        raise IrglError(f"{manifest.program} runs on one device: it has no Sections that could go to others",
                        hint=f"name one: --devices {options.devices[0]}")
    return sum(1 << d for d in options.devices)


def build(manifest: Manifest, bits: tuple[int, int], simulated: bool) -> Path:
    """The executable of a CUDA unit, from the cache or built now."""
    root = emulate.folder().parent
    text = manifest.text + '\n#include "cuda_rt/process.cuh"\n'
    defines = [f"IRGL_NODE_BITS={bits[0]}", f"IRGL_EDGE_BITS={bits[1]}"]
    if not simulated:
        return nvcc.build(text, root, defines)
    # In the cache, since its path stands in what is compiled, and the emulator's messages name it.
    key = hashlib.sha256(text.encode()).hexdigest()
    source = cached(key, ".cu", lambda path: _write(path, text)).path
    try:
        return emulate.build(source, include=[root], defines=defines, slim=True)
    except emulate.Refused as e:
        ours = RefusedCodeError(f"the C++ compiler refuses the code that irgl made: {e.message}",
                                file=str(source) if e.file is None else e.file, hint=f"please report it with {source}")
        raise own_fault(text, source, f"{e.file}: error: {e.message}") or ours from None


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _simulated(executable: Path, file: CallFile, text: str, mode: str,
               options: Options) -> tuple[dict[str, Any], Sequence[str]]:
    """The emulator's counters, and what the run-time library said."""
    report = emulate.run_unit(executable, [str(file.path)], mode=mode, seed=options.seed, limit=options.time_limit,
                              environment=emulate.pretending(options.gpu_l1, options.gpu_cache, options.gpu_weaver))
    if report.errors:
        first = report.errors[0]
        what = f"the emulator found [{first.kind}] {first.text}"
        mistake = own_mistake(text, first.place, what)
        if mistake is not None:
            raise mistake
        raise WrongCodeError(what, file=first.place, hint=f"it is the first of {len(report.errors)} messages")
    said = [line for line in report.stderr.splitlines() if line not in map(str, report.warnings)]
    _check_end(child.Ended(report.code, tuple(said)))
    atomics = sum(sum(report.counters.get(f"{where}_atomics", {}).values()) for where in ("global", "shared"))
    return {**report.counters, "atomics": atomics, "warnings": len(report.warnings)}, said


def _check_end(ended: child.Ended) -> None:
    """0 and 1 are the unit's own codes: it has put what happened into the call."""
    if ended.code not in (0, 1):
        said = f": {' '.join(ended.said)[-500:]}" if ended.said else ""
        killed = "it, or the system for want of memory, was told to end" if ended.code == -signal.SIGKILL else None
        raise CrashedError(f"the program {child.how_it_ended(ended.code)}{said}", hint=killed)
