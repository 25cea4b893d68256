"""Rounds that don't wait for each other (sync=off), beside those that do (sync=on), on the CPU.

    python benchmarks/merged_rounds.py --graphs NY,grid2048,kron18 --json benchmarks/results/merged_rounds.json

Of fixpoints.irgl each kind is run under both plans, which take turns: --turns of each, every one the median of --repeat
runs behind one that isn't counted; what is told is the turns' median. Both have to find the same.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from graphs import SPECS, prepare_graph
from side_by_side import PLANS, Side, add_turns, write
from turns import in_turns

PROGRAM = Path(__file__).resolve().parent / "fixpoints.irgl"
KINDS = {"lengths": ("path_length", 0), "hops": ("hops", 1), "labels": ("label", 2)}


def measured(name: str, kind: str, given: argparse.Namespace) -> dict[str, Any]:
    """A line of the table. Raises AssertionError where the plans find something else."""
    folder, (word, number) = prepare_graph(name, given.store), KINDS[kind]
    one, other = (Side(PROGRAM, plan, folder, given, kind=number) for plan in PLANS)
    on, off = in_turns(given.turns, one, other)
    assert np.array_equal(one.found[word], other.found[word]), (name, kind)
    return {"graph": name, "kind": kind, "on": on, "off": off, "ratio": round(on / off, 3)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", default="NY,grid2048,kron18", help=f"of {', '.join(SPECS)} [%(default)s]")
    parser.add_argument("--kinds", default=",".join(KINDS), help="[%(default)s]")
    add_turns(parser)
    given = parser.parse_args()
    rows = [measured(name, kind, given) for kind in given.kinds.split(",") for name in given.graphs.split(",")]
    print("| until nothing changes | graph | in rounds, ms | without, ms | times as fast |\n|---|---|---:|---:|---:|")
    for r in rows:
        print(f"| {r['kind']} | {r['graph']} | {r['on']:.3g} | {r['off']:.3g} | {r['ratio']:.2f} |")
    if given.json:
        write(given, rows)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
