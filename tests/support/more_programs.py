"""Runs the further programs (programs/more/) on the CPU under several plans at the price of one build, and verifies."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from irgl import driver
from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.call import Call
from irgl.rt.call.renumber import Order
from irgl.rt.compile.toolchain import command
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.describe import manifest_of
from irgl.rt.results.verify import verify
from support.covering import Row
from support.cpu_batch import apart
from support.cpu_plans import TEAM, codes, legal, runs, text_of
from support.programs import path_of

BITS = (32, 32)


def rows_of(name: str, most: int) -> list[Row]:
    """Some of the plans that hold each pair of options' values: of the code, of the run, and numbers of threads.

    The plans of the run take turns from the last on, so that they and those of the code begin with different values.
    """
    space = legal(str(path_of(name)))
    code, run = codes(space), runs(space)
    return [code[i % len(code)] | run[-i % len(run)] | {TEAM: str(1 + i % 2)} for i in range(most)]


def complaints(name: str, rows: Sequence[Row], graphs: Mapping[str, Graph], folder: Path) -> list[str]:
    """What is wrong with any of the runs of a program, under plans on graphs; lists begin with room for one."""
    ready = driver.ready(path_of(name))
    plans = [Plan.parse(text_of(row)) for row in rows]
    units = [driver.emit(ready, plan, "cpu") for plan in plans]
    source, library = folder / f"{name}.cpp", folder / f"{name}.so"
    source.write_text("\n".join(apart(unit.text, i) for i, unit in enumerate(units)))
    words = ["-Og" if word == "-O3" else word for word in command(*BITS)]
    done = subprocess.run([*words, "-o", str(library), str(source)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return [f"{name}: g++ refuses the generated text: {done.stderr[:2000]}"]
    loaded = ctypes.CDLL(str(library))
    found = []
    for i, (row, plan, unit) in enumerate(zip(rows, plans, units, strict=True)):
        manifest = manifest_of(unit, str(plan))
        for at, given in graphs.items():
            inputs = {manifest.graphs[0].name: prepare(given, requirements(manifest.graphs[0]))}
            values = bind(manifest, inputs, {})
            order = Order(manifest, inputs, values, plan)
            call = Call(manifest, order.graphs, order.values, BITS)
            call.set_knobs(plan, int(row[TEAM]), 1, i)
            call.clear()
            getattr(loaded, f"irgl_run_{i}")(ctypes.byref(call.args))
            call.check(manifest)
            wrong = verify(manifest, inputs, values, order.back(call.result(manifest, order.graphs)))
            if wrong is not None:
                found.append(f"{name} under {text_of(row)}, {row[TEAM]} threads, on {at}: {wrong}")
    return found
