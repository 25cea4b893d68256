"""Ordered algorithms of other systems beside irgl's, on the CPU: binaries that were built elsewhere, named by folder.

    python benchmarks/ordered_peers.py --peer-bin DIR --graphs NY,kron18 --json benchmarks/results/ordered_peers.json

DIR may hold, under these names, `gap_sssp` (the GAP Benchmark Suite), `graphit_sssp`, `graphit_kcore` (GraphIt's, under
constant_sum_reduce_before_update) and `graphit_kcore_push` (under SparsePush), `gbbs_sssp`, `gbbs_wbfs`, `gbbs_kcore`
and `gbbs_setcover` (GBBS, Julienne's buckets), `ucr_kcore` (Parallel-KCore of UCR), `pkc_kcore` and `park_kcore` (PKC,
and ParK as PKC's authors wrote it); those that it lacks are left out. The last three run once more than they are asked
for, first, which isn't counted.
All read the same arrays (graphs.py), each in its own format, and start at the same source. A peer that takes a delta
gets the best of the powers of two up to 2^17, from which on narrower ones are tried until one takes three times the
best; irgl's program has the plan and the delta that it is shipped with.
Program and peer take turns, --turns of each, every one the median of --repeat runs; what is told is the turns' median.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import machine
import numpy as np
from graphs import SPECS, arrays_of, facts_of, prepare_graph
from handover import Near
from turns import in_turns

import irgl
from irgl import __version__

ROOT = Path(__file__).resolve().parent.parent
DELTAS = tuple(1 << power for power in range(18))
#: From the widest delta on, narrower ones are tried until one takes so many times the best.
_WORSE = 3.0
#: Seconds after which a peer's process is stopped: it tells no time then.
_LIMIT = 60.0


@dataclass(frozen=True, slots=True)
class Peer:
    """A binary of a system: the programs of irgl that it stands beside, its arguments, and its times in s, as it prints
    them.

    arguments: with {folder}, {source}, {repeat}, {delta} and, for the graph as a text of adjacencies, {adj} and {wadj}.
    """

    binary: str
    system: str
    beside: tuple[str, ...]
    arguments: str
    times: str
    deltas: tuple[int, ...] = ()


_SEARCHES = ("sssp", "sssp_delta")
_GRAPHIT, _GBBS = r"elapsed time:?\s*([0-9.e+-]+)", r"### Running Time:\s*([0-9.e+-]+)"
GAP = Peer("gap_sssp", "GAP", _SEARCHES, "-f {folder}/graph.wsg -r {source} -n {repeat} -d {delta}",
           r"Trial Time:\s*([0-9.]+)", DELTAS)
PEERS = (
    GAP,
    Peer("graphit_sssp", "GraphIt, eager with merge", _SEARCHES, "{folder}/graph.wsg {source} {delta}", _GRAPHIT,
         DELTAS),
    Peer("gbbs_sssp", "GBBS", _SEARCHES, "-s -w -rounds {repeat} -src {source} -delta {delta} {wadj}", _GBBS, DELTAS),
    Peer("gbbs_wbfs", "GBBS", ("wbfs",), "-s -w -rounds {repeat} -src {source} {wadj}", _GBBS),
    Peer("graphit_kcore", "GraphIt, constant sum", ("kcore", "peeling"), "{adj}", _GRAPHIT),
    Peer("graphit_kcore_push", "GraphIt, lazy, 16 open", ("kcore", "peeling"), "{folder}/graph.sg", _GRAPHIT),
    Peer("gbbs_kcore", "GBBS (Julienne)", ("kcore", "peeling"), "-s -rounds {repeat} {adj}", _GBBS),
    Peer("ucr_kcore", "UCR Parallel-KCore", ("kcore", "peeling"), "-s -n {repeat} -i {adj}",
         r"Round \d+:\s*([0-9.]+)"),
    Peer("pkc_kcore", "PKC", ("kcore", "peeling"), "{folder}/graph.sg {repeat}", r"Time:\s*([0-9.]+)"),
    Peer("park_kcore", "ParK", ("kcore", "peeling"), "{folder}/graph.sg {repeat}", r"Time:\s*([0-9.]+)"),
    Peer("gbbs_setcover", "GBBS (Julienne)", ("setcover",), "-s -rounds {repeat} {adj}", _GBBS),
)


def _adjacency(folder: Path, weighted: bool) -> Path:
    """The graph as a text of adjacencies: sizes, where each node's row begins, the far ends, their weights."""
    path = folder / ("graph.wadj" if weighted else "graph.adj")
    if not path.exists():
        row, dst, weight = arrays_of(folder)
        parts = [np.array([len(row) - 1, len(dst)]), row[:-1], dst, *([weight] if weighted else [])]
        scratch = path.with_suffix(".tmp")
        with scratch.open("w", encoding="ascii") as file:
            file.write("WeightedAdjacencyGraph\n" if weighted else "AdjacencyGraph\n")
            for part in parts:
                file.write("\n".join(map(str, part.tolist())) + "\n")
        scratch.replace(path)
    return path


