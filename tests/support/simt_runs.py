"""Runs many units in the SIMT emulator: several are built into one executable, each text once, and run by one process.

Units of one executable have the same number of threads in a block.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from irgl.codegen.cxx.joined import joined, without_plan
from irgl.rt.call import abi, device
from irgl.rt.call.call import Call
from irgl.rt.call.process import CallFile
from irgl.rt.call.renumber import Order
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.results.result import Result
from irgl.rt.system.endings import RefusedCodeError
from irgl.source import IrglError
from support.covering import Row
from support.plans import plan_of
from support.simt_jobs import Job, run_jobs

#: Units of one executable: more of them share the headers, fewer are compiled side by side and name what is wrong.
CHUNK = 16
BITS = (32, 32)
#: A grid of all its blocks has a quarter of the threads that it has on the device that the emulator pretends to be, and
#: a list without a bound takes a sixteenth of the memory.
SMALL_DEVICE = {"IRGL_EMU_SMS": "1", "IRGL_EMU_MEMORY": "512"}


@dataclass(frozen=True, slots=True)
class Task:
    """A unit on a graph, as a row says: how it was planned, its lists' capacity, the emulator's mode and seed.

    seed: of the program's own random numbers. devices: how many there are, all of which the program may use.
    """

    manifest: Manifest
    row: Row
    graphs: Mapping[str, Graph]
    values: Mapping[str, Any]
    seed: int = 0
    devices: int = 1


@dataclass(frozen=True, slots=True)
class Done:
    """What is wrong with a run ('' for nothing), and what it gave."""

    error: str = ""
    result: Result | None = None
    stats: Mapping[str, Any] = field(default_factory=dict)


def run_all(tasks: Sequence[Task], chunk: int = CHUNK) -> list[Done]:
    """What each task gives."""
    texts: dict[str, list[int]] = {}  # a unit's text: the tasks that run it
    for i, task in enumerate(tasks):
        texts.setdefault(without_plan(task.manifest.text), []).append(i)
    blocks: dict[str, list[list[int]]] = {}
    for ids in texts.values():
        blocks.setdefault(tasks[ids[0]].row["block"], []).append(ids)
    chunks = [units[at:at + chunk] for units in blocks.values() for at in range(0, len(units), chunk)]
    found: dict[int, Done] = {}
    with ThreadPoolExecutor(_at_once()) as pool:
        for done in pool.map(lambda units: _run_chunk(tasks, units), chunks):
            found |= done
    return [found[i] for i in range(len(tasks))]


def _at_once() -> int:
    """How many executables are made and run at a time, beside what other processes of pytest do."""
    return max(1, (os.cpu_count() or 1) // int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


def _run_chunk(tasks: Sequence[Task], units: Sequence[Sequence[int]]) -> dict[int, Done]:
    try:
        executable = build([tasks[ids[0]].manifest for ids in units])
    except (IrglError, RefusedCodeError) as e:
        if len(units) == 1:
            return {i: Done(str(e)) for i in units[0]}
        half = len(units) // 2
        return _run_chunk(tasks, units[:half]) | _run_chunk(tasks, units[half:])
    numbers = {i: unit for unit, ids in enumerate(units) for i in ids}
    return dict(zip(numbers, _run(executable, [(unit, tasks[i]) for i, unit in numbers.items()]), strict=True))


def build(manifests: Sequence[Manifest]) -> Path:
    """One executable, which runs the unit whose number the variable UNIT gives."""
    return device.build(replace(manifests[0], text=joined([m.text for m in manifests])), BITS, True)


def _run(executable: Path, runs: Sequence[tuple[int, Task]]) -> list[Done]:
    with tempfile.TemporaryDirectory(prefix="irgl-calls-") as folder:
        orders, calls, files, jobs = [], [], [], []
        for i, (unit, task) in enumerate(runs):
            plan = plan_of(task.row)
            order = Order(task.manifest, task.graphs, task.values, plan)
            call = Call(task.manifest, order.graphs, order.values, BITS)
            call.set_knobs(plan, 1, int(task.row["capacity"]), task.seed)
            call.args.devices = (1 << task.devices) - 1
            file = CallFile(call, Path(folder) / str(i), 1)
            orders.append(order)
            calls.append(call)
            files.append(file)
            jobs.append(Job([str(file.path)], task.row["mode"], int(task.row["seed"]),
                            {"UNIT": str(unit), "IRGL_EMU_DEVICES": str(task.devices), **SMALL_DEVICE}))
        reports = run_jobs(executable, jobs)
        found = []
        for (_, task), order, call, file, report in zip(runs, orders, calls, files, reports, strict=True):
            if report.errors:
                found.append(Done(f"{len(report.errors)} complaints: {report.errors[0]}"))
                continue
            if report.code not in (0, 1):
                found.append(Done(f"ended with code {report.code}: {report.stderr[-300:]}"))
                continue
            file.results()
            try:
                call.check(task.manifest)
            except IrglError as e:
                found.append(Done(str(e)))
                continue
            stats = {name: int(call.stats[i]) for i, name in enumerate(abi.DEVICE_STATS)}
            result = order.back(call.result(task.manifest, task.graphs))
            found.append(Done("", result, stats | dict(report.counters)))
        return found
