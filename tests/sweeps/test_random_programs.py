"""Random programs: the printer's round trip, independence of order, and the CPU target against the interpreter.

The generator promises well-typed programs whose result depends on no order; the first tests hold it to that, so that in
the last one a difference is the compiler's fault. It runs the same programs as test_random_cuda.py does on the emulated
GPU: 200 in CI, 20,000 in `make matrix`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

import pytest
from hypothesis import HealthCheck, given, settings
from support.agreement import STEPS, differences, disagreements, interpreted
from support.choices import Seeded
from support.random_programs import RandomProgram, programs, random_program

from irgl import driver
from irgl.ast.dump import dump
from irgl.ast.visit import equal
from irgl.frontends.text.load import load_text

MANY = bool(os.environ.get("IRGL_MATRIX"))
BATCH = 25
BATCHES = [*range(8), *(pytest.param(i, marks=pytest.mark.matrix) for i in range(8, 800))]
QUIET = settings(max_examples=1000 if MANY else 60, derandomize=not MANY, deadline=None,
                 suppress_health_check=list(HealthCheck))


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


def test_an_edge_that_a_loop_inside_spreads_is_not_read_there() -> None:
    driver.ready("p.irgl", random_program(Seeded(3827)).text)  # another iteration may be storing its property


def test_hardly_any_program_runs_away() -> None:
    assert sum(interpreted(p) is None for p in seeded(range(100))) <= 2


@pytest.mark.parametrize("batch", BATCHES)
def test_cpu_programs_agree_with_the_interpreter(batch: int) -> None:
    tried = seeded(range(batch * BATCH, (batch + 1) * BATCH))
    assert disagreements(tried) == []
