"""Serial loops stand beside programs, say what they want, and are measured where both answers are right."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.places import BENCHMARKS

from irgl.plan import Plan
from irgl.rt.manifests.program import open_program

sys.path.insert(0, str(BENCHMARKS))
import serial_loops
from serial_table import markdown

LOOPS = sorted((BENCHMARKS / "serial").glob("*.cpp"))


@pytest.mark.parametrize("path", LOOPS, ids=lambda p: p.stem)
def test_a_loop_asks_for_what_its_program_has(path: Path) -> None:
    loop = serial_loops.loop_of(path)
    manifest = open_program(serial_loops.program_file(loop.name), Plan.parse(""))
    results = {p.name: p.owner for g in manifest.graphs for p in g.properties}
    results |= dict.fromkeys(dict(manifest.scalars), "scalar")
    assert results[loop.result] == loop.owner
    assert loop.args.keys() <= {p.name for p in manifest.params}
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 60


@pytest.mark.parametrize(("text", "said"), [
    ("// needs: money\n// answer: node a\n", "x.cpp: needs: money: there are reverse, weights and undirected"),
    ("// needs: weights\n", "x.cpp: say `// answer: node NAME`, edge or scalar"),
    ("// answer: node a\n// graphs: moon\n", "x.cpp: graphs: moon: there are "),
])
def test_a_loop_that_says_what_nobody_knows_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "x.cpp").write_text(text)
    with pytest.raises(ValueError, match=said[:40]):
        serial_loops.loop_of(tmp_path / "x.cpp")


def test_a_row_has_times_and_ratios(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    done = subprocess.run([sys.executable, "serial.py", "--programs", "matching", "--graphs", "rmat10", "--repeat", "1",
                           "--patience", "0", "--json", str(out)], cwd=BENCHMARKS, capture_output=True, text=True,
                          check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(out.read_text())["rows"]
    assert row["ms"].keys() == {"serial", "irgl1", "irgl2"}
    assert min(row["ms"].values()) > 0


def test_means_are_geometric_over_graphs_then_programs() -> None:
    rows = [{"program": p, "graph": g, "ms": {"serial": a, "irgl1": b, "irgl2": 1.0}}
            for p, g, a, b in [("a", "x", 4.0, 1.0), ("a", "y", 1.0, 1.0), ("b", "x", 8.0, 1.0)]]
    machine = {"cpu": "", "cores": 1, "compiler": ""}
    text = markdown({"rows": rows, "machine": machine, "commit": "", "plan": "", "irgl": ""})
    assert "| a | 2.00 | 2.00 |" in text
    assert "| geometric mean | 4.00 | 4.00 |" in text
