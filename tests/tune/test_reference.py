"""What the tuner's first trials are compared with: a reference that was run several times, and is warm."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.tuning import Units, answers, by_plan, given, program

from irgl.plan import Plan
from irgl.tune.measure import measure
from irgl.tune.measure.measure import Asked, How, Measurer
from irgl.tune.measure.protocol import Ran, Run
from irgl.tune.results.trial import Status
from irgl.tune.search.portfolio import make_search
from irgl.tune.search.space import space_of
from irgl.tune.session.group import Group

NONE, FAST = Plan.none("cpu"), Plan.parse("grain=1")


class Fake:
    """What runs are answered with: the reference takes what `reference` says, in its order, and then 2 ms; another
    plan always takes 1 ms."""

    def __init__(self, reference: list[float]) -> None:
        self.left: Iterator[float] = iter(reference)
        self.repeats: list[int] = []

    def __call__(self, run: Run) -> Ran:
        if run.plan != str(NONE):
            return Ran(Status.OK, (1.0,) * run.options.repeat)
        self.repeats.append(run.options.repeat)
        return Ran(Status.OK, (next(self.left, 2.0),) * run.options.repeat)


@pytest.fixture
def measurer(tmp_path: Path) -> Iterator[Measurer]:
    units = Units(program(tmp_path), lambda _: answers())
    with Measurer(units, How(rounds=5)) as made:  # type: ignore[arg-type]
        yield made


def said(made: Measurer, batch: list[float], monkeypatch: pytest.MonkeyPatch) -> float:
    """How many times as fast as none a plan is said to be behind one round, when the time is up."""
    seen = made.look(given())
    monkeypatch.setattr(Measurer, "_ask", Fake([]))
    first = made.reference(given(), seen)
    monkeypatch.setattr(Measurer, "_ask", Fake(batch))
    made.deadline = 0.0
    found = by_plan(made.batch([Asked(FAST, "test")], given(), rivals=False))[str(FAST)]
    space = space_of(made.builds.program, "cpu")
    group = Group("all", [given()], make_search("local", space, seed=1, seeds=[], evaluations=5), [first])
    group.add([found])
    return 1 / group.value(str(FAST))


@pytest.mark.parametrize("batch", [[], [52.0], [0.1], [2.0, 52.0], [2.0, 2.0, 52.0]])
def test_one_slow_run_of_the_reference_makes_no_plan_fast(
    batch: list[float], measurer: Measurer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(measurer, batch, monkeypatch) == 2.0


def test_a_cold_first_run_does_not_say_how_often_what_is_short_is_run(
    measurer: Measurer, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = measurer.look(given())
    fake = Fake([300.0])
    monkeypatch.setattr(Measurer, "_ask", fake)
    first = measurer.reference(given(), seen)
    assert (first.times, set(fake.repeats[2:])) == ((2.0,) * 5, {1 + round(measure.TURN_MS / 2.0)})


@pytest.mark.parametrize(("ms", "turns"), [(900.0, 3), (1100.0, 1)])
def test_what_takes_long_is_run_once_in_a_batchs_first_round(
    ms: float, turns: int, measurer: Measurer, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = measurer.look(given())
    monkeypatch.setattr(Measurer, "_ask", Fake([ms] * 10))
    measurer.reference(given(), seen)
    fake = Fake([ms] * 10)
    monkeypatch.setattr(Measurer, "_ask", fake)
    measurer.deadline = 0.0
    measurer.batch([Asked(FAST, "test")], given(), rivals=False)
    assert len(fake.repeats) == turns
