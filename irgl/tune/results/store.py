"""The results database: what every tuner on this machine has measured, in one SQLite file that many may use at once.

Each result is a transaction of its own in write-ahead mode, so that a tuner that is killed at any moment loses at most
the measurement it was at, and a unique key makes of one measured twice one row. Whoever asks for a result that another
tuner has stored gets it.
"""

from __future__ import annotations

import json
import os
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import platformdirs

from irgl.rt.system.own_files import opener
from irgl.rt.system.own_place import refuse, stand_in
from irgl.rt.system.private import database_fault, inner_fault, make_folder
from irgl.source import IrglError
from irgl.tune.results.compare import surely_faster
from irgl.tune.results.trial import FINAL, FINAL_DEFAULT, RUNS, Status, Trial

#: Among a session's settings: over how many runs it spread what forms take to build.
SESSION_RUNS = "runs"
#: Of the tables; it stands in the file's user_version. A file of a newer one is refused.
VERSION = 2
#: Seconds that a writer waits for others.
PATIENCE = 60.0
_APPLICATION = 0x4952474C  # "IRGL"

_SESSIONS = """
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY, program TEXT NOT NULL, target TEXT NOT NULL, machine TEXT NOT NULL, threads INTEGER NOT NULL,
  compiler TEXT NOT NULL DEFAULT '', settings TEXT NOT NULL, state TEXT NOT NULL, outcome TEXT NOT NULL,
  begun REAL NOT NULL, touched REAL NOT NULL)"""
_INPUTS = """
CREATE TABLE inputs (
  digest TEXT PRIMARY KEY, name TEXT NOT NULL, features TEXT NOT NULL)"""
_TRIALS = """
CREATE TABLE trials (
  id INTEGER PRIMARY KEY, program TEXT NOT NULL, target TEXT NOT NULL, machine TEXT NOT NULL, threads INTEGER NOT NULL,
  compiler TEXT NOT NULL DEFAULT '', digest TEXT NOT NULL, plan TEXT NOT NULL, round INTEGER NOT NULL,
  session INTEGER, input TEXT NOT NULL, status TEXT NOT NULL, times TEXT NOT NULL, reference TEXT NOT NULL,
  build_ms REAL NOT NULL, why TEXT NOT NULL, by TEXT NOT NULL, stats TEXT NOT NULL, at REAL NOT NULL,
  UNIQUE (program, target, machine, threads, compiler, digest, plan, round))"""
#: What a trial had in form 1, which knew of no compilers: all that it has keeps its place, under the name ''.
_OF_FORM_1 = ("id, program, target, machine, threads, digest, plan, round, session, input, status, times, reference, "
              "build_ms, why, by, stats, at")
_TO_FORM_2 = (
    "ALTER TABLE sessions ADD COLUMN compiler TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE trials RENAME TO trials_of_form_1",
    _TRIALS,
    f"INSERT INTO trials ({_OF_FORM_1}) SELECT {_OF_FORM_1} FROM trials_of_form_1",
    "DROP TABLE trials_of_form_1",
)


@dataclass(frozen=True, slots=True)
class Key:
    """What results are comparable under: the program's fingerprint, target, machine, threads (0: not counted), and what
    made the code ('': not known)."""

    program: str
    target: str
    machine: str
    threads: int = 0
    compiler: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """One call of the tuner. settings: what it was asked; outcome: what it found, {} while it runs or was killed."""

    id: int
    key: Key
    settings: dict[str, Any]
    state: str
    outcome: dict[str, Any]
    begun: float


def default_path() -> Path:
    """IRGL_TUNE_DB, or a file in the user's data folder."""
    chosen = os.environ.get("IRGL_TUNE_DB", "")
    return Path(chosen).expanduser() if chosen else Path(platformdirs.user_data_dir("irgl")) / "tune.sqlite"


def _own(path: Path, named: bool) -> Path:
    """The path, or that of a database in its place: nobody else may write to it."""
    make_folder(path.absolute().parent)
    fault = database_fault(path)
    if not named:
        fault = fault or inner_fault(path.parent.resolve())  # irgl's own folder, where a user may name one of a group
    if fault is None:
        return path
    if named:
        raise refuse("the tuner's database", path, fault)
    return _own(stand_in("the tuner's database", path.parent, path.name, fault, "IRGL_TUNE_DB"), True)


