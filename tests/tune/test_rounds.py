"""The rounds of the best plan, which the tuner looks at where its loops may turn."""

from __future__ import annotations

from typing import Any

import pytest
from support.programs import PLACE
from support.tuning import given

from irgl.plan import Plan
from irgl.tune.measure.builds import Builds
from irgl.tune.measure.measure import How, Measurer
from irgl.tune.session.finish import look_at_rounds
from irgl.tune.session.group import Group

STAR = given("star:300")


def looked_at(plan: str) -> Group:
    """A group whose best plan is this one, after its rounds were looked at."""
    search: Any = None  # it is over
    with Measurer(Builds(PLACE / "bfs.irgl", "cpu"), How("cpu", 1)) as measurer:
        reference = measurer.reference(STAR, measurer.look(STAR))
        group = Group("all", [STAR], search, [reference])
        group.best = str(Plan.parse(plan))
        look_at_rounds(group, measurer)
    return group


@pytest.mark.parametrize("plan", ["direction=hybrid", "advance_frontier.loop1.direction=hybrid"])
def test_rounds_of_a_plan_that_turns_loops_tell_which_way_they_go(plan: str) -> None:
    rounds = looked_at(f"{plan} switch=nodes:1/2").rounds[STAR.name]
    assert [(r.loop, r.frontier, r.direction) for r in rounds.kept][:2] == [
        ("bfs.iterate1", 1, "push"), ("bfs.iterate1", 299, "pull")]


def test_nothing_is_run_where_no_loop_turns() -> None:
    assert looked_at("grain=512").rounds == {}
