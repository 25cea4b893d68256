"""What one program counts on one graph under one scheduler, with SparseWeaver's unit or without it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import weaver_graphs
from counting import PROGRAMS, ROOT, Counted, count, load_of
from machine import commit

from irgl.plan import Plan
from irgl.rt.call.run import Options
from irgl.rt.manifests.program import open_program
from irgl.tune.measure.gpu import load
from irgl.tune.measure.gpu_model import Explained, explain

Row = dict[str, Any]
#: The GPU whose caches the emulator pretends to have, and whose time is modelled.
GPU = "vortex"
#: What every plan says; all else is as it is by default.
COMMON = "outline=off vec=thread"
COUNTED = ("warp_memory", "warp_steps", "warp_shared", "block_barriers", "grid_barriers", "launches", "global_atomics",
           "shared_atomics", "transactions", "l2_sectors", "dram_sectors")
OF_UNIT = ("weaver_registrations", "weaver_requests", "weaver_decodes", "weaver_lanes", "weaver_st_reads",
           "weaver_cycles", "weaver_shared_bytes")
_HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Schedule:
    """What papers call it, what a plan says, of which `word` is the one that may be refused."""

    name: str
    plan: str
    word: str
    unit: bool = False


_ALL = " drive=topology"
SCHEDULES = {s.name: s for s in (
    Schedule("VM", "np=serial", "np=serial"),
    Schedule("VM, by degree", "np=serial order=degree", "order=degree"),
    Schedule("EM", "np=serial format=coo", "format=coo"),
    Schedule("WM", "np=wf", "np=wf"),
    Schedule("CM", "np=fg", "np=fg"),
    Schedule("TWC", "np=bins", "np=bins"),
    Schedule("TWCE", "np=cut stage=8", "np=cut"),
    Schedule("STRICT", "np=even", "np=even"),
    Schedule("weaver", "np=weaver", "np=weaver"),
    Schedule("unit", "np=weaver", "np=weaver", unit=True),
    Schedule("VM, all nodes", "np=serial" + _ALL, "drive=topology"),
    Schedule("EM, all nodes", "np=serial format=coo" + _ALL, "format=coo"),
    Schedule("unit, all nodes", "np=weaver" + _ALL, "drive=topology", unit=True))}
_AS_WRITTEN = tuple(name for name in SCHEDULES if not name.endswith("all nodes"))
_FEW = ("VM", "EM", "WM", "CM", "weaver", "unit")


@dataclass(frozen=True, slots=True)
class Task:
    """A program, what it is called with, and what is taken off of what it counts: a run with `idle`.

    One that searches begins at the node of most arcs, so that it has something to find.
    """

    name: str
    program: str
    schedules: tuple[str, ...]
    folder: Path = PROGRAMS
    values: Mapping[str, Any] = field(default_factory=dict)
    idle: Mapping[str, Any] | None = None
    searches: bool = False

    def called(self, spec: str) -> Mapping[str, Any]:
        """The values of its parameters on a graph."""
        if not self.searches:
            return self.values
        graph = load_of(self.program, spec, self.folder)
        return {**self.values, "src": graph.file_id(int(np.argmax(np.diff(graph.row))))}


def _round(name: str, program: str, which: int, schedules: tuple[str, ...] = _FEW) -> Task:
    return Task(name, program, schedules, _HERE, {"which": which}, {"which": 0})


#: Of PageRank two iterations, which are all alike.
_TWO = {"max_iterations": 2}
PROGRAMS_OF_IT = (Task("bfs", "bfs", tuple(SCHEDULES), searches=True),
                  Task("sssp_bf", "sssp_bf", _AS_WRITTEN, searches=True),
                  Task("pr_pull", "pr_pull", _AS_WRITTEN, values=_TWO), Task("cc", "cc", tuple(SCHEDULES)))
_SKEW = Task("pr_pull", "pr_pull", _FEW, values=_TWO)
ROUNDS_OF_IT = (_round("shares, pulled", "form_counters", 1), _round("shares, pushed", "form_counters", 2),
                _round("SpMM", "gcn", 1), _round("SpMM, by weight", "gcn", 3, ("VM",)),
                _round("GraphSum", "gcn", 2), _round("GraphSum, by weight", "gcn", 4, ("VM",)))
NAMES = tuple(t.name for t in (*PROGRAMS_OF_IT, *ROUNDS_OF_IT))


def tasks(graph: str) -> tuple[Task, ...]:
    """What is run on a graph."""
    if graph in weaver_graphs.POWER_LAWS:
        return (_SKEW,)
    return PROGRAMS_OF_IT + (ROUNDS_OF_IT if graph in weaver_graphs.ROUNDS else ())


def row(task: Task, schedule: Schedule, graph: str, spec: str) -> Row:
    """What was counted, or why the compiler refuses."""
    plan = f"{schedule.plan} {COMMON}"
    made: Row = {"program": task.name, "graph": graph, "schedule": schedule.name, "plan": plan, "commit": commit(ROOT)}
    why = refusal(task, schedule)
    if why is not None:
        return made | {"refused": why}
    ran, idle = (None if values is None else _count(task, plan, graph, spec, values, schedule.unit)
                 for values in (task.called(spec), task.idle))
    assert ran is not None
    assert not schedule.unit or _number(ran, "weaver_registrations") > 0, "the unit has nothing to do"
    counts = {name: _number(ran, name) - (0 if idle is None else _number(idle, name)) for name in COUNTED}
    told = {name: _number(ran, name) for name in OF_UNIT} if schedule.unit else {}
    return made | {"nodes": ran.nodes, "arcs": ran.edges, "seconds": ran.seconds} | counts | told | _modelled(ran, idle)


def refusal(task: Task, schedule: Schedule) -> str | None:
    """Why the compiler does not do what a schedule is, or None where it does."""
    file = next(task.folder.glob(f"{task.program}.*"))
    unit = open_program(file, Plan.parse(f"{schedule.plan} {COMMON}", "simt"))
    if any(f": {schedule.word}" in line for line in unit.applied):
        return None
    refused = (line.partition(f": {schedule.word}")[2].partition(": ")[2] for line in unit.not_applicable
               if f": {schedule.word}" in line)
    return next(refused, "no loop of it runs over edges")


def _count(task: Task, plan: str, graph: str, spec: str, values: Mapping[str, Any], unit: bool) -> Counted:
    l1, l2, _ = load(GPU).emulated
    return count(task.program, plan, graph, spec, mode="lockstep", folder=task.folder, values=values,
                 options=Options(gpu_l1=l1, gpu_cache=l2, gpu_weaver=unit))


def _number(of: Counted, name: str) -> int:
    found = of.stats.get(name, of.stats["own"].get(name, 0))
    return sum(found.values()) if isinstance(found, dict) else int(found)


def _modelled(ran: Counted, idle: Counted | None) -> Row:
    """The model's time, and its parts."""
    whole, less = explain(ran.stats, load(GPU)), None if idle is None else explain(idle.stats, load(GPU))
    return {"ms": round(whole.ms - (0 if less is None else less.ms), 4), "parts": _parts(whole, less)}


def _parts(whole: Explained, less: Explained | None) -> dict[str, float]:
    off = {} if less is None else {p.name: p.ms for p in less.parts}
    return {p.name: round(p.ms - off.get(p.name, 0.0), 4) for p in whole.parts}


def bound(of: Row) -> str:
    """The part of the model's time that takes most."""
    parts: dict[str, float] = of["parts"]
    return max(parts, key=lambda name: parts[name])
