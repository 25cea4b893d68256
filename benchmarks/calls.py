"""What a call from Python costs beyond the run of the program: bfs on Zachary's karate club, from each of its nodes.

    python benchmarks/calls.py --json benchmarks/results/other.json

Of --repeat loops of --calls calls: the median, least and largest wall time of one call, and the processor's.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import child
import machine
import networkx as nx

import irgl

_ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=9, help="[%(default)s]")
    parser.add_argument("--calls", type=int, default=1000, help="[%(default)s]")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args()
    club = nx.karate_club_graph()
    search = irgl.compile(_ROOT / "programs" / "bfs.irgl", target="cpu")
    rows = [_row("of a graph that irgl.as_graph holds", search, irgl.as_graph(club), given.calls, given.repeat),
            _row("of the NetworkX graph itself", search, club, given.calls, given.repeat)]
    for row in rows:
        print(f"{row['what']:36} {row['wall_us']} us ({row['least_us']} to {row['most_us']}), processor "
              f"{row['processor_us']} us; the program itself {row['kernel_us']} us")
    about = {"machine": machine.describe(), "networkx": version("networkx"), "numpy": version("numpy"),
             "commit": machine.commit(_ROOT), "load": os.getloadavg()}
    child.merge(given.json, "calls", {"rows": rows, **about})


def _row(what: str, search: Any, graph: Any, calls: int, repeat: int) -> dict[str, Any]:
    search(graph, src=0)
    walls, processor, kernels = [], [], []
    for _ in range(repeat):
        began, ran = time.perf_counter(), time.process_time()
        kernels += [search(graph, src=k % 34).time_ms * 1e3 for k in range(calls)]
        walls.append((time.perf_counter() - began) / calls * 1e6)
        processor.append((time.process_time() - ran) / calls * 1e6)
    return {"what": what, "wall_us": round(statistics.median(walls)), "least_us": round(min(walls)),
            "most_us": round(max(walls)), "processor_us": round(statistics.median(processor)),
            "kernel_us": round(statistics.median(kernels), 1)}


if __name__ == "__main__":
    main()
