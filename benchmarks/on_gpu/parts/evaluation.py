"""The paper's evaluation in kind: what each optimization is worth by program and graph, with one plan for all graphs.

A time is that of the program from its start to its end on the device and the host, without the copies of the graph
(irgl's own clock); the median of the repetitions of one process, one process at a time on the GPU.
"""

from __future__ import annotations

import statistics
from concurrent.futures import Future
from typing import Any

from on_gpu.pool import Reply
from on_gpu.suite import EVALUATED, NP, SCHEDULERS, Suite
from on_gpu.units import by_block

PART = "evaluation"
PROGRAMS = ("bfs", "sssp_nf", "pr", "cc", "mis", "mst", "tri")
GRAPHS = ("NY", "rmat22", "grid", "r4", "uniform")
ON_MESHES = ("dmr",)
MESH = "points"
TABLE2 = ("bfs", "sssp_nf", "pr")
TABLE2_GRAPH = "rmat22"
REPEAT = 3


def schedulers(quick: bool) -> dict[str, str]:
    """The plans of table 2: all that `all` has, with each subset of the schedulers."""
    return {np: f"np={np}" if f"np={np}" != NP else "default" for np in (SCHEDULERS[:2] if quick else SCHEDULERS)}


def prepare(suite: Suite) -> None:
    """Begins to make the graphs of this part, the largest first, and to build its plans, behind the parts before it."""
    programs, refining = _programs(suite), suite.programs(ON_MESHES)
    if programs:
        for name in ("rmat22", "r4", "NY", "uniform", "grid"):
            suite.start_graph(name)
    if refining:
        suite.start_graph(MESH)
    for program in (*programs, *refining):
        for group in _groups(suite, program):
            suite.build(program, group)
    if not suite.quick:
        for name in GRAPHS:
            for program in programs if suite.spec(name) is not None else ():
                suite.prepare(program, name)


def _programs(suite: Suite) -> list[str]:
    return suite.programs(PROGRAMS)[:1 if suite.quick else None]


def _plans(suite: Suite) -> dict[str, str]:
    return {n: EVALUATED[n] for n in (("none", "np", "all") if suite.quick else EVALUATED)}


def _groups(suite: Suite, program: str) -> list[list[str]]:
    """The plans of a program that are built together; large programs' one by one: together they take minutes."""
    plans = list(_plans(suite).values())
    if program in ON_MESHES:
        return [[plan] for plan in plans]
    return by_block(list(dict.fromkeys([*plans, *(schedulers(suite.quick).values() if program in TABLE2 else ())])))


def run(suite: Suite) -> None:
    plans, subsets = _plans(suite), schedulers(suite.quick)
    jobs = []
    for name in GRAPHS[:2] if suite.quick else GRAPHS:
        for program in _programs(suite):
            jobs += _submit(suite, program, name, plans, "optimizations")
            if name == TABLE2_GRAPH and program in TABLE2:
                jobs += _submit(suite, program, name, subsets, "schedulers")
    for program in suite.programs(ON_MESHES):
        jobs += _submit(suite, program, MESH, plans, "optimizations")
    suite.wait(jobs, PART, "programs on graphs")
    suite.record.note("speedups", speedups(suite.record.rows(PART)))


def _submit(suite: Suite, program: str, name: str, plans: dict[str, str], table: str) -> list[Future[str]]:
    names = {text: short for short, text in plans.items()}
    there = suite.graphs_of(program, [name], PART)
    return [suite.run(suite.timed, PART, program, group, there, lambda r: _told(suite, program, table, names, r),
                      only=only, repeat=1 if suite.quick else REPEAT, lock=suite.lock)
            for group in _groups(suite, program) if there and (only := [p for p in plans.values() if p in group])]


def _told(suite: Suite, program: str, table: str, names: dict[str, str], reply: Reply) -> None:
    if reply.get("late"):
        suite.record.leave_out(PART, f"{program} on {reply['graph']}: {names[reply['plan']]}: the time was over")
        return
    if "plan" not in reply:
        suite.record.leave_out(PART, f"{program}: {reply['error']}")
        return
    row = {"table": table, "program": program, "graph": reply["graph"], "name": names[reply["plan"]],
           "plan": reply["plan"]}
    if "error" in reply:
        suite.record.row(PART, {**row, "error": reply["error"]})
        return
    rows = [] if reply["any_valid"] else suite.record.rows(PART)
    other = differs(rows, program, reply["graph"], reply["scalars"])
    suite.record.row(PART, {**row, "ms": statistics.median(reply["ms"]), "samples": reply["ms"],
                            "scalars": reply["scalars"], "stats": reply["stats"], "differs": other})


def differs(rows: list[dict[str, Any]], program: str, graph: str, scalars: dict[str, Any]) -> list[str]:
    """Which of a run's whole numbers another plan gave differently, on the same graph."""
    for row in rows:
        if (row["program"], row.get("graph")) == (program, graph) and "scalars" in row:
            before = row["scalars"]
            return [k for k, x in scalars.items() if isinstance(x, int) and before[k] != x]
    return []


def speedups(rows: list[dict[str, Any]]) -> dict[str, dict[str, dict[str, float]]]:
    """By program and graph, time without any optimization over time with each; and for `schedulers` over serial."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for table, base in (("optimizations", "none"), ("schedulers", "serial")):
        mine = [r for r in rows if r.get("table") == table and r.get("ms")]
        bases = {(r["program"], r["graph"]): r["ms"] for r in mine if r["name"] == base}
        for r in mine:
            key = (r["program"], r["graph"])
            if key in bases:
                place = found.setdefault(f"{table}: {r['program']}", {}).setdefault(r["graph"], {})
                place[r["name"]] = round(bases[key] / r["ms"], 3)
    return found
