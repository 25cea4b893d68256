"""The form of the tuner's table: what a row holds, and the plans and medians that it comes to."""

from __future__ import annotations

import gzip
import json
import os
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irgl.options import OPTIONS
from irgl.plan import Plan
from irgl.tune.results.trial import Status
from irgl.tune.search.places import Dimension
from irgl.tune.search.space import Space

Row = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """One program on one graph: its space, and of each plan the median in milliseconds (of one that was stopped the
    limit) and how it ended."""

    space: Space
    plans: dict[Plan, tuple[float | None, Status]]

    @property
    def best(self) -> float:
        """The least median."""
        return min(ms for ms, status in self.plans.values() if ms is not None and status is Status.OK)


def read_table(path: Path) -> dict[str, Any]:
    """The table of a file. Raises OSError or ValueError."""
    found: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    return found


def write_table(path: Path, found: dict[str, Any]) -> None:
    """Writes a table in one step; the same table gives the same bytes."""
    scratch = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    scratch.write_bytes(gzip.compress(json.dumps(found).encode(), mtime=0))
    scratch.replace(path)


def dimensions_as_json(space: Space) -> list[dict[str, Any]]:
    """The dimensions, whole, so that a table can be replayed after options have come or changed."""
    return [{"key": d.key, "option": d.option.name, "place": d.place, "values": d.values, "home": d.home,
             "cost": d.cost, "only_with": d.only_with} for d in space.dimensions]


def space_of_json(dimensions: list[dict[str, Any]], target: str) -> Space:
    """The space that `dimensions_as_json` wrote."""
    options = {o.name: o for o in OPTIONS[target]}
    return Space([Dimension(d["key"], options[d["option"]], d["place"], tuple(d["values"]), d["home"], d["cost"],
                            tuple((key, tuple(values)) for key, values in d["only_with"])) for d in dimensions], target)


def medians_of(row: Row) -> dict[int, float]:
    """By number, the median of each plan that was measured whole."""
    found = {}
    for k, times in enumerate(zip(*(r["ms"] for r in row["rounds"]), strict=True)):
        known = [ms for ms in times if ms is not None]
        if known and k not in row["wrong"]:
            found[k] = statistics.median(known)
    return found


def table_of(row: Row) -> Table:
    """The plans of a row, with what became of them."""
    medians, space = medians_of(row), space_of_json(row["dimensions"], row["target"])
    found: dict[Plan, tuple[float | None, Status]] = {}
    for k, text in enumerate(row["plans"]):
        plan = space.nearest(Plan.parse(text, row["target"]))
        if k in medians:
            found[plan] = (medians[k], Status.OK)
        elif k in row["failed"]:
            found[plan] = (None, Status.COMPILE_ERROR)
        elif k in row["wrong"]:
            found[plan] = (None, Status.WRONG)
        else:
            found[plan] = (row["limit_ms"], Status.CUT)
    return Table(space, found)
