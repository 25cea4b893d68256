"""Floors of a result file's rows: bytes that must move over the memory's rate."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.places import BENCHMARKS, ROOT

sys.path.append(str(BENCHMARKS))
floors = importlib.import_module("floors")
table = importlib.import_module("table")


def cell(ms: float) -> dict[str, object]:
    return {"ms": ms, "by_source": [ms]}


FOUND = {"graphs": {"g": {"nodes": 10**6, "arcs": 10**7}}, "threads": 2, "rows": [
    {"graph": "g", "algorithm": "sssp", "cells": {"irgl": cell(44.0), "a": cell(88.0), "b": cell(66.0)}},
    {"graph": "g", "algorithm": "tc", "cells": {"irgl": {"error": "> 1 s"}, "a": cell(1.0)}}]}


def test_a_row_tells_its_bytes_its_floor_and_the_fastest_other() -> None:
    rows = floors.markdown(FOUND, "g", 4.0).splitlines()[2:]
    assert rows == ["| SSSP | 44.0 | each arc with its weight, rows, lengths | 88 | 22.0 | 2.0 | 1.50 |"]


def test_every_algorithm_of_the_benchmark_has_a_floor() -> None:
    assert set(floors.MOVED) == set(table.TITLES)


def test_a_graph_that_the_file_lacks_is_refused_with_those_it_has(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text(json.dumps(FOUND), encoding="utf-8")
    done = subprocess.run([sys.executable, str(BENCHMARKS / "floors.py"), str(path), "--graph", "h"], cwd=ROOT,
                          capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        2, "floors.py: error: no graph is called h: there are g")


@pytest.mark.parametrize("threads", [1, 2])
def test_the_memory_s_rate_is_measured(threads: int) -> None:
    assert floors.bandwidth(10**6, threads) > 0.1
