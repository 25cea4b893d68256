"""Whose cache irgl uses: folders and links on the way to it, and those in it (docs/security.md)."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from support.promises import keeps
from support.trust import (
    BIG,
    NOBODY,
    WAYS,
    named_cache,
    needs_root,
    run,
)

from irgl.cli.main import exit_code
from irgl.rt.compile import build
from irgl.rt.graphs.cache import load_prepared
from irgl.rt.graphs.prepare import Requirements
from irgl.rt.system import private
from irgl.source import IrglError


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return named_cache(tmp_path, monkeypatch)


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
    assert {p.relative_to(place).as_posix() for p in place.rglob("*")} <= {"build", inside}


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
