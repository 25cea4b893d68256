"""Random programs as CUDA code in the SIMT emulator, under random plans: they do what the interpreter does.

They are those that test_random_programs.py compiles for the CPU, so that interpreter, CPU and GPU code agree on each:
200 in CI, each under two plans, 20,000 in `make matrix`, each under four, SHARD=K/N an Nth of those.
"""

from __future__ import annotations

import pytest
from support.random_cuda import BATCH, disagreements
from support.simt_batch import IN_CI, all_rows, rows_of

BATCHES = [*range(8), *(pytest.param(i, marks=pytest.mark.matrix) for i in range(8, 800))]


@pytest.mark.parametrize("batch", BATCHES)
def test_random_programs_agree_with_the_interpreter(batch: int) -> None:
    assert disagreements(batch) == []


def test_the_plans_of_ci_hold_every_value_of_every_option() -> None:
    rows = [row for seed in range(8 * BATCH) for row in rows_of(seed)[:IN_CI]]
    assert {value for row in rows for value in row.items()} == {v for row in all_rows() for v in row.items()}
