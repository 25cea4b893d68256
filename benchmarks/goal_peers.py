"""Paths from one node to another beside GraphIt's, on the CPU: binaries that were built elsewhere.

    python benchmarks/goal_peers.py --peer-bin DIR --graphs NY,kron18 --json benchmarks/results/goal_peers.json

DIR holds `graphit_ppsp`, GraphIt's ppsp_delta_stepping under eager_priority_update_with_merge, which takes the graph,
the two nodes and delta, and prints `elapsed time:` for each of its runs and `distance:` behind them; or
`graphit_astar`, its astar under the same schedule, which takes behind these a file of coordinates (a pair of float64
for each node) and the scale of the bound of what is left to the goal. The bound is that of programs/more/astar.irgl:
GraphIt's own, twice the great circle in centimetres, finds paths that are too long on these graphs. It runs where
there are coordinates (graphs.py). Since that peer is told the scale, `astar` is measured twice: as it is shipped, when
each run finds the scale, and with the scale given.

Both sides read the same arrays (graphs.py), and go from each of the four sources to each other. A peer has the best
delta of the powers of two up to 2^17 for all pairs together; irgl's programs have the plan and the delta that they are
shipped with. They take turns at each pair, --turns of each, every one the median of --repeat runs (GraphIt's of its own
ten); what is told is the turns' median, and geometric means over the pairs for which both say the same distance.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
from graphs import Array, arrays_of, facts_of, places_of, prepare_graph
from handover import Near
from ordered_peers import DELTAS, best_delta, keep, options, printed
from turns import in_turns

import irgl
from irgl.rt.graphs.load import load_coordinates

PPSP, ASTAR = "graphit_ppsp", "graphit_astar"
SYSTEM = "GraphIt, eager with merge"
Pair = tuple[int, int]
#: A time in ms and a distance.
Found = tuple[float, int]


@dataclass(frozen=True, slots=True)
class Peer:
    """A binary on one graph: what it takes in front of the two nodes and delta, and behind them."""

    binary: Path
    graph: Path
    threads: int
    more: tuple[str, ...] = ()

    def __call__(self, delta: int, pair: Pair) -> Found | None:
        """The median of the peer's runs; None: it tells no time."""
        out = printed([str(self.binary), str(self.graph), *map(str, pair), str(delta), *self.more], self.threads)
        times = [1000 * float(x) for x in re.findall(r"elapsed time:\s*([0-9.e+-]+)", out)]
        far = re.findall(r"distance:\s*(-?\d+)", out)
        return (statistics.median(times), int(far[-1])) if times and far else None

    def best(self, pairs: Sequence[Pair]) -> int:
        """The delta whose geometric mean over the pairs is least."""
        def ms(delta: int) -> float | None:
            found = {pair: one for pair in pairs if (one := self(delta, pair)) is not None}
            return mean(found) if len(found) == len(pairs) else None

        return best_delta(DELTAS, ms)


def mean(found: Mapping[Pair, Found]) -> float:
    return math.exp(statistics.fmean(math.log(ms) for ms, _ in found.values()))


class Ours:
    """A program of irgl's on one graph. places: the file of its coordinates; asked: options that have a value."""

    def __init__(self, program: str, folder: Path, repeat: int, threads: int, places: Path | None = None,
                 **asked: float) -> None:
        self.repeat, self.threads, self.asked = repeat, threads, asked
        self.name = " ".join([program, *(f"{option}={value:.6g}" for option, value in asked.items())])
        self.run = irgl.compile(program, target="cpu")
        self.graph = irgl.load_graph(folder / "graph.npz", self.run, coordinates=str(places) if places else None)

    def __call__(self, pair: Pair) -> Found:
        """The median of the runs. Raises AssertionError for a wrong answer."""
        source, goal = pair
        one = self.run(self.graph, src=source, goal=goal, threads=self.threads, repeat=self.repeat + 1, **self.asked)
        assert not one.wrong(), (self.name, pair)
        return statistics.median(one.times_ms[1:]), int(one.distance)


def least_cost(folder: Path, places: Array) -> float:
    """What an arc costs for each unit of its length as the crow flies, at least, short of a rounding. places: (n, 2)
    float64."""
    row, dst, weight = arrays_of(folder)
    line = np.hypot(*(places[np.repeat(np.arange(len(row) - 1), np.diff(row))] - places[dst]).T)
    return float((weight[line > 0] / line[line > 0]).min()) * 0.999999999


def sides_of(binary: Path, name: str, folder: Path, given: argparse.Namespace) -> tuple[Peer, list[Ours]] | None:
    """A peer on graph `name`, and the programs of irgl that it stands beside; None: it wants coordinates."""
    ours = partial(Ours, folder=folder, repeat=given.repeat, threads=given.threads)
    peer = partial(Peer, binary, folder / "graph.wsg", given.threads)
    if binary.name == PPSP:
        return peer(), [ours("ppsp"), ours("ppsp_both")]
    file = places_of(name)
    if file is None:
        return None
    places = load_coordinates(str(file), facts_of(folder).nodes)
    scale = least_cost(folder, places)
    plain = folder / "places.f64"
    places.astype("<f8").tofile(plain)
    return peer((str(plain), repr(scale))), [ours("astar", places=file), ours("astar", places=file, scale=scale)]


def pairwise(pairs: list[Pair], turns: int, near: Near,
             *sides: Callable[[Pair], Found | None]) -> list[dict[Pair, Found]]:
    """What each side finds of each pair: the median of its turns. A pair that one of them tells no time of is left
    out of all."""
    out: list[dict[Pair, Found]] = [{} for _ in sides]
    for pair in pairs:
        first = [side(pair) for side in sides]
        told = [one for one in first if one is not None]
        if len(told) == len(sides):
            times = in_turns(turns, *(partial(_ms, side, pair) for side in sides), near=near)
            for found, ms, (_, distance) in zip(out, times, told, strict=True):
                found[pair] = ms, distance
    return out


def _ms(side: Callable[[Pair], Found | None], pair: Pair) -> float | None:
    found = side(pair)
    return None if found is None else found[0]


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
    here = [given.peer_bin / name for name in (PPSP, ASTAR) if (given.peer_bin / name).exists()]
    if not here:
        parser.error(f"{given.peer_bin} has neither {PPSP} nor {ASTAR}")
    cells: list[dict[str, Any]] = []
    near = Near(given.near, given.patience)
    for name, binary in product(given.graphs.split(","), here):
        folder = prepare_graph(name, given.store)
        sides = sides_of(binary, name, folder, given)
        if sides is None:
            continue
        peer, programs = sides
        pairs = list(permutations(facts_of(folder).sources, 2))
        near.wait()
        delta = peer.best(pairs)
        *mine, other = pairwise(pairs, given.turns, near, *programs, partial(peer, delta))
        for program, found in zip(programs, mine, strict=True):
            cells.append(cell(name, program.name, found, delta, other))
            print(json.dumps(cells[-1]), flush=True)
    keep(given, cells, markdown(cells), system=SYSTEM)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
