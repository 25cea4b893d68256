"""Our programs beside handwritten CUDA, plain and expert (benchmarks/handwritten), on the same graphs, as ratios."""

from __future__ import annotations

import statistics
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import gpu_peers
from gpu_micro import build, run_program
from gpu_suite import Suite

PART = "handwritten"
FOLDER = Path(__file__).resolve().parent / "handwritten"
#: Ours for the same problem, under irgl's own plan.
OURS = {"bfs": ("bfs", "bfs_do"), "sssp": ("sssp_nf", "sssp_delta"), "cc": ("cc", "cc_afforest"),
        "pr": ("pr", "pr_pull"), "tri": ("tri",), "mis": ("mis",), "mst": ("mst",)}
GRAPHS = ("NY", "grid", "rmat20", "rmat22")
REPEAT = 5
#: What the handwritten PageRanks end at.
VALUES = {"epsilon": 1e-5}


def run(suite: Suite) -> None:
    sources = sorted(FOLDER.glob("*.cu"))
    sources = [s for s in sources if not suite.quick or s.stem in ("bfs_plain", "bfs_expert")]
    with ThreadPoolExecutor(16) as pool:
        built = dict(zip(sources, pool.map(lambda s: build(suite, s), sources), strict=True))
    problems = {s.stem.rpartition("_")[0] for s in sources}
    wanted = problems | ({"cc", "mis", "mst"} if suite.given.peer_bin else set())
    suite.build({p: ["default"] for problem in sorted(wanted) for p in suite.programs(OURS.get(problem, ()))
                 if OURS.get(problem)}, PART)
    for name in GRAPHS[:1] if suite.quick else GRAPHS:
        graph = suite.graph(name, PART)
        if graph is None:
            continue
        cells = {p: _ours(suite, p, name, graph) for problem in sorted(wanted) for p in suite.programs(OURS[problem])}
        for source, executable in built.items():
            problem = source.stem.rpartition("_")[0]
            mine = {p: cells[p] for p in OURS.get(problem, ()) if p in cells}
            _theirs(suite, source.stem, name, graph, executable, mine)
        if suite.given.peer_bin is not None:
            gpu_peers.run(suite, PART, name, graph, {k: {p: cells[p] for p in OURS[k] if p in cells}
                                                     for k in ("cc", "mis", "mst")})


def _ours(suite: Suite, program: str, name: str, graph: dict[str, Any]) -> dict[str, Any]:
    """{"ms", "scalars"}, or {"error"}."""
    cell: dict[str, Any] = {"error": "the time was over"}

    def told(reply: dict[str, Any]) -> None:
        if "ms" in reply:
            cell.clear()
            cell.update(ms=statistics.median(reply["ms"]), scalars=reply["scalars"])
        elif "error" in reply:
            cell.update(error=reply["error"])

    request = suite.request(program, ["default"], {name: graph}, repeat=1 if suite.quick else REPEAT, values=VALUES,
                            lock=suite.lock)
    suite.timed.submit(request, suite.deadline, told).result()
    suite.record.row(PART, {"graph": name, "who": "irgl", "program": program, **cell})
    return cell


def _theirs(suite: Suite, stem: str, name: str, graph: dict[str, Any], executable: Path | str,
            mine: dict[str, dict[str, Any]]) -> None:
    problem, _, variant = stem.rpartition("_")
    row: dict[str, Any] = {"graph": name, "who": variant, "program": problem}
    if isinstance(executable, str):
        suite.record.row(PART, {**row, "error": executable})
        return
    if suite.left() <= 0:
        suite.record.leave_out(PART, f"{stem} on {name}: the time was over")
        return
    arguments = [str(suite.graph_file(name)), "--src", str(graph["source"]), "--repeat",
                 str(1 if suite.quick else REPEAT)]
    lines, why = run_program(suite, executable, arguments, min(60.0, suite.left()))
    if why or not lines:
        suite.record.row(PART, {**row, "error": why or "it prints nothing"})
        return
    found = lines[-1]
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
