"""Programs of programs/more beside the obvious serial loops in C++, on the same arrays.

    python benchmarks/serial.py --programs matching,widest --json benchmarks/results/serial.json
    python benchmarks/serial.py --show benchmarks/results/serial.json       the tables of a result file

benchmarks/serial/NAME.cpp is built with g++ -O3 -march=native; the program NAME gets the same graph and arguments
(serial/serial.hpp says how a file asks for them). Only the work is timed: `run` there, the kernels and first values
of properties here. The loop, the program on one thread and on two take turns; a sample is the best of up to five runs
(as many as 0.3 s hold), a time the median of --repeat samples. Before that the answers are compared, or shown to the
program's verifier where several are right: a row with a wrong answer has no times. With --networkx its function is
timed, too, once (serial_networkx.py). Ratios are their time over ours: above 1 irgl is faster.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import machine
from serial_loops import GRAPHS, ROOT, SOURCES, Loop, Pair, loop_of
from serial_networkx import FUNCTIONS, networkx_ms
from serial_table import markdown

import irgl

Row = dict[str, Any]
THREADS = (1, 2)


def options() -> argparse.Namespace:
    names = sorted(path.stem for path in SOURCES.glob("*.cpp"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", default=",".join(names), help="[%(default)s]")
    parser.add_argument("--graphs", default="", help=f"in place of each loop's own: of {', '.join(GRAPHS)}")
    parser.add_argument("--plan", default="default", help="[%(default)s]")
    parser.add_argument("--repeat", type=int, default=7, help="samples that count [%(default)s]")
    parser.add_argument("--noise", type=float, default=0.15, help="cores that others may take [%(default)s]")
    parser.add_argument("--patience", type=float, default=5.0, metavar="S",
                        help="seconds to wait on each row for a quiet machine [%(default)s]")
    parser.add_argument("--networkx", action="store_true", help="time NetworkX's function beside them")
    parser.add_argument("--json", type=Path, metavar="FILE", help="result file; rows that it holds are replaced")
    parser.add_argument("--show", type=Path, metavar="FILE", help="print the tables of a result file; measure nothing")
    given = parser.parse_args()
    for what, chosen, known in (("program", given.programs, names), ("graph", given.graphs, GRAPHS)):
        for word in filter(None, chosen.split(",")):
            if word not in known:
                parser.error(f"no {what} is called {word!r}: there are {', '.join(known)}")
    return given


def measure(pair: Pair, given: argparse.Namespace) -> Row:
    """Samples in turns; medians by what ran, in milliseconds."""
    runs: dict[str, Callable[[int], list[float]]] = {"serial": pair.serial.ms}
    for threads in THREADS:
        runs[f"irgl{threads}"] = lambda trials, threads=threads: list(pair.irgl(threads, trials).kernel_ms)
    trials = {name: max(1, min(5, int(300 / max(run(1)[0], 1e-6)))) for name, run in runs.items()}
    samples: dict[str, list[float]] = {name: [] for name in runs}
    patience, others = given.patience, []
    for _ in range(given.repeat):
        patience -= machine.wait_until_quiet(given.noise, patience)
        watch = machine.Watch([])
        for name, run in runs.items():
            samples[name].append(min(run(trials[name])))
        others.append(watch.others())
    return {"ms": {name: round(statistics.median(found), 4) for name, found in samples.items()},
            "samples": {name: [round(ms, 4) for ms in found] for name, found in samples.items()},
            "others": round(statistics.fmean(others), 2)}


def row(loop: Loop, graph: str, given: argparse.Namespace, folder: Path) -> Row:
    pair = Pair(loop, graph, folder, given.plan)
    found: Row = {"program": loop.name, "graph": graph, "nodes": pair.graph.num_nodes, "arcs": pair.graph.num_edges,
                  "args": pair.given, "at": time.strftime("%Y-%m-%d %H:%M:%S")}
    if (why := pair.wrong()) is not None:
        return found | {"wrong": why}
    found |= measure(pair, given)
    if given.networkx and loop.name in FUNCTIONS:
        found["ms"]["networkx"] = round(networkx_ms(loop.name, pair.graph, pair.given), 2)
    return found


def main() -> int:
    given = options()
    if given.show is not None:
        print(markdown(json.loads(given.show.read_text(encoding="utf-8"))))
        return 0
    found = _load(given.json)
    found |= {"machine": machine.describe(), "commit": machine.commit(ROOT), "repeat": given.repeat,
              "plan": given.plan, "irgl": irgl.__version__}
    with tempfile.TemporaryDirectory() as folder:
        for name in given.programs.split(","):
            loop = loop_of(SOURCES / f"{name}.cpp")
            for graph in given.graphs.split(",") if given.graphs else loop.graphs:
                try:
                    made = row(loop, graph, given, Path(folder)) | {"commit": found["commit"]}
                except FileNotFoundError as e:
                    print(f"left out: {name} on {graph}: {e}", file=sys.stderr)
                    continue
                found["rows"] = [r for r in found["rows"] if (r["program"], r["graph"]) != (name, graph)] + [made]
                print(f"{name:10} {graph:10} {made.get('wrong') or _line(made)}", file=sys.stderr, flush=True)
                _save(given.json, found)
    print(markdown(found))
    return 1 if any("wrong" in r for r in found["rows"]) else 0


def _line(made: Row) -> str:
    ms = made["ms"]
    parts = [f"{name} {ms[name]:.3f} ms (x{ms['serial'] / ms[name]:.2f})" for name in ms if name != "serial"]
    return "  ".join([f"serial {ms['serial']:.3f}", *parts, f"others {made['others']:.2f}"])


def _load(path: Path | None) -> dict[str, Any]:
    if path is None or not path.exists():
        return {"rows": []}
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _save(path: Path | None, found: dict[str, Any]) -> None:
    if path is None:
        return
    scratch = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    scratch.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    scratch.replace(path)


if __name__ == "__main__":
    raise SystemExit(main())
