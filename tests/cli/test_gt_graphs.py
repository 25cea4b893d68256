"""A .gt file that says `load("roads.el")` runs on that file: from where one stands, or from beside the program."""

from __future__ import annotations

from pathlib import Path

import pytest

import irgl
from irgl.cli.main import exit_code
from irgl.source import IrglError

LOADS = """element Vertex end
element Edge end
const edges : edgeset{Edge}(Vertex, Vertex) = load("roads.el");
const mark : vector{Vertex}(int) = 0;
func main()
    print edges.getVertices();
    print atoi(argv[1]);
end
export func size() -> n : int
    n = edges.getVertices();
end
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "p.gt").write_text(LOADS, encoding="utf-8")
    (tmp_path / "programs" / "roads.el").write_text("0 1\n1 2\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def lines(capfd: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert exit_code(["run", "programs/p.gt", "--target", "ref", *words]) == 0
    return capfd.readouterr().out.splitlines()


def test_a_file_beside_the_program_is_loaded(capfd: pytest.CaptureFixture[str]) -> None:
    assert lines(capfd, "--argv1", "7") == ["3", "7"]


def test_a_file_where_one_stands_comes_first(capfd: pytest.CaptureFixture[str]) -> None:
    Path("roads.el").write_text("0 1\n1 4\n", encoding="utf-8")
    assert lines(capfd, "--argv1", "7") == ["5", "7"]


def test_arguments_behind_two_dashes_begin_with_the_first_number(capfd: pytest.CaptureFixture[str]) -> None:
    assert lines(capfd, "--", "7") == ["3", "7"]


def test_graph_gives_another_one(capfd: pytest.CaptureFixture[str]) -> None:
    assert lines(capfd, "--graph", "path:4", "--", "7") == ["4", "7"]


def test_a_file_that_is_nowhere_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    Path("programs/roads.el").unlink()
    assert exit_code(["run", "programs/p.gt", "--target", "ref", "--argv1", "7"]) == 2
    assert capfd.readouterr().err == (
        "programs/p.gt: error: the program loads roads.el, which is neither here nor beside the program\n"
        "  hint: --graph FILE gives another graph\n")


def test_the_name_of_a_generator_makes_a_graph(capfd: pytest.CaptureFixture[str]) -> None:
    Path("programs/p.gt").write_text(LOADS.replace("roads.el", "path:6"), encoding="utf-8")
    assert lines(capfd, "--", "7") == ["6", "7"]


def test_tune_takes_it_too(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert exit_code(["tune", "programs/p.gt", "--argv1", "7", "--budget", "3s", "--db", str(tmp_path / "t.db")]) == 0
    assert "programs/roads.el" in capfd.readouterr().out


def test_from_python_no_graph_has_to_be_given() -> None:
    program = irgl.compile("programs/p.gt", target="ref")
    assert len(program(argv1=7)["mark"]) == 3
    assert len(program("path:4", argv1=7)["mark"]) == 4


def test_an_exported_function_finds_it_beside_the_file() -> None:
    assert irgl.compile("programs/p.gt").size() == 3
    Path("programs/roads.el").unlink()
    with pytest.raises(IrglError, match="neither here nor beside the program"):
        irgl.compile("programs/p.gt").size()
