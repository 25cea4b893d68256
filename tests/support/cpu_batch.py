"""Runs many small programs on the CPU target at the price of one C++ build: units become namespaces of one library.

The library is loaded in a process of its own, so that a crash or a hang is one program's failure, not the tests' end.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import pickle
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from irgl import driver
from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.call import Call
from irgl.rt.compile.toolchain import command
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.describe import manifest_of
from irgl.rt.manifests.manifest import Manifest
from irgl.source import IrglError
from support.cpu_plans import drawn
from support.random_programs import RandomProgram

SECONDS = 120


@dataclass(frozen=True, slots=True)
class Setting:
    """How a built program is run. The tight setting makes every loop parallel, every item a giant, and fuses none."""

    threads: int = 1
    capacity: int = 0
    tight: bool = False

    def apply(self, call: Call) -> None:
        call.set_knobs(Plan(), self.threads, self.capacity, 0)
        if self.tight:
            call.args.serial, call.args.grain, call.args.giant, call.args.fuse = 0, 1, 1, 1


SETTINGS = (Setting(1), Setting(2, 1, True), Setting(2))


@dataclass(slots=True)
class Ran:
    """What one run left: an error's text ('' for none), scalars and properties by name."""

    error: str = ""
    scalars: dict[str, Any] = field(default_factory=dict)
    properties: dict[str, Any] = field(default_factory=dict)


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
        jobs = [(manifest_of(u, ""), p) for u, p in zip(units, programs, strict=True)]
        (folder / "jobs").write_bytes(pickle.dumps((jobs, list(settings))))
        return _in_child(folder, len(programs), len(settings))


def _in_child(folder: Path, programs: int, settings: int) -> list[list[Ran]]:
    """Starts the child again behind each program that ends it."""
    found: list[list[Ran]] = [[] for _ in range(programs)]
    start = 0
    while start < programs:
        try:
            ended = subprocess.run(
                [sys.executable, "-m", __name__, str(folder), str(start)],
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


def _run(function: Any, manifest: Manifest, program: RandomProgram, setting: Setting) -> Ran:
    graphs = graphs_of(program)
    call = Call(manifest, graphs, bind(manifest, graphs, program.params), (32, 32))
    setting.apply(call)
    call.clear()
    try:
        function(ctypes.byref(call.args))
        call.check(manifest)
    except IrglError as e:
        return Ran(e.message)
    result = call.result(manifest, graphs)
    return Ran("", dict(result.scalars), {n: np.array(v.array) for n, v in result.properties.items()})


def _child(folder: Path, start: int) -> None:
    jobs, settings = pickle.loads((folder / "jobs").read_bytes())
    library = ctypes.CDLL(str(folder / "batch.so"))
    for i, (manifest, program) in enumerate(jobs[start:], start):
        found = [_run(getattr(library, f"irgl_run_{i}"), manifest, program, s) for s in settings]
        path = folder / f"{i}.part"
        path.write_bytes(pickle.dumps(found))
        path.replace(folder / f"{i}.result")


if __name__ == "__main__":
    # By its own name, so that the classes in pickles are found.
    importlib.import_module("support.cpu_batch")._child(Path(sys.argv[1]), int(sys.argv[2]))
