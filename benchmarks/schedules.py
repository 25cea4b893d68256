"""What schedulers of nested loops count in the emulator: docs/schedules.md and results/schedules.json.

    python benchmarks/schedules.py                      power laws, grids and the roads of New York
    python benchmarks/schedules.py --graphs rmat:12     that graph; the others stay as they are
    python benchmarks/schedules.py --graphs NY --programs bfs --np bins,wf      some rows of it
    python benchmarks/schedules.py --show               the page of what has been counted
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from counters import NY, ROOT, head, row, versions
from counting import PROGRAMS as FOLDER
from counting import Counted, count
from machine import commit

from irgl.driver import ready
from irgl.options import WHOLE_SCHEDULERS
from irgl.space import legal_space

RESULTS, PAGE = ROOT / "benchmarks" / "results" / "schedules.json", ROOT / "docs" / "schedules.md"
#: By the name that tables give them: what generates them, or a file.
GRAPHS = {**{spec: spec for spec in ("rmat:12", "grid:64x64", "rmat:16", "kron:16", "grid:512x512")}, "NY": str(NY)}
PROGRAMS = ("bfs", "cc")
SCHEDULES = ("serial", "fg", "tb+wp", "wp+fg", *(s for word in WHOLE_SCHEDULERS for s in (
    ("cut stage=1", "cut stage=8") if word == "cut" else (word,))))
INTRO = f"""# Counters of the schedulers

The option `np=` sets the scheduler of a node's edges on a GPU ([cuda.md](cuda.md)). The tables show counters of the
emulator in lockstep mode, with `cc=off outline=off` and blocks of 256 threads: the fraction of active lanes in warp
steps that access memory, all warp steps and those that access memory, memory transactions, block barriers, grid
barriers, launches, and atomics in global and in shared memory. They are counts, not times. `python
benchmarks/schedules.py` generates this page, with `--graphs {next(iter(GRAPHS))}` one table of it. `cc` does not
support `even`: its iteration continues after its edges, which other blocks may still be running. On NY it takes one
round less under some schedulers than under others, since nodes hook in another order.

**cut.** On power-law graphs `stage=8` has more active lanes than `tb+wp`: 1.12 times as many in `bfs` and 1.17 in `cc`
on rmat:16, 1.09 and 1.17 on kron:16, 1.15 and 1.23 on rmat:12, with the same number of block barriers per turn of a
block, of which `cc` on rmat:16 takes 415 instead of 414, as it hooks in another order. It also has fewer transactions,
but more steps, including those that access memory. On grids and road networks it is worse: 0.57 to 0.71 times the
lanes of `tb+wp`. With `stage=1` it is worse everywhere, with 0.84 to 0.99 times its lanes on power-law graphs and 0.70
to 0.97 on grids and road networks, where it takes fewer steps than with `stage=8`. Threads that have finished a range
of the last part take the next one of their warp; when each thread kept the ranges that it had brought, as in the paper,
the 1.12 and 1.17 were 1.09 and 1.10.

**The others.** On power-law graphs `tb+wp` takes the fewest steps (on kron:16 `bins` in `cc`), `wf` the fewest that
access memory. `wf` has fewer block barriers than all others but `serial` and `bins`, which pays with grid barriers
between its loops, atomics and transactions. The lanes of `bins` are 1.00 to 1.17 times those of `tb+wp` on power-law
graphs, 0.91 to 1.16 on grids and road networks. `even` has 0.82 to 0.88 of all lanes active, about as many as `fg`, and
pays in each round for a grid barrier, and for blocks without a share: it takes the most steps of all in `bfs`. On grids
and road networks `serial` takes the fewest steps, also of those that access memory.
"""
Row = dict[str, Any]
COLUMNS = ("program", "np", "lanes", "warp steps", "at memory", "transactions", "block barriers", "grid barriers",
           "launches", "atomics", "in a block")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", nargs="+", default=list(GRAPHS), metavar="GRAPH",
                        help=f"of {', '.join(GRAPHS)} [all]")
    parser.add_argument("--programs", default=",".join(PROGRAMS), help="[%(default)s]")
    parser.add_argument("--np", default=",".join(SCHEDULES), help="[%(default)s]")
    parser.add_argument("--show", action="store_true", help="write the page anew, and count nothing")
    given = parser.parse_args()
    for word, wanted, there in (("graph", given.graphs, GRAPHS), ("program", given.programs.split(","), PROGRAMS),
                                ("scheduler", given.np.split(","), SCHEDULES)):
        if unknown := [w for w in wanted if w not in there]:
            parser.error(f"no {word} is called {unknown[0]!r}: there are {', '.join(there)}")
    found = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.is_file() else {}
    for graph in [] if given.show else given.graphs:
        for program in given.programs.split(","):
            for np in [np for np in given.np.split(",") if takes(program, np)]:
                ran = count(program, f"np={np} cc=off outline=off", graph, GRAPHS[graph], mode="lockstep")
                rows = found.get(graph, {}).get("runs", [])
                found[graph] = {"versions": versions(),
                                "runs": with_row(rows, {"commit": commit(ROOT), **measured(ran, np)})}
                RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
                print(f"{graph:14} {program} {np}: {ran.seconds} s", file=sys.stderr, flush=True)
    PAGE.write_text(page(found), encoding="utf-8")
    return 0


def with_row(rows: list[Row], made: Row) -> list[Row]:
    """The rows with that one, in place of the one of its program and scheduler, in the order of the page."""
    key = {(r["program"], r["np"]): r for r in (*rows, made)}
    return [key[program, np] for program in PROGRAMS for np in SCHEDULES if (program, np) in key]


def takes(program: str, np: str) -> bool:
    """Is it legal for any loop of the program?"""
    checked = ready(FOLDER / f"{program}.irgl").checked
    return any(c.option == "np" and np.split()[0] in c.values for c in legal_space(checked.program, "simt"))


def measured(r: Counted, np: str) -> Row:
    """A row of the table."""
    return dict(zip(COLUMNS, (r.program, np, f"{r['utilisation']:.3f}", r["warp_steps"], r["warp_memory"],
                              r["transactions"], r["block_barriers"], r["grid_barriers"], r["launches"], r.atomics,
                              sum(r["shared_atomics"].values())), strict=True))


def page(found: dict[str, Any]) -> str:
    """docs/schedules.md."""
    lines = [INTRO]
    for graph in [g for g in GRAPHS if g in found]:
        runs, made = found[graph]["runs"], ", ".join(f"{k} {v}" for k, v in found[graph]["versions"].items())
        commits = list(dict.fromkeys(run["commit"] for run in runs))
        lines += [f"## {graph}", "", *head(*COLUMNS, numbers=len(COLUMNS) - 2)]
        lines += [row(*(run[column] for column in COLUMNS)) for run in runs]
        lines += ["", f"Commit{'s' if len(commits) > 1 else ''} {', '.join(commits)}; {made}.", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
