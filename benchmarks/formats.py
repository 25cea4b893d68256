"""Forms of edges beside rows: programs that run over all edges, under each form that is legal.

    python benchmarks/formats.py --json benchmarks/results/formats.json
    python benchmarks/formats.py --graphs kron14 --programs pr_pull         a few rows
    python benchmarks/formats.py --show benchmarks/results/formats.json     the tables of a result file

Each form runs with a few of its options in the given order of the nodes, and by itself with order=degree; rows run in
every order. All plans of a row take turns in one process; a time is the median of up to --repeat runs, as many as
--seconds hold. Only kernels are timed; what a form takes in memory, and to build, is told beside that. Answers are
compared with those of rows in the given order: a plan with another answer has no time. Ratios are the time of rows in
the same order over the form's: above 1 the form is faster. Graphs are undirected, without self-loops and parallel
edges.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import machine
from graphs import DEFAULT, SPECS
from serial import _load, _save
from serial_loops import GRAPHS, ROOT

import irgl
from irgl import driver
from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options, Outcome, run
from irgl.rt.graphs.cache import load_prepared
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import requirements
from irgl.rt.manifests.program import open_program
from irgl.rt.results.difference import difference
from irgl.rt.results.verify import tolerance_of
from irgl.source import IrglError
from irgl.space import legal_space

Row = dict[str, Any]
_CNR = str(ROOT.parent / "shared" / "graphs" / "social" / "cnr-2000.txt.xz")
ALL = {**SPECS, "cnr-2000": _CNR, "NotreDame": GRAPHS["NotreDame"]}
MEASURED = (*DEFAULT, "cnr-2000", "NotreDame")
#: In place of a parameter's value: the node of most edges.
HUB = "hub"
#: Programs, their parameters, and the graphs that they take too many rounds for.
PROGRAMS: dict[str, tuple[Path, dict[str, Any], tuple[str, ...]]] = {
    "pr_pull": (ROOT / "programs/pr_pull.irgl", {"max_iterations": 20, "epsilon": 0.0}, ()),
    "sssp_bf": (ROOT / "programs/sssp_bf.irgl", {"src": HUB}, ("grid2048", "NY")),
    "largest": (ROOT / "benchmarks/largest.irgl", {}, ()),
}
#: What is tried of a form besides what it does by itself.
TRIED = {"blocks": ("tile=14", "tile=18"), "sell": ("sigma=4096",)}
ORDERS = ("given", "degree", "rcm", "community")


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", default=",".join(PROGRAMS), help="[%(default)s]")
    parser.add_argument("--graphs", default=",".join(MEASURED), help=f"of {', '.join(ALL)} [%(default)s]")
    parser.add_argument("--threads", type=int, default=2, help="[%(default)s]")
    parser.add_argument("--repeat", type=int, default=5, help="runs of a plan that count, at most [%(default)s]")
    parser.add_argument("--seconds", type=float, default=1.0, help="that a plan's runs may take [%(default)s]")
    parser.add_argument("--json", type=Path, metavar="FILE", help="result file; rows that it holds are replaced")
    parser.add_argument("--show", type=Path, metavar="FILE", help="print the tables of a result file; measure nothing")
    given = parser.parse_args()
    for what, chosen, known in (("program", given.programs, PROGRAMS), ("graph", given.graphs, ALL)):
        for word in chosen.split(","):
            if word not in known:
                parser.error(f"no {what} is called {word!r}: there are {', '.join(known)}")
    return given


def plans(program: Path) -> Iterator[str]:
    """Rows in every order first, then the legal forms."""
    yield from (f"format=csr order={word}" for word in ORDERS)
    legal = {name for c in legal_space(driver.ready(program).checked.program) if c.option == "format"
             for name in c.values}
    for name in sorted(legal - {"csr"}):
        yield from (f"format={name} order={word}" for word in ORDERS[:2])
        yield from (f"format={name} {more} order=given" for more in TRIED.get(name, ()))


class Plans:
    """A program on a graph under every plan that it can have there."""

    def __init__(self, name: str, graph: str, threads: int) -> None:
        self.file, params, _ = PROGRAMS[name]
        self.options = Options(threads=threads)
        self.graph = self._graph(ALL[graph])
        hub = self.graph.file_id(int(self.graph.out_degrees().argmax()))
        self.params = {name: hub if value == HUB else value for name, value in params.items()}
        self.cells: dict[str, Row] = {}
        base = None
        for text in plans(self.file):
            try:
                first = self.run(text)
            except IrglError as e:
                self.cells[text] = {"refused": e.message}
                continue
            base = base if base is not None else first.result
            wrong = difference(first.result, base, tolerance_of(open_program(self.file, Plan.parse(text))), "rows")
            self.cells[text] = {"wrong": wrong} if wrong is not None else {
                "samples": [], "order_ms": round(first.order_ms, 1),
                "bytes": sum(f.bytes for f in first.forms), "form_ms": round(sum(f.built_ms for f in first.forms), 1)}

    def _graph(self, spec: str) -> Graph:
        need = requirements(open_program(self.file, Plan()).graphs[0])
        return load_prepared(spec, replace(need, directed=False, simple=True, sorted=True))

    def run(self, text: str) -> Outcome:
        plan = Plan.parse(text)
        manifest = open_program(self.file, plan)
        graphs = {manifest.graphs[0].name: self.graph}
        return run(manifest, graphs, bind(manifest, graphs, self.params), plan, self.options)

    def measure(self, repeat: int, seconds: float) -> None:
        """Runs all plans in turns; `ms` are their medians."""
        running = {text: cell for text, cell in self.cells.items() if "samples" in cell}
        for _ in range(repeat):
            for text, cell in running.items():
                if sum(cell["samples"]) <= seconds * 1e3:
                    cell["samples"].append(round(self.run(text).kernel_ms[0], 3))
        for cell in running.values():
            cell["ms"] = round(statistics.median(cell["samples"]), 3)


def row(name: str, graph: str, given: argparse.Namespace) -> Row:
    found, watch = Plans(name, graph, given.threads), machine.Watch([])
    found.measure(given.repeat, given.seconds)
    return {"program": name, "graph": graph, "nodes": found.graph.num_nodes, "arcs": found.graph.num_edges,
            "threads": given.threads, "params": found.params, "cells": found.cells, "others": watch.others(),
            "at": time.strftime("%Y-%m-%d %H:%M:%S")}


def markdown(found: Row) -> str:
    """A table for each program and graph."""
    m = found["machine"]
    lines = [f"{m['cpu']}, {m['cores']} cores, {m['compiler']}, irgl {found['irgl']} at {found['commit']}."]
    for r in sorted(found["rows"], key=lambda r: (r["program"], r["graph"])):
        csr = {t.rpartition("=")[2]: c["ms"] for t, c in r["cells"].items() if t.startswith("format=csr") and "ms" in c}
        best = min(csr.values(), default=None)
        lines += ["", f"{r['program']} on {r['graph']}: {r['nodes']:,} nodes, {r['arcs']:,} arcs, "
                      f"{r['threads']} threads, others {r['others']:.2f} cores", "",
                  "| plan | ms | over csr | over csr in its best order | bytes an arc | built in, ms |",
                  "|---|---:|---:|---:|---:|---:|"]
        for text, c in r["cells"].items():
            if "ms" not in c:
                lines.append(f"| {text} | {c.get('wrong') or c['refused']} | | | | |")
                continue
            same = csr.get(text.rpartition("=")[2])
            over = [f"{ms / c['ms']:.2f}" if ms is not None else "" for ms in (same, best)]
            form = [f"{c['bytes'] / max(1, r['arcs']):.2f}", f"{c['form_ms']:,.0f}"] if c["bytes"] else ["", ""]
            lines.append("| " + " | ".join([text, f"{c['ms']:,.2f}", *over, *form]) + " |")
    return "\n".join(lines)


def main() -> int:
    given = options()
    if given.show is not None:
        print(markdown(json.loads(given.show.read_text(encoding="utf-8"))))
        return 0
    found = _load(given.json)
    found |= {"machine": machine.describe(), "commit": machine.commit(ROOT), "irgl": irgl.__version__}
    for name in given.programs.split(","):
        for graph in given.graphs.split(","):
            spec = ALL[graph]
            if graph in PROGRAMS[name][2] or (":" not in spec and not Path(spec).exists()):
                print(f"left out: {name} on {graph}", file=sys.stderr)
                continue
            made = row(name, graph, given) | {"commit": found["commit"]}
            found["rows"] = [r for r in found["rows"] if (r["program"], r["graph"]) != (name, graph)] + [made]
            print(f"{name:10} {graph:10} done", file=sys.stderr, flush=True)
            _save(given.json, found)
    print(markdown(found))
    return 1 if any("wrong" in c for r in found["rows"] for c in r["cells"].values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())
