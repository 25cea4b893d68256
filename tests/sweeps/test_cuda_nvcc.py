"""The programs as CUDA code through nvcc: no error and no warning, for GPUs from Turing to Blackwell."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from support.covering import Row
from support.places import ROOT
from support.plans import plan_of
from support.programs import NAMES, ON_GRAPHS, ON_MESHES, PLACE
from support.simt import mixed_rows, rows_of, side_by_side

from irgl import driver
from irgl.codegen.cxx.joined import joined
from irgl.rt.compile import nvcc

DEFAULT = {"np": "wp+fg", "cc": "block", "outline": "all", "block": "256"}

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc in PATH")


def complaints(names: Sequence[str], rows: Sequence[Row], folder: Path, architectures: Sequence[int] = (90,),
               flags: Sequence[str] = ()) -> list[str]:
    """What nvcc says of the programs' units in one text, with a main; their blocks have as many threads."""
    units = [driver.compile(PLACE / f"{name}.irgl", target="cuda", plan=plan_of(row, "cuda")).text
             for name in names for row in rows]
    where = " ".join([*names, *map(str, architectures), *(f"{o}={v}" for o, v in rows[0].items())])
    source = folder / f"{names[0]}-{hashlib.sha256(where.encode()).hexdigest()[:16]}.cu"
    text = joined(units) if len(units) > 1 else units[0]
    source.write_text(text + '\n#include "cuda_rt/process.cuh"\n')
    targets = [f"-gencode=arch=compute_{a},code=sm_{a}" for a in architectures]
    words = ["nvcc", *nvcc.FLAGS, *flags, f"-I{ROOT}", "-Xcompiler", "-Wall", *targets, "-c"]
    done = subprocess.run([*words, str(source), "-o", str(source.with_suffix(".o"))], capture_output=True, text=True,
                          check=False)
    said = (done.stdout + done.stderr).strip()
    return [f"{where}: {said[:1000] or done.returncode}"] if said or done.returncode != 0 else []


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
