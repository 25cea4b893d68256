"""Random programs as CUDA code in the SIMT emulator, under random plans: they do what the interpreter does.

They are those that test_random_programs.py compiles for the CPU, so that interpreter, CPU and GPU code agree on each:
300 in CI, 20,000 in `make matrix`, SHARD=K/N an Nth of those.
"""

from __future__ import annotations

import pytest
from support.agreement import differences, interpreted
from support.choices import Seeded
from support.random_programs import random_program
from support.simt_batch import run_simt, variants

BATCH = 25
BATCHES = [*range(12), *(pytest.param(i, marks=pytest.mark.matrix) for i in range(12, 800))]
BLOCKS = ("32", "64", "96")
#: Variants of one executable: in those of 16, more of the time goes into what the variants share.
CHUNK = 50


def disagreements(batch: int) -> list[str]:
    """What the emulator finds, or finds otherwise than the interpreter, a text for each program and plan."""
    found, tried, expected = [], [], []
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        program = random_program(Seeded(seed))
        result = interpreted(program)
        if result is None:
            continue
        made, errors = variants(program, seed, BLOCKS[batch % len(BLOCKS)])
        found += errors
        tried += made
        expected += [result] * len(made)
    for variant, result, ran in zip(tried, expected, run_simt(tried, CHUNK), strict=True):
        what = ran.error or ", ".join(differences(result, ran))
        if what:
            found.append(f"{what} under {variant.row}:\n{variant.program}")
    return found


@pytest.mark.parametrize("batch", BATCHES)
def test_random_programs_agree_with_the_interpreter(batch: int) -> None:
    assert disagreements(batch) == []
