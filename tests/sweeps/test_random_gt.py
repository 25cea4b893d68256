"""Random programs of GraphIt's find what plain Python says that they mean: on the interpreter, in several orders, on
CPUs and on the emulated GPU; and they are dumped as .irgl text that is the same program.

200 in CI, of which 25 are built, 1,000 in `make matrix`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from support import random_gt_programs as gt
from support.agreement import disagreements, same
from support.choices import Seeded
from support.gt_numbers import Vague
from support.gt_pieces import TooLong, World
from support.random_programs import RandomProgram
from support.simt_batch import all_compared

from irgl.analysis.check import check
from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.ast.visit import difference
from irgl.frontends.gt.load import load
from irgl.frontends.text.load import load_text
from irgl.interpret import run
from irgl.source import Source

BATCH = 25
BATCHES = [*range(8), *(pytest.param(i, marks=pytest.mark.matrix) for i in range(8, 40))]
ORDERS = (None, 1, 2)
PLANS = ["none block=32", "cc=block outline=all block=64", "np=fg cc=warp block=32", "default"]


@dataclass(frozen=True)
class Loaded:
    """A program, what it must find, and what irgl makes of its text."""

    made: gt.Program
    world: World
    program: A.Program

    def dumped(self) -> RandomProgram:
        return RandomProgram(dump(self.program), self.made.graph, self.made.args)


def loaded(batch: int) -> list[Loaded]:
    """Programs with one result, all but a few of a batch's."""
    found = []
    for seed in range(BATCH * batch, BATCH * (batch + 1)):
        made = gt.program(Seeded(seed))
        try:
            world = made.meant()
        except (Vague, TooLong):
            continue
        found.append(Loaded(made, world, load(Source("random.gt", made.text))))
    assert len(found) > BATCH // 2
    return found


def misses(one: Loaded, order: int | None) -> list[str]:
    """What the interpreter finds otherwise than the program means."""
    result = run(check(one.program), {"g": one.made.graph}, one.made.args, order=order)
    wanted = {n: v for n, v in one.world.vectors.items() if not n.startswith("own")} | one.world.scalars
    found = {name: np.asarray(v) for name, v in (result.properties | result.scalars).items() if name in wanted}
    wrong = [name for name, v in found.items() if not same(np.asarray(wanted[name], v.dtype), v)]
    return wrong + ["what it prints"] * (list(result.printed) != one.world.printed)


@pytest.mark.parametrize("batch", BATCHES)
def test_random_programs_find_what_they_mean(batch: int) -> None:
    programs = loaded(batch)
    assert [f"{wrong}:\n{p.made.text}" for p in programs for o in ORDERS if (wrong := misses(p, o))] == []


@pytest.mark.parametrize("batch", BATCHES)
def test_random_programs_are_dumped_as_they_are(batch: int) -> None:
    assert [p.made.text for p in loaded(batch) if difference(p.program, load_text(p.dumped().text))] == []


@pytest.mark.parametrize("batch", BATCHES)
def test_random_programs_run_alike_on_cpus(batch: int) -> None:
    assert disagreements([p.dumped() for p in loaded(batch)]) == []


@pytest.mark.parametrize("batch", BATCHES)
def test_random_programs_run_alike_on_the_emulated_gpu(batch: int) -> None:
    assert all_compared([p.dumped() for p in loaded(batch)], [PLANS[batch % len(PLANS)]]) == {}
