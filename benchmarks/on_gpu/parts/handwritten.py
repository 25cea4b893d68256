"""Our programs beside handwritten CUDA, plain and expert (benchmarks/handwritten), on the same graphs, as ratios."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from irgl.tune.choose.standard import standard
from irgl.tune.inputs.features import CLASSES
from on_gpu.parts.micro import build, compiled, run_program
from on_gpu.pool import TIME_OVER
from on_gpu.suite import Suite
from on_gpu.units import by_block, manifest_of

PART = "handwritten"
FOLDER = Path(__file__).resolve().parents[2] / "handwritten"
#: Ours for the same problem, under the plan that irgl ships for the class of the graph.
OURS = {"bfs": ("bfs", "bfs_do"), "sssp": ("sssp_nf", "sssp_delta"), "cc": ("cc", "cc_afforest"),
        "pr": ("pr", "pr_pull"), "tri": ("tri",)}
GRAPHS = ("NY", "rmat22", "grid", "rmat20")
BASE = "default"
#: Programs of others that read and copy at a time; on the GPU they take turns.
AT_ONCE = 4
REPEAT = 5
#: What the handwritten PageRanks end at.
VALUES = {"epsilon": 1e-5}


def prepare(suite: Suite) -> None:
    """Begins to build the programs of this part, and to make its graphs."""
    for source in _sources(suite):
        compiled(suite, source)
    for name in GRAPHS[:1] if suite.quick else GRAPHS:
        for program in _ours(suite):
            for group in shipped(suite, program):
                suite.build(program, group)
            if suite.spec(name) is not None:
                suite.prepare(program, name)


def _sources(suite: Suite) -> list[Path]:
    return [s for s in sorted(FOLDER.glob("*.cu")) if not suite.quick or s.stem in ("bfs_plain", "bfs_expert")]


def _ours(suite: Suite) -> list[str]:
    """Our programs for the problems of this part."""
    problems = {_problem(s) for s in _sources(suite)}
    return [p for problem in sorted(problems) for p in suite.programs(OURS.get(problem, ())) if problem in OURS]


def _problem(source: Path) -> str:
    return source.stem.rpartition("_")[0]


def run(suite: Suite) -> None:
    names = suite.graphs_of("", GRAPHS[:1] if suite.quick else GRAPHS, PART)
    cells: dict[str, dict[str, dict[str, Any]]] = {n: {} for n in names}
    ours = {n: [submit(suite, PART, p, n, cells[n], VALUES) for p in _ours(suite)] for n in names}
    with ThreadPoolExecutor(1 if suite.quick else AT_ONCE) as pool:
        theirs = {(s, n): pool.submit(_found, suite, s, n) for n in names for s in _sources(suite)}
        for name in names:
            suite.wait(ours[name], PART, f"programs on {name}")
            for program in _ours(suite):
                cell = cells[name].setdefault(program, {"error": TIME_OVER})
                suite.record.row(PART, {"graph": name, "who": "irgl", "program": program, **cell})
            for source in _sources(suite):
                mine = {p: cells[name][p] for p in OURS.get(_problem(source), ()) if p in cells[name]}
                _theirs(suite, source, name, theirs[source, name].result(), mine)


def shipped(suite: Suite, program: str) -> list[list[str]]:
    """All plans that irgl ships for a program, for graphs of one class or another; those of a block size together."""
    return by_block(sorted({_own(suite, program, c) for c in (None, *CLASSES)}), suite.target)


def _own(suite: Suite, program: str, graph_class: str | None) -> str:
    """The plan that irgl takes by itself for a program on graphs of a class, or on any."""
    known = manifest_of(Path(suite.file(program)), BASE, suite.target).fingerprint
    return str(standard(known, suite.target, graph_class).plan)


def submit(suite: Suite, part: str, program: str, name: str, cells: dict[str, dict[str, Any]],
           values: Mapping[str, Any]) -> Future[str]:
    """Times a program of ours under irgl's own plan. Into `cells` comes {"ms", "scalars", "plan"}, or {"error"}."""
    graph = suite.graph(name, part)
    plan = _own(suite, program, graph.get("class") if graph is not None else None)
    group = next(g for g in shipped(suite, program) if plan in g)

    def told(reply: dict[str, Any]) -> None:
        if "ms" in reply:
            cells[program] = {"ms": statistics.median(reply["ms"]), "scalars": reply["scalars"], "plan": plan}
        elif "error" in reply:
            cells[program] = {"error": reply["error"]}

    return suite.run(suite.timed, part, program, group, [name], told, only=[plan],
                     repeat=1 if suite.quick else REPEAT, values=dict(values), lock=suite.lock)


def _found(suite: Suite, source: Path, name: str) -> tuple[dict[str, Any], str]:
    """What a handwritten program says of a graph, or why it does not."""
    executable, graph = build(suite, source), suite.graph(name, PART)
    if isinstance(executable, str):
        return {}, executable
    if graph is None or suite.left() <= 0:
        return {}, TIME_OVER
    arguments = [str(suite.graph_file(name)), "--src", str(graph["source"]), "--repeat",
                 str(1 if suite.quick else REPEAT)]
    lines, why = run_program(suite, executable, arguments, min(60.0, suite.left()))
    return (lines[-1], "") if lines and not why else ({}, why or "it prints nothing")


def _theirs(suite: Suite, source: Path, name: str, told: tuple[dict[str, Any], str],
            mine: dict[str, dict[str, Any]]) -> None:
    found, why = told
    row: dict[str, Any] = {"graph": name, "who": source.stem.rpartition("_")[2], "program": _problem(source)}
    if why == TIME_OVER:
        suite.record.leave_out(PART, f"{source.stem} on {name}: {why}")
    elif why:
        suite.record.row(PART, {**row, "error": why})
    else:
        suite.record.row(PART, {**row, "ms": found["ms"], "found": found, **compared(found, mine)})


def compared(found: dict[str, Any], mine: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Their time over ours, above 1 ours is faster, by program; and the numbers on which the two do not agree."""
    ratios, apart = {}, []
    for program, cell in mine.items():
        if not cell.get("ms"):
            continue
        ratios[program] = round(float(found["ms"]) / cell["ms"], 3)
        apart += [f"{key}: {found[key]}, {program} {x}" for key, x in cell["scalars"].items()
                  if isinstance(x, int) and key in found and found[key] != x]
    return {"ratios": ratios, "disagrees": apart}
