"""The paper's evaluation in kind: what each optimization is worth by program and graph, with one plan for all graphs.

A time is that of the program from its start to its end on the device and the host, without the copies of the graph
(irgl's own clock); the median of the repetitions of one process, one process at a time on the GPU.
"""

from __future__ import annotations

from typing import Any

from on_gpu.parts.compared import submit
from on_gpu.suite import EVALUATED, NP, SCHEDULERS, Suite
from on_gpu.units import by_block

PART = "evaluation"
PROGRAMS = ("bfs", "sssp_nf", "pr", "cc", "mis", "mst", "tri")
GRAPHS = ("NY", "rmat22", "grid", "r4", "uniform")
ON_MESHES = ("dmr",)
MESH = "points"
TABLE2 = ("bfs", "sssp_nf", "pr")
TABLE2_GRAPH = "rmat22"


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
            jobs += submit(suite, PART, program, name, plans, "optimizations", _groups(suite, program))
            if name == TABLE2_GRAPH and program in TABLE2:
                jobs += submit(suite, PART, program, name, subsets, "schedulers", _groups(suite, program))
    for program in suite.programs(ON_MESHES):
        jobs += submit(suite, PART, program, MESH, plans, "optimizations", _groups(suite, program))
    suite.wait(jobs, PART, "programs on graphs")
    suite.record.note("speedups", speedups(suite.record.rows(PART)))


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
