"""Random programs on priority queues: interpreter, CPUs and the emulated GPU find the same, rounds included.

200 in CI, 2,000 in `make matrix`.
"""

from __future__ import annotations

import pytest
from support.agreement import disagreements, interpreted
from support.choices import Seeded
from support.random_ordered import ordered
from support.simt_batch import all_compared

from irgl.plan import Plan

BATCH = 25
BATCHES = [*range(8), *(pytest.param(i, marks=pytest.mark.matrix) for i in range(8, 80))]
PLANS = ["none block=32", "cc=block outline=all block=64", "np=fg cc=warp priority=lazy block=32",
         "priority=lazy_sum buckets=2 block=64", "priority=lazy direction=pull outline=off block=32",
         "priority=lazy direction=hybrid switch=nodes:1/10 member=bitmap outline=all block=64"]
#: Of CPUs, beside those that are drawn.
PULLED = {3: "priority=lazy direction=pull", 6: "priority=lazy direction=hybrid switch=nodes:1/10 member=bytemap"}


@pytest.mark.parametrize("batch", BATCHES)
def test_random_queues_run_alike_everywhere(batch: int) -> None:
    programs = [ordered(Seeded(seed)) for seed in range(BATCH * batch, BATCH * (batch + 1))]
    programs = [p for p in programs if interpreted(p) is not None]
    assert len(programs) > BATCH // 2
    pulled = PULLED.get(batch % len(BATCHES))
    assert disagreements(programs, None if pulled is None else Plan.parse(pulled)) == []
    assert all_compared(programs, [PLANS[batch % len(PLANS)]]) == {}
