"""Measuring variants: whatever one does - crash, hang, lie, not compile - is its result, and the next is measured."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.tuning import ARCS, CRASHES, HANGS, REFUSED, Units, answers, by_plan, given, program

from irgl.plan import Plan
from irgl.rt.call.run import Options
from irgl.source import IrglError
from irgl.tune.measure import builds as builds_module
from irgl.tune.measure import measure, worker
from irgl.tune.measure.builds import Builds
from irgl.tune.measure.measure import Asked, How, Measurer
from irgl.tune.measure.protocol import Ran, Run
from irgl.tune.measure.remote import Remote
from irgl.tune.results.statistic import geometric_mean, median_interval, ratio, ratio_interval
from irgl.tune.results.trial import Status, Trial

NONE = Plan.none("cpu")
A, B = Plan.parse("grain=1"), Plan.parse("grain=2")


@contextmanager
def measured(folder: Path, bodies: dict[Plan, str], how: How | None = None) -> Iterator[Measurer]:
    """A measurer of the units that plans have, the reference's answers right after a millisecond."""
    def body(plan: Plan) -> str:
        return bodies.get(plan, answers())

    units = Units(program(folder), body)
    with Measurer(units, how if how is not None else How(rounds=3)) as made:  # type: ignore[arg-type]
        reference = made.reference(given(), made.look(given()))
        assert reference.status is Status.OK, reference.why
        yield made


def trials(made: Measurer, *plans: Plan, best: float | None = None, rivals: bool = False) -> dict[str, Trial]:
    return by_plan(made.batch([Asked(p, "test", best) for p in plans], given(), rivals=rivals))


def test_variant_has_a_time_of_each_round_and_the_references_beside_it(tmp_path: Path) -> None:
    with measured(tmp_path, {A: answers(ms=3)}) as made:
        found = trials(made, A)[str(A)]
    assert found.status is Status.OK
    assert len(found.times) == len(found.reference) >= 1
    assert found.median > 3
    assert 1 < min(found.reference) < found.median


def test_crash_is_a_result_and_the_next_variant_is_measured_in_a_new_worker(tmp_path: Path) -> None:
    with measured(tmp_path, {A: CRASHES}) as made:
        found = trials(made, A, B)
    assert (found[str(A)].status, found[str(A)].why) == (Status.CRASH, "the process was ended by SIGSEGV")
    assert found[str(B)].status is Status.OK


def test_hang_is_a_time_out_and_the_next_variant_is_measured_in_a_new_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measure, "_LIMIT_SECONDS", 0.05)
    monkeypatch.setattr("irgl.tune.measure.remote._SLACK_SECONDS", 5.0)
    with measured(tmp_path, {A: HANGS}) as made:
        found = trials(made, A, B)
    assert found[str(A)].status is Status.TIME_OUT
    assert found[str(A)].why.startswith("the program has not ended after ")
    assert found[str(B)].status is Status.OK


def test_wrong_answer_is_told_with_both_answers(tmp_path: Path) -> None:
    with measured(tmp_path, {A: answers(count=ARCS - 1)}) as made:
        found = trials(made, A)[str(A)]
    assert found.status is Status.WRONG
    assert found.why == f"`arcs` is {ARCS - 1}, but the interpreter says {ARCS}"
    assert found.median == float("inf")


def test_answer_is_compared_with_the_references_where_nobody_can_verify(tmp_path: Path) -> None:
    large = given("grid:200x200")  # more than the interpreter is asked to judge
    count = answers(count=7)
    units = Units(program(tmp_path), lambda plan: answers(count=8) if plan == A else count)
    with Measurer(units, How(rounds=1)) as made:  # type: ignore[arg-type]
        seen = made.look(large)
        assert made.reference(large, seen).status is Status.OK
        found = by_plan(made.batch([Asked(A, ""), Asked(B, "")], large, rivals=False))
    assert seen.judge.startswith("the program names no verifier, and the graph is too large")
    assert found[str(A)].why == "`arcs` is 8, but the plan `none` says 7"
    assert found[str(B)].status is Status.OK


def test_wrong_reference_is_told_and_is_none(tmp_path: Path) -> None:
    units = Units(program(tmp_path), lambda _: answers(count=1))
    with Measurer(units, How(rounds=1)) as made:  # type: ignore[arg-type]
        found = made.reference(given(), made.look(given()))
    assert (found.status, found.why) == (Status.WRONG, f"`arcs` is 1, but the interpreter says {ARCS}")


def test_compile_error_is_a_result(tmp_path: Path) -> None:
    with measured(tmp_path, {A: REFUSED}) as made:
        found = trials(made, A, B)
    assert found[str(A)].status is Status.COMPILE_ERROR
    assert found[str(A)].why.startswith("the C++ compiler refuses the code that irgl made: ")
    assert found[str(B)].status is Status.OK


def test_run_that_can_no_longer_win_is_stopped(tmp_path: Path) -> None:
    with measured(tmp_path, {A: answers(ms=30_000)}) as made:
        found = trials(made, A, best=1.0)[str(A)]
    assert found.status is Status.CUT
    assert found.times == (100.0,)  # when it was stopped


def test_variant_far_behind_another_of_its_batch_is_cut_after_two_rounds(tmp_path: Path) -> None:
    with measured(tmp_path, {A: answers(ms=40)}, How(rounds=5)) as made:
        found = trials(made, A, B, rivals=True)
    assert found[str(A)].status is Status.CUT
    assert len(found[str(A)].times) <= 2
    assert found[str(B)].status is Status.OK


