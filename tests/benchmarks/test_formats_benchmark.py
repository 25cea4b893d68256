"""The benchmark of forms runs each legal form, compares answers with those of rows, and tells ratios."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.places import BENCHMARKS

from irgl.forms.find import names

sys.path.insert(0, str(BENCHMARKS))
import formats


@pytest.mark.parametrize("program", formats.PROGRAMS)
def test_every_legal_form_is_measured(program: str) -> None:
    said = {text.split()[0] for text in formats.plans(formats.PROGRAMS[program][0])}
    changed = {"sssp_bf": {"shards"}}  # what it reads of far ends, so that none can be copied ahead
    assert said == {f"format={name}" for name in {"csr", *names()} - changed.get(program, set())}


def test_a_row_has_times_and_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(formats.ALL, "tiny", "grid:8x8")
    found = formats.Plans("largest", "tiny", 1)
    found.measure(1, 1.0)
    assert all(cell["ms"] > 0 and (cell["bytes"] > 0) != text.startswith("format=csr")
               for text, cell in found.cells.items() if "refused" not in cell)


def test_ratios_are_the_time_of_rows_over_the_forms() -> None:
    def cell(ms: float, size: int) -> formats.Row:
        return {"samples": [ms], "ms": ms, "bytes": size, "form_ms": 7.0, "order_ms": 0.0}

    cells = {"format=csr order=given": cell(4.0, 0), "format=csr order=degree": cell(1.0, 0),
             "format=coo order=given": cell(2.0, 80)}
    row = {"program": "p", "graph": "g", "nodes": 3, "arcs": 10, "threads": 2, "others": 0.0, "cells": cells}
    machine = {"cpu": "", "cores": 1, "compiler": ""}
    text = formats.markdown({"rows": [row], "machine": machine, "commit": "", "irgl": ""})
    assert text.splitlines()[-1] == "| format=coo order=given | 2.00 | 2.00 | 0.50 | 8.00 | 7 |"


def test_a_result_file_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "f.json"
    file.write_text(json.dumps({"rows": [], "machine": {"cpu": "a", "cores": 2, "compiler": "b"}, "commit": "c",
                                "irgl": "1"}))
    done = subprocess.run([sys.executable, str(BENCHMARKS / "formats.py"), "--show", str(file)], capture_output=True,
                          text=True, check=True)
    assert done.stdout == "a, 2 cores, b, irgl 1 at c.\n"
