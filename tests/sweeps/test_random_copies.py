"""Random programs on many copies of their graph: what threads leave that really share the work.

A chunk of a loop has 64 nodes at least, so that on the graphs that the programs come with one thread does it all. Here
the copies of a node stand side by side, and neighbours in different chunks. The answer is that of one thread.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

import numpy as np
import pytest
from support.agreement import interpreted, same
from support.choices import Seeded
from support.cpu_batch import Ran, Setting, run_cpu
from support.random_programs import RandomProgram, random_program

NODES = 260
BATCH = 10
BATCHES = [0, *(pytest.param(i, marks=pytest.mark.matrix) for i in range(1, 400))]
SETTINGS = (Setting(1), Setting(4, 1, True), Setting(4, 0, True))


def copied(program: RandomProgram) -> RandomProgram:
    """The program on disjoint copies of its graph: copy k of node i is node i * copies + k."""
    g = program.graph
    copies = -(-NODES // max(1, g.num_nodes))
    edges = np.concatenate([np.tile(np.arange(g.row[i], g.row[i + 1]), copies) for i in range(g.num_nodes)]
                           or [np.zeros(0, np.int64)]).astype(np.int64)
    degrees = np.repeat(np.diff(g.row), copies)
    copy = np.repeat(np.tile(np.arange(copies), g.num_nodes), degrees)
    row = np.array([0, *accumulate(degrees.tolist())], g.row.dtype)
    dst = (g.dst[edges] * copies + copy).astype(g.dst.dtype)
    weight = None if g.weight is None else g.weight[edges]
    return replace(program, graph=replace(g, row=row, dst=dst, weight=weight))


def different(a: Ran, b: Ran) -> list[str]:
    if a.error or b.error:
        return [] if a.error == b.error else [a.error, b.error]
    return [n for n, x in [*a.scalars.items(), *a.properties.items()]
            if not same(np.asarray(x), np.asarray({**b.scalars, **b.properties}[n]))]


@pytest.mark.parametrize("batch", BATCHES)
def test_threads_that_share_the_work_find_what_one_finds(batch: int) -> None:
    drawn = [random_program(Seeded(s)) for s in range(batch * BATCH, (batch + 1) * BATCH)]
    programs = [copied(p) for p in drawn if interpreted(p) is not None]
    for program, (alone, *shared) in zip(programs, run_cpu(programs, SETTINGS), strict=True):
        for ran in shared:
            assert different(alone, ran) == [], program
