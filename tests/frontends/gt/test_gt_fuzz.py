"""Functions that are applied mean what the ownership analysis says, on every target."""

from __future__ import annotations

import random

import pytest
from support.agreement import disagreements
from support.random_graphs import from_arcs
from support.random_gt import program
from support.random_programs import RandomProgram
from support.simt_batch import all_compared

from irgl.ast.dump import dump
from irgl.driver import front
from irgl.frontends.gt.load import load
from irgl.plan import Plan
from irgl.source import IrglError, Source


@pytest.mark.parametrize("batch", range(2))
def test_what_the_front_end_says_of_stores_the_ownership_analysis_says_too(batch: int) -> None:
    refused = []
    for seed in range(batch * 100, batch * 100 + 100):
        try:
            front(Source("m.gt", program(seed)))
        except IrglError as e:
            refused.append(f"{seed}: {e}")
    assert refused == []


def exact(seed: int) -> RandomProgram:
    """A program whose answer doesn't depend on any order, as .irgl, with a graph."""
    rng = random.Random(seed)
    ends = sorted({(rng.randrange(12), rng.randrange(12)) for _ in range(30)})
    arcs = [(a, b, rng.randrange(1, 9)) for a, b in ends if a != b]
    return RandomProgram(dump(load(Source("m.gt", program(seed, exact=True)))), from_arcs(12, arcs), {})


def test_random_programs_find_the_same_on_cpus() -> None:
    assert disagreements([exact(seed) for seed in range(10)]) == []


def test_random_programs_find_the_same_by_pulling() -> None:
    assert disagreements([exact(seed) for seed in range(16, 26)], Plan.parse("direction=pull frontier=bytemap")) == []


def test_random_programs_find_the_same_in_the_emulator() -> None:
    assert all_compared([exact(seed) for seed in range(28, 36)], ["default"]) == {}
