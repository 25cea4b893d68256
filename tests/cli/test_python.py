"""irglc takes programs in Python as it takes those in .irgl."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.places import PROGRAMS

from irgl.cli.main import exit_code

SEARCH = PROGRAMS / "python" / "bfs.py"
TWO = """import irgl

raise RuntimeError("this file is read, not run")

@irgl.graph
class Graph:
    p: irgl.node[int] = 0

total = irgl.scalar(int)

@irgl.kernel
def add(g: Graph, by: int):
    global total
    for n in g.nodes:
        total += by

@irgl.program
def once(g: Graph):
    add(g, 1)

@irgl.program
def twice(g: Graph, by: int = 2):
    add(g, by)
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("two.py").write_text(TWO)


@pytest.mark.parametrize("target", ["cpu", "ref"])
def test_run_verifies_a_program_in_python(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["run", str(SEARCH), "--graph", "path:5", "--src", "0", "--verify", "--target", target, "--json"]
    assert exit_code(command) == 0
    assert json.loads(capsys.readouterr().out)["verified"] is True


@pytest.mark.parametrize(("name", "total"), [("once", 5), ("twice", 10)])
@pytest.mark.parametrize("target", ["cpu", "ref"])
def test_of_several_programs_the_one_after_the_colon_runs(name: str, total: int, target: str,
                                                          capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["run", f"two.py:{name}", "--graph", "path:5", "--target", target, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["result"]["total"] == total


def test_several_programs_and_none_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["run", "two.py", "--graph", "path:5"]) == 2
    assert capsys.readouterr().err == (
        "two.py: error: there are several programs: once, twice\n  hint: choose one: two.py:once\n")


def test_check_looks_at_every_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["check", "two.py"]) == 0
    Path("two.py").write_text(TWO.replace("add(g, by)", "add(g)"))
    assert exit_code(["check", "two.py"]) == 2
    assert capsys.readouterr().err.startswith("two.py:23:5: error: kernel 'add' takes 2 arguments, not 1")


def test_dump_prints_either_notation_as_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["dump", str(SEARCH), "--stage", "program"]) == 0
    irgl = capsys.readouterr().out
    assert exit_code(["dump", str(PROGRAMS / "bfs.irgl"), "--stage", "program"]) == 0
    assert irgl == capsys.readouterr().out
    assert exit_code(["dump", str(PROGRAMS / "bfs.irgl"), "--stage", "python"]) == 0
    Path("again.py").write_text(capsys.readouterr().out)
    assert exit_code(["dump", "again.py", "--stage", "program"]) == 0
    assert irgl == capsys.readouterr().out


def test_compile_writes_a_program_in_python_as_cxx() -> None:
    assert exit_code(["compile", "two.py:once", "-o", "once.cpp"]) == 0
    assert "irgl_run" in Path("once.cpp").read_text()


def test_explain_takes_a_program_in_python(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["explain", "two.py:twice"]) == 0
    assert "add.loop1  (line 14)" in capsys.readouterr().out


def test_a_fault_names_the_line_of_the_python_file(capsys: pytest.CaptureFixture[str]) -> None:
    Path("two.py").write_text(TWO.replace("total += by", "total += by / (n.p)"))
    assert exit_code(["run", "two.py:once", "--graph", "path:5"]) == 2
    assert capsys.readouterr().err.split("\n")[:2] == [
        "two.py:15:18: error: division by zero", "            total += by / (n.p)"]


def test_a_program_that_stops_itself_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    Path("two.py").write_text(TWO.replace("    add(g, 1)", "    irgl.stop('that is enough')"))
    assert exit_code(["run", "two.py:once", "--graph", "path:5"]) == 2
    assert "error: that is enough" in capsys.readouterr().err


def test_a_changed_import_is_seen(capsys: pytest.CaptureFixture[str]) -> None:
    Path("theirs.py").write_text(TWO)
    Path("mine.py").write_text("import irgl\nfrom theirs import Graph, add, total\n\n"
                               "@irgl.program\ndef mine(g: Graph):\n    add(g, 3)\n")
    found = []
    for by in ("by", "by * 2"):
        Path("theirs.py").write_text(TWO.replace("total += by", f"total += {by}"))
        assert exit_code(["run", "mine.py", "--graph", "path:5", "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out)["result"]["total"])
    assert found == [15, 30]


def test_a_file_without_a_program_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    Path("none.py").write_text("import irgl\n\n@irgl.graph\nclass Graph:\n    p: irgl.node[int] = 0\n")
    assert exit_code(["run", "none.py", "--graph", "path:5"]) == 2
    assert capsys.readouterr().err == ("none.py: error: there is no program to run\n"
                                       "  hint: write @irgl.program before def name(g: Graph):\n")


@pytest.mark.parametrize("command", ["check", "dump", "explain", "compile"])
def test_a_file_of_other_python_says_so(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("other.py").write_text("x = 1\n")
    assert exit_code([command, "other.py"]) == 2
    assert capsys.readouterr().err.startswith("other.py: error: there is nothing of irgl's in it\n")