def test_variant_far_behind_another_of_its_batch_is_measured_whole_where_they_are_no_rivals(tmp_path: Path) -> None:
    with measured(tmp_path, {A: answers(ms=40)}) as made:
        found = trials(made, A, B, rivals=False)
    assert found[str(A)].status is Status.OK


def test_full_verification_finds_what_is_wrong(tmp_path: Path) -> None:
    with measured(tmp_path, {A: answers(count=0)}) as made:
        assert made.verified(A, given()).status is Status.WRONG
        assert made.verified(B, given()).status is Status.OK


def test_drift_of_the_reference_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    with measured(tmp_path, {}) as made:
        made.note = said.append
        turns = iter([2.0, 2.0, 2.0] * 2)
        made._references[given().name].times = (1.0, 1.0, 1.0)
        monkeypatch.setattr(measure, "_FIRST_TURNS", 1)
        monkeypatch.setattr(made, "_turn_of_reference", lambda *_: next(turns))
        trials(made, A)
        trials(made, A)
    assert said == [f"the machine is 100% slower than when {given().name} was first run: "
                    "variants are held against the reference beside them"]
    assert made.drift == 1.0


def test_round_in_which_the_reference_moved_is_measured_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with measured(tmp_path, {}) as made:
        turns = iter([1.0, 1.5, 1.0, 1.02])
        monkeypatch.setattr(measure, "_FIRST_TURNS", 1)
        monkeypatch.setattr(made, "_turn_of_reference", lambda *_: next(turns))
        found = trials(made, A)[str(A)]
    assert found.reference == (1.0, 1.0, 1.02)
    assert len(found.times) == 3


def test_plans_that_generated_code_cannot_tell_apart_are_built_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[str] = []
    monkeypatch.setattr(builds_module, "build", lambda text, **_: built.append(text))
    made = Builds(program(tmp_path), "cpu")
    found = made.build([Plan.parse("grain=64"), Plan.parse("grain=128 serial=off")], [(32, 32)])
    assert len(built) == 1
    assert [b.manifest.plan for b in found.values() if b.manifest is not None] == list(found)


def test_mistake_of_the_compiler_itself_is_a_compile_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise AssertionError("no such node")

    made = Builds(program(tmp_path), "cpu")
    monkeypatch.setattr(builds_module, "emit", fails)
    found = made.build([A], [(32, 32)])[str(A)]
    assert (found.manifest, found.error) == (None, "irgl fails to compile it: AssertionError: no such node")


def test_input_that_cannot_be_loaded_is_the_users_error(tmp_path: Path) -> None:
    units = Units(program(tmp_path), lambda _: answers())
    with Measurer(units, How()) as made, pytest.raises(IrglError) as e:  # type: ignore[arg-type]
        made.look(given("nowhere.mtx"))
    assert e.value.message == "no such file"


@pytest.mark.parametrize(("count", "place"), [(1, 0), (5, 0), (6, 0), (9, 1), (20, 5)])
def test_interval_of_a_median_leaves_out_as_many_values_as_order_statistics_allow(count: int, place: int) -> None:
    values = [float(k) for k in range(count)]
    assert median_interval(list(reversed(values))) == (values[place], values[count - 1 - place])


def test_interval_of_a_ratio_knows_no_drift() -> None:
    slow, fast = [2.0, 4.0, 8.0, 2.0], [1.0, 2.0, 4.0, 1.0]  # the machine slows down fourfold and recovers
    assert ratio_interval(slow, fast) == (2.0, 2.0)


def test_interval_of_a_ratio_holds_the_ratio_and_has_a_width() -> None:
    low, high = ratio_interval([2.0, 2.2, 1.8, 2.1, 1.9], [1.0, 1.0, 1.1, 0.9, 1.0])
    assert 1.6 < low < ratio([2.0, 2.2, 1.8, 2.1, 1.9], [1.0, 1.0, 1.1, 0.9, 1.0]) < high < 2.6


def test_geometric_mean_of_an_infinite_ratio_is_infinite() -> None:
    assert geometric_mean([1.0, float("inf")]) == float("inf")
    assert geometric_mean([2.0, 8.0]) == pytest.approx(4.0)


def test_fault_of_the_program_under_the_plain_plan_is_the_users_error(tmp_path: Path) -> None:
    units = Units(program(tmp_path), lambda _: "args->fault[0] = IRGL_FAULT_DIVISION; args->fault[1] = 0;")
    with Measurer(units, How()) as made, pytest.raises(IrglError) as e:  # type: ignore[arg-type]
        made.reference(given(), made.look(given()))
    assert e.value.message == "division by zero"


def test_worker_that_dies_while_it_loads_is_told_as_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Remote, "_ask", lambda *_: Ran(Status.CRASH, why="the process was ended by SIGKILL"))
    units = Units(program(tmp_path), lambda _: answers())
    with Measurer(units, How()) as made, pytest.raises(IrglError) as e:  # type: ignore[arg-type]
        made.look(given())
    assert e.value.message == f"loading {given().name} fails: the process was ended by SIGKILL"


def test_failure_of_irgl_in_a_run_is_its_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise AssertionError("no such array")

    monkeypatch.setattr(worker, "run_on", fails)
    manifest = Units(program(tmp_path), lambda _: answers()).manifest(A)
    ran = worker.Worker().run(Run(given(), manifest, str(A), "cpu", Options()))
    assert (ran.status, ran.why) == (Status.CRASH, "irgl fails to run it: AssertionError: no such array")
