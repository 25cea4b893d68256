"""What is written is there whole or not at all, and what can't be written is told in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from irgl.rt.whole_file import scratch_for, write_whole
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
