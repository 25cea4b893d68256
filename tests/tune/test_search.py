"""Searches propose legal plans, each once, and come near the best in a small share of the space."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest

from irgl.options import OPTIONS
from irgl.plan import Plan
from irgl.source import IrglError
from irgl.space import Choice
from irgl.tune.results.objective import can_still_win, front
from irgl.tune.results.trial import Status
from irgl.tune.search.model import Model
from irgl.tune.search.places import dimensions_of
from irgl.tune.search.portfolio import EXHAUSTIVE, PATIENCE, SEARCHES, Portfolio, make_search
from irgl.tune.search.space import Space

LEARNING = ("local", "model", "tpe", "portfolio")


def space(*options: str) -> Space:
    """A space of simt plans over some options, all of whose values are legal."""
    chosen = [o for o in OPTIONS["simt"] if o.name in options]
    words = {"np": ("serial", "tb", "wp", "fg", "tb+wp", "tb+fg", "wp+fg", "tb+wp+fg")}
    return Space(dimensions_of([Choice("k.loop1", o.name, None, words.get(o.name, o.words)) for o in chosen],
                               OPTIONS["simt"], False), "simt")


SMALL = space("outline", "unroll", "retry", "regs")
LARGE = space("np", "cc", "outline", "unroll", "retry", "block")


def cost(found: Space, plan: Plan) -> float:
    """Milliseconds that a plan takes in a made-up world: each value has its factor, and two of them help each other."""
    said = found.assignment(plan)
    total = 0.0
    for d in found.dimensions:
        if d.key in said:
            total += 0.13 * ((3 * d.values.index(said[d.key]) + len(d.key)) % 7)
    if said.get("outline") == "all" and said.get("retry") == "backoff":
        total -= 0.4
    return math.exp(total)


def run(search: Portfolio, found: Space, evaluations: int) -> list[Plan]:
    """What a search proposes when it is told what each plan takes."""
    asked = []
    for _ in range(evaluations):
        plan = search.ask()
        if plan is None:
            break
        asked.append(plan)
        search.tell(plan, cost(found, plan), Status.OK)
    return asked


@pytest.mark.parametrize("name", SEARCHES)
def test_every_plan_of_the_space_is_proposed_once(name: str) -> None:
    asked = run(make_search(name, SMALL), SMALL, 1000)
    assert len(asked) == SMALL.count() and set(asked) == set(SMALL)


@pytest.mark.parametrize("name", LEARNING)
@pytest.mark.parametrize("seed", range(3))
def test_a_twentieth_of_a_space_is_enough_to_come_near_its_best(name: str, seed: int) -> None:
    asked = run(make_search(name, LARGE, seed=seed), LARGE, LARGE.count() // 20)
    assert min(cost(LARGE, p) for p in asked) <= 1.05 * min(cost(LARGE, p) for p in LARGE)


@pytest.mark.parametrize("name", LEARNING)
def test_the_same_seed_proposes_the_same_plans(name: str) -> None:
    assert run(make_search(name, LARGE, seed=5), LARGE, 30) == run(make_search(name, LARGE, seed=5), LARGE, 30)


@pytest.mark.parametrize("name", SEARCHES)
def test_several_plans_may_be_under_way(name: str) -> None:
    search = make_search(name, LARGE)
    asked = [search.ask() for _ in range(12)]
    assert None not in asked and len(set(asked)) == 12


@pytest.mark.parametrize("name", SEARCHES)
def test_what_was_told_is_not_proposed_again(name: str) -> None:
    search = make_search(name, SMALL)
    told = list(SMALL)[::2]
    for plan in told:
        search.tell(plan, cost(SMALL, plan), Status.OK)
    assert set(run(search, SMALL, 1000)) == set(SMALL) - set(told)


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_goes_on_where_plans_are_of_no_use(name: str) -> None:
    search, asked = make_search(name, SMALL), []
    for k in range(SMALL.count()):
        plan = search.ask()
        assert plan is not None
        asked.append(plan)
        search.tell(plan, None, (Status.COMPILE_ERROR, Status.TIME_OUT, Status.CRASH, Status.WRONG)[k % 4])
    assert len(set(asked)) == SMALL.count() and search.ask() is None


@pytest.mark.parametrize("name", SEARCHES)
def test_only_allowed_plans_are_proposed(name: str) -> None:
    allowed = list(LARGE)[3::37]
    assert set(run(make_search(name, LARGE, allowed=allowed), LARGE, 1000)) == set(allowed)


@pytest.mark.parametrize("name", LEARNING)
def test_a_space_that_is_too_large_to_list_is_searched(name: str) -> None:
    places = [f"k.loop{i}" for i in range(1, 16)]
    huge = Space(dimensions_of([Choice(p, "np", None, ("serial", "tb", "wp", "fg")) for p in places], OPTIONS["simt"],
                               True), "simt")
    assert huge.count() == 4**15
    asked = run(make_search(name, huge), huge, 50)
    assert len(set(asked)) == 50
    assert min(cost(huge, p) for p in asked[30:]) < min(cost(huge, p) for p in asked[:10])


def test_known_plans_come_first() -> None:
    won = Plan.parse("np=tb cc=warp", "simt")
    search = make_search("portfolio", LARGE, seeds=[won])
    asked = run(search, LARGE, 4)
    assert asked[:3] == [LARGE.default, LARGE.none, won]
    assert [search.by(p) for p in asked] == ["default", "none", "transfer", "local"]


def test_on_gpus_what_others_found_best_comes_next() -> None:
    found = Space(dimensions_of([Choice("k.loop1", "direction", None, ("written", "pull", "hybrid")),
                                 Choice("k.loop1.loop1", "np", None, ("serial", "wp", "cut"))],
                                OPTIONS["simt"], False), "simt")
    search = make_search("local", found)
    by = [(str(p), search.by(p)) for p in run(search, found, 12)]
    known = ("np=cut direction=hybrid", "np=cut", "direction=pull")
    assert [word for word, who in by if who == "published"] == [
        str(found.nearest(Plan.parse(text, "simt"))) for text in known]


def test_the_second_search_begins_when_the_first_one_is_stuck() -> None:
    search = make_search("portfolio", LARGE)
    by = []
    for step in range(PATIENCE + 14):
        plan = search.ask()
        assert plan is not None
        by.append(search.by(plan))
        search.tell(plan, 100.0 / (step + 1) if step < 10 else 50.0, Status.OK)
    assert by[2 : PATIENCE + 10] == ["local"] * (PATIENCE + 8)
    assert set(by[PATIENCE + 10 :]) == {"local", "model"}


def test_the_first_search_goes_on_by_itself_where_the_second_one_has_helped() -> None:
    search = make_search("portfolio", LARGE)
    for step in range(PATIENCE + 6):
        plan = search.ask()
        assert plan is not None
        search.tell(plan, 100.0 if step < PATIENCE + 5 else 1.0, Status.OK)
    asked = [search.ask() for _ in range(2)]
    assert {search.by(p) for p in asked if p is not None} == {"local"}


def test_a_known_plan_that_is_not_in_the_space_is_taken_as_what_is_nearest() -> None:
    search = make_search("portfolio", LARGE, seeds=[Plan.parse("np=tb block=96", "simt")])
    assert run(search, LARGE, 3)[2] == Plan.parse("np=tb", "simt")


def test_who_proposed_a_plan_that_was_only_told_is_not_known() -> None:
    search = make_search("portfolio", LARGE)
    search.tell(LARGE.default, 1.0, Status.OK)
    assert search.by(LARGE.default) == ""


@pytest.mark.parametrize(("found", "evaluations", "name"), [
    (SMALL, None, "exhaustive"), (LARGE, None, "portfolio"), (SMALL, SMALL.count() - 1, "portfolio"),
    (LARGE, LARGE.count(), "exhaustive"),
])
def test_a_space_that_the_budget_has_room_for_is_searched_whole(found: Space, evaluations: int | None,
                                                                 name: str) -> None:
    assert SMALL.count() <= EXHAUSTIVE < LARGE.count()
    assert make_search("auto", found, evaluations=evaluations).name == name


def test_a_search_of_unknown_name_is_refused() -> None:
    with pytest.raises(IrglError) as e:
        make_search("annealing", SMALL)
    assert str(e.value) == ("error: no search is called `annealing`\n"
                            "  hint: searches: auto, exhaustive, random, local, model, tpe, portfolio")


def test_without_optuna_its_search_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(IrglError) as e:
        make_search("tpe", SMALL)
    assert str(e.value) == ("error: this search needs Optuna, which is not installed\n"
                            "  hint: pip install 'irgl[tune]', or choose the search `local`")


@pytest.mark.parametrize("name", LEARNING)
def test_several_objectives_are_searched_for(name: str) -> None:
    search = make_search(name, LARGE, objectives=2)
    values = []
    for _ in range(60):
        plan = search.ask()
        assert plan is not None
        value = (cost(LARGE, plan), 100.0 * (plan.text_of("unroll") != "1") + len(plan.settings))
        values.append(value)
        search.tell(plan, value, Status.OK)
    best = [values[k] for k in front(values)]
    assert min(v[0] for v in values) == min(v[0] for v in best) and len(set(values)) > len(set(best)) >= 2


def test_the_front_holds_what_nothing_else_beats() -> None:
    assert front([(1.0, 5.0), (2.0, 2.0), (3.0, 3.0), (5.0, 1.0), (2.0, 4.0), (2.0, 2.0)]) == [0, 1, 3, 5]


@pytest.mark.parametrize(("times", "expected"), [
    ([], True), ([11.0], True), ([12.0], False), ([11.9, 11.2], False), ([11.9, 10.9], True),
    ([10.7, 10.7, 10.7], True), ([11.0] * 8, False),
])
def test_a_variant_is_cut_when_its_fastest_time_lies_beyond_the_noise(times: list[float], expected: bool) -> None:
    assert can_still_win(times, 10.0, 0.05) is expected


def test_without_a_best_nothing_is_cut() -> None:
    assert can_still_win([1e9], math.inf, 0.05)


def test_a_plan_is_proposed_where_none_is_expected_to_be_better(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Model, "_expected", lambda _, __, ___, codes: np.full(len(codes), -1e-20))
    search = make_search("model", LARGE, seed=1)
    for _ in range(20):
        plan = search.ask()
        assert plan is not None
        search.tell(plan, cost(LARGE, plan), Status.OK)
