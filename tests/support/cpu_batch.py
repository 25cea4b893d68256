"""Runs many small programs on the CPU target at the price of one C++ build: units become namespaces of one library.

The library is loaded in a process of its own, so that a crash or a hang is one program's failure, not the tests' end.
"""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from irgl import driver
from irgl.plan import Plan
from irgl.rt.compile.toolchain import command
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.describe import manifest_of
from support.cpu_child import Job, Ran, Setting
from support.cpu_plans import drawn
from support.random_programs import RandomProgram

__all__ = ["SETTINGS", "Ran", "Setting", "apart", "run_cpu"]

SECONDS = 120
SETTINGS = (Setting(1), Setting(2, 1, True), Setting(2))


def run_cpu(
    programs: Sequence[RandomProgram], settings: Sequence[Setting] = SETTINGS, flags: str = "-Og",
    plan: Plan | None = None,
) -> list[list[Ran]]:
    """Per program, what each setting gives, under the plan that is drawn for it. Raises AssertionError when g++ refuses
    the generated text."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        units = [driver.compile(f"p{i}.irgl", text=p.text, plan=plan if plan is not None else drawn(p.text))
                 for i, p in enumerate(programs)]
        text = "\n".join(apart(u.text, i) for i, u in enumerate(units))
        (folder / "batch.cpp").write_text(text)
        words = [flags if w == "-O3" else w for w in command(32, 32)]
        library = folder / "batch.so"
        done = subprocess.run([*words, "-o", str(library), str(folder / "batch.cpp")], capture_output=True, text=True)
        errors = [line for line in done.stderr.splitlines() if "error" in line]
        assert done.returncode == 0, f"g++ refuses the generated text: {errors[:3]}"
        jobs = [Job(manifest_of(u, ""), graphs_of(p), p.params) for u, p in zip(units, programs, strict=True)]
        (folder / "jobs").write_bytes(pickle.dumps((jobs, list(settings))))
        return _in_child(folder, len(programs), len(settings))


def _in_child(folder: Path, programs: int, settings: int) -> list[list[Ran]]:
    """Starts the child again behind each program that ends it."""
    found: list[list[Ran]] = [[] for _ in range(programs)]
    start = 0
    while start < programs:
        try:
            ended = subprocess.run(
                [sys.executable, "-m", "support.cpu_child", str(folder), str(start)],
                capture_output=True,
                text=True,
                timeout=SECONDS,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )
            why = f"crashed ({ended.returncode}) {ended.stderr[-300:]}"
        except subprocess.TimeoutExpired:
            why = f"still ran after {SECONDS} s"
        for i in range(start, programs):
            path = folder / f"{i}.result"
            if not path.exists():
                break
            found[i] = pickle.loads(path.read_bytes())
            start = i + 1
        if start < programs:
            found[start] = [Ran(why)] * settings
            start += 1
    return found


def apart(text: str, i: int) -> str:
    """A unit's text with a namespace and an entry of its own, `irgl_run_I`, to stand beside others."""
    text = re.sub(r"\bnamespace unit\b", f"namespace unit_{i}", text)
    text = re.sub(r"\bunit::", f"unit_{i}::", text)
    return re.sub(r"\birgl_run\b", f"irgl_run_{i}", text)


def graphs_of(program: RandomProgram) -> dict[str, Graph]:
    """Its graphs in 32 bits, whose weights may be changed."""
    return {name: Graph(g.row.astype(np.int32), g.dst.astype(np.int32), None if g.weight is None else g.weight.copy())
            for name, g in program.graphs.items()}