def measured(peer: Peer, binary: Path, folder: Path, source: int, repeat: int, threads: int) -> dict[str, Any] | None:
    """The peer's median in ms at its best delta; None: it tells no time."""
    def ms(delta: int, runs: int) -> float | None:
        return _median(peer, binary, folder, source, runs, threads, delta)

    chosen = best_delta(peer.deltas, lambda delta: ms(delta, min(repeat, 3)))
    found = ms(chosen, repeat)
    return None if found is None else {"ms": round(found, 3), "delta": chosen or None}


def beside(peer: Peer, folder: Path, source: int, given: argparse.Namespace, near: Near) -> list[dict[str, Any]]:
    """A line of the table for each program that the peer stands beside; none: the peer tells no time."""
    found = measured(peer, given.peer_bin / peer.binary, folder, source, given.repeat, given.threads)
    if found is None:
        return []

    theirs = partial(_median, peer, given.peer_bin / peer.binary, folder, source, given.repeat, given.threads,
                     found["delta"] or 0)
    lines = []
    for program in peer.beside:
        mine, other = in_turns(given.turns, partial(ours, program, folder, source, given.repeat, given.threads), theirs,
                               near=near)
        lines.append({"program": program, "ours": mine, "peer": peer.binary, "ms": other, "delta": found["delta"]})
    return lines


def best_delta(deltas: tuple[int, ...], ms: Callable[[int], float | None]) -> int:
    """The delta that takes least; 0: there is none that tells a time. From the widest on, narrower ones are tried until
    one takes three times the best."""
    best: dict[int, float] = {}
    for delta in reversed(deltas):
        found = ms(delta)
        if found is not None:
            best[delta] = found
            if found > _WORSE * min(best.values()):
                break
    return min(best, key=lambda d: best[d], default=0)


def printed(words: Sequence[str], threads: int) -> str:
    """What a peer's process prints; nothing where it doesn't end in time."""
    threaded = {"OMP_NUM_THREADS": str(threads), "PARLAY_NUM_THREADS": str(threads)}
    try:
        return subprocess.run(words, capture_output=True, text=True, check=False, timeout=_LIMIT,
                              env={**os.environ, **threaded}).stdout
    except subprocess.TimeoutExpired:
        return ""


def _median(peer: Peer, binary: Path, folder: Path, source: int, repeat: int, threads: int,
            delta: int) -> float | None:
    """The median of one process's runs in ms; None: it tells no time."""
    asked = [word for word in ("adj", "wadj") if f"{{{word}}}" in peer.arguments]
    files = {word: str(_adjacency(folder, word == "wadj")) for word in asked}
    words = peer.arguments.format(folder=folder, source=source, repeat=repeat, delta=delta, **files).split()
    times = [1000 * float(x) for x in re.findall(peer.times, printed([str(binary), *words], threads))]
    return statistics.median(times) if times else None


