"""Random Sections: what has nothing to do with each other runs alike everywhere, and what has is refused.

In CI 16 programs are looked at, of which 8 run on CPUs and emulated GPUs; in `make matrix` 2,000.
"""

from __future__ import annotations

import pytest
from support import random_cuda
from support.agreement import STEPS, differences, disagreements, interpreted
from support.choices import Choices, Seeded
from support.cpu_batch import Setting
from support.random_parts import RandomProgram
from support.random_sections import planted, sections

from irgl import driver
from irgl.analysis.effects.sections import in_turn
from irgl.source import IrglError

BATCH = 8
LOOKED_AT = [*range(2), *(pytest.param(i, marks=pytest.mark.matrix) for i in range(2, 250))]
RUN = [0, *(pytest.param(i, marks=pytest.mark.matrix) for i in range(1, 250))]
SETTINGS = (Setting(1), Setting(2, 1, True), Setting(4))


def sectioned(c: Choices) -> RandomProgram:
    return sections(c).program()


def seeds(batch: int) -> range:
    return range(BATCH * batch, BATCH * (batch + 1))


@pytest.mark.parametrize("batch", LOOKED_AT)
def test_sections_of_their_own_leave_the_same_in_any_order(batch: int) -> None:
    for seed in seeds(batch):
        made = sections(Seeded(seed))
        turned = range(len(made.sections))[::-1]
        first, last = interpreted(made.program()), interpreted(made.program(turned), max_steps=10 * STEPS)
        assert first is None or last is None or differences(first, last) == [], made.program()


@pytest.mark.parametrize("batch", LOOKED_AT)
def test_what_two_sections_have_in_common_is_told_where_one_changes_it(batch: int) -> None:
    for seed in seeds(batch):
        made = planted(Seeded(seed))
        assert made.planted is not None
        with pytest.raises(IrglError) as e:
            driver.ready("p.irgl", made.program().text)
        assert f"have {made.planted.name} in common, which one of them changes" in e.value.message


def test_most_of_them_run_at_once() -> None:
    found = [in_turn(driver.ready("p.irgl", sectioned(Seeded(seed)).text).checked) for seed in range(16)]
    assert sum(reason is None for one in found for reason in one.values()) >= 12


@pytest.mark.parametrize("batch", RUN)
def test_sections_agree_with_the_interpreter_on_cpus(batch: int) -> None:
    assert disagreements([sectioned(Seeded(seed)) for seed in seeds(batch)], settings=SETTINGS) == []


@pytest.mark.parametrize("batch", RUN)
def test_sections_agree_with_the_interpreter_on_one_emulated_gpu_and_on_two(batch: int) -> None:
    assert random_cuda.disagreements(batch, sectioned, devices=(1, 2), size=BATCH) == []
