"""Peak memory of `irglc run` from the binary cache, less that of a run on a graph of two nodes, by the graph's size.

    python benchmarks/memory.py --graph kron20 --json benchmarks/results/other.json

The size is that of the graph forms which the program uses: row offsets and targets, weights where it reads them, and
the transpose where it is another array (an undirected graph is its own).
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

import child
import machine
from graphs import SPECS, facts_of, prepare_graph

_ROOT = Path(__file__).resolve().parent.parent
#: program, words for its command line, does it read weights
_RUNS: tuple[tuple[str, list[str], bool], ...] = (
    ("bfs", [], False),
    ("bfs_do", [], False),
    ("pr_pull", ["--epsilon", "0", "--max-iterations", "20"], False),
    ("cc", [], False),
    ("cc_afforest", [], False),
    ("sssp_delta", [], True),
    ("mst", [], True),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", default="kron20", choices=sorted(SPECS), help="[%(default)s]")
    parser.add_argument("--threads", type=int, default=2, help="[%(default)s]")
    parser.add_argument("--store", type=Path, default=Path(tempfile.gettempdir()) / "irgl-bench-graphs")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args()
    folder = prepare_graph(given.graph, given.store)
    facts = facts_of(folder)
    rows = []
    for program, words, weighted in _RUNS:
        base = _peak(program, "path:nodes=2", [], given.threads)
        file = ["--undirected"]
        if facts.sources and program in ("bfs", "bfs_do", "sssp_delta"):
            file += ["--src", str(facts.sources[0])]
        peak = _peak(program, str(folder / "graph.npz"), [*file, *words], given.threads)
        size = 4 * (facts.nodes + 1) + 4 * facts.arcs * (2 if weighted else 1)
        rows.append({"program": program, "empty_mib": base >> 20, "peak_mib": peak >> 20, "graph_mib": size >> 20,
                     "ratio": round((peak - base) / size, 2)})
        print(f"{program:12} empty {base >> 20} MiB, peak {peak >> 20} MiB, graph {size >> 20} MiB: "
              f"{rows[-1]['ratio']} of the graph")
    child.merge(given.json, f"memory {given.graph}", {"rows": rows, "commit": machine.commit(_ROOT),
                                                      "load": os.getloadavg()})


def _peak(program: str, graph: str, words: list[str], threads: int) -> int:
    # Once to fill the caches of graph and program, then what counts.
    command = (*child.IRGLC, "run", str(_ROOT / "programs" / f"{program}.irgl"), "--graph", graph,
               "--threads", str(threads), "--json", *words)
    child.run(command)
    return min(child.run(command).peak for _ in range(2))


if __name__ == "__main__":
    main()
