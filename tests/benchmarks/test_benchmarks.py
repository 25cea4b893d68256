"""The benchmark says what it needs before it measures, and measures where that is there."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.places import BENCHMARKS, PROGRAMS, ROOT


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A checkout without anything beside it."""
    shutil.copytree(BENCHMARKS, tmp_path / "clone" / "benchmarks")
    (tmp_path / "clone" / "programs").symlink_to(PROGRAMS)
    return tmp_path / "clone"


def bench(clone: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "benchmarks/cpu.py", "--store", str(clone / "store"), "--peers", "none", *options]
    return subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False, timeout=300)


def test_a_graph_that_is_absent_is_said_with_where_it_is_looked_for(clone: Path) -> None:
    done = bench(clone, "--graphs", "NY")
    where = "../shared/graphs/road/USA-road-d.NY.gr.gz"
    assert (done.returncode, done.stderr.splitlines()) == (2, [
        f"graphs read from {where}, from the repository's root: NY (absent)",
        f"left out: NY: there is no file {clone.parent}{where[2:]}",
        "error: none of the graphs is there, and nothing was measured",
    ])


def test_a_generated_graph_needs_no_file(clone: Path) -> None:
    done = bench(clone, "--graphs", "grid256", "--algorithms", "bfs", "--repeat", "1", "--patience", "0",
                 "--json", str(clone / "out.json"))
    assert done.stderr.splitlines()[0] == f"graphs generated, and kept in {clone}/store: grid256"
    assert json.loads((clone / "out.json").read_text())["rows"][0]["cells"]["irgl"]["ms"] > 0


def table(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "benchmarks/table.py", "benchmarks/results/cpu.json", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_table_of_the_first_page_is_that_of_the_results() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = page.split("--graph kron20 -->\n")[1].split("\n\n")[0]
    assert table("--graph", "kron20").stdout == shown + "\n"


def test_a_graph_without_results_is_refused_with_those_that_have_some() -> None:
    done = table("--graph", "kron30")
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        2, "table.py: error: no graph is called kron30: there are NY, kron18, uniform20, grid2048, kron20")
