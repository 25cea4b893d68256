"""How far the rows of a result file are from what the machine's memory would take for them.

    python benchmarks/floors.py benchmarks/results/cpu.json --graph kron20

The floor of a row is the time in which all threads read so many bytes from end to end as any algorithm for it must
move: each edge that must be looked at once, in four bytes and four more for its weight, and what a node has, read and
written once. The rate is measured on an array of the graph's size, here and now: on the machine of the result file,
please. What an algorithm reads at random costs a line of 64 bytes where that counts four: most of the distance.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import machine
from table import TITLES, ratio

_SOURCE = Path(__file__).resolve().parent / "bandwidth.cpp"
#: PageRank's, of which each reads all edges.
ROUNDS = 20


@dataclass(frozen=True, slots=True)
class Moved:
    """Bytes that must move: so many an arc, of which each undirected edge is two, and so many a node."""

    arc: int
    node: int
    why: str

    def of(self, nodes: int, arcs: int) -> int:
        return self.arc * arcs + self.node * nodes


#: A node has a row of 4 bytes and what the answer says of it; a search finds most nodes by one arc each, if it looks
#: from the right side.
MOVED = {
    "bfs": Moved(0, 4 + 4 + 4, "one arc a node, its row, its level"),
    "sssp": Moved(8, 4 + 4, "each arc with its weight, rows, lengths"),
    "pr": Moved(4 * ROUNDS, (4 + 4 + 4) * ROUNDS, f"{ROUNDS} rounds: each arc, rows, ranks old and new"),
    "cc": Moved(0, 4 + 4 + 4, "one arc a node, its row, its label"),
    "tc": Moved(4, 4, "each arc, rows"),
    "bc": Moved(8, 4 + 4 + 8 + 8, "each arc there and back, rows, levels, paths, scores"),
    "mst": Moved(8, 4 + 4, "each arc with its weight, rows, labels"),
    "mis": Moved(0, 4 + 4 + 1, "one arc a node, its row, its mark"),
    "kcore": Moved(4, 4 + 4, "each arc, rows, core numbers"),
}


def bandwidth(size: int, threads: int) -> float:
    """GB a second at which all threads read an array of `size` bytes."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "bandwidth"
        subprocess.run(("g++", "-O3", "-march=native", "-fopenmp", str(_SOURCE), "-o", str(program)), check=True)
        done = subprocess.run((str(program), str(size)), check=True, capture_output=True, text=True,
                              env={**os.environ, "OMP_NUM_THREADS": str(threads)})
    return float(done.stdout)


def markdown(found: dict[str, Any], graph: str, rate: float) -> str:
    """A table of a graph's rows: milliseconds, the floor, time over floor, and the fastest other's time over ours."""
    facts = found["graphs"][graph]
    lines = ["| | ms | bytes that must move | MB | floor, ms | time / floor | fastest other / time |",
             "|---|---:|---|---:|---:|---:|---:|"]
    for algorithm, title in TITLES.items():
        cells = next((r["cells"] for r in found["rows"] if (r["graph"], r["algorithm"]) == (graph, algorithm)), {})
        if "ms" not in cells.get("irgl", {}):
            continue
        moved = MOVED[algorithm]
        size, ms = moved.of(facts["nodes"], facts["arcs"]), cells["irgl"]["ms"]
        floor = size / rate / 1e6
        others = [r for name, cell in cells.items() if name != "irgl" and (r := ratio(cells["irgl"], cell)) is not None]
        lines.append(f"| {title} | {ms:.1f} | {moved.why} | {size / 1e6:.0f} | {floor:.1f} | {ms / floor:.1f} | "
                     f"{f'{min(others):.2f}' if others else ''} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--graph", default="kron20", help="[%(default)s]")
    given = parser.parse_args()
    found = json.loads(given.results.read_text(encoding="utf-8"))
    if given.graph not in found["graphs"]:
        parser.error(f"no graph is called {given.graph}: there are {', '.join(found['graphs'])}")
    size = 4 * found["graphs"][given.graph]["arcs"]
    rate = bandwidth(size, found["threads"])
    print(f"{machine.describe()['cpu']}: {found['threads']} threads read {size / 1e6:.0f} MB at {rate:.1f} GB/s.\n")
    print(markdown(found, given.graph, rate))


if __name__ == "__main__":
    main()
