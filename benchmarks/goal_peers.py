"""Paths from one node to another beside GraphIt's, on the CPU: a binary that was built elsewhere.

    python benchmarks/goal_peers.py --peer-bin DIR --graphs NY,kron18 --json benchmarks/results/goal_peers.json

DIR holds `graphit_ppsp`, GraphIt's ppsp_delta_stepping under eager_priority_update_with_merge, which takes the graph,
the two nodes and delta, and prints `elapsed time:` for each of its runs and `distance:` behind it. Both read the same
arrays (graphs.py), and go from each of the four sources to each other. The peer has the best delta of the powers of
two up to 2^17 for all pairs together; irgl's programs have the plan and the delta that they are shipped with. Medians
of --repeat runs (GraphIt's of its own ten), geometric means over the pairs for which both say the same distance.
"""

from __future__ import annotations

import json
import math
import re
import statistics
from collections.abc import Mapping
from itertools import permutations
from pathlib import Path
from typing import Any

from graphs import facts_of, prepare_graph
from ordered_peers import DELTAS, best_delta, keep, options, printed

import irgl

PROGRAMS = ("ppsp", "ppsp_both")
BINARY, SYSTEM = "graphit_ppsp", "GraphIt, eager with merge"
Pair = tuple[int, int]
#: A time in ms and a distance.
Found = tuple[float, int]


def peer(binary: Path, graph: Path, pair: Pair, delta: int, threads: int) -> Found | None:
    """The median of the peer's runs; None: it tells no time."""
    out = printed([str(binary), str(graph), *map(str, pair), str(delta)], threads)
    times = [1000 * float(x) for x in re.findall(r"elapsed time:\s*([0-9.e+-]+)", out)]
    far = re.findall(r"distance:\s*(-?\d+)", out)
    return (statistics.median(times), int(far[-1])) if times and far else None


def best_of(binary: Path, graph: Path, pairs: list[Pair], threads: int) -> tuple[int, dict[Pair, Found]]:
    """The delta whose geometric mean over the pairs is least, and what it finds."""
    def found(delta: int) -> dict[Pair, Found]:
        return {pair: one for pair in pairs if (one := peer(binary, graph, pair, delta, threads)) is not None}

    def ms(delta: int) -> float | None:
        here = found(delta)
        return mean(here) if len(here) == len(pairs) else None

    delta = best_delta(DELTAS, ms)
    return delta, found(delta)


def mean(found: Mapping[Pair, Found]) -> float:
    return math.exp(statistics.fmean(math.log(ms) for ms, _ in found.values()))


def ours(program: str, folder: Path, pairs: list[Pair], repeat: int, threads: int) -> dict[Pair, Found]:
    """irgl's medians. Raises AssertionError for a wrong answer."""
    of = irgl.compile(program, target="cpu")
    graph = irgl.load_graph(folder / "graph.npz", of)
    found = {}
    for source, goal in pairs:
        one = of(graph, src=source, goal=goal, threads=threads, repeat=repeat + 1)
        assert not one.wrong(), (program, source, goal)
        found[source, goal] = statistics.median(one.times_ms[1:]), int(one.distance)
    return found


def cell(graph: str, program: str, mine: dict[Pair, Found], delta: int, theirs: dict[Pair, Found]) -> dict[str, Any]:
    """A line of the table: over the pairs for which both say the same."""
    same = [pair for pair in mine if pair in theirs and mine[pair][1] == theirs[pair][1]]
    ratios = [theirs[p][0] / mine[p][0] for p in same]
    return {"graph": graph, "program": program, "pairs": len(same), "of": len(mine), "delta": delta,
            "ours": round(mean({p: mine[p] for p in same}), 3), "ms": round(mean({p: theirs[p] for p in same}), 3),
            "ratio": round(math.exp(statistics.fmean(map(math.log, ratios))), 3), "least": round(min(ratios), 3),
            "each": {f"{a} to {b}": [round(mine[a, b][0], 3), round(theirs[a, b][0], 3)] for a, b in same}}


def markdown(cells: list[dict[str, Any]]) -> str:
    lines = ["| graph | program | ms | GraphIt | times as long, least |", "|---|---|---|---|---|"]
    lines += [f"| {c['graph']} | `{c['program']}` | {c['ours']:.3g} | {c['ms']:.3g} (delta {c['delta']:,}) | "
              f"{c['ratio']:.2f}, {c['least']:.2f} |" for c in cells]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = options(__doc__, "NY,grid2048,kron18")
    given = parser.parse_args()
    binary = given.peer_bin / BINARY
    if not binary.exists():
        parser.error(f"{given.peer_bin} has no {BINARY}")
    cells: list[dict[str, Any]] = []
    for name in given.graphs.split(","):
        folder = prepare_graph(name, given.store)
        pairs = list(permutations(facts_of(folder).sources, 2))
        delta, theirs = best_of(binary, folder / "graph.wsg", pairs, given.threads)
        for program in PROGRAMS:
            cells.append(cell(name, program, ours(program, folder, pairs, given.repeat, given.threads), delta, theirs))
            print(json.dumps(cells[-1]), flush=True)
    keep(given, cells, markdown(cells), system=SYSTEM)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
