"""Random programs as CUDA code in the SIMT emulator, under random plans: they do what the interpreter does.

They are those that test_random_programs.py compiles for the CPU, so that interpreter, CPU and GPU code agree on each:
200 in CI, 20,000 in `make matrix`, SHARD=K/N an Nth of those.
"""

from __future__ import annotations

import pytest
from support.random_cuda import disagreements

BATCHES = [*range(8), *(pytest.param(i, marks=pytest.mark.matrix) for i in range(8, 800))]


@pytest.mark.parametrize("batch", BATCHES)
def test_random_programs_agree_with_the_interpreter(batch: int) -> None:
    assert disagreements(batch) == []
