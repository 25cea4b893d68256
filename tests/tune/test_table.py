"""The table that searches are judged on, and their replay on it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.places import BENCHMARKS, PROGRAMS, ROOT

sys.path.insert(0, str(BENCHMARKS))

import tune_rows
from tune_replay import replay

from irgl.driver import ready
from irgl.plan import Plan
from irgl.tune.results.trial import Status
from irgl.tune.search.space import space_of


def script(name: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(BENCHMARKS / name), *options], cwd=ROOT, capture_output=True,
                          text=True, check=False, timeout=300)


@pytest.fixture
def row() -> tune_rows.Row:
    """Six plans: two rounds of the first two, the third was slow, the fourth stopped, two of no use."""
    space = space_of(ready(PROGRAMS / "tri.irgl"))
    plans = [space.plan({"grain": g, "serial": s}) for g in ("1024", "4096") for s in ("off", "2048", "16384")]
    return json.loads(json.dumps({
        "program": "tri", "class": "web", "graph": "g", "target": "cpu", "space": space.count(),
        "dimensions": tune_rows.dimensions_as_json(space), "plans": [str(p) for p in plans], "limit_ms": 50.0,
        "rounds": [{"ms": [2.0, 1.0, 9.0, None, None, 1.0]}, {"ms": [4.0, 1.5, None, None, None, 0.5]}],
        "failed": [4], "wrong": [5]}))


def test_a_table_holds_medians_and_what_became_of_the_rest(row: tune_rows.Row) -> None:
    table = tune_rows.table_of(row)
    assert [table.plans[Plan.parse(p)] for p in row["plans"]] == [
        (3.0, Status.OK), (1.25, Status.OK), (9.0, Status.OK), (50.0, Status.CUT), (None, Status.COMPILE_ERROR),
        (None, Status.WRONG)]
    assert table.best == 1.25


def test_a_replay_tells_how_near_the_best_a_search_comes(row: tune_rows.Row) -> None:
    curve = replay(tune_rows.table_of(row), "exhaustive", 0, 6)
    # default (a wrong answer here is no best), none, and then the rest
    assert curve[-1] == 1.0 and curve == sorted(curve, reverse=True) and len(curve) == 6


def test_a_table_that_is_written_is_read(tmp_path: Path, row: tune_rows.Row) -> None:
    tune_rows.write_table(tmp_path / "t.json.gz", {"rows": [row]})
    assert tune_rows.read_table(tmp_path / "t.json.gz") == {"rows": [row]}


def test_a_file_that_is_no_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.json.gz"
    path.write_text("no table")
    done = script("tune_replay.py", str(path))
    assert (done.returncode, done.stderr) == (2, f"error: {path} can't be read: Not a gzipped file (b'no')\n")


def test_a_table_is_recorded_and_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "t.json.gz"
    options = ("--programs", "tri", "--classes", "rmat", "--limit", "5", "--out", str(path))
    first = script("tune_table.py", *options, "--rounds", "1")
    assert first.returncode == 0, first.stderr
    measured = tune_rows.read_table(path)["rows"][0]
    second = script("tune_table.py", *options, "--rounds", "2")
    assert second.returncode == 0, second.stderr
    gone_on = tune_rows.read_table(path)["rows"]
    assert len(gone_on) == 1 and len(gone_on[0]["plans"]) == 5 and gone_on[0]["wrong"] == []
    assert gone_on[0]["rounds"][0] == measured["rounds"][0] and len(gone_on[0]["rounds"]) == 2


def test_a_graph_that_is_absent_is_left_out(tmp_path: Path) -> None:
    done = script("tune_table.py", "--programs", "tri", "--classes", "mesh", "--limit", "1", "--graphs",
                  str(tmp_path), "--out", str(tmp_path / "t.json.gz"))
    assert f"left out: tri on mesh: there is no file {tmp_path}/mesh-graph/delaunay_n16.mtx.xz" in done.stderr
