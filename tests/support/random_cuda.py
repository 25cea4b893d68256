"""Random programs as CUDA code in the SIMT emulator, in batches: what differs from the interpreter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from support.agreement import differences, interpreted
from support.choices import Choices, Seeded
from support.random_programs import RandomProgram, random_program
from support.simt_batch import run_simt, variants

BATCH = 25
BLOCKS = ("32", "64", "96")
#: Variants of one executable: in those of 16, more of the time goes into what the variants share.
CHUNK = 50
#: In the text of a unit with sections that may go to other devices.
MOVES = "irgl::moving_part("


def disagreements(batch: int, make: Callable[[Choices], RandomProgram] = random_program,
                  devices: Sequence[int] = (1,), size: int = BATCH) -> list[str]:
    """What the emulator finds, or finds otherwise than the interpreter, a text for each program and plan.

    devices: each number of them, of which a program whose sections can't go to others is run on one.
    """
    found, tried, expected = [], [], []
    for seed in range(batch * size, (batch + 1) * size):
        program = make(Seeded(seed))
        result = interpreted(program)
        if result is None:
            continue
        made, errors = variants(program, seed, BLOCKS[batch % len(BLOCKS)])
        found += errors
        made = [replace(v, devices=n) for v in made for n in devices if n == 1 or MOVES in v.manifest.text]
        tried += made
        expected += [result] * len(made)
    for variant, result, ran in zip(tried, expected, run_simt(tried, CHUNK), strict=True):
        what = ran.error or ", ".join(differences(result, ran))
        if what:
            found.append(f"{what} under {variant.row} on {variant.devices} devices:\n{variant.program}")
    return found
