"""What a compiler got wrong is tried again by a mended one; what it found to be fast is not forgotten."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from support.places import ROOT
from support.tuning import Told, given

from irgl.plan import Plan
from irgl.rt.graphs.loading import Loading, load
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError
from irgl.tune.inputs.digest import input_digest
from irgl.tune.results import compiler, keys
from irgl.tune.results.compiler import compiler_of
from irgl.tune.results.keys import key_of
from irgl.tune.results.store import VERSION, Key, Store
from irgl.tune.results.trial import Status, Trial
from irgl.tune.session.session import tune
from irgl.tune.session.task import Task

OLD, NEW = Key("p", "cpu", "m", 2, "irgl 1"), Key("p", "cpu", "m", 2, "irgl 2")
PROGRAM = """graph Graph { node int hits = 0; }
Kernel count_hits(Graph g) { ForAll (n In g.nodes) { ForAll (e In n.edges) { e.dst.hits += 1; } } }
Program hits(Graph g) { Invoke count_hits(g); }
"""
#: The tables before trials had a compiler.
FORM_1 = """
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY, program TEXT NOT NULL, target TEXT NOT NULL, machine TEXT NOT NULL, threads INTEGER NOT NULL,
  settings TEXT NOT NULL, state TEXT NOT NULL, outcome TEXT NOT NULL, begun REAL NOT NULL, touched REAL NOT NULL);
CREATE TABLE inputs (
  digest TEXT PRIMARY KEY, name TEXT NOT NULL, features TEXT NOT NULL);
CREATE TABLE trials (
  id INTEGER PRIMARY KEY, program TEXT NOT NULL, target TEXT NOT NULL, machine TEXT NOT NULL, threads INTEGER NOT NULL,
  digest TEXT NOT NULL, plan TEXT NOT NULL, round INTEGER NOT NULL, session INTEGER, input TEXT NOT NULL,
  status TEXT NOT NULL, times TEXT NOT NULL, reference TEXT NOT NULL, build_ms REAL NOT NULL, why TEXT NOT NULL,
  by TEXT NOT NULL, stats TEXT NOT NULL, at REAL NOT NULL,
  UNIQUE (program, target, machine, threads, digest, plan, round));
INSERT INTO sessions VALUES (7, 'p', 'cpu', 'm', 2, '{"budget": 60}', 'running', '{"spent": 9.0}', 1.0, 2.0);
INSERT INTO inputs VALUES ('d', 'roads', '{"nodes": 10.0}');
INSERT INTO trials VALUES (3, 'p', 'cpu', 'm', 2, 'd', 'grain=1', 0, 7, 'roads', 'ok', '[1.0, 2.0]', '[4.0, 4.5]', 9.5,
  '', 'tpe', '{"rounds": 3.0}', 5.0);
INSERT INTO trials VALUES (4, 'p', 'cpu', 'm', 2, 'd', 'grain=2', 0, 7, 'roads', 'wrong', '[]', '[]', 8.5, 'it says 3',
  'tpe', '{}', 6.0);
