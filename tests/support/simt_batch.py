"""Runs small programs in the SIMT emulator, many at the price of one build: units become namespaces of one file."""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from irgl import driver
from irgl.plan import Plan
from irgl.rt import device, emulate
from irgl.rt.bind import bind
from irgl.rt.call import Call
from irgl.rt.describe import manifest_of
from irgl.rt.graph import Graph
from irgl.rt.manifest import Manifest
from irgl.rt.process import CallFile
from irgl.source import IrglError
from support.agreement import differences, interpreted
from support.covering import Row, cover
from support.cpu_batch import Ran
from support.random_programs import RandomProgram
from support.simt import OPTIONS, PLANNED, plan_of

SECONDS = 60
PLANS = 4
ROWS = cover({o: values for o, values in OPTIONS.items() if o != "block"})
#: What GPU code can't do yet, in the words of the message.
UNSUPPORTED = re.compile(r"on a GPU all threads meet for an Exclusive|from under a lock, which GPU code can't do")


@dataclass(frozen=True, slots=True)
class Variant:
    """A program under one row of options."""

    program: RandomProgram
    row: Row
    manifest: Manifest


def variants(program: RandomProgram, seed: int, block: str) -> tuple[list[Variant], list[str]]:
    """Some plans of a program, compiled, and what irgl itself fails with."""
    made, errors = [], []
    for row in random.Random(seed).sample(ROWS, PLANS):
        full = {**row, "block": block, "seed": str(seed % 7)}
        try:
            unit = driver.compile("p.irgl", target="simt", plan=plan_of(full), text=program.text)
        except IrglError as e:
            if not (UNSUPPORTED.search(e.message) and e.span is not None and e.hint):
                errors.append(f"{e} under {full}:\n{program}")
            continue
        except Exception as e:
            errors.append(f"{e!r} under {full}:\n{program}")
            continue
        made.append(Variant(program, full, manifest_of(unit, "")))
    return made, errors


def compared(program: RandomProgram, plan: str, capacity: int = 1, mode: str = "check") -> str:
    """What the emulator complains of, or what it finds otherwise than the interpreter; '' for nothing."""
    chosen = Plan.parse(plan, "simt")
    row = {o: chosen.text_of(o) for o in PLANNED} | {"capacity": str(capacity), "mode": mode, "seed": "1"}
    unit = driver.compile("p.irgl", target="simt", plan=chosen, text=program.text)
    (ran,) = run_simt([Variant(program, row, manifest_of(unit, ""))])
    expected = interpreted(program)
    assert expected is not None
    return ran.error or ", ".join(differences(expected, ran))


def run_simt(tried: Sequence[Variant]) -> list[Ran]:
    """What each variant gives; all have the same number of threads in a block."""
    if not tried:
        return []
    try:
        executable = build([v.manifest for v in tried])
    except IrglError as e:
        if len(tried) == 1:
            return [Ran(str(e))]
        half = len(tried) // 2
        return [*run_simt(tried[:half]), *run_simt(tried[half:])]
    return [_run(executable, i, v) for i, v in enumerate(tried)]


def build(manifests: Sequence[Manifest]) -> Path:
    """One executable, which runs the unit whose number the variable UNIT gives."""
    text = "\n".join([*(_apart(m.text, i) for i, m in enumerate(manifests)), _choice(len(manifests))])
    return device.build(replace(manifests[0], text=text), (32, 32), True)


def _apart(text: str, i: int) -> str:
    text = re.sub(r"^#define IRGL_BLOCK \d+\n", "" if i else r"\g<0>", text, flags=re.MULTILINE)
    text = re.sub(r"\bnamespace unit\b", f"namespace unit_{i}", text)
    return re.sub(r"\birgl_run\b(?!_)", f"irgl_run_{i}", text)


def _choice(count: int) -> str:
    cases = " ".join(f"case {i}: return irgl_run_{i}(args);" for i in range(count))
    return ('#include <stdlib.h>\nextern "C" int irgl_run(irgl_run_args* args) {\n'
            f'  switch (atoi(getenv("UNIT"))) {{ {cases} }}\n  return 2;\n}}\n')


def _run(executable: Path, i: int, v: Variant) -> Ran:
    g = v.program.graph
    weight = None if g.weight is None else g.weight.copy()
    graphs = {"g": Graph(g.row.astype(np.int32), g.dst.astype(np.int32), weight)}
    call = Call(v.manifest, graphs, bind(v.manifest, graphs, v.program.params), (32, 32))
    call.set_knobs(plan_of(v.row), 1, int(v.row["capacity"]), 0)
    with tempfile.TemporaryDirectory() as folder:
        file = CallFile(call, Path(folder) / "call", 1)
        try:
            report = emulate.run(executable, [str(file.path)], mode=v.row["mode"], seed=int(v.row["seed"]),
                                 timeout=SECONDS, environment={"UNIT": str(i)})
            if report.errors:
                return Ran(f"{len(report.errors)} complaints: {report.errors[0]}")
            if report.code not in (0, 1):
                return Ran(f"ended with code {report.code}: {report.stderr[-300:]}")
            file.results()
            call.check(v.manifest)
        except IrglError as e:
            return Ran(str(e))
    result = call.result(v.manifest, graphs)
    return Ran("", dict(result.scalars), {n: np.array(p.array) for n, p in result.properties.items()})
