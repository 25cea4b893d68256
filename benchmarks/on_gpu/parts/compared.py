"""Plans of a program timed beside each other on a graph, with a word where their answers differ."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from on_gpu.pool import Reply
from on_gpu.suite import Suite

REPEAT = 3


def submit(suite: Suite, part: str, program: str, name: str, plans: dict[str, str], table: str,
           groups: Sequence[list[str]]) -> list[Future[str]]:
    """Begins to time plans, by their short names, in a table of a part's. groups: those that are built together."""
    names = {text: short for short, text in plans.items()}
    there = suite.graphs_of(program, [name], part)
    return [suite.run(suite.timed, part, program, group, there, lambda r: _told(suite, part, program, table, names, r),
                      only=only, repeat=1 if suite.quick else REPEAT, lock=suite.lock)
            for group in groups if there and (only := [p for p in plans.values() if p in group])]


def _told(suite: Suite, part: str, program: str, table: str, names: dict[str, str], reply: Reply) -> None:
    if reply.get("late"):
        suite.record.leave_out(part, f"{program} on {reply['graph']}: {names[reply['plan']]}: {reply['late']}")
        return
    if "plan" not in reply:
        suite.record.leave_out(part, f"{program}: {reply['error']}")
        return
    row = {"table": table, "program": program, "graph": reply["graph"], "name": names[reply["plan"]],
           "plan": reply["plan"]}
    if "error" in reply:
        suite.record.row(part, {**row, "error": reply["error"]})
        return
    rows = [] if reply["any_valid"] else suite.record.rows(part)
    other = differs(rows, program, reply["graph"], reply["scalars"])
    suite.record.row(part, {**row, "ms": statistics.median(reply["ms"]), "samples": reply["ms"],
                            "scalars": reply["scalars"], "stats": reply["stats"], "differs": other})


def differs(rows: list[dict[str, Any]], program: str, graph: str, scalars: dict[str, Any]) -> list[str]:
    """Which of a run's whole numbers another plan gave differently, on the same graph."""
    for row in rows:
        if (row["program"], row.get("graph")) == (program, graph) and "scalars" in row:
            before = row["scalars"]
            return [k for k, x in scalars.items() if isinstance(x, int) and before[k] != x]
    return []
