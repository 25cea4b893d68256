"""The promises of docs/security.md about places on disk: what others could have written is not run and not believed."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from support.promises import keeps

from irgl.cli.main import exit_code
from irgl.rt.compile import build
from irgl.rt.graphs.cache import load_prepared
from irgl.rt.graphs.loading import store as graph_store
from irgl.rt.graphs.prepare import Requirements
from irgl.rt.manifests import program
from irgl.rt.system import own_place, private
from irgl.source import IrglError
from irgl.tune.results.store import Store

NOBODY = 65534
BIG = "grid:80x80"
PROGRAM = """graph Graph { node int p = 0; }
Kernel k(Graph g) { ForAll (n In g.nodes) { n.p += 1; } }
Program adding(Graph g) { Invoke k(g); }
"""
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that the user names, made already, with a program and a graph beside it."""
    monkeypatch.setenv("IRGL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.irgl").write_text(PROGRAM)
    (tmp_path / "cache").mkdir(0o700)
    return tmp_path / "cache"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own, for what is where nobody says where it is to be."""
    for name in ("IRGL_CACHE_DIR", "IRGL_TUNE_DB", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.irgl").write_text(PROGRAM)
    return tmp_path


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


def irglc(*words: str, umask: int = 0o022) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-P", "-m", "irgl", *words], capture_output=True, text=True, check=False,
                          umask=umask, stdin=subprocess.DEVNULL)


def run(umask: int = 0o022) -> subprocess.CompletedProcess[str]:
    return irglc("run", "p.irgl", "--graph", BIG, "--threads", "1", umask=umask)


def open_to_group(path: Path) -> None:
    path.chmod(0o770)


def open_to_others(path: Path) -> None:
    path.chmod(0o777)


def sticky(path: Path) -> None:
    path.chmod(0o1777)


def given_away(path: Path) -> None:
    os.chown(path, NOBODY, NOBODY)


WAYS = [open_to_group, open_to_others, sticky, pytest.param(given_away, marks=needs_root)]


@keeps("cache-named")
@pytest.mark.parametrize("spoil", WAYS)
@pytest.mark.parametrize("inside", ["", "build", "build/locks", "graphs", "include"])
def test_a_named_cache_that_others_may_write_to_is_refused(inside: str, spoil: Callable[[Path], None],
                                                           place: Path) -> None:
    (place / inside).mkdir(parents=True, exist_ok=True, mode=0o700)
    (place / "build").chmod(0o700) if (place / "build").exists() else None
    spoil(place / inside)
    with pytest.raises(IrglError) as e:
        build.cached("key", ".so", lambda path: path.write_text("x") and None)
    assert str(e.value).startswith(f"{place}: error: the cache folder is not yours alone: ")
    assert str(place / inside) in e.value.message and e.value.hint is not None


@keeps("cache-named")
def test_a_refused_cache_is_one_message_and_exit_code_2(place: Path) -> None:
    place.chmod(0o777)
    done = run()
    assert (done.returncode, done.stdout, done.stderr) == (2, "", (
        f"{place}: error: the cache folder is not yours alone: its group and others may write to {place}\n"
        f"  hint: chmod go-w {place}\n"))
    assert list(place.iterdir()) == []


@keeps("cache-named")
def test_commands_that_only_read_graphs_refuse_it_too(place: Path) -> None:
    place.chmod(0o777)
    with pytest.raises(IrglError, match="not yours alone"):
        load_prepared(BIG, Requirements())


@keeps("cache-above")
@pytest.mark.parametrize(("mode", "good"), [(0o777, False), (0o1777, True), (0o755, True), (0o775, None)])
def test_a_folder_above_may_be_open_only_where_nobody_can_take_away_what_is_not_his(
        mode: int, good: bool | None, tmp_path: Path) -> None:
    folder = tmp_path / "above" / "cache"
    folder.mkdir(parents=True, mode=0o700)
    folder.parent.chmod(mode)
    if good is None:  # a group with other members
        if os.geteuid() != 0:
            pytest.skip("only root can give a folder to another group")
        os.chown(folder.parent, 0, NOBODY)
    fault = private.folder_fault(folder)
    assert fault is None if good else fault is not None and str(folder.parent) in fault.why


@keeps("cache-above")
@needs_root
def test_a_folder_above_that_is_somebody_elses_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "theirs" / "cache"
    folder.mkdir(parents=True, mode=0o700)
    os.chown(folder.parent, NOBODY, NOBODY)
    fault = private.folder_fault(folder)
    assert fault is not None and fault.why.startswith(f"{folder.parent} belongs to ")


@keeps("cache-links")
def test_a_link_of_ones_own_leads_to_the_cache_and_is_judged_by_where_it_leads(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir(0o700)
    link.symlink_to(real)
    assert private.folder_fault(link) is None
    real.chmod(0o777)
    assert private.folder_fault(link) is not None


@keeps("cache-links")
def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    fault = private.temporary_fault(tmp_path / "a")
    assert fault is not None and "too many links" in fault.why


@keeps("cache-links")
@needs_root
def test_a_link_on_the_way_that_somebody_else_made_is_refused(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir(0o700)
    link.symlink_to(real)
    os.chown(link, NOBODY, NOBODY, follow_symlinks=False)
    fault = private.folder_fault(link / "cache")
    assert fault is not None and fault.why.startswith(f"{link} belongs to ")


@keeps("cache-links")
@pytest.mark.parametrize("kind", ["build", "graphs", "include"])
def test_no_link_inside_of_the_cache_is_followed(kind: str, place: Path, tmp_path: Path,
                                                 capsys: pytest.CaptureFixture[str]) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir(0o700)
    (theirs / "entry").write_text("x")
    (place / kind).symlink_to(theirs)
    for words in (["run", "p.irgl", "--graph", BIG], ["cache", "clear"]):
        assert (exit_code(words), f"{place / kind} is a link" in capsys.readouterr().err) == (2, True)
    assert [p.name for p in theirs.iterdir()] == ["entry"]


def linked(path: Path) -> None:
    real = path.with_name("elsewhere")
    path.rename(real)
    path.symlink_to(real)


@keeps("cache-entries")
@pytest.mark.parametrize("spoil", [*WAYS[:2], WAYS[3], linked])
def test_a_unit_that_others_could_have_written_is_built_again(spoil: Callable[[Path], None], place: Path) -> None:
    del place

    def make(path: Path) -> None:
        path.write_text("whole")

    spoil(build.cached("key", ".so", make).path)
    assert build.known("key", ".so") is None
    made = build.cached("key", ".so", make)
    assert made.built and made.path.lstat().st_mode == stat.S_IFREG | 0o700


@keeps("cache-entries")
@pytest.mark.parametrize("spoil", [*WAYS[:2], WAYS[3], linked])
def test_a_manifest_that_others_could_have_written_is_made_again(spoil: Callable[[Path], None], place: Path) -> None:
    before = program.open_program("p.irgl")
    entry = next((place / "build").glob("*.json"))
    spoil(entry)
    assert program._read(entry) is None and program.open_program("p.irgl") == before
    assert entry.lstat().st_mode == stat.S_IFREG | 0o600


@keeps("cache-entries")
@pytest.mark.parametrize("spoil", [*WAYS[:2], WAYS[3], linked])
def test_a_graph_that_others_could_have_written_is_made_again(spoil: Callable[[Path], None], place: Path) -> None:
    load_prepared(BIG, Requirements())
    for entry in list((place / "graphs").iterdir()):
        spoil(entry)
        assert graph_store.find(entry.stem) is None
    assert load_prepared(BIG, Requirements()).num_nodes == 6400


@keeps("cache-entries")
def test_copies_of_headers_that_others_could_have_written_are_made_again(place: Path,
                                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    from irgl.rt.compile import toolchain

    installed = place.parent / "irgl_cpu_rt"
    shutil.copytree(toolchain.headers(), installed)
    monkeypatch.setattr(toolchain, "HEADER_ROOTS", (installed,))
    toolchain.headers.cache_clear()
    try:
        copy = toolchain.include_dir()
        header = copy / "cpu_rt" / "abi.hpp"
        good = header.read_text()
        header.write_text("#error theirs")
        copy.chmod(0o755)  # as older versions left it
        assert toolchain.include_dir() == copy and header.read_text() == good
        assert [f.name for f in copy.rglob("*") if f.lstat().st_mode & 0o077] == []
    finally:
        toolchain.headers.cache_clear()


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
def test_files_that_the_user_asked_for_go_by_the_umask(place: Path) -> None:
    irglc("run", "p.irgl", "--graph", "path:5", "--out", "out.npz", umask=0o027)
    assert stat.S_IMODE((place.parent / "out.npz").stat().st_mode) == 0o640


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


@keeps("private-group")
def test_a_group_is_ones_own_only_where_it_has_ones_name_and_no_other_member(monkeypatch: pytest.MonkeyPatch,
                                                                             tmp_path: Path) -> None:
    me = private.pwd.getpwuid(os.geteuid())
    tmp_path.chmod(0o770)
    os.chown(tmp_path, -1, me.pw_gid)
    real = private.grp.getgrgid(me.pw_gid)

    def group(name: str, members: list[str]) -> Callable[[int], object]:
        return lambda _: type(real)((name, "x", me.pw_gid, members))

    for name, members, good in ((me.pw_name, [], True), (me.pw_name, [me.pw_name], True),
                                (me.pw_name, ["mallory"], False), ("staff", [], False)):
        monkeypatch.setattr(private.grp, "getgrgid", group(name, members))
        assert (private.temporary_fault(tmp_path) is None) == good, (name, members)
    monkeypatch.setattr(private.grp, "getgrgid", group(me.pw_name, []))
    assert private.folder_fault(tmp_path) is not None, "the cache itself is open to no group"


@keeps("namespace")
def test_in_a_namespace_without_root_folders_above_may_be_of_unknown_users(monkeypatch: pytest.MonkeyPatch,
                                                                           tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder to another user")
    folder = tmp_path / "above" / "cache"
    folder.mkdir(parents=True, mode=0o700)
    os.chown(folder.parent, NOBODY, NOBODY)
    monkeypatch.setattr(private, "_nobody", lambda: NOBODY)
    assert private.folder_fault(folder) is None
    folder.parent.chmod(0o775)
    assert private.folder_fault(folder) is not None
    folder.parent.chmod(0o755)
    os.chown(folder, NOBODY, NOBODY)
    assert private.folder_fault(folder) is not None, "the cache itself must be the user's"


@keeps("cache-default")
def test_the_place_of_this_process_is_made_once() -> None:
    assert own_place._of_this_process() == own_place._of_this_process()


@keeps("cache-named")
@needs_root
def test_a_user_trusts_himself_and_root_and_nobody_else() -> None:
    place = Path(tempfile.mkdtemp())
    try:
        place.chmod(0o755)
        for owner in (0, NOBODY, 12345):
            (place / str(owner)).mkdir(0o755)
            os.chown(place / str(owner), owner, owner)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.setresuid(NOBODY, NOBODY, NOBODY)
            good = [private.folder_fault(place / str(owner)) is None for owner in (0, NOBODY, 12345)]
            os.write(write, str(good).encode())
            os._exit(0)
        os.waitpid(child, 0)
        assert os.read(read, 100) == b"[True, True, False]"
        os.close(read)
        os.close(write)
    finally:
        shutil.rmtree(place)


@keeps("store-named")
def test_a_database_that_is_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "db").symlink_to("db")
    with pytest.raises(IrglError, match="one of too many links"):
        Store(tmp_path / "db")
