"""Random programs whose numbers of nodes become one of three values each mean what they did, on every target."""

from __future__ import annotations

import numpy as np
import pytest
from support.agreement import disagreements, interpreted, same
from support.choices import Seeded
from support.random_programs import RandomProgram, random_program
from support.simt_batch import all_compared
from support.vectored import AT, vectored

from irgl.plan import Plan

BATCH = 12
BATCHES = [0, *(pytest.param(i, marks=pytest.mark.matrix) for i in range(1, 40))]
#: What reads, copies or turns loops along edges.
PLANS = [None, Plan.parse("format=split direction=pull frontier=bitmap"), Plan.parse("format=shards prefetch=8")]


def made(seed: int) -> tuple[RandomProgram, RandomProgram, frozenset[str]]:
    """A program, and as it is with several values of its nodes; which properties have them."""
    program = random_program(Seeded(seed))
    text, chosen = vectored(program.text)
    return program, RandomProgram(text, program.graph, program.params), chosen


@pytest.mark.parametrize("batch", BATCHES)
def test_the_value_that_is_used_is_the_one_that_was_alone(batch: int) -> None:
    for seed in range(50_000 + 2 * BATCH * batch, 50_000 + 2 * BATCH * (batch + 1)):
        program, several, chosen = made(seed)
        wanted, found = interpreted(program), interpreted(several)
        if wanted is None or found is None:
            continue
        for name, values in found.properties.items():
            mine = values[:, AT] if name in chosen else values
            assert same(wanted.properties[name], mine), f"{name} of seed {seed}"
            assert name not in chosen or np.array_equal(values[:, 0], values[:, 2])


@pytest.mark.parametrize("batch", BATCHES)
def test_cpus_agree_with_the_interpreter(batch: int) -> None:
    programs = [made(seed)[1] for seed in range(51_000 + BATCH * batch, 51_000 + BATCH * (batch + 1))]
    assert disagreements(programs, PLANS[batch % len(PLANS)]) == []


@pytest.mark.matrix
@pytest.mark.parametrize("batch", range(8))
def test_the_emulator_agrees_with_the_interpreter(batch: int) -> None:
    programs = [made(seed)[1] for seed in range(52_000 + BATCH * batch, 52_000 + BATCH * (batch + 1))]
    assert all_compared(programs, ["none block=32", "np=wp+fg block=64 direction=pull"]) == {}
