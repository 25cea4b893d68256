"""Whether two runs of a random program left the same, and whether the CPU target agrees with the interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from irgl.analysis.check import check
from irgl.frontends.text.load import load_text
from irgl.interpret import Result, run
from irgl.plan import Plan
from irgl.source import IrglError
from support.cpu_batch import SETTINGS, Ran, Setting, run_cpu
from support.cpu_plans import drawn
from support.random_programs import RandomProgram

STEPS = 60_000


def interpreted(program: RandomProgram, order: int | None = None, max_steps: int = STEPS) -> Result | None:
    """The interpreter's result; None for a program that multiplies its work beyond reason."""
    try:
        return run(
            check(load_text(program.text)), program.graphs, program.params, order=order, max_steps=max_steps
        )
    except IrglError as e:
        if e.message.startswith("stopped after"):
            return None
        raise


def differences(expected: Result, found: Result | Ran) -> list[str]:
    """The scalars and properties that are not the same."""
    pairs = [(n, np.asarray(v), np.asarray(found.scalars[n])) for n, v in expected.scalars.items()]
    pairs += [(n, v, np.asarray(found.properties[n])) for n, v in expected.properties.items() if n in found.properties]
    return [n for n, a, b in pairs if not same(a, b)]


def same(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    """Equal; a NaN equals a NaN."""
    if a.dtype.names is not None:
        return all(np.array_equal(a[n], b[n]) for n in a.dtype.names)
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def disagreements(programs: Sequence[RandomProgram], plan: Plan | None = None,
                  settings: Sequence[Setting] = SETTINGS) -> list[str]:
    """What the CPU target does otherwise than the interpreter, a text for each program and setting."""
    pairs = [(p, r) for p in programs if (r := interpreted(p)) is not None]
    found = []
    for (program, expected), outcomes in zip(pairs, run_cpu([p for p, _ in pairs], settings, plan=plan), strict=True):
        for setting, ran in zip(settings, outcomes, strict=True):
            what = ran.error or ", ".join(differences(expected, ran))
            if what:
                said = plan if plan is not None else drawn(program.text)
                found.append(f"{what} under {setting}, plan {said}:\n{program}")
    return found
