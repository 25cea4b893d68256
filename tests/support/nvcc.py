"""What nvcc says of programs, as CUDA code of many units in one text."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from irgl import driver
from irgl.codegen.cxx.joined import joined
from irgl.rt.compile import nvcc
from support.covering import Row
from support.places import ROOT
from support.plans import plan_of
from support.programs import path_of

#: What tests of an option compile for: in CI one architecture, in `make matrix` all that irgl's text is for, as CI does
#: of whole programs.
ARCHITECTURES = [(90,), pytest.param((75, 90, 120), marks=pytest.mark.matrix)]
DEFAULT = {"np": "wp+fg", "cc": "block", "outline": "all", "block": "256"}


def complaints(names: Sequence[str | Path], rows: Sequence[Row], folder: Path, architectures: Sequence[int] = (90,),
               flags: Sequence[str] = ()) -> list[str]:
    """What nvcc says of the programs' units in one text, with a main; their blocks have as many threads. names: of
    shipped programs, or files."""
    units = [driver.compile(path_of(name) if isinstance(name, str) else name, target="cuda",
                            plan=plan_of(row, "cuda")).text for name in names for row in rows]
    where = " ".join([*map(str, names), *map(str, architectures), *(f"{o}={v}" for o, v in rows[0].items())])
    source = folder / f"{Path(names[0]).stem}-{hashlib.sha256(where.encode()).hexdigest()[:16]}.cu"
    text = joined(units) if len(units) > 1 else units[0]
    source.write_text(text + '\n#include "cuda_rt/process.cuh"\n')
    targets = [f"-gencode=arch=compute_{a},code=sm_{a}" for a in architectures]
    words = ["nvcc", *nvcc.FLAGS, *flags, f"-I{ROOT}", "-Xcompiler", "-Wall", *targets, "-c"]
    done = subprocess.run([*words, str(source), "-o", str(source.with_suffix(".o"))], capture_output=True, text=True,
                          check=False)
    said = (done.stdout + done.stderr).strip()
    return [f"{where}: {said[:1000] or done.returncode}"] if said or done.returncode != 0 else []