class Store:
    """An open database, made now where there is none.

    Raises IrglError for a file that is no such database, that a newer irgl wrote, that can't be opened, or that others
    may write to (docs/security.md); so do all methods where the file can't be read or written later. For one thread at
    a time.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path if path is not None else default_path()
        try:
            self.path = _own(self.path, path is not None or bool(os.environ.get("IRGL_TUNE_DB")))
        except OSError as e:
            raise self._error(f"can't make the folder of the tuner's database: {e.strerror}") from None
        with suppress(OSError):  # it is there, or SQLite says what is wrong; its files beside it get the same mode
            os.close(opener(str(self.path.resolve()), os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        with self._told():
            self._db = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
            self._open()

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self, key: Key, settings: Mapping[str, Any]) -> Session:
        """A new session."""
        now = time.time()
        with self._told():
            row = self._db.execute(
                "INSERT INTO sessions (program, target, machine, threads, compiler, settings, state, outcome, begun, "
                "touched) VALUES (?, ?, ?, ?, ?, ?, 'running', '{}', ?, ?) RETURNING id",
                (*_values(key), json.dumps(settings, sort_keys=True), now, now)).fetchone()
        return Session(int(row[0]), key, dict(settings), "running", {}, now)

    def end(self, session: Session, state: str, outcome: Mapping[str, Any]) -> None:
        """Says how a session ended (`done`, `interrupted`) and what it found, which JSON can hold."""
        with self._told():
            self._db.execute("UPDATE sessions SET state = ?, outcome = ?, touched = ? WHERE id = ?",
                             (state, json.dumps(outcome), time.time(), session.id))

    def sessions(self, key: Key | None = None) -> list[Session]:
        """All sessions, or those of a key, the last begun first."""
        where, values = (f"WHERE {_SAME}", _values(key)) if key is not None else ("", ())
        with self._told():
            rows = self._db.execute("SELECT id, program, target, machine, threads, compiler, settings, state, outcome, "
                                    f"begun FROM sessions {where} ORDER BY id DESC", values).fetchall()
        with self._understood():
            return [Session(r[0], Key(*r[1:6]), json.loads(r[6]), r[7], json.loads(r[8]), r[9]) for r in rows]

    def resume(self, key: Key, settings: Mapping[str, Any]) -> Session | None:
        """The last session that was asked the same and has not come to its end; None: there is none."""
        return next((s for s in self.sessions(key) if s.state != "done" and s.settings == dict(settings)), None)

    def add(self, key: Key, digest: str, trial: Trial, *, round: int = 0, session: Session | None = None) -> bool:
        """Stores a result; False where there is one already, which stays. digest: of the graph and the parameters."""
        with self._told():
            done = self._db.execute(
                "INSERT INTO trials (program, target, machine, threads, compiler, digest, plan, round, session, input, "
                "status, times, reference, build_ms, why, by, stats, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                "?, ?, ?, ?, ?, ?) ON CONFLICT (program, target, machine, threads, compiler, digest, plan, round) "
                "DO NOTHING",
                (*_values(key), digest, trial.plan, round, None if session is None else session.id, *_columns(trial),
                 time.time()))
        return done.rowcount == 1

    def trials(self, key: Key, digest: str | None = None, *, round: int | None = None) -> list[Trial]:
        """The results under a key, of one input or of all, of one round or of all, in the order of their storing."""
        wanted = [("digest", digest), ("round", round)]
        more = [(name, value) for name, value in wanted if value is not None]
        where = "".join(f" AND {name} = ?" for name, _ in more)
        with self._told():
            rows = self._db.execute(
                "SELECT plan, input, status, times, reference, build_ms, why, by, stats FROM trials "
                f"WHERE {_SAME}{where} ORDER BY id",
                (*_values(key), *(value for _, value in more))).fetchall()
        with self._understood():
            return [_trial(row) for row in rows]

    def best(self, key: Key, digest: str, takes: Callable[[Trial], bool] = lambda _: True) -> Trial | None:
        """The best that was measured whole on an input, by its time over the reference's beside it, of those that
        `takes` takes. The building of forms is spread over as many runs as the last session was told.

        Of several rounds of a plan the last counts. Where the best were measured once more, side by side, the winner is
        one of them or the reference: of all the others some were lucky. And it is the reference, or the default, where
        they may well be as fast.

        Where this compiler has measured nothing but the reference, what others have found is as good as anything, but
        for plans that fail under this one.
        """
        runs = self._runs(key)
        own = self.trials(key, digest)
        if all(t.by == "reference" or not _useful(t) for t in own):
            failed = {t.plan for t in own if t.status not in (Status.OK, Status.CUT)}
            for other in self._others(key, digest):
                found = _best([t for t in self.trials(other, digest) if t.plan not in failed], takes, runs)
                if found is not None:
                    return found
        return _best(own, takes, runs)

    def _runs(self, key: Key) -> int:
        """Over how many runs of the program the last session spread what forms take to build."""
        said = next((s.settings.get(SESSION_RUNS) for s in self.sessions(key)), None)
        return said if isinstance(said, int) and said > 0 else RUNS

    def _others(self, key: Key, digest: str) -> list[Key]:
        """The same with the other compilers that have results on an input, the last one first."""
        with self._told():
            rows = self._db.execute(
                "SELECT compiler, max(id) FROM trials WHERE program = ? AND target = ? AND machine = ? AND threads = ? "
                "AND compiler != ? AND digest = ? GROUP BY compiler ORDER BY max(id) DESC",
                (*_values(key), digest)).fetchall()
        return [replace(key, compiler=row[0]) for row in rows]

    def describe(self, digest: str, name: str, features: Mapping[str, float]) -> None:
        """Keeps what is known of an input, for those who look for a similar one."""
        with self._told():
            self._db.execute("INSERT INTO inputs VALUES (?, ?, ?) ON CONFLICT (digest) DO UPDATE SET "
                             "name = excluded.name, features = excluded.features",
                             (digest, name, json.dumps(dict(features))))

    def described(self, digest: str) -> dict[str, float] | None:
        """The features of an input, whether there are results for it or not; None where it was never described."""
        with self._told():
            row = self._db.execute("SELECT features FROM inputs WHERE digest = ?", (digest,)).fetchone()
        with self._understood():
            found: dict[str, float] | None = None if row is None else json.loads(row[0])
        return found

    def inputs(self, key: Key) -> dict[str, tuple[str, dict[str, float]]]:
        """The described inputs for which there are results, of any compiler: by digest, the name and the features."""
        with self._told():
            rows = self._db.execute(
                "SELECT digest, name, features FROM inputs WHERE digest IN (SELECT digest FROM trials WHERE "
                "program = ? AND target = ? AND machine = ? AND threads = ?) ORDER BY rowid",
                _values(key)[:-1]).fetchall()
        with self._understood():
            return {digest: (name, json.loads(features)) for digest, name, features in rows}

    def _open(self) -> None:
        # what is in it, before whose it is: another tuner may be making it, all of it at once
        used = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        application, version = (self._db.execute(f"PRAGMA {name}").fetchone()[0]
                                for name in ("application_id", "user_version"))
        if application == _APPLICATION:
            if version > VERSION:
                raise self._error(f"the tuner's database is of form {version}, which a newer irgl wrote; "
                                  f"this one knows {VERSION}", "update irgl, or set IRGL_TUNE_DB to another file")
            self._ready()
            if version < VERSION:
                self._bring_up()
            return
        if used:
            raise self._error("this is a database of another program",
                              "set IRGL_TUNE_DB to a file of the tuner's own")
        self._ready()
        with self._transaction():  # another tuner may have made the tables meanwhile
            if self._db.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
                for statement in (_SESSIONS, _INPUTS, _TRIALS):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {VERSION}")
                self._db.execute(f"PRAGMA application_id = {_APPLICATION}")

    def _bring_up(self) -> None:
        """Makes the tables of an older form those of this one; all that is in them stays."""
        with self._transaction():
            if self._db.execute("PRAGMA user_version").fetchone()[0] == 1:  # another tuner may have done it meanwhile
                for statement in _TO_FORM_2:
                    self._db.execute(statement)
                self._db.execute("PRAGMA user_version = 2")

    def _ready(self) -> None:
        end = time.monotonic() + PATIENCE
        while True:  # a change of the mode does not wait by itself for others who are at it
            try:
                self._db.execute("PRAGMA journal_mode = WAL")
                break
            except sqlite3.OperationalError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.01)
        self._db.execute("PRAGMA synchronous = NORMAL")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as e:
            if getattr(e, "sqlite_errorname", "") == "SQLITE_NOTADB":
                raise self._error("this is no database", "name another file: --db, or IRGL_TUNE_DB") from None
            raise self._error(f"the tuner's database can't be used: {e}",
                              "set IRGL_TUNE_DB to a file that you may write to") from None

    @contextmanager
    def _understood(self) -> Iterator[None]:
        try:
            yield
        except (TypeError, ValueError, RecursionError):  # what json.loads and Status say to what no tuner has written
            raise self._error("the tuner's database is damaged", "take it away, or name another file") from None

    def _error(self, message: str, hint: str = "set IRGL_TUNE_DB to a file that you may write to") -> IrglError:
        return IrglError(message, file=str(self.path), hint=hint)


#: Of one key.
_SAME = "program = ? AND target = ? AND machine = ? AND threads = ? AND compiler = ?"


def _useful(trial: Trial) -> bool:
    return trial.status is Status.OK and bool(trial.times)


def _best(trials: Sequence[Trial], takes: Callable[[Trial], bool], runs: int) -> Trial | None:
    """The best of one compiler's on one input."""
    last = {trial.plan: trial.spread(runs) for trial in trials}
    useful = [t for t in last.values() if _useful(t)]
    again = [t for t in useful if t.by in (FINAL, FINAL_DEFAULT)]
    reference = [t for t in useful if t.by == "reference"]
    if again:
        useful = reference + [t for t in again if not reference or t.by == FINAL_DEFAULT or surely_faster([t])]
    return next((t for t in sorted(useful, key=_ratio) if takes(t)), None)


def _ratio(trial: Trial) -> float:
    return trial.median / statistics.median(trial.reference) if trial.reference else trial.median


def _values(key: Key) -> tuple[str, str, str, int, str]:
    return key.program, key.target, key.machine, key.threads, key.compiler


def _columns(trial: Trial) -> tuple[object, ...]:
    return (trial.input, trial.status.value, json.dumps(trial.times), json.dumps(trial.reference), trial.build_ms,
            trial.why, trial.by, json.dumps(trial.stats))


def _trial(row: tuple[Any, ...]) -> Trial:
    plan, name, status, times, reference, build_ms, why, by, stats = row
    return Trial(plan, name, Status(status), tuple(json.loads(times)), tuple(json.loads(reference)), build_ms, why, by,
                 json.loads(stats))
