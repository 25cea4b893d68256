"""What schedulers of nested loops count in the emulator: docs/schedules.md and results/schedules.json.

    python benchmarks/schedules.py                      rmat12 and a grid of 64 x 64
    python benchmarks/schedules.py --graphs rmat:16     that graph; the others stay as they are
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from counters import ROOT, head, row, versions
from counting import PROGRAMS as FOLDER
from counting import Counted, count
from machine import commit

from irgl.driver import ready
from irgl.options import WHOLE_SCHEDULERS
from irgl.space import legal_space

RESULTS, PAGE = ROOT / "benchmarks" / "results" / "schedules.json", ROOT / "docs" / "schedules.md"
GRAPHS = ("rmat:12", "grid:64x64")
PROGRAMS = ("bfs", "cc")
SCHEDULES = ("serial", "fg", "tb+wp", "wp+fg", *(s for word in WHOLE_SCHEDULERS for s in (
    ("cut stage=1", "cut stage=8") if word == "cut" else (word,))))
INTRO = f"""# What schedulers count

`np=` says who runs the edges of a node on a GPU (docs/cuda.md). Counted in the emulator in lockstep, with
`cc=off outline=off` and blocks of 256: how many lanes take part in the steps of warps that touch memory, all steps of
warps and those, memory transactions, barriers of blocks and of the grid, launches, and atomics in the device's memory
and in a block's. They are counts, not times. `python benchmarks/schedules.py` makes this page, with `--graphs
{GRAPHS[0]}` one table of it.

On power laws `cut` with `stage=8` has 1.09 to 1.14 times the lanes of `tb+wp` in use and fewer transactions, with about
as many barriers; it takes more steps at memory all the same, some of them in a block's. On the grid `stage=1` takes
fewer steps than 8. `wf` takes the fewest steps at memory on power laws, and the fewest barriers of those that share
edges. `even` pays in each round for a barrier of the grid, and for blocks that have no share. `bins` has up to 1.17
times the lanes of `tb+wp` in use, and pays for barriers of the grid between its loops. On the grid `serial` takes the
fewest steps.
"""
COLUMNS = ("program", "np", "lanes", "warp steps", "at memory", "transactions", "block barriers", "grid barriers",
           "launches", "atomics", "in a block")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", nargs="+", default=GRAPHS)
    given = parser.parse_args()
    found = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.is_file() else {}
    for graph in given.graphs:
        runs = [measured(count(program, f"np={np} cc=off outline=off", graph, graph, mode="lockstep"), np)
                for program in PROGRAMS for np in SCHEDULES if takes(program, np.split()[0])]
        found[graph] = {"commit": commit(ROOT), "versions": versions(), "runs": runs}
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(found), encoding="utf-8")
    return 0


def takes(program: str, np: str) -> bool:
    """Is it legal for any loop of the program?"""
    checked = ready(FOLDER / f"{program}.irgl").checked
    return any(c.option == "np" and np in c.values for c in legal_space(checked.program, "simt"))


def measured(r: Counted, np: str) -> dict[str, Any]:
    """A row of the table."""
    return dict(zip(COLUMNS, (r.program, np, f"{r['utilisation']:.3f}", r["warp_steps"], r["warp_memory"],
                              r["transactions"], r["block_barriers"], r["grid_barriers"], r["launches"], r.atomics,
                              sum(r["shared_atomics"].values())), strict=True))


def page(found: dict[str, Any]) -> str:
    """docs/schedules.md."""
    lines = [INTRO]
    for graph, made in found.items():
        lines += [f"## {graph}", "", *head(*COLUMNS, numbers=len(COLUMNS) - 2)]
        lines += [row(*run.values()) for run in made["runs"]]
        lines += ["", f"Commit {made['commit']}; {', '.join(f'{k} {v}' for k, v in made['versions'].items())}.", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
