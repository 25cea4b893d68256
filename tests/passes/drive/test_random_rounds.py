"""Random loops over rounds leave the same whatever drives them: in the interpreter, on CPUs, on the emulated GPU."""

from __future__ import annotations

import pytest
from support.agreement import differences, disagreements, interpreted
from support.choices import Seeded
from support.driven import after, why_not
from support.random_parts import RandomProgram
from support.random_rounds import rounds
from support.simt_batch import all_compared

from irgl.interpret import run
from irgl.plan import Plan

BATCH = 20
BATCHES = [*range(3), *(pytest.param(i, marks=pytest.mark.matrix) for i in range(3, 150))]


def drivable(seeds: range) -> list[RandomProgram]:
    return [p for p in (rounds(Seeded(s)) for s in seeds) if why_not(p.text, "data") is None]


@pytest.mark.parametrize("batch", BATCHES)
def test_rounds_driven_by_data_leave_the_same_in_any_order(batch: int) -> None:
    for program in drivable(range(batch * BATCH, (batch + 1) * BATCH)):
        expected = interpreted(program)
        assert expected is not None
        driven = after(program.text, "drive=data")
        for order in (None, 1, 2):
            found = run(driven, {"g": program.graph}, {}, order=order, max_steps=1_000_000)
            assert differences(expected, found) == [], str(program)


def test_most_of_them_can_be_driven_by_data() -> None:
    assert len(drivable(range(100))) > 80


def test_rounds_driven_by_data_leave_the_same_on_cpus() -> None:
    assert disagreements(drivable(range(8)), Plan.parse("drive=data")) == []


def test_and_with_lists_and_directions_of_their_own() -> None:
    assert disagreements(drivable(range(8, 14)), Plan.parse("drive=data frontier=either direction=hybrid")) == []


def test_rounds_driven_by_data_leave_the_same_on_the_emulated_gpu() -> None:
    assert all_compared(drivable(range(4)), ["drive=data", "drive=data frontier=bytemap outline=graph"]) == {}
