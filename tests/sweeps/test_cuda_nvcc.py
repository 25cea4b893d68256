"""The programs as CUDA code through nvcc: no error and no warning, for GPUs from Turing to Blackwell."""

from __future__ import annotations

import shutil
import subprocess
from functools import partial
from pathlib import Path

import pytest
from support.nvcc import DEFAULT, complaints
from support.programs import NAMES, ON_GRAPHS, ON_MESHES
from support.simt import mixed_rows, rows_of, side_by_side

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc in PATH")


def quick() -> list[str]:
    """nvcc's option for a build of which only the warnings matter, where it has one."""
    said = subprocess.run(["nvcc", "--help"], capture_output=True, text=True, check=True).stdout
    return ["-Ofc=max"] if "-Ofc" in said else []


def test_every_program_compiles_for_every_architecture_without_a_warning(tmp_path: Path) -> None:
    assert side_by_side([
        *(partial(complaints, [name], [DEFAULT], tmp_path) for name in ON_MESHES),
        *(partial(complaints, NAMES[half::2], [DEFAULT], tmp_path, (75, 90, 120)) for half in range(2)),
        *(partial(complaints, [name], [DEFAULT], tmp_path, (75, 120), quick()) for name in ON_MESHES),
    ]) == []


@pytest.mark.matrix
@pytest.mark.parametrize("name", ON_GRAPHS)
def test_every_pair_of_options_compiles_without_a_warning(name: str, tmp_path: Path) -> None:
    rows = [*rows_of(name), *mixed_rows(name, range(2))]
    blocks = [[row for row in rows if row["block"] == block] for block in sorted({row["block"] for row in rows})]
    assert side_by_side([partial(complaints, [name], rows, tmp_path) for rows in blocks]) == []
