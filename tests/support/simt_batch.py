"""Runs small programs in the SIMT emulator under plans, and compares what they leave with the interpreter's."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from irgl import driver
from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.manifests.describe import manifest_of
from irgl.rt.manifests.manifest import Manifest
from irgl.source import IrglError
from support.agreement import differences, interpreted
from support.covering import Row, cover
from support.cpu_batch import Ran, graphs_of
from support.plans import PLANNED, REGISTERS, RUNS, plan_of
from support.quick import some
from support.random_programs import RandomProgram
from support.simt_runs import CHUNK, Done, Task, run_all

#: Of each random program: all of them in `make matrix`, the first in CI, where others of its batch have the rest.
PLANS = 4
IN_CI = 2
#: What GPU code can't do yet, in the words of the message.
UNSUPPORTED = re.compile(r"on a GPU all threads meet for an Exclusive|from under a lock, which GPU code can't do")


@dataclass(frozen=True, slots=True)
class Variant:
    """A program under one row of options, on so many devices."""

    program: RandomProgram
    row: Row
    manifest: Manifest
    devices: int = 1


@cache
def all_rows() -> list[Row]:
    """Options that hold every pair of two options' values."""
    return cover({o: values for o, values in (PLANNED | RUNS).items() if o not in ("block", "seed", *REGISTERS)})


def rows_of(seed: int) -> list[Row]:
    """The rows of a random program."""
    return random.Random(seed).sample(all_rows(), PLANS)


def variants(program: RandomProgram, seed: int, block: str) -> tuple[list[Variant], list[str]]:
    """Some plans of a program, compiled, and what irgl itself fails with."""
    ready = driver.ready("p.irgl", program.text)
    made, errors = [], []
    for row in rows_of(seed)[:PLANS if os.environ.get("IRGL_MATRIX") else IN_CI]:
        full = {**row, "block": block, "seed": str(seed % 18)}
        try:
            unit = driver.emit(ready, plan_of(full), "simt")
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
    (what,) = all_compared([program], [plan], capacity, mode).values() or [""]
    return what


def all_compared(programs: Sequence[RandomProgram], plans: Sequence[str], capacity: int = 1,
                 mode: str = "check") -> dict[str, str]:
    """The same of each program under each plan, by the plan and the program, without those where nothing is wrong.
    `make test` has one of the plans for each program."""
    tried, expected = [], []
    for program in programs:
        asked = some(plans, program.text)
        for plan in asked:
            chosen = Plan.parse(plan, "simt")
            row = {o: chosen.text_of(o) for o in PLANNED} | {"capacity": str(capacity), "mode": mode, "seed": "1"}
            unit = driver.compile("p.irgl", target="simt", plan=chosen, text=program.text)
            tried.append((plan, Variant(program, row, manifest_of(unit, ""))))
        result = interpreted(program)
        assert result is not None
        expected += [result] * len(asked)
    found = {}
    for (plan, v), result, ran in zip(tried, expected, run_simt([v for _, v in tried]), strict=True):
        what = ran.error or ", ".join(differences(result, ran))
        if what:
            found[f"{plan}: {v.program.text}"] = what
    return found


def run_simt(tried: Sequence[Variant], chunk: int = CHUNK) -> list[Ran]:
    """What each variant gives."""
    return [_left(done) for done in run_all([_task(v) for v in tried], chunk)]


def _task(v: Variant) -> Task:
    graphs = graphs_of(v.program)
    return Task(v.manifest, v.row, graphs, bind(v.manifest, graphs, v.program.params), devices=v.devices)


def _left(done: Done) -> Ran:
    if done.result is None:
        return Ran(done.error)
    return Ran("", dict(done.result.scalars), {n: np.array(p.array) for n, p in done.result.properties.items()})
