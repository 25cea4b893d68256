"""The passes of the CUDA target keep the meaning: random programs mean to the interpreter what they meant before."""

from __future__ import annotations

import pytest
from support.agreement import STEPS, differences, interpreted
from support.choices import Seeded
from support.random_programs import RandomProgram, random_program

from irgl.analysis.check import check
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.visit import walk
from irgl.frontends.text.load import load_text
from irgl.interpret import Result, run
from irgl.passes import guard_loops, turn_continues
from irgl.passes.parts.spread import nested_loops, why_not_spread
from irgl.passes.pipeline import PASSES
from irgl.source import IrglError

BATCH = 25
BATCHES = [*range(4), *(pytest.param(i, marks=pytest.mark.matrix) for i in range(4, 80))]


def lowered(text: str) -> Checked:
    """The program with continues turned and every loop that can be brought to the top of its operator there."""
    checked = check(load_text(text))
    for _, one in PASSES:
        checked = check(one(checked.program))
    checked = check(turn_continues.run(checked.program))
    wanted = [loop for _, loop, around in nested_loops(checked) if why_not_spread(checked, loop, around) is None]
    return check(guard_loops.run(checked, wanted))


def meant(checked: Checked, program: RandomProgram) -> Result | None:
    try:
        return run(checked, {"g": program.graph}, program.params, max_steps=4 * STEPS)
    except IrglError as e:
        if e.message.startswith("stopped after"):
            return None
        raise


@pytest.mark.parametrize("batch", BATCHES)
def test_lowered_programs_mean_the_same(batch: int) -> None:
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        program = random_program(Seeded(seed))
        before = interpreted(program)
        after = meant(lowered(program.text), program)
        if before is not None and after is not None:
            assert differences(before, after) == [], program.text


@pytest.mark.parametrize("batch", range(2))
def test_no_parallel_iteration_of_a_lowered_program_ends_early(batch: int) -> None:
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        checked = lowered(random_program(Seeded(seed)).text)
        sequential = {n for loop in walk(checked.program) if isinstance(loop, A.For | A.While | A.DoWhile | A.CFor)
                      for n in walk(loop)}
        left = [n for n in walk(checked.program) if isinstance(n, A.Continue | A.Retry) and n not in sequential]
        assert left == []
