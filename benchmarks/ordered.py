"""Programs on priority queues under every way to file their nodes, on the CPU (tables 6 and 7 of Zhang et al., CGO
2020, in kind).

    python benchmarks/ordered.py --json benchmarks/results/ordered.json --markdown docs/ordered-table.md
    python benchmarks/ordered.py --graphs NY --programs sssp,peeling --repeat 5
    python benchmarks/ordered.py --peer-bin DIR      also sssp of the GAP Benchmark Suite, built elsewhere, each delta

Each cell is the median of --repeat runs from one source, the first of graphs.py; searches for a goal go to the second.
Every answer is verified once. `delta` is the program's default times the best of five powers of two from 1/16 to 16
under eager; a peer's is the best of those up to 2^17. All run on the same arrays (graphs.py).
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

import machine
from graphs import SPECS, facts_of, places_of, prepare_graph
from ordered_peers import GAP, measured

import irgl
from irgl import __version__
from irgl.source import IrglError

ROOT = Path(__file__).resolve().parent.parent
#: By program: the ways to file that are legal, and the one that it stands beside.
PROGRAMS: dict[str, tuple[tuple[str, ...], str]] = {
    "sssp": (("eager", "eager fuse=1", "lazy", "relaxed"), "sssp_delta"),
    "wbfs": (("eager", "eager fuse=1", "lazy"), ""),
    "ppsp": (("eager", "eager fuse=1", "lazy"), ""),
    "astar": (("eager", "eager fuse=1", "lazy"), ""),
    "peeling": (("eager", "eager fuse=1", "lazy", "lazy_sum", "lazy_sum fuse=1"), "kcore"),
    "setcover": (("eager", "lazy"), ""),
}
WINDOWS = ("1024", "32")
FACTORS = ("1/16", "1/4", "1", "4", "16")
Cell = dict[str, Any]


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", default="NY,grid2048,kron18,kron20", help=f"of {', '.join(SPECS)} [%(default)s]")
    parser.add_argument("--programs", default=",".join(PROGRAMS), help="[%(default)s]")
    parser.add_argument("--repeat", type=int, default=5, help="runs that count [%(default)s]")
    parser.add_argument("--threads", type=int, default=2, help="[%(default)s]")
    parser.add_argument("--peer-bin", type=Path, metavar="DIR", help="folder of the GAP Benchmark Suite's binaries")
    parser.add_argument("--store", type=Path, default=Path(tempfile.gettempdir()) / "irgl-bench-graphs",
                        help="where prepared graphs are kept [%(default)s]")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--markdown", type=Path, metavar="FILE")
    return parser.parse_args()


class Bench:
    """One graph: its sources, and what runs on it."""

    def __init__(self, name: str, given: argparse.Namespace) -> None:
        self.name, self.given = name, given
        self.folder = prepare_graph(name, given.store)
        self.sources = facts_of(self.folder).sources
        self.places = places_of(name)

    def ran(self, program: str, plan: str, repeat: int) -> Any:
        """One run that counts for the median, with the answer's check in the first."""
        of = irgl.compile(program, target="cpu", plan=plan)
        more = {"coordinates": str(self.places)} if program == "astar" else {}
        graph = irgl.load_graph(self.folder / "graph.npz", of, **more)
        start, end = self.sources[0], self.sources[1 % len(self.sources)]
        asked = {"src": start} if program in ("sssp", "sssp_delta", "wbfs", "ppsp", "astar") else {}
        asked |= {"goal": end} if program in ("ppsp", "astar") else {}
        return of(graph, threads=self.given.threads, repeat=repeat, **asked)

    def cell(self, program: str, plan: str) -> Cell:
        found = self.ran(program, plan, self.given.repeat + 1)
        wrong = found.wrong()
        ms = statistics.median(found.times_ms[1:])
        return {"graph": self.name, "program": program, "plan": plan, "ms": round(ms, 3),
                "rounds": found.counters.get("rounds"), "wrong": wrong}

    def factor(self, program: str) -> str:
        """By what the program's delta is best multiplied, under eager."""
        if program not in ("sssp", "ppsp", "astar"):
            return "1"
        times = {f: min(self.ran(program, f"priority=eager auto={f}", 6).times_ms) for f in FACTORS}
        return min(times, key=lambda f: times[f])

    def peer(self, folder: Path) -> Cell:
        """The peer's sssp at the best of its deltas."""
        found = measured(GAP, folder / "sssp", self.folder, self.sources[0], self.given.repeat, self.given.threads)
        if found is None:
            raise SystemExit(f"{folder / 'sssp'} tells no time of {self.name}")
        return {"graph": self.name, "program": "GAP sssp", "plan": f"delta={found['delta']}", "ms": found["ms"]}


def markdown(cells: list[Cell]) -> str:
    """A table for each program: its ways to file by graph, the fastest bold, in ms."""
    lines = []
    graphs = list(dict.fromkeys(c["graph"] for c in cells))
    for program in dict.fromkeys(c["program"] for c in cells):
        mine = [c for c in cells if c["program"] == program]
        lines += [f"| {program} | {' | '.join(graphs)} |", f"|---|{'---|' * len(graphs)}"]
        least = {g: min((c["ms"] for c in mine if c["graph"] == g), default=0.0) for g in graphs}
        for plan in dict.fromkeys(c["shown"] for c in mine):
            row = []
            for g in graphs:
                here = min((c["ms"] for c in mine if c["graph"] == g and c["shown"] == plan), default=None)
                row.append("" if here is None else f"**{here:.3g}**" if here == least[g] else f"{here:.3g}")
            lines.append(f"| {plan} | {' | '.join(row)} |")
        lines.append("")
    return "\n".join(lines)


def main() -> int:
    given = options()
    cells: list[Cell] = []
    for name in given.graphs.split(","):
        bench = Bench(name, given)
        for program in given.programs.split(","):
            if program == "astar" and bench.places is None:
                continue
            factor = bench.factor(program)
            ways, beside = PROGRAMS[program]
            plans = [f"priority={way} buckets={n}" for way in ways for n in WINDOWS[:1 if way == "relaxed" else 2]]
            for plan in plans:
                said = plan if factor == "1" else f"{plan} auto={factor}"
                try:
                    cells.append(bench.cell(program, said) | {"shown": plan.removeprefix("priority=")})
                except IrglError as e:
                    print(f"{name} {program} {plan}: {e}", file=sys.stderr)
                    return 1
                print(json.dumps(cells[-1]), flush=True)
            if beside:
                cells.append(bench.cell(beside, "" if factor == "1" else f"auto={factor}") | {
                    "program": program, "shown": f"`{beside}`"})
                print(json.dumps(cells[-1]), flush=True)
        if given.peer_bin is not None:
            cells.append(bench.peer(given.peer_bin) | {"program": "sssp", "shown": "GAP, best delta"})
            print(json.dumps(cells[-1]), flush=True)
    if given.json is not None:
        head = {"version": __version__, "commit": machine.commit(ROOT), "machine": machine.describe(),
                "threads": given.threads, "repeat": given.repeat}
        given.json.write_text(json.dumps(head | {"cells": cells}, indent=1) + "\n", encoding="utf-8")
    text = markdown(cells)
    if given.markdown is not None:
        given.markdown.write_text(text, encoding="utf-8")
    print(text)
    return 1 if any(c.get("wrong") for c in cells) else 0


if __name__ == "__main__":
    raise SystemExit(main())
