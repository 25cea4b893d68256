"""A tuner's session: the fastest right plan wins, everything is kept, and nothing that happens to it loses anything."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.tuning import GRAPH, RIGHT, Told, Units, answers, given, program

from irgl.plan import Plan
from irgl.source import IrglError
from irgl.tune.measure import measure
from irgl.tune.measure.measure import Measurer
from irgl.tune.measure.protocol import Ran
from irgl.tune.measure.remote import Remote
from irgl.tune.results.store import Store
from irgl.tune.results.trial import Status
from irgl.tune.search.space import Space, space_of
from irgl.tune.session import session
from irgl.tune.session.session import tune
from irgl.tune.session.task import Outcome, Task, WrongReferenceError

NONE = Plan.none("cpu")
SEED = 20
#: What these options are set to, whatever a search tries elsewhere.
VALUES = {"grain": ("512", "4096", "32768"), "serial": ("off", "2048", "16384")}
Use = Callable[..., None]


def fastest(plan: Plan) -> bool:
    return plan.text_of("grain") == "512" and plan.text_of("serial") == "16384"


def one_wins(plan: Plan) -> str:
    return answers(ms=0.5 if fastest(plan) else 2.5)


@pytest.fixture
def units(monkeypatch: pytest.MonkeyPatch) -> Use:
    """Says what the units of plans do, which are those of a few options."""
    def use(body: Callable[[Plan], str], options: tuple[str, ...] = ("grain", "serial")) -> None:
        monkeypatch.setattr(measure, "TURN_MS", 5.0)
        monkeypatch.setattr(session, "Builds", lambda path, *_: Units(path, body))
        monkeypatch.setattr(session, "space_of", lambda ready, target: Space(
            [replace(d, values=VALUES.get(d.key, d.values)) for d in space_of(ready, target).dimensions
             if d.key in options], target))

    return use


def task(folder: Path, *graphs: str, **more: object) -> Task:
    inputs = tuple(given(g) for g in (graphs if graphs else (GRAPH,)))
    asked = Task(str(program(folder)), inputs, budget=300.0, strategy="exhaustive", mistakes=folder / "mistakes")
    return replace(asked, **more)  # type: ignore[arg-type]


def tuned(folder: Path, asked: Task | None = None, watch: Told | None = None) -> Outcome:
    with Store(folder / "tune.sqlite") as store:
        return tune(asked if asked is not None else task(folder), store, watch if watch is not None else Told())


def rows(folder: Path) -> list[tuple[str, str, int, str, str]]:
    """(plan, digest, round, by, status) of what is stored."""
    db = sqlite3.connect(folder / "tune.sqlite")
    try:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return db.execute("SELECT plan, digest, round, by, status FROM trials ORDER BY id").fetchall()
    finally:
        db.close()


def test_fastest_plan_of_all_wins(tmp_path: Path, units: Use) -> None:
    units(one_wins)
    outcome = tuned(tmp_path)
    (found,) = outcome.found
    assert fastest(Plan.parse(found.plan))
    assert outcome.state == "done"
    low, high = found.speedup_none_interval
    assert 1 < low <= found.speedup_none <= high
    assert found.speedup_default is not None and found.speedup_default > 1


def test_every_plan_is_stored_once_beside_the_final_measurements(tmp_path: Path, units: Use) -> None:
    units(one_wins)
    outcome = tuned(tmp_path)
    stored = rows(tmp_path)
    first = [plan for plan, _, number, _, _ in stored if number == 0]
    plans = [f"grain={g} serial={s}" for g in (512, 4096, 32768) for s in ("off", 2048, 16384)]
    assert sorted(first) == sorted(str(p) for p in (NONE, *map(Plan.parse, plans)))
    assert {by for _, _, number, by, _ in stored if number > 0} == {"final", "final, default"}
    assert outcome.space == 9


def test_what_is_known_is_not_measured_again(tmp_path: Path, units: Use) -> None:
    units(one_wins)
    tuned(tmp_path)
    before = len(rows(tmp_path))
    again = tuned(tmp_path)
    assert {by for *_, by, _ in rows(tmp_path)[before:]} == {"final", "final, default"}
    assert fastest(Plan.parse(again.found[0].plan))


def test_fast_plan_that_answers_wrong_does_not_win_and_is_reported(tmp_path: Path, units: Use) -> None:
    units(lambda plan: answers(f"{RIGHT} - 1", ms=0.1) if fastest(plan) else answers(ms=2.0))
    told = Told()
    outcome = tuned(tmp_path, watch=told)
    assert not fastest(Plan.parse(outcome.found[0].plan))
    assert {fastest(Plan.parse(m.plan)) for m in outcome.mistakes} == {True}
    assert Path(outcome.mistakes[0].reproducer, "reproduce.sh").is_file()
    assert any(n.startswith(f"a mistake in irgl: on {GRAPH} the plan `grain=512 ") for n in told.notes)


def test_plan_whose_full_verification_fails_does_not_win(
    tmp_path: Path, units: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    units(one_wins)
    verified = Measurer.verified

    def strict(self: Measurer, plan: Plan, on: object) -> Ran:
        return Ran(Status.WRONG, why="planted") if fastest(plan) else verified(self, plan, on)  # type: ignore[arg-type]

    monkeypatch.setattr(Measurer, "verified", strict)
    outcome = tuned(tmp_path)
    assert not fastest(Plan.parse(outcome.found[0].plan))
    assert {m.why for m in outcome.mistakes} == {"planted"}


def test_wrong_reference_ends_it_with_a_reproducer(tmp_path: Path, units: Use) -> None:
    units(lambda _: answers(3))
    with pytest.raises(WrongReferenceError) as e:
        tuned(tmp_path)
    assert e.value.message == (
        f"the answer of the plan `none` on {GRAPH} is wrong: `arcs` is 3, but the interpreter says 20")
    assert len(list((tmp_path / "mistakes").glob("irgl-mistake-count-*/reproduce.sh"))) == 1


def test_interrupted_session_tells_what_it_has_and_goes_on_later(tmp_path: Path, units: Use) -> None:
    class Impatient(Told):
        def state(self, state: object) -> None:
            super().state(state)
            if getattr(state, "trials", 0) >= 4:
                raise KeyboardInterrupt

    units(one_wins)
    first = tuned(tmp_path, watch=Impatient())
    assert (first.state, first.found[0].group) == ("interrupted", "all")
    told = Told()
    second = tuned(tmp_path, watch=told)
    assert (second.state, second.session) == ("done", first.session)
    assert told.notes[0].startswith(f"going on with session {first.session}, after ")
    assert fastest(Plan.parse(second.found[0].plan))


def by_size(plan: Plan) -> str:
    """Large grains are fast on the larger graph, small ones on the smaller."""
    small, large = {"512": (1, 6), "32768": (6, 1)}.get(plan.text_of("grain"), (3, 3))
    return f"if (args->graphs[0].nodes < 100) {{ {answers(ms=small)} }} else {{ {answers(ms=large)} }}"


def test_class_mode_finds_a_plan_for_each_class(tmp_path: Path, units: Use) -> None:
    units(by_size)
    outcome = tuned(tmp_path, task(tmp_path, "star:50", "grid:20x20", mode="class"))
    grains = {f.inputs: Plan.parse(f.plan).text_of("grain") for f in outcome.found}
    assert grains == {("star:50",): "512", ("grid:20x20",): "32768"}


def test_all_mode_finds_the_plan_that_is_best_on_the_whole(tmp_path: Path, units: Use) -> None:
    def balanced(plan: Plan) -> str:
        return answers(ms=1.5) if plan.text_of("grain") == "4096" and plan.text_of("serial") != "off" else by_size(plan)

    units(balanced)
    (found,) = tuned(tmp_path, task(tmp_path, "star:50", "grid:20x20")).found
    assert Plan.parse(found.plan).text_of("grain") == "4096"
    assert found.inputs == ("star:50", "grid:20x20")


def test_plans_that_no_other_beats_on_all_graphs_are_told_where_they_are_asked_for(tmp_path: Path, units: Use) -> None:
    units(by_size)
    (found,) = tuned(tmp_path, task(tmp_path, "star:50", "grid:20x20", pareto=True)).found
    assert {Plan.parse(p).text_of("grain") for p in found.pareto} >= {"512", "32768"}


def test_graph_under_two_names_is_refused(tmp_path: Path, units: Use) -> None:
    units(one_wins)
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    for file in (one, other):
        file.write_text("0 1\n1 2\n", encoding="utf-8")
    with pytest.raises(IrglError) as e:
        tuned(tmp_path, task(tmp_path, str(one), str(other)))
    assert e.value.message == f"{other} is the same graph as {one}"


def test_worker_ends_when_its_tuner_is_killed() -> None:
    read, write = os.pipe()
    tuner = os.fork()
    if tuner == 0:
        remote = Remote()
        remote._started()
        assert remote._process is not None
        os.write(write, str(remote._process.pid).encode())
        time.sleep(60)
        os._exit(0)
    worker = int(os.read(read, 20))
    os.kill(tuner, signal.SIGKILL)
    os.waitpid(tuner, 0)
    until = time.monotonic() + 20
    while Path(f"/proc/{worker}/stat").exists() and " Z " not in Path(f"/proc/{worker}/stat").read_text("ascii"):
        assert time.monotonic() < until, "the worker lives on"
        time.sleep(0.1)


def test_tuner_that_is_killed_twenty_times_loses_nothing_and_doubles_nothing(
    tmp_path: Path, units: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    units(one_wins, ("grain", "serial", "giant"))
    log = tmp_path / "log"
    add = Store.add

    def logged(self: Store, key: object, digest: str, trial: object, **more: object) -> bool:
        done = add(self, key, digest, trial, **more)  # type: ignore[arg-type]
        if done:
            with log.open("a", encoding="utf-8") as file:
                file.write(f"{trial.plan}|{more.get('round', 0)}\n")  # type: ignore[attr-defined]
        return done

    monkeypatch.setattr(Store, "add", logged)
    tuned_until_killed = random.Random(SEED)
    for _ in range(20):
        child = os.fork()
        if child == 0:
            tuned(tmp_path)
            os._exit(0)
        time.sleep(tuned_until_killed.uniform(0.05, 1.6))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    last = tuned(tmp_path)
    stored = rows(tmp_path)
    told = [line.rpartition("|") for line in log.read_text(encoding="utf-8").splitlines()]
    count = Counter((plan, number) for plan, _, number, _, _ in stored)
    assert {(plan, int(number)) for plan, _, number in told} <= set(count)
    assert set(count.values()) == {1}
    assert {by for _, _, number, by, _ in stored if number > 0} <= {"final", "final, default"}
    assert len([1 for _, _, number, _, _ in stored if number == 0]) == last.space  # `none` among them
    assert (last.state, fastest(Plan.parse(last.found[0].plan))) == ("done", True)
