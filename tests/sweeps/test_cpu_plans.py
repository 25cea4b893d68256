"""No plan of the CPU changes an answer: every program under plans drawn from all options, on awkward graphs.

In CI two plans of the code for each program, with other plans of the run and numbers of threads on every graph; in
`make matrix` all that hold a pair of values. Lists have a first capacity of 1, so that they grow.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.awkward_graphs import awkward
from support.cpu_plans import OPTIONS, TEAM, codes, legal, runs, text_of, values
from support.programs import ON_GRAPHS, PLACE, run_program

GRAPHS = ("empty", "one loop", "self-loops", "parallel arcs", "star", "star inwards", "grid", "dense", "middling")
IN_CI = 2
MOST = 60


def numbered() -> Iterator[object]:
    for name in ON_GRAPHS:
        for number in range(MOST):
            yield pytest.param(name, number, marks=[] if 0 < number <= IN_CI else [pytest.mark.matrix])


@pytest.mark.parametrize(("name", "number"), list(numbered()))
def test_no_plan_changes_an_answer(name: str, number: int) -> None:
    space = legal(str(PLACE / f"{name}.irgl"))
    plans = codes(space)
    code, ways = plans[number % len(plans)], runs(space, number)
    for k, graph in enumerate(GRAPHS):
        way = ways[(k + number * len(GRAPHS)) % len(ways)]
        plan = text_of(code, way)
        wrong = run_program(name, awkward()[graph], plan=plan, threads=int(way[TEAM]), capacity=1).wrong()
        assert wrong is None, f"{plan}, {way[TEAM]} threads, on {graph}: {wrong}"


def test_plans_are_drawn_from_every_option() -> None:
    spaces = [legal(str(PLACE / f"{name}.irgl")) for name in ON_GRAPHS]
    #: Of sets, queues, common() and what waits: plans/test_dedup.py, passes/test_filing.py, plans/test_intersect.py,
    #: plans/test_sync.py, passes/drive/test_merge_rounds.py.
    elsewhere = {"dedup", "priority", "buckets", "intersect", "sync"}
    swept = [o for o in OPTIONS if o.name not in elsewhere]
    assert {name for space in spaces for name in space} - elsewhere == {o.name for o in swept}
    assert all({v for space in spaces for v in space.get(o.name, ())} == {*values(o)} for o in swept if not o.names)


def test_no_program_has_more_plans_than_the_matrix_runs() -> None:
    assert max(len(codes(legal(str(PLACE / f"{name}.irgl")))) for name in ON_GRAPHS) <= MOST
