"""GraphIt's programs as irgl runs them, beside what GraphIt's own compiler makes of them, on the CPU.

    python benchmarks/gt_peers.py --peer-bin DIR --graphs kron18,NY --json benchmarks/results/gt_peers.json

DIR holds binaries that GraphIt and g++ made elsewhere, one for each algorithm and schedule, `graphit_bfs_push` and so
on (ROWS has the beginnings of their names). Each takes the graph, a source, how many runs, and where it steps by delta
the delta; it prints `elapsed time:` for each run, and `answer:` with what the row's summary is of irgl's vectors. Of
the schedules the fastest counts, of the deltas the best of the powers of two up to 2^17; one that comes to another
answer does not. irgl's side is programs/gt under its default plan, and programs/*.irgl of the same algorithm or
another. All read the same arrays (graphs.py), which have all edges both ways, and start at the same source. The .gt and
the fastest schedule then take turns, --turns of each, every one the median of --repeat runs, behind one that isn't
counted; what is told of the two is the turns' median.
"""

from __future__ import annotations

import json
import math
import re
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from graphs import facts_of, prepare_graph
from handover import Near
from ordered_peers import DELTAS, ROOT, best_delta, keep, options, printed
from turns import in_turns

import irgl

#: How far apart two answers that are sums may be: a peer prints six digits.
_CLOSE = 1e-4
#: A schedule that takes so many times the best is run once, not --repeat times.
_FAR = 3.0


@dataclass(frozen=True, slots=True)
class Row:
    """A program of programs/gt and what stands beside it.

    peers: how their binaries' names begin; same: the .irgl of the same algorithm; others: of other algorithms for the
    same problem; summary: of a result of irgl's, what a peer prints; by_delta: whether a peer takes a delta; plan: one
    that is measured beside the default; not_on: graphs that are left out; but: how schedules of another program begin.
    """

    program: str
    peers: str
    same: str
    summary: Callable[[Any], float]
    others: tuple[str, ...] = ()
    by_delta: bool = False
    plan: str = ""
    not_on: tuple[str, ...] = ()
    but: str = ""


ROWS = (
    Row("bfs", "graphit_bfs_", "bfs", lambda found: np.count_nonzero(found.parent != -1), ("bfs_do",),
        plan="direction=hybrid"),
    Row("pr", "graphit_pr_", "pr_pull", lambda found: found.rank.sum()),
    Row("sssp_delta", "graphit_sssp_", "sssp_delta", lambda found: np.count_nonzero(found.distance != 2**31 - 1),
        ("more/sssp",), by_delta=True),
    Row("cc", "graphit_cc_", "cc", lambda found: len(np.unique(found.label)), ("cc_afforest",), plan="direction=hybrid",
        but="pjump"),
    Row("cc_pjump", "graphit_cc_pjump_", "cc", lambda found: len(np.unique(found.label)), ("cc_afforest",)),
    Row("bc", "graphit_bc_", "bc", lambda found: found.score.sum(), plan="direction=hybrid",
        not_on=("grid2048",)),  # it has more shortest paths than a double can count
    Row("tc", "graphit_tc_", "tri", lambda found: found.triangles, not_on=("kron20",)),  # minutes for each schedule
)
#: As many rounds as pr.gt has.
_TWENTY = {"epsilon": 0.0, "max_iterations": 20}


@dataclass(frozen=True, slots=True)
class Setting:
    """Where and how all are run."""

    folder: Path
    source: int
    repeat: int
    threads: int
    turns: int
    near: Near


def ours(path: str, at: Setting, plan: str | None = None) -> tuple[float, Any]:
    """irgl's median in ms and the last run's result. Raises AssertionError for a wrong answer."""
    of = irgl.compile(ROOT / "programs" / path, target="cpu", plan=plan)
    words = {"argv2": at.source, "src": at.source, **(_TWENTY if path == "pr_pull.irgl" else {})}
    given = {word: value for word, value in words.items() if word in {p.name for p in of.manifest.params}}
    graph = irgl.load_graph(at.folder / "graph.npz", of, undirected=True)
    found = of(graph, threads=at.threads, repeat=at.repeat + 1, **given)
    if path != "pr_pull.irgl":  # which is stopped before its ranks settle
        assert not found.wrong(), (path, at.folder, found.wrong())
    return statistics.median(found.times_ms[1:]), found


def peer(binary: Path, at: Setting, runs: int, *delta: int) -> tuple[float, float] | None:
    """A peer's median in ms and its answer; None: it tells no time."""
    graph = at.folder / ("graph.wsg" if delta else "graph.sg")
    out = printed([str(binary), str(graph), str(at.source), str(runs + 1), *map(str, delta)], at.threads)
    times = [1000 * float(x) for x in re.findall(r"elapsed time:\s*([0-9.e+-]+)", out)]
    answers = re.findall(r"answer:\s*([0-9.e+-]+)", out)
    return (statistics.median(times[1:]), float(answers[-1])) if len(times) > 1 and answers else None


