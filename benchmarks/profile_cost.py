"""What a profile costs: times of programs with and without one, in turns (docs/profile.md).

    python benchmarks/profile_cost.py [--runs 15] [--threads 2] [--only bfs ...] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from irgl.frontends.shipped import located
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options, run
from irgl.rt.graphs.loading import Loading, load
from irgl.rt.manifests.program import open_program
from irgl.tune.choose.auto import Given, resolve

ROADS = Path(__file__).resolve().parents[2] / "shared" / "graphs" / "road" / "USA-road-d.NY.gr.gz"
PROGRAMS = ("bfs", "sssp_nf", "pr")
GRAPHS = {"NY": str(ROADS), "kron18": "kron:18,weights=int"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", nargs="*", choices=PROGRAMS)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    found = []
    for program in given.only or PROGRAMS:
        for graph, spec in GRAPHS.items():
            found.append(measured(program, graph, spec, given.runs, given.threads))
            row = found[-1]
            cells = [program, graph, f"{row['plain']:.2f}", f"{row['profile']:.2f}", f"{row['times']:.3f}"]
            print(f"| {' | '.join(cells)} |", flush=True)
    if given.json is not None:
        given.json.write_text(json.dumps(found, indent=1) + "\n")


def measured(program: str, graph: str, spec: str, runs: int, threads: int) -> dict[str, object]:
    """The least times of so many runs of each kind, in milliseconds, one kind after the other, from a node with
    the most edges."""
    first = open_program(located(program))
    graphs = {g.name: load(spec, g, Loading()) for g in first.graphs}
    degrees = np.diff(next(iter(graphs.values())).row)
    source = {"src": int(degrees.argmax())} if "src" in first.order else {}
    values = bind(first, graphs, source)
    chosen = resolve("default", first, Given(graphs, lambda: values, None, threads), "cpu",
                     lambda plan: open_program(first.path, plan), None)
    kinds = {"plain": chosen.manifest, "profile": open_program(first.path, chosen.plan, profile=True)}
    times: dict[str, list[float]] = {name: [] for name in kinds}
    for turn in range(runs + 1):
        for name, manifest in kinds.items():
            ms = run(manifest, graphs, values, chosen.plan, Options(threads)).kernel_ms[0]
            if turn:
                times[name].append(ms)
    least = {name: min(each) for name, each in times.items()}
    return {"program": program, "graph": graph, "threads": threads, "runs": runs, **least,
            "times": least["profile"] / least["plain"]}


if __name__ == "__main__":
    main()
