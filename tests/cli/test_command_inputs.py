"""Files and options that commands are given: none is written over that is to be read, and none is left unused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.programs import PLACE

from irgl.cli.main import exit_code

NODE = "3 2 0 0\n1 0 0\n2 1 0\n3 0 1\n"
ELE = "1 3 0\n1 1 2 3\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(PLACE / "bfs.irgl", "bfs.cpp")
    for suffix, text in (("node", NODE), ("ele", ELE)):
        Path(f"x.{suffix}").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("words", [
    ["compile", "bfs.cpp"],
    ["compile", "bfs.cpp", "-o", "./bfs.cpp"],
    ["explain", "bfs.cpp", "--svg", "bfs.cpp"],
    ["explain", "bfs.cpp", "--dot", "bfs.cpp"],
    ["run", "bfs.cpp", "--graph", "path:3", "--out", "bfs.cpp"],
], ids=" ".join)
def test_a_program_is_not_written_over(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    before = Path("bfs.cpp").read_bytes()
    assert exit_code(words) == 2
    assert "error: the program itself would be written over\n" in capsys.readouterr().err
    assert Path("bfs.cpp").read_bytes() == before


@pytest.mark.parametrize("option", [
    "--undirected", "--format=ele", "--index-bits=64", "--coordinates=x.node", "--no-compact", "--allow-empty",
    "--mesh=x.ele",
])
@pytest.mark.parametrize("command", ["run", "tune"])
def test_a_mesh_takes_no_option_of_graphs_and_no_second_mesh(
        command: str, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code([command, str(PLACE / "dmr.irgl"), "--mesh", "x.ele", option]) == 2
    name = option.partition("=")[0]
    why = f"{name} is given 2 times" if name == "--mesh" else f"dmr is given no graph: {name} has no meaning for it"
    assert capsys.readouterr().err.startswith(f"error: {why}\n")


def test_a_picture_goes_to_stdout_and_nothing_else_with_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", "bfs.cpp", "--dot", "-"]) == 0
    assert capsys.readouterr().out.startswith("digraph")
    assert exit_code(["explain", "bfs.cpp", "--dot", "-", "--svg", "-"]) == 2
    assert capsys.readouterr() == ("", "error: --dot - and --svg - both go to stdout\n  hint: give --svg a file\n")


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz")
def test_a_drawing_goes_to_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", "bfs.cpp", "--svg", "-"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("<?xml")
    assert out.endswith("</svg>\n")
    assert not Path("-").exists()