PRAGMA user_version = 1;
PRAGMA application_id = 1230128972;
"""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "tune.sqlite")


def test_what_one_compiler_got_wrong_says_nothing_of_another(store: Store) -> None:
    store.add(OLD, "d", Trial("grain=1", "g", Status.WRONG, why="it says 3"))
    assert store.trials(NEW, "d") == []
    assert store.add(NEW, "d", Trial("grain=1", "g", Status.OK, (1.0,)))
    best = store.best(NEW, "d")
    assert best is not None and best.plan == "grain=1"
    assert store.best(OLD, "d") is None


def test_what_another_compiler_found_is_the_best_until_this_one_has_found_something(store: Store) -> None:
    for plan, ms in (("grain=1", 1.0), ("grain=2", 2.0)):
        store.add(OLD, "d", Trial(plan, "g", Status.OK, (ms,)))
    store.add(NEW, "d", Trial("none", "g", Status.OK, (5.0,), by="reference"))
    assert (best := store.best(NEW, "d")) is not None and best.plan == "grain=1"
    store.add(NEW, "d", Trial("grain=3", "g", Status.OK, (3.0,)))
    assert (best := store.best(NEW, "d")) is not None and best.plan == "grain=3"


@pytest.mark.parametrize("status", [Status.WRONG, Status.CRASH, Status.COMPILE_ERROR, Status.TIME_OUT])
def test_what_fails_under_this_compiler_is_not_the_best_of_another(store: Store, status: Status) -> None:
    for plan, ms in (("grain=1", 1.0), ("grain=2", 2.0)):
        store.add(OLD, "d", Trial(plan, "g", Status.OK, (ms,)))
    store.add(NEW, "d", Trial("grain=1", "g", status))
    assert (best := store.best(NEW, "d")) is not None and best.plan == "grain=2"


def test_of_several_other_compilers_the_last_one_counts(store: Store) -> None:
    store.add(OLD, "d", Trial("grain=1", "g", Status.OK, (1.0,)))
    store.add(replace(OLD, compiler="irgl 0"), "d", Trial("grain=2", "g", Status.OK, (9.0,)))
    assert (best := store.best(NEW, "d")) is not None and best.plan == "grain=2"


def test_inputs_are_known_whatever_compiler_measured_on_them(store: Store) -> None:
    store.describe("d", "roads", {"nodes": 10.0})
    store.add(OLD, "d", Trial("grain=1", "g", Status.OK, (1.0,)))
    assert store.inputs(NEW) == {"d": ("roads", {"nodes": 10.0})}


def test_a_session_goes_on_under_its_own_compiler_alone(store: Store) -> None:
    begun = store.begin(OLD, {"budget": 60})
    assert store.resume(NEW, {"budget": 60}) is None
    assert store.resume(OLD, {"budget": 60}) == begun


def test_a_database_from_before_compilers_keeps_all_that_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "tune.sqlite"
    with sqlite3.connect(path) as made:
        made.executescript(FORM_1)
    made.close()
    unknown = replace(OLD, compiler="")
    for _ in range(2):  # it is brought up once
        with Store(path) as store:
            (session,) = store.sessions()
            assert (session.id, session.key, session.outcome) == (7, unknown, {"spent": 9.0})
            assert store.trials(unknown, "d") == [
                Trial("grain=1", "roads", Status.OK, (1.0, 2.0), (4.0, 4.5), 9.5, "", "tpe", {"rounds": 3.0}),
                Trial("grain=2", "roads", Status.WRONG, build_ms=8.5, why="it says 3", by="tpe")]
            assert store.inputs(NEW) == {"d": ("roads", {"nodes": 10.0})}
            assert (best := store.best(NEW, "d")) is not None and best.plan == "grain=1"
    with sqlite3.connect(path) as made:
        assert made.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert [row[0] for row in made.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")] == [
            "inputs", "sessions", "trials"]
    made.close()


def test_the_compiler_is_irgls_files_and_the_one_of_cxx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one.py").write_text("first", encoding="utf-8")
    monkeypatch.setattr(compiler, "_files", lambda _: [tmp_path / "one.py"])
    compiler_of.cache_clear()
    first = compiler_of("cpu")
    assert first.startswith("irgl ") and ("g++" in first or "clang" in first)
    compiler_of.cache_clear()
    assert compiler_of("cpu") == first
    (tmp_path / "one.py").write_text("mended", encoding="utf-8")
    compiler_of.cache_clear()
    assert compiler_of("cpu") != first
    compiler_of.cache_clear()


def test_its_files_are_those_that_make_and_run_code() -> None:
    for target, wanted, unwanted in (("cpu", {"openmp.cpp.j2", "order.py", "atomics.hpp"}, "thread.cuh"),
                                     ("cuda", {"cuda.cu.j2", "thread.cuh"}, "cuda_runtime.h"),
                                     ("simt", {"cuda.cu.j2", "thread.cuh", "cuda_runtime.h"}, "html.py")):
        files = list(compiler._files(target))
        names = {path.name for path in files}
        assert wanted <= names and unwanted not in names, target
        rooms = {path.relative_to(ROOT / "irgl").parts[0] for path in files if path.is_relative_to(ROOT / "irgl")}
        assert {"rt", "codegen"} <= rooms and not {"cli", "tune", "nx_backend", "notebook"} & rooms


def test_a_machine_without_the_compiler_has_a_key_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> str:
        raise IrglError("there is no nvcc")

    monkeypatch.setattr(compiler.nvcc, "compiler", none)
    compiler_of.cache_clear()
    assert compiler_of("cuda").endswith(", no compiler")
    compiler_of.cache_clear()


def test_a_plan_that_was_wrong_is_measured_once_irgl_is_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "hits.irgl"
    path.write_text(PROGRAM, encoding="utf-8")
    task = Task(str(path), (given("path:40"),), "cpu", 8.0, strategy="local", threads=1, mistakes=tmp_path)
    default = str(Plan())

    def searched(key: Key) -> set[Status]:
        """How the default ended when a search asked for it: at its end it is measured in any case."""
        return {t.status for t in store.trials(key) if t.plan == default and not t.by.startswith("final")}

    graph = load("path:40", open_program(path).graphs[0], Loading())
    digest = input_digest({"g": graph}, {})
    with Store(tmp_path / "tune.sqlite") as store:
        old = key_of(open_program(path), "cpu", 1)
        store.add(old, digest, Trial(default, "path:40", Status.WRONG, why="it says 3"))
        tune(task, store, Told())
        assert searched(old) == {Status.WRONG}
        monkeypatch.setattr(keys, "compiler_of", lambda _: "irgl, mended")
        tune(task, store, Told())
        assert searched(replace(old, compiler="irgl, mended")) in ({Status.OK}, {Status.CUT})  # as fast as it is
        assert store.sessions()[0].settings["inputs"] == {"path:40": digest}


def test_the_file_says_which_compiler(tmp_path: Path) -> None:
    path = tmp_path / "hits.irgl"
    path.write_text(PROGRAM, encoding="utf-8")
    with Store(tmp_path / "tune.sqlite") as store:
        store.begin(key_of(open_program(path), "cpu", 1), {})
    found = sqlite3.connect(tmp_path / "tune.sqlite")
    (told,) = found.execute("SELECT compiler FROM sessions").fetchone()
    found.close()
    assert told == compiler_of("cpu") and json.dumps(told)
