"""Random programs: the printer's round trip, independence of order, and the CPU target against the interpreter.

The generator promises well-typed programs whose result depends on no order; the first tests hold it to that, so that in
the last one a difference is the compiler's fault. IRGL_MATRIX=1 runs ten times as many.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from support.choices import Seeded
from support.cpu_batch import SETTINGS, Ran, run_cpu
from support.random_programs import RandomProgram, programs, random_program

from irgl.analysis.check import check
from irgl.ast.dump import dump
from irgl.ast.visit import equal
from irgl.frontends.text import load_text
from irgl.interpret import Result, run
from irgl.source import IrglError

MANY = bool(os.environ.get("IRGL_MATRIX"))
STEPS = 60_000
BATCH = 25
BATCHES = [*range(8), *(pytest.param(i, marks=pytest.mark.matrix) for i in range(8, 80))]
QUIET = settings(max_examples=1000 if MANY else 60, derandomize=not MANY, deadline=None,
                 suppress_health_check=list(HealthCheck))


def interpreted(program: RandomProgram, order: int | None = None, max_steps: int = STEPS) -> Result | None:
    """The interpreter's result; None for a program that multiplies its work beyond reason."""
    try:
        return run(check(load_text(program.text)), {"g": program.graph}, program.params, order=order, max_steps=max_steps)
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
    if a.dtype.names is not None:
        return all(np.array_equal(a[n], b[n]) for n in a.dtype.names)
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def seeded(seeds: Iterable[int]) -> list[RandomProgram]:
    return [random_program(Seeded(s)) for s in seeds]


@QUIET
@given(programs())
def test_printing_and_parsing_a_program_gives_the_same_tree(program: RandomProgram) -> None:
    tree = load_text(program.text)
    assert equal(tree, load_text(dump(tree)))


@QUIET
@given(programs())
def test_no_result_depends_on_the_order_of_parallel_iterations(program: RandomProgram) -> None:
    in_order = interpreted(program)
    shuffled = interpreted(program, order=1, max_steps=10 * STEPS)
    if in_order is not None and shuffled is not None:
        assert differences(in_order, shuffled) == []


def test_hardly_any_program_runs_away() -> None:
    assert sum(interpreted(p) is None for p in seeded(range(100))) <= 2


@pytest.mark.parametrize("batch", BATCHES)
def test_cpu_programs_agree_with_the_interpreter(batch: int) -> None:
    tried = seeded(range(batch * BATCH, (batch + 1) * BATCH))
    pairs = [(p, r) for p in tried if (r := interpreted(p)) is not None]
    for (program, expected), outcomes in zip(pairs, run_cpu([p for p, _ in pairs]), strict=True):
        for setting, found in zip(SETTINGS, outcomes, strict=True):
            assert found.error == "", (setting, program)
            assert differences(expected, found) == [], (setting, program)
