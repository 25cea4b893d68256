"""The form of the tuner's table: what a row holds, and the plans and medians that it comes to."""

from __future__ import annotations

import gzip
import json
import os
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irgl.plan import OPTIONS, Plan
from irgl.tune.places import Dimension
from irgl.tune.space import Space

Row = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """One program on one graph: its space, and the median of each plan that was measured, in milliseconds."""

    space: Space
    ms: dict[Plan, float]


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


def table_of(row: Row) -> Table:
    """The plans of a row with their medians; those that were not measured whole are left out."""
    rounds = [r["ms"] for r in row["rounds"] if None not in r["ms"]]
    space = space_of_json(row["dimensions"], row["target"])
    medians = [statistics.median(times) for times in zip(*rounds, strict=True)]
    return Table(space, {space.nearest(Plan.parse(text, row["target"])): ms
                         for text, ms in zip(row["plans"], medians, strict=True)})
