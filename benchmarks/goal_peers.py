"""Paths from one node to another beside GraphIt's, on the CPU: a binary that was built elsewhere.

    python benchmarks/goal_peers.py --peer-bin DIR --graphs NY,kron18 --json benchmarks/results/goal_peers.json

DIR holds `graphit_ppsp`, GraphIt's ppsp_delta_stepping under eager_priority_update_with_merge, which takes the graph,
the two nodes and delta, and prints `elapsed time:` for each of its runs and `distance:` behind it. Both read the same
arrays (graphs.py), and go from each of the four sources to each other. The peer has the best delta of the powers of
two up to 2^17 for all pairs together; irgl's programs have the plan and the delta that they are shipped with. They
take turns at each pair, --turns of each, every one the median of --repeat runs (GraphIt's of its own ten); what is told
is the turns' median, and geometric means over the pairs for which both say the same distance.
"""

from __future__ import annotations

import json
import math
import re
import statistics
from collections.abc import Callable, Mapping
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any

from graphs import facts_of, prepare_graph
from ordered_peers import DELTAS, best_delta, keep, options, printed
from turns import in_turns

import irgl

PROGRAMS = ("ppsp", "ppsp_both")
BINARY, SYSTEM = "graphit_ppsp", "GraphIt, eager with merge"
Pair = tuple[int, int]
#: A time in ms and a distance.
Found = tuple[float, int]


def peer(binary: Path, graph: Path, delta: int, threads: int, pair: Pair) -> Found | None:
    """The median of the peer's runs; None: it tells no time."""
    out = printed([str(binary), str(graph), *map(str, pair), str(delta)], threads)
    times = [1000 * float(x) for x in re.findall(r"elapsed time:\s*([0-9.e+-]+)", out)]
    far = re.findall(r"distance:\s*(-?\d+)", out)
    return (statistics.median(times), int(far[-1])) if times and far else None


def best_of(binary: Path, graph: Path, pairs: list[Pair], threads: int) -> int:
    """The delta whose geometric mean over the pairs is least."""
    def found(delta: int) -> dict[Pair, Found]:
        return {pair: one for pair in pairs if (one := peer(binary, graph, delta, threads, pair)) is not None}

    def ms(delta: int) -> float | None:
        here = found(delta)
        return mean(here) if len(here) == len(pairs) else None

    return best_delta(DELTAS, ms)


def mean(found: Mapping[Pair, Found]) -> float:
    return math.exp(statistics.fmean(math.log(ms) for ms, _ in found.values()))


class Ours:
    """A program of irgl's on one graph."""

    def __init__(self, program: str, folder: Path, repeat: int, threads: int) -> None:
        self.program, self.repeat, self.threads = program, repeat, threads
        self.run = irgl.compile(program, target="cpu")
        self.graph = irgl.load_graph(folder / "graph.npz", self.run)

    def __call__(self, pair: Pair) -> Found:
        """The median of the runs. Raises AssertionError for a wrong answer."""
        source, goal = pair
        one = self.run(self.graph, src=source, goal=goal, threads=self.threads, repeat=self.repeat + 1)
        assert not one.wrong(), (self.program, pair)
        return statistics.median(one.times_ms[1:]), int(one.distance)


def pairwise(pairs: list[Pair], turns: int, *sides: Callable[[Pair], Found | None]) -> list[dict[Pair, Found]]:
    """What each side finds of each pair: the median of its turns. A pair that one of them tells no time of is left
    out of all."""
    out: list[dict[Pair, Found]] = [{} for _ in sides]
    for pair in pairs:
        first = [side(pair) for side in sides]
        told = [one for one in first if one is not None]
        if len(told) == len(sides):
            times = in_turns(turns, *(partial(_ms, side, pair) for side in sides))
            for found, ms, (_, distance) in zip(out, times, told, strict=True):
                found[pair] = ms, distance
    return out


def _ms(side: Callable[[Pair], Found | None], pair: Pair) -> float:
    found = side(pair)
    assert found is not None, f"a time of {pair} was told before, now there is none"
    return found[0]


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
        wsg = folder / "graph.wsg"
        delta = best_of(binary, wsg, pairs, given.threads)
        sides = [Ours(program, folder, given.repeat, given.threads) for program in PROGRAMS]
        theirs = partial(peer, binary, wsg, delta, given.threads)
        *mine, other = pairwise(pairs, given.turns, *sides, theirs)
        for program, found in zip(PROGRAMS, mine, strict=True):
            cells.append(cell(name, program, found, delta, other))
            print(json.dumps(cells[-1]), flush=True)
    keep(given, cells, markdown(cells), system=SYSTEM)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