def scheduled(row: Row, given_bin: Path, at: Setting, wanted: float) -> list[dict[str, Any]]:
    """What each schedule takes, ascending; those that tell no time, or find something else, say so and are left out."""
    found = []
    for binary in sorted(given_bin.glob(row.peers + "*")):
        if row.but and binary.name.startswith(row.peers + row.but):
            continue
        deltas: tuple[int, ...] = ()
        first = None
        if row.by_delta:
            def ms(delta: int, binary: Path = binary) -> float | None:
                one = peer(binary, at, 2, delta)
                return None if one is None else one[0]
            deltas = (best_delta(DELTAS, ms),)
        else:
            first = peer(binary, at, 1)
        least = min((one["ms"] for one in found), default=math.inf)
        one = first if first is not None and first[0] > _FAR * least else peer(binary, at, at.repeat, *deltas)
        if one is None or not math.isclose(one[1], wanted, rel_tol=_CLOSE):
            print(f"{binary.name}, {at.folder.name}: {'no time' if one is None else f'{one[1]}, not {wanted}'}",
                  file=sys.stderr)
            continue
        found.append({"schedule": binary.name.removeprefix(row.peers), "ms": round(one[0], 3),
                      **({"delta": deltas[0]} if deltas else {})})
    return sorted(found, key=lambda one: one["ms"])


def measured(row: Row, given_bin: Path, at: Setting, known: list[dict[str, Any]]) -> dict[str, Any]:
    """A line of the table: ratio is the best schedule's time by that of the .gt, beside_irgl the .gt's by that of the
    same algorithm's .irgl. known: the schedules' times in an earlier run, ascending, where there was one."""
    at.near.wait()
    ms, result = ours(f"gt/{row.program}.gt", at)
    irgls = {name: round(ours(f"{name}.irgl", at)[0], 3) for name in (row.same, *row.others)}
    theirs = known or scheduled(row, given_bin, at, float(row.summary(result)))
    if theirs:
        binary = given_bin / f"{row.peers}{theirs[0]['schedule']}"
        deltas = [theirs[0]["delta"]] if row.by_delta else []

        def best_ms() -> float | None:
            one = peer(binary, at, at.repeat, *deltas)
            return None if one is None else one[0]

        ms, theirs[0]["ms"] = in_turns(at.turns, lambda: ours(f"gt/{row.program}.gt", at)[0], best_ms, near=at.near)
    planned = {row.plan: round(ours(f"gt/{row.program}.gt", at, row.plan)[0], 3)} if row.plan else {}
    best = {"ratio": round(theirs[0]["ms"] / ms, 3), "best": theirs[0]["schedule"]} if theirs else {}
    return {"graph": at.folder.name, "program": row.program, "ours": round(ms, 3), "planned": planned,
            "irgl": irgls, "beside_irgl": round(ms / irgls[row.same], 3), **best, "schedules": theirs}


def markdown(cells: list[dict[str, Any]]) -> str:
    lines = ["| graph | program | .gt, ms | GraphIt, ms | best schedule | times as long | .irgl, ms | .gt by .irgl |",
             "|---|---|---|---|---|---|---|---|"]
    for c in cells:
        best = c["schedules"][0] if c["schedules"] else None
        theirs = f"{best['ms']:.3g} | {_named(best)} | {c['ratio']:.2f}" if best else "- | none ends in time | -"
        irgls = ", ".join(f"`{name}` {ms:.3g}" for name, ms in c["irgl"].items())
        mine = f"{c['ours']:.3g}" + "".join(f" ({ms:.3g} under `{plan}`)" for plan, ms in c["planned"].items())
        lines.append(f"| {c['graph']} | `{c['program']}` | {mine} | {theirs} | {irgls} | "
                     f"{c['beside_irgl']:.2f} |")
    return "\n".join(lines) + "\n"


def _named(schedule: dict[str, Any]) -> str:
    words = schedule["schedule"].replace("_", ", ")
    return f"{words}, delta {schedule['delta']:,}" if "delta" in schedule else words


def mean(cells: list[dict[str, Any]]) -> float:
    """The geometric mean of the ratios."""
    return math.exp(statistics.fmean(math.log(c["ratio"]) for c in cells if "ratio" in c))


def main() -> int:
    parser = options(__doc__, "kron18,NY,grid2048,kron20")
    parser.add_argument("--programs", default=",".join(row.program for row in ROWS), help="[%(default)s]")
    parser.add_argument("--schedules", type=Path, metavar="FILE",
                        help="an earlier run's --json, whose fastest schedules take turns again: no others are tried")
    given = parser.parse_args()
    if not list(given.peer_bin.glob("graphit_*")):
        parser.error(f"{given.peer_bin} has no graphit_*")
    asked = given.programs.split(",")
    cells: list[dict[str, Any]] = []
    near = Near(given.near, given.patience)
    before = json.loads(given.schedules.read_text(encoding="utf-8"))["cells"] if given.schedules else []
    known = {(c["graph"], c["program"]): c["schedules"] for c in before}
    for name in given.graphs.split(","):
        folder = prepare_graph(name, given.store)
        at = Setting(folder, facts_of(folder).sources[0], given.repeat, given.threads, given.turns, near)
        for row in (row for row in ROWS if row.program in asked and name not in row.not_on):
            cells.append(measured(row, given.peer_bin, at, known.get((name, row.program), [])))
            print(json.dumps(cells[-1]), flush=True)
            keep(given, cells, markdown(cells), system="GraphIt", mean=f"{mean(cells):.3f}")
    print(markdown(cells) + f"geometric mean {mean(cells):.2f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
