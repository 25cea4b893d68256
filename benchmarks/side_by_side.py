"""Two searches of one Program side by side (sync=off), beside one after the other (sync=on), on the CPU.

    python benchmarks/side_by_side.py --graphs NY,grid2048,kron18 --json benchmarks/results/side_by_side.json

Both plans of two_searches.irgl take turns, --turns of each, every one the median of --repeat runs behind one that isn't
counted; what is told is the turns' median. Both have to find the same.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

import machine
import numpy as np
from graphs import SPECS, facts_of, prepare_graph
from turns import in_turns

import irgl
from irgl import __version__

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = Path(__file__).resolve().parent / "two_searches.irgl"
PLANS = ("sync=on", "sync=off")


class Side:
    """A program under a plan, on one graph; words: more that it is asked with."""

    def __init__(self, program: Path, plan: str, folder: Path, given: argparse.Namespace, **words: int) -> None:
        self.of = irgl.compile(program, target="cpu", plan=plan)
        self.graph = irgl.load_graph(folder / "graph.npz", self.of, undirected=True)
        self.asked = {"src": facts_of(folder).sources[0], "threads": given.threads, "repeat": given.repeat + 1} | words
        self.found: Any = None

    def __call__(self) -> float:
        """The median of the runs, in ms."""
        self.found = self.of(self.graph, **self.asked)
        return statistics.median(self.found.times_ms[1:])


def measured(name: str, given: argparse.Namespace) -> dict[str, Any]:
    """A line of the table. Raises AssertionError where the plans find something else."""
    folder = prepare_graph(name, given.store)
    one, other = (Side(PROGRAM, plan, folder, given, delta=given.delta) for plan in PLANS)
    on, off = in_turns(given.turns, one, other)
    for word in ("hops", "path_length"):
        assert np.array_equal(one.found[word], other.found[word]), (name, word)
    return {"graph": name, "on": on, "off": off, "ratio": round(on / off, 3)}


def add_turns(parser: argparse.ArgumentParser) -> None:
    """The options by which plans take turns."""
    parser.add_argument("--threads", type=int, default=2, help="[%(default)s]")
    parser.add_argument("--repeat", type=int, default=5, help="[%(default)s]")
    parser.add_argument("--turns", type=int, default=7, help="[%(default)s]")
    parser.add_argument("--store", type=Path, default=Path(tempfile.gettempdir()) / "irgl-bench-graphs",
                        help="where prepared graphs are kept [%(default)s]")
    parser.add_argument("--json", type=Path, metavar="FILE")


def write(given: argparse.Namespace, rows: list[dict[str, Any]], **more: int) -> None:
    """The file of what was measured."""
    given.json.write_text(json.dumps({"machine": machine.describe(), "version": __version__,
                                      "commit": machine.commit(ROOT), "threads": given.threads,
                                      "repeat": given.repeat, "turns": given.turns, **more, "rows": rows},
                                     indent=1) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", default="NY,grid2048,kron18", help=f"of {', '.join(SPECS)} [%(default)s]")
    parser.add_argument("--delta", type=int, default=8192, help="the width of a bucket [%(default)s]")
    add_turns(parser)
    given = parser.parse_args()
    rows = [measured(name, given) for name in given.graphs.split(",")]
    print("| graph | one after the other, ms | side by side, ms | times as fast |\n|---|---:|---:|---:|")
    for r in rows:
        print(f"| {r['graph']} | {r['on']:.3g} | {r['off']:.3g} | {r['ratio']:.2f} |")
    if given.json:
        write(given, rows, delta=given.delta)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
