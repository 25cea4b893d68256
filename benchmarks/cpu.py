"""Kernel times of our programs beside those of other libraries, on the same graphs, with the same threads.

    python benchmarks/cpu.py --graphs kron18,NY --algorithms bfs,cc --peers igraph,scipy --json out.json
    python benchmarks/cpu.py --peer-bin DIR          also binaries of the GAP Benchmark Suite, built elsewhere

Every peer gets the same arrays (see graphs.py) before the clock starts, and the same sources. Peers take turns; a
sample is the best of up to five runs (as many as half a second holds), a time the median of --repeat samples, and the
mean over the sources where there are several. A sample during which other processes took more than --noise cores is
taken again, up to twice as many in all; the quietest count. Before that the answers are compared: a peer whose answer
differs from ours is marked and gets no ratio.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import machine
from agree import disagreement
from graphs import DEFAULT, SPECS, Facts, facts_of, needs, prepare_graph
from peers.peer import ALGORITHMS, FROM_SOURCE, Answer
from runners import GapRunner, PythonRunner, Runner
from table import markdown, ratio

ROOT = Path(__file__).resolve().parent.parent
LIBRARIES = ("networkit", "igraph", "scipy", "graphblas", "rustworkx")
Cell = dict[str, Any]
Row = dict[str, Any]


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", default=",".join(DEFAULT), help=f"of {', '.join(SPECS)} [%(default)s]")
    parser.add_argument("--algorithms", default=",".join(ALGORITHMS), help="[%(default)s]")
    parser.add_argument("--peers", default=",".join(LIBRARIES), help="Python libraries, or none [%(default)s]")
    parser.add_argument("--peer-bin", type=Path, metavar="DIR", help="folder of the GAP Benchmark Suite's binaries")
    parser.add_argument("--repeat", type=int, default=5, help="rounds that count [%(default)s]")
    parser.add_argument("--threads", type=int, default=2, help="[%(default)s]")
    parser.add_argument("--store", type=Path, default=Path(tempfile.gettempdir()) / "irgl-bench-graphs",
                        help="where prepared graphs are kept [%(default)s]")
    parser.add_argument("--budget", type=float, default=10.0, help="seconds for one peer on one row [%(default)s]")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for one run [%(default)s]")
    parser.add_argument("--noise", type=float, default=0.15, help="cores that others may take [%(default)s]")
    parser.add_argument("--patience", type=float, default=20.0, metavar="S",
                        help="seconds to wait on each row for a quiet machine [%(default)s]")
    parser.add_argument("--json", type=Path, metavar="FILE", help="result file; rows that it holds are replaced")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="the tables, also printed")
    given = parser.parse_args()
    for name, chosen, known in (("graph", given.graphs, SPECS), ("algorithm", given.algorithms, ALGORITHMS),
                                ("peer", given.peers, (*LIBRARIES, "none"))):
        for word in chosen.split(","):
            if word not in known:
                parser.error(f"no {name} is called {word!r}: there are {', '.join(known)}")
    if given.peer_bin is not None and not (given.peer_bin / "bfs").exists():
        parser.error(f"no binaries of the GAP Benchmark Suite in {given.peer_bin}")
    return given


class Bench:
    """One graph, its peers, and the rows measured on it."""

    def __init__(self, given: argparse.Namespace, folder: Path, facts: Facts) -> None:
        self.given, self.folder, self.facts = given, folder, facts
        names = ["irgl", *(p for p in given.peers.split(",") if p != "none")]
        self.runners: list[Runner] = [PythonRunner(n, folder, given.threads, given.limit) for n in names]
        if given.peer_bin is not None:
            self.runners.insert(1, GapRunner(given.peer_bin, folder, facts, given.threads, given.limit))
        self.patience = 0.0

    def row(self, algorithm: str) -> Row:
        """Compares the answers, then takes samples in turns."""
        sources: list[int | None] = list(self.facts.sources) if algorithm in FROM_SOURCE else [None]
        load = os.getloadavg()
        self.patience = self.given.patience
        cells, answers = {}, {}
        with tempfile.TemporaryDirectory() as scratch:
            for runner in self.runners:
                file = Path(scratch) / f"{runner.name}.npy"
                cells[runner.name], answers[runner.name] = self.first(runner, algorithm, sources, file)
            for name, answer in answers.items():
                if answer and answers["irgl"]:
                    cells[name]["disagrees"] = disagreement(algorithm, sources[0], answers["irgl"], answer, self.folder)
        self.rounds(algorithm, cells)
        for cell in cells.values():
            finish(cell, self.given.repeat)
        return {"graph": self.facts.name, "algorithm": algorithm, "cells": cells, "load_before": load,
                "load_after": os.getloadavg(), "at": time.strftime("%Y-%m-%d %H:%M:%S")}

    def first(self, runner: Runner, algorithm: str, sources: list[int | None], file: Path) -> tuple[Cell, Answer]:
        """The answer from the first source; the run warms up, and tells how many rounds and sources fit the budget."""
        reply = runner.measure(algorithm, sources[0], 1, file)
        if "ms" not in reply:
            return {"missing": True} if reply.get("missing") else {"error": reply["error"]}, {}
        one = max(reply["ms"][-1] / 1e3, 1e-9)
        used = max(1, min(len(sources), int(self.given.budget / one)))
        wanted = max(1, min(self.given.repeat, int(self.given.budget / (one * used))))
        trials = max(1, min(5, int(0.5 / one)))
        cell: Cell = {"wanted": wanted, "trials": trials, "sources": sources[:used], "samples": [], "others": [],
                      "note": runner.note(algorithm)}
        return cell, reply.get("answer", {})

    def rounds(self, algorithm: str, cells: dict[str, Cell]) -> None:
        """Takes samples in turns until each peer has as many quiet ones as wanted, or twice as many."""
        for _ in range(2 * self.given.repeat):
            waiting = [r for r in self.runners if self.wants(cells[r.name])]
            if not waiting:
                return
            for runner in waiting:
                self.patience -= machine.wait_until_quiet(self.given.noise, self.patience)
                self.sample(runner, algorithm, cells[runner.name])

    def wants(self, cell: Cell) -> bool:
        wanted: int = cell.get("wanted", 0)
        quiet = sum(n <= self.given.noise for n in cell.get("others", []))
        return bool(quiet < wanted and len(cell["samples"]) < 2 * wanted)

    def sample(self, runner: Runner, algorithm: str, cell: Cell) -> None:
        """One run from each source, and the cores that others took meanwhile."""
        watch = machine.Watch([pid for r in self.runners for pid in r.pids()])
        sample = []
        for source in cell["sources"]:
            reply = runner.measure(algorithm, source, cell["trials"], None)
            if "ms" not in reply:
                cell["error"], cell["wanted"] = reply.get("error", "?"), 0
                return
            sample.append(round(min(reply["ms"]), 4))
        cell["samples"].append(sample)
        cell["others"].append(watch.others())

    def close(self) -> None:
        for runner in self.runners:
            runner.close()


def finish(cell: Cell, repeat: int) -> None:
    """Median by source over the quietest samples: cell["by_source"]; their mean: cell["ms"]; the mean of the
    best: cell["best"]; cell["noise"]: cores that others took meanwhile, the mean."""
    samples = cell.get("samples", [])
    if not samples or "error" in cell:
        return
    quiet = sorted(range(len(samples)), key=lambda k: cell["others"][k])[:repeat]
    cell["by_source"] = [statistics.median(samples[k][s] for k in quiet) for s in range(len(samples[0]))]
    cell["ms"] = statistics.fmean(cell["by_source"])
    cell["best"] = statistics.fmean(min(sample[s] for sample in samples) for s in range(len(samples[0])))
    cell["noise"] = round(statistics.fmean(cell["others"][k] for k in quiet), 2)


def say_needs(given: argparse.Namespace) -> None:
    """Tells on stderr which graphs are made, which files are looked for, and which libraries are missing."""
    for line in needs(given.graphs.split(","), given.store):
        print(f"graphs {line}", file=sys.stderr)
    missing = [p for p in given.peers.split(",") if p != "none" and importlib.util.find_spec(p) is None]
    if missing:
        print(f"not installed: {', '.join(missing)} (pip install -e '.[bench]')", file=sys.stderr)


def main() -> int:
    given = options()
    say_needs(given)
    found = _load(given.json)
    found |= {"machine": machine.describe(), "commit": machine.commit(ROOT), "threads": given.threads,
              "repeat": given.repeat, "plan": os.environ.get("IRGL_BENCH_PLAN", "default"),
              "programs": os.environ.get("IRGL_BENCH_PROGRAMS", "")}
    for name in given.graphs.split(","):
        try:
            folder = prepare_graph(name, given.store)
        except FileNotFoundError as e:
            print(f"left out: {e}", file=sys.stderr)
            continue
        facts = facts_of(folder)
        found["graphs"][name] = {k: getattr(facts, k) for k in facts.__dataclass_fields__}
        bench = Bench(given, folder, facts)
        try:
            for algorithm in given.algorithms.split(","):
                row = bench.row(algorithm)
                row["commit"] = found["commit"]
                found["rows"] = [r for r in found["rows"] if (r["graph"], r["algorithm"]) != (name, algorithm)] + [row]
                found["versions"] |= {r.name: r.version() for r in bench.runners if r.version()}
                print(f"{name:9} {algorithm:6} {_line(row)}", file=sys.stderr, flush=True)
                _save(given.json, found)
        finally:
            bench.close()
    if not found["rows"]:
        print("error: none of the graphs is there, and nothing was measured", file=sys.stderr)
        return 2
    text = markdown(found)
    print(text)
    if given.markdown is not None:
        given.markdown.write_text(text, encoding="utf-8")
    return 1 if any(c.get("disagrees") for r in found["rows"] for c in r["cells"].values()) else 0


def _line(row: Row) -> str:
    ours = row["cells"]["irgl"]
    parts = [f"irgl {ours['ms']:.2f} ms" if "ms" in ours else f"irgl {ours.get('error', 'missing')}"]
    for name, cell in row["cells"].items():
        if name != "irgl" and "ms" in cell:
            r = ratio(ours, cell)
            parts.append(f"{name} {cell['ms']:.2f}" + (f" x{r:.2f}" if r is not None else ""))
        elif "error" in cell and name != "irgl":
            parts.append(f"{name} {cell['error']}")
        if cell.get("disagrees"):
            parts.append(f"({name} DISAGREES: {cell['disagrees']})")
    return "  ".join(parts) + f"  others {ours.get('noise', 0):.2f}"


def _load(path: Path | None) -> dict[str, Any]:
    if path is None or not path.exists():
        return {"graphs": {}, "rows": [], "versions": {}}
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _save(path: Path | None, found: dict[str, Any]) -> None:
    if path is None:
        return
    scratch = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    scratch.write_text(json.dumps(found, indent=1), encoding="utf-8")
    scratch.replace(path)


if __name__ == "__main__":
    raise SystemExit(main())