def ours(program: str, folder: Path, source: int, repeat: int, threads: int) -> float:
    """irgl's median in ms, with the plan that it is shipped with. Raises AssertionError for a wrong answer."""
    of = irgl.compile(program, target="cpu")
    asked = {"src": source} if program in (*_SEARCHES, "wbfs") else {}
    found = of(irgl.load_graph(folder / "graph.npz", of), threads=threads, repeat=repeat + 1, **asked)
    assert not found.wrong(), (program, folder, found.wrong())
    return statistics.median(found.times_ms[1:])


def markdown(cells: list[dict[str, Any]]) -> str:
    """By graph, a line for each program and peer, with what the peer takes times as long."""
    lines = ["| graph | program | ms | system | ms | times as long |", "|---|---|---|---|---|---|"]
    systems = {p.binary: p.system for p in PEERS}
    for c in cells:
        delta = f", delta {c['delta']:,}" if c.get("delta") else ""
        peer = f"{systems[c['peer']]}{delta}"
        lines.append(f"| {c['graph']} | `{c['program']}` | {c['ours']:.3g} | {peer} | {c['ms']:.3g} | "
                     f"{c['ms'] / c['ours']:.2f} |")
    return "\n".join(lines) + "\n"


def options(text: str | None, graphs: str) -> argparse.ArgumentParser:
    """What the benchmarks of ordered algorithms take. text: what one says of itself; graphs: on which it runs else."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer-bin", type=Path, required=True, metavar="DIR")
    parser.add_argument("--graphs", default=graphs, help=f"of {', '.join(SPECS)} [%(default)s]")
    parser.add_argument("--repeat", type=int, default=5, help="runs of a turn that count [%(default)s]")
    parser.add_argument("--turns", type=int, default=3, help="of each side, one after the other [%(default)s]")
    parser.add_argument("--near", type=float, metavar="NS", help="take turns while a word goes from one core to the "
                        "other and back in so many ns (handover.py) [whatever it takes]")
    parser.add_argument("--patience", type=float, default=1800.0, metavar="S", help="and wait so long for that in all "
                        "[%(default)g]")
    parser.add_argument("--threads", type=int, default=2, help="[%(default)s]")
    parser.add_argument("--store", type=Path, default=Path(tempfile.gettempdir()) / "irgl-bench-graphs",
                        help="where prepared graphs are kept [%(default)s]")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--markdown", type=Path, metavar="FILE")
    return parser


def keep(given: argparse.Namespace, cells: list[dict[str, Any]], table: str, **more: str) -> None:
    """Writes the cells and their table where the options say so; more: what else is said of all cells."""
    if given.json:
        given.json.write_text(json.dumps({"machine": machine.describe(), "version": __version__,
                                          "commit": machine.commit(ROOT), "threads": given.threads, **more,
                                          "turns": given.turns, "repeat": given.repeat, "near_ns": given.near,
                                          "cells": cells},
                                         indent=1) + "\n", encoding="utf-8")
    if given.markdown:
        given.markdown.write_text(table, encoding="utf-8")


def main() -> int:
    parser = options(__doc__, "NY,grid2048,kron18,kron20")
    given = parser.parse_args()
    here = [p for p in PEERS if (given.peer_bin / p.binary).exists()]
    if not here:
        parser.error(f"{given.peer_bin} has none of {', '.join(p.binary for p in PEERS)}")
    cells: list[dict[str, Any]] = []
    near = Near(given.near, given.patience)
    for name in given.graphs.split(","):
        folder = prepare_graph(name, given.store)
        source = facts_of(folder).sources[0]
        for peer in here:
            near.wait()
            lines = beside(peer, folder, source, given, near)
            if not lines:
                print(f"{peer.binary} tells no time of {name}", file=sys.stderr)
            for line in lines:
                cells.append({"graph": name, **line})
                print(json.dumps(cells[-1]), flush=True)
    keep(given, cells, markdown(cells))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
