"""Random programs of whole vectors: interpreter, in two orders, CPUs and the emulated GPU find the same.

25 in CI, of which every third is emulated, 500 in `make matrix`. A program is that of its seed:
random_vectors(Seeded(seed)).
"""

from __future__ import annotations

from functools import cache

import pytest
from support.agreement import differences, disagreements, interpreted
from support.choices import Seeded
from support.random_programs import RandomProgram
from support.random_vectors import random_vectors
from support.simt_batch import all_compared

from irgl.ast.dump import dump
from irgl.ast.visit import equal
from irgl.frontends.text.load import load_text
from irgl.interpret import Result
from irgl.plan import Plan

FIRST, BATCH = 60_000, 25
BATCHES = [0, *(pytest.param(i, marks=pytest.mark.matrix) for i in range(1, 20))]
CPU = [None, "none direction=pull", "lanes=8", "prefetch=8 serial=0 grain=64", "format=shards", None]
SIMT = ["np=fg block=64", "none block=32", "np=wp outline=off block=32", "cc=block outline=all block=64",
        "direction=pull np=serial block=96", "vec=warp block=64", "default"]


@cache
def made(batch: int) -> list[tuple[int, RandomProgram, Result]]:
    """Programs that end soon, behind their seeds, and what they leave."""
    seeds = range(FIRST + BATCH * batch, FIRST + BATCH * (batch + 1))
    found = [(s, p, r) for s in seeds if (r := interpreted(p := random_vectors(Seeded(s)))) is not None]
    assert len(found) > BATCH // 2
    return found


@pytest.mark.parametrize("batch", BATCHES)
def test_no_result_depends_on_the_order_of_iterations(batch: int) -> None:
    for seed, program, in_order in made(batch):
        shuffled = interpreted(program, order=1)
        assert shuffled is not None, seed
        assert differences(in_order, shuffled) == [], seed


@pytest.mark.parametrize("batch", BATCHES)
def test_printing_and_parsing_a_program_gives_the_same_tree(batch: int) -> None:
    for seed, program, _ in made(batch):
        tree = load_text(program.text)
        assert equal(tree, load_text(dump(tree))), seed


@pytest.mark.parametrize("batch", BATCHES)
def test_cpus_agree_with_the_interpreter(batch: int) -> None:
    plan = CPU[batch % len(CPU)]
    found = disagreements([p for _, p, _ in made(batch)], None if plan is None else Plan.parse(plan))
    assert found == [], f"seeds from {FIRST + BATCH * batch}"


@pytest.mark.parametrize("batch", BATCHES)
def test_the_emulated_gpu_agrees_with_the_interpreter(batch: int) -> None:
    programs = [p for seed, p, _ in made(batch) if seed % 3 == 0 or batch > 0]
    assert all_compared(programs, [SIMT[batch % len(SIMT)]]) == {}, f"seeds from {FIRST + BATCH * batch}"
