"""Replays the tuner's searches on a recorded table (tune_table.py): how near to the table's best they come.

Each search gets a tenth of the table's evaluations, from 20 seeds for its random numbers; what it proposes is looked
up instead of measured. `python benchmarks/tune_replay.py [--json FILE]` prints, by program and graph, the best that was
found over the table's best: the median of the seeds and the worst one.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Any

from tune_rows import Table, read_table, table_of

from irgl.tune.results.trial import Status
from irgl.tune.search.portfolio import SEARCHES, make_search

DEFAULT = Path(__file__).resolve().parent / "results" / "tune_table.json.gz"
GOAL = 1.05


def replay(table: Table, search: str, seed: int, evaluations: int) -> list[float]:
    """The best found over the table's best, after each evaluation."""
    found = make_search(search, table.space, seed=seed, allowed=list(table.plans))
    best, curve = float("inf"), []
    for _ in range(evaluations):
        plan = found.ask()
        if plan is None:
            break
        ms, status = table.plans[plan]
        if ms is not None and status is Status.OK:
            best = min(best, ms)
        found.tell(plan, ms, status)
        curve.append(best / table.best)
    return curve


def _cell(row: dict[str, Any], search: str, seeds: int, share: float) -> dict[str, Any]:
    table = table_of(row)
    evaluations = max(1, int(len(table.plans) * share))
    begin = time.perf_counter()
    curves = [replay(table, search, seed, evaluations) for seed in range(seeds)]
    took = time.perf_counter() - begin
    ends = [curve[-1] for curve in curves]
    within = [next((k for k, r in enumerate(curve, 1) if r <= GOAL), None) for curve in curves]
    reached = [k for k in within if k is not None]
    return {"program": row["program"], "graph": row["graph"], "search": search, "plans": len(table.plans),
            "evaluations": evaluations, "median": statistics.median(ends), "worst": max(ends), "by_seed": ends,
            "reached": len(reached), "evaluations_to_goal": statistics.median(reached) if reached else None,
            "ms_per_evaluation": took * 1e3 / seeds / evaluations}


def markdown(cells: list[dict[str, Any]], searches: list[str]) -> str:
    """Median and worst seed by program and graph, and a last line for all."""
    head = ["program", "graph", "plans", "evaluations", *searches]
    lines = [_line(head), _line(["---", "---", *["---:"] * (len(head) - 2)])]
    by_row: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    for cell in cells:
        by_row.setdefault((cell["program"], cell["graph"]), {})[cell["search"]] = cell
    for (program, graph), found in by_row.items():
        first = next(iter(found.values()))
        lines.append(_line([program, graph, str(first["plans"]), str(first["evaluations"]),
                            *(f"{found[s]['median']:.3f} / {found[s]['worst']:.3f}" for s in searches)]))
    of = {s: [c for c in cells if c["search"] == s] for s in searches}
    lines.append(_line(["all", "", "", "", *(f"{statistics.median(c['median'] for c in of[s]):.3f} / "
                                             f"{max(c['worst'] for c in of[s]):.3f}" for s in searches)]))
    lines.append(_line([f"rows within {GOAL:g}: median, worst seed", "", "", "",
                        *(f"{sum(c['median'] <= GOAL for c in of[s])}, {sum(c['worst'] <= GOAL for c in of[s])} of "
                          f"{len(of[s])}" for s in searches)]))
    return "\n".join(lines)


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", nargs="?", type=Path, default=DEFAULT, help="[%(default)s]")
    parser.add_argument("--searches", default="random,local,tpe,model,portfolio", help="[%(default)s]")
    parser.add_argument("--seeds", type=int, default=20, help="[%(default)s]")
    parser.add_argument("--share", type=float, default=0.1, help="of the table's evaluations [%(default)s]")
    parser.add_argument("--jobs", type=int, default=1, help="processes [%(default)s]")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args()
    searches = given.searches.split(",")
    for name in searches:
        if name not in SEARCHES:
            parser.error(f"no search is called {name!r}: there are {', '.join(SEARCHES)}")
    try:
        found = read_table(given.table)
    except (OSError, ValueError) as e:
        print(f"error: {given.table} can't be read: {e}", file=sys.stderr)
        return 2
    asked = [(row, search) for row in found["rows"] for search in searches]
    with ProcessPoolExecutor(given.jobs) as pool:
        cells = list(pool.map(_cell, *zip(*asked, strict=True), repeat(given.seeds), repeat(given.share)))
    print(markdown(cells, searches))
    if given.json is not None:
        given.json.write_text(json.dumps({"table": given.table.name, "machine": found.get("machine"),
                                          "commit": found.get("commit"), "seeds": given.seeds, "share": given.share,
                                          "cells": cells}, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
