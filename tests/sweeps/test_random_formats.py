"""Random programs whose loops run over forms of edges agree with the interpreter: 200 in CI, 2,000 in `make matrix`."""

from __future__ import annotations

import random

import pytest
from support.agreement import disagreements
from support.choices import Seeded
from support.covering import cover
from support.cpu_plans import OPTIONS, text_of, values
from support.random_programs import random_program

from irgl import driver
from irgl.plan import Plan

BATCH = 25
BATCHES = [*range(8), *(pytest.param(i, marks=pytest.mark.matrix) for i in range(8, 80))]
#: What decides which loops can be swept, and over which form.
AROUND = ("format", "direction", "frontier")


def plan_of(batch: int) -> Plan:
    """A plan with a form, what that leaves open, and directions and lists of any kind."""
    rows = cover({o.name: tuple(v for v in values(o) if v != "csr") for o in OPTIONS if o.name in AROUND})
    row = dict(rows[batch % len(rows)])
    chance = random.Random(batch)
    row |= {o.name: chance.choice(values(o)) for o in OPTIONS
            if o.only_with is not None and o.only_with[0] == "format" and row["format"] in o.only_with[1]}
    return Plan.parse(text_of(row).removeprefix("none "))


@pytest.mark.parametrize("batch", BATCHES)
def test_programs_over_forms_agree_with_the_interpreter(batch: int) -> None:
    programs = [random_program(Seeded(s)) for s in range(40_000 + BATCH * batch, 40_000 + BATCH * (batch + 1))]
    assert disagreements(programs, plan_of(batch)) == []


def test_a_fair_part_of_them_has_loops_over_forms() -> None:
    programs = [random_program(Seeded(s)) for s in range(40_000, 40_100)]
    units = [driver.compile("p.irgl", text=p.text, plan=plan_of(k)) for k, p in enumerate(programs)]
    assert sum(any(g.forms for g in unit.graph_params) for unit in units) >= 15
