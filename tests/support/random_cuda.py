"""Random programs as CUDA code in the SIMT emulator, in batches: what differs from the interpreter."""

from __future__ import annotations

from support.agreement import differences, interpreted
from support.choices import Seeded
from support.random_programs import random_program
from support.simt_batch import run_simt, variants

BATCH = 25
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
