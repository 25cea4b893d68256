"""What is written is there whole or not at all, and what can't be written is told in one line."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from irgl.rt.system.whole_file import check_place, scratch_for, write_whole
from irgl.source import IrglError


def test_a_text_is_written(tmp_path: Path) -> None:
    write_whole(tmp_path / "page.html", "<p>ä</p>")
    assert (tmp_path / "page.html").read_bytes() == "<p>ä</p>".encode()


def test_what_stood_there_stays_when_the_writer_fails(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(ZeroDivisionError), scratch_for(tmp_path / "a.txt") as scratch:
        scratch.write_text("half of the ne")
        raise ZeroDivisionError
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a.txt", "old")]


@pytest.mark.parametrize(("name", "reason"), [
    ("missing/a.txt", "No such file or directory"), ("file/a.txt", "Not a directory"), ("folder", "Is a directory"),
])
def test_what_the_system_refuses_is_told(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    with pytest.raises(IrglError, match=f"can't write it: {reason}"):
        write_whole(tmp_path / name, "text")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "folder"]


def test_a_path_without_a_name_is_refused() -> None:
    with pytest.raises(IrglError, match="names no file"):
        write_whole(Path("/"), "text")


def test_two_threads_may_write_one_file_at_once(tmp_path: Path) -> None:
    with scratch_for(tmp_path / "a") as one, scratch_for(tmp_path / "a") as other:
        one.write_text("one")
        other.write_text("other")
        assert one.read_text() == "one"
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a", "one")]


@pytest.mark.parametrize("target", ["page.html", "none/page.html"])
def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path, target: str) -> None:
    (tmp_path / "link").symlink_to(tmp_path / target)
    if target == "page.html":
        write_whole(tmp_path / "link", "text")
        assert (tmp_path / target).read_text() == "text"
    else:
        with pytest.raises(IrglError, match="can't write it: No such file or directory"):
            write_whole(tmp_path / "link", "text")
    assert (tmp_path / "link").is_symlink()


def test_a_pipe_stays_and_is_given_the_text(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found: list[str] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_text()), daemon=True)
    reader.start()
    write_whole(pipe, "text")
    reader.join(10)
    assert found == ["text"]
    assert pipe.is_fifo()


@pytest.mark.parametrize(("name", "reason"), [
    ("", "names no file"), ("missing/a.npz", "No such file or directory"), ("folder", "Is a directory"),
])
def test_a_place_is_checked_before_there_is_anything_to_write(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "folder").mkdir()
    check_place(tmp_path / "new.npz")
    with pytest.raises(IrglError, match=reason):
        check_place(tmp_path / name if name else Path("/"))
