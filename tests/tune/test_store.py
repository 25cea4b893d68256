"""The tuner's database keeps every result once, whoever is killed and whoever writes at the same time."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from irgl.source import IrglError
from irgl.tune.results.store import VERSION, Key, Store, default_path
from irgl.tune.results.trial import Status, Trial

KEY = Key("fingerprint", "cpu", "machine", 2)
TRIAL = Trial("grain=512 serial=off giant=off", "rmat:8", Status.OK, (1.5, 1.25, 2.0), (3.0, 3.5), 812.5, "", "tpe",
              {"rounds": 7.0})

#: Stores trials `first`, `first + 1`, ... of one key until it is killed or has stored `count`; says each when it is in.
WRITER = """
import sys
from pathlib import Path
from irgl.tune.results.store import Key, Store
from irgl.tune.results.trial import Status, Trial
path, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
with Store(path) as store:
    print("open", flush=True)
    for k in range(first, first + count):
        added = store.add(Key("p", "cpu", "m", 2), "d", Trial(f"grain={k}", "g", Status.OK, (float(k),)))
        print(k if added else -k, flush=True)
"""


def writer(path: Path, first: int, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(first), str(count)], stdout=subprocess.PIPE,
                            text=True)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "tune.sqlite")


def test_a_trial_comes_back_as_it_went_in(store: Store) -> None:
    store.add(KEY, "digest", TRIAL)
    assert store.trials(KEY, "digest") == [TRIAL]


@pytest.mark.parametrize("status", list(Status))
def test_every_way_a_trial_ends_is_a_row(store: Store, status: Status) -> None:
    store.add(KEY, "digest", Trial("grain=1", "g", status, why="because"))
    assert [(t.status, t.why) for t in store.trials(KEY)] == [(status, "because")]


def test_a_result_that_is_there_stays_and_the_second_is_refused(store: Store) -> None:
    assert store.add(KEY, "digest", TRIAL)
    assert not store.add(KEY, "digest", Trial(TRIAL.plan, TRIAL.input, Status.CRASH))
    assert store.trials(KEY) == [TRIAL]


@pytest.mark.parametrize(("key", "digest", "round"), [
    (Key("other", "cpu", "machine", 2), "digest", 0), (Key("fingerprint", "simt", "machine", 2), "digest", 0),
    (Key("fingerprint", "cpu", "other", 2), "digest", 0), (Key("fingerprint", "cpu", "machine", 1), "digest", 0),
    (KEY, "other", 0), (KEY, "digest", 1),
])
def test_a_result_of_anything_else_is_another_row(store: Store, key: Key, digest: str, round: int) -> None:
    store.add(KEY, "digest", TRIAL)
    assert store.add(key, digest, TRIAL, round=round)


def test_the_best_is_the_fastest_that_was_measured_whole(store: Store) -> None:
    for k, (status, time_) in enumerate([(Status.OK, 3.0), (Status.OK, 2.0), (Status.CUT, 1.0), (Status.WRONG, 0.5)]):
        store.add(KEY, "digest", Trial(f"grain={k + 1}", "g", status, (time_,)))
    best = store.best(KEY, "digest")
    assert best is not None and best.plan == "grain=2"


def test_the_best_judges_a_plan_by_its_last_round(store: Store) -> None:
    for plan, round_, time_ in [("grain=1", 0, 1.0), ("grain=2", 0, 2.0), ("grain=1", 1, 4.0)]:
        store.add(KEY, "digest", Trial(plan, "g", Status.OK, (time_,)), round=round_)
    best = store.best(KEY, "digest")
    assert best is not None and best.plan == "grain=2"


def test_the_best_is_judged_beside_its_reference(store: Store) -> None:
    for plan, time_, reference in [("grain=1", 2.0, 2.0), ("grain=2", 3.0, 6.0)]:  # the machine was slower by then
        store.add(KEY, "digest", Trial(plan, "g", Status.OK, (time_,), (reference,)))
    best = store.best(KEY, "digest")
    assert best is not None and best.plan == "grain=2"


@pytest.mark.parametrize(("reference_ms", "expected"), [(1.0, "grain=1"), (0.5, "none")])
def test_the_best_is_one_of_those_that_were_measured_once_more(
    store: Store, reference_ms: float, expected: str
) -> None:
    for plan, time_, by in [("grain=1", 0.8, "final"), ("grain=2", 0.1, "tpe"), ("none", reference_ms, "reference")]:
        store.add(KEY, "digest", Trial(plan, "g", Status.OK, (time_,), (1.0,), by=by))
    best = store.best(KEY, "digest")
    assert best is not None and best.plan == expected


def test_without_a_useful_result_there_is_no_best(store: Store) -> None:
    store.add(KEY, "digest", Trial("grain=1", "g", Status.TIME_OUT))
    assert store.best(KEY, "digest") is None


def test_a_session_that_was_killed_is_resumed_by_the_same_question(store: Store) -> None:
    begun = store.begin(KEY, {"budget": 60})
    found = store.resume(KEY, {"budget": 60})
    assert found is not None and found.id == begun.id


def test_a_session_that_is_done_is_not_resumed(store: Store) -> None:
    store.end(store.begin(KEY, {"budget": 60}), "done", {"plan": "grain=512"})
    assert store.resume(KEY, {"budget": 60}) is None
    assert store.sessions(KEY)[0].outcome == {"plan": "grain=512"}


def test_a_session_that_was_asked_something_else_is_not_resumed(store: Store) -> None:
    store.begin(KEY, {"budget": 60})
    assert store.resume(KEY, {"budget": 61}) is None


def test_inputs_of_a_program_are_those_that_it_has_results_on(store: Store) -> None:
    store.describe("digest", "roads", {"nodes": 10.0})
    store.describe("other", "web", {"nodes": 20.0})
    store.add(KEY, "digest", TRIAL)
    assert store.inputs(KEY) == {"digest": ("roads", {"nodes": 10.0})}


def test_a_writer_that_is_killed_loses_and_doubles_nothing(tmp_path: Path) -> None:
    path, rng, said = tmp_path / "tune.sqlite", random.Random(3), []
    for k in range(20):
        process = writer(path, 1 + 10**6 * k, 10**6)
        assert process.stdout is not None
        if k % 4:  # else it may be killed while it makes or opens the file
            process.stdout.readline()
        time.sleep(rng.uniform(0, 0.03) if k % 4 else rng.uniform(0.05, 0.3))
        process.send_signal(signal.SIGKILL)
        said += [int(line) for line in process.stdout.read().split() if line != "open"]
        process.wait()
        process.stdout.close()
    with Store(path) as store:
        stored = [int(t.times[0]) for t in store.trials(Key("p", "cpu", "m", 2), "d")]
    check = sqlite3.connect(path)
    assert check.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    check.close()
    assert min(said) > 0 and len(said) > 100
    assert set(said) <= set(stored) and len(set(stored)) == len(stored)
    assert len(stored) <= len(said) + 20  # at most the one that each was about to tell


def test_two_writers_of_the_same_results_store_each_once(tmp_path: Path) -> None:
    path = tmp_path / "tune.sqlite"
    both = [writer(path, 1, 300) for _ in range(2)]
    said = [[int(w) for w in p.communicate()[0].split() if w != "open"] for p in both]
    assert [p.returncode for p in both] == [0, 0]
    assert [sorted(map(abs, s)) for s in said] == [list(range(1, 301))] * 2
    assert sorted(k for s in said for k in s if k > 0) == list(range(1, 301))


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_another_may_make_the_database_between_any_two_statements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                                  number: int) -> None:
    path, connect, statements = tmp_path / "tune.sqlite", sqlite3.connect, []

    class Interrupted(sqlite3.Connection):
        def execute(self, *args: Any) -> sqlite3.Cursor:
            statements.append(args[0])
            found = super().execute(*args)
            if len(statements) != number:
                return found
            value, = found.fetchone() or (None,)  # before the other comes
            monkeypatch.setattr(sqlite3, "connect", connect)
            Store(path).close()
            return super().execute("VALUES (?)", (value,))

    monkeypatch.setattr(sqlite3, "connect", partial(connect, factory=Interrupted))
    with Store(path) as store:
        assert store.add(KEY, "digest", TRIAL)
    assert len(statements) > number


def test_a_file_that_is_no_database_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database\n" * 100)
    with pytest.raises(IrglError) as e:
        Store(path)
    assert str(e.value) == (f"{path}: error: this is no database\n"
                            "  hint: name another file: --db, or IRGL_TUNE_DB")
    assert path.read_text() == "not a database\n" * 100


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE notes (text TEXT)")
    other.close()
    with pytest.raises(IrglError) as e:
        Store(path)
    assert str(e.value) == (f"{path}: error: this is a database of another program\n"
                            "  hint: set IRGL_TUNE_DB to a file of the tuner's own")


def test_a_database_of_a_newer_irgl_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tune.sqlite"
    Store(path).close()
    newer = sqlite3.connect(path)
    newer.execute(f"PRAGMA user_version = {VERSION + 1}")
    newer.close()
    with pytest.raises(IrglError) as e:
        Store(path)
    assert str(e.value) == (
        f"{path}: error: the tuner's database is of form {VERSION + 1}, which a newer irgl wrote; this one knows "
        f"{VERSION}\n  hint: update irgl, or set IRGL_TUNE_DB to another file")


def test_a_path_that_is_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IrglError) as e:
        Store(tmp_path)
    assert str(e.value) == (f"{tmp_path}: error: the tuner's database can't be used: unable to open database file\n"
                            "  hint: set IRGL_TUNE_DB to a file that you may write to")


def test_the_environment_says_where_the_database_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRGL_TUNE_DB", str(tmp_path / "mine.sqlite"))
    assert default_path() == tmp_path / "mine.sqlite"


@pytest.mark.parametrize(("by", "expected"), [("final", "none"), ("final, default", "grain=1")])
def test_a_finalist_that_may_be_as_fast_as_the_reference_wins_only_as_the_default(
    store: Store, by: str, expected: str
) -> None:
    reference = (1.0, 1.1, 0.9, 1.2, 1.0, 0.95, 1.05)
    lucky = (1.05, 0.95, 0.9, 1.1, 0.9, 0.98, 1.2)
    store.add(KEY, "digest", Trial("none", "g", Status.OK, reference, reference, by="reference"))
    store.add(KEY, "digest", Trial("grain=1", "g", Status.OK, lucky, reference, by=by))
    best = store.best(KEY, "digest")
    assert best is not None and best.plan == expected
