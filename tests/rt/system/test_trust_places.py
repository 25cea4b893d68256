"""Default places, modes of what is made, the tuner's database, temporary files (docs/security.md)."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.promises import keeps
from support.trust import (
    BIG,
    NOBODY,
    PROGRAM,
    WAYS,
    home_of,
    irglc,
    open_to_group,
    run,
)

from irgl.rt.system import own_place, private
from irgl.source import IrglError
from irgl.tune.results.store import Store


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return home_of(tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def tuned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A home after `irglc tune --json` in a folder of Python files with names that irgl imports, and what it said."""
    home = tmp_path_factory.mktemp("home")
    (home / "p.irgl").write_text(PROGRAM)
    theirs = home / "theirs"
    theirs.mkdir()
    for name in ("numpy", "irgl", "pickle", "sitecustomize"):
        (theirs / f"{name}.py").write_text(f"open({str(home / 'ran')!r}, 'a').write({name!r})\n")
    words = ["tune", str(home / "p.irgl"), "--graph", BIG, "--budget", "1s", "--threads", "1", "--json"]
    env = {n: v for n, v in os.environ.items() if not n.startswith(("IRGL_", "XDG_"))} | {"HOME": str(home)}
    done = subprocess.run([sys.executable, "-P", "-m", "irgl", *words], capture_output=True, text=True, check=True,
                          umask=0, cwd=theirs, env=env)
    return home, done.stdout


@keeps("cache-default")
def test_a_default_cache_that_others_may_write_to_is_left_alone_with_one_message(home: Path) -> None:
    theirs, ours = home / ".cache" / "irgl", home / ".cache" / "irgl-private"
    theirs.mkdir(parents=True)
    theirs.chmod(0o777)
    first, second = run(), irglc("cache", "info")
    said = (f"{theirs}: warning: the cache folder is not yours alone: its group and others may write to {theirs}; "
            f"{ours} takes its place\n  hint: rm -r {theirs}, or where nobody else has written there: "
            f"chmod go-w {theirs}\n")
    assert (first.returncode, first.stderr) == (0, said)
    assert (second.returncode, second.stderr) == (0, said)
    assert list(theirs.iterdir()) == [] and len(list((ours / "build").glob("*.so"))) == 1


@keeps("cache-default")
def test_where_there_is_no_place_beside_it_the_cache_goes_with_the_process(home: Path,
                                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    (home / ".cache").mkdir()
    (home / ".cache").chmod(0o777)
    (home / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(home / "tmp"))
    done = run()
    assert (done.returncode, done.stderr.count("warning: the cache folder is not yours alone")) == (0, 1)
    assert list((home / "tmp").iterdir()) == [] and list((home / ".cache").iterdir()) == []


@keeps("own-modes")
def test_all_that_is_made_is_the_users_alone_whatever_the_umask(tuned: tuple[Path, str]) -> None:
    home, _ = tuned
    made = [p for top in (".cache", ".local") for p in [home / top, *(home / top).rglob("*")]]
    assert {p.suffix for p in made} >= {".so", ".json", ".irglg", ".lock", ".sqlite"}
    wrong = [f"{oct(p.stat().st_mode)} {p}" for p in made if stat.S_IMODE(p.stat().st_mode) not in (
        (0o700,) if p.is_dir() or p.suffix == ".so" else (0o600,))]
    assert wrong == []


@keeps("own-modes")
def test_files_that_the_user_asked_for_go_by_the_umask(home: Path) -> None:
    irglc("run", "p.irgl", "--graph", "path:5", "--out", "out.npz", umask=0o027)
    assert stat.S_IMODE((home / "out.npz").stat().st_mode) == 0o640


@keeps("store-named")
@pytest.mark.parametrize("spoil", [*WAYS])
@pytest.mark.parametrize("which", ["", "tune.sqlite", "tune.sqlite-wal", "tune.sqlite-journal"])
def test_a_named_database_that_others_may_write_to_is_refused(which: str, spoil: Callable[[Path], None],
                                                              tmp_path: Path) -> None:
    folder = tmp_path / "db"
    if spoil is open_to_group and not which and os.geteuid() != 0:
        pytest.skip("only root can give a folder to another group")
    Store(folder / "tune.sqlite").close()
    if which:
        (folder / which).touch()
    spoil(folder / which)
    if spoil is open_to_group and not which:
        os.chown(folder, 0, NOBODY)  # one in which others are
    with pytest.raises(IrglError, match="the tuner's database is not yours alone: ") as e:
        Store(folder / "tune.sqlite")
    assert str(folder / which) in e.value.message


@keeps("store-named")
def test_the_files_beside_a_database_are_the_users_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with Store(tmp_path / "db" / "tune.sqlite") as store:
            store.describe("digest", "name", {})
            made = {p.name: stat.S_IMODE(p.stat().st_mode) for p in (tmp_path / "db").iterdir()}
    finally:
        os.umask(before)
    assert made == dict.fromkeys(("tune.sqlite", "tune.sqlite-wal", "tune.sqlite-shm"), 0o600)


@keeps("store-default")
def test_a_default_database_that_others_may_write_to_is_left_alone_with_one_message(home: Path) -> None:
    theirs, ours = home / ".local/share/irgl", home / ".local/share/irgl-private"
    theirs.mkdir(parents=True)
    Store(theirs / "tune.sqlite").close()
    (theirs / "tune.sqlite").chmod(0o666)
    code = "from irgl.tune.results.store import Store; print(Store().path); print(Store().path)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"{ours}/tune.sqlite\n" * 2
    assert done.stderr == (
        f"{theirs}: warning: the tuner's database is not yours alone: its group and others may write to "
        f"{theirs}/tune.sqlite; {ours} takes its place\n"
        f"  hint: rm -r {theirs}, or where nobody else has written there: chmod go-w {theirs}/tune.sqlite\n")


@keeps("temporary")
def test_temporary_files_are_not_put_where_others_could_change_them(home: Path,
                                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "tmp").mkdir()
    (home / "tmp").chmod(0o777)
    monkeypatch.setenv("TMPDIR", str(home / "tmp"))
    done = run()
    assert (done.returncode, done.stderr) == (2, (
        f"{home}/tmp: error: temporary files could be changed by others: its group and others may write to "
        f"{home}/tmp\n  hint: set TMPDIR to a folder of your own, or give this one its sticky bit (chmod +t)\n"))
    (home / "tmp").chmod(0o1777)
    assert private.temporary_fault(home / "tmp") is None


@keeps("folder-of-the-shell")
def test_tuning_in_a_folder_runs_nothing_that_lies_there(tuned: tuple[Path, str]) -> None:
    home, said = tuned
    assert (json.loads(said)["program"], (home / "ran").exists()) == ("adding", False)


@keeps("cache-default")
def test_the_place_of_this_process_is_made_once() -> None:
    assert own_place._of_this_process() == own_place._of_this_process()


@keeps("store-named")
def test_a_database_that_is_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "db").symlink_to("db")
    with pytest.raises(IrglError, match="one of too many links"):
        Store(tmp_path / "db")
