"""Programs that come with irgl are found by their name alone, by every command and from Python, wherever one works."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import networkx as nx
import pytest
from support.programs import MORE, PLACE, SHIPPED, path_of

import irgl
from irgl.cli.main import exit_code
from irgl.frontends import shipped
from irgl.frontends.shipped import located
from irgl.rt.call.callable import Program

#: A program of another meaning than the shipped one of that name.
OWN = "long seen = 0;\nKernel count(Graph g) { ForAll (n In g.nodes) { seen += 1; } }\n" \
      "Program own(Graph g) { Invoke count(g); }\ngraph Graph { }\n"

#: A program in Python, which would be noticed if Python executed it.
LEAVES_A_MARK = '''"""Counts the nodes
of a graph. No more."""
import irgl
open("mark", "w").close()
seen = irgl.scalar(irgl.long, 0)
@irgl.graph
class Graph:
    unused: irgl.node[int] = 0
@irgl.program
def side(g: Graph):
    global seen
    seen = g.num_nodes
'''


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("words", [
    ("check", "bfs", "cc"),
    ("dump", "bfs", "--stage", "c++"),
    ("explain", "bfs"),
    ("compile", "bfs"),
    ("run", "bfs", "--graph", "path:20", "--src", "3", "--verify"),
    ("tune", "bfs", "--graph", "path:20", "--budget", "1s", "--db", "kept.db"),
], ids=lambda words: words[0])
def test_a_command_takes_the_name_of_a_shipped_program(words: tuple[str, ...]) -> None:
    assert exit_code(words) == 0


def test_a_report_takes_the_name_of_a_shipped_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(("tune", "bfs", "--graph", "path:20", "--budget", "1s", "--db", "kept.db")) == 0
    assert exit_code(("report", "bfs", "--db", "kept.db")) == 0
    assert Path("bfs-report.html").is_file()
    assert "bfs-report.html" in capsys.readouterr().out


def test_the_file_that_is_compiled_is_called_like_the_program(elsewhere: Path) -> None:
    assert exit_code(("compile", "bfs")) == 0
    assert [p.name for p in elsewhere.iterdir()] == ["bfs.cpp"]


def test_options_of_a_shipped_program_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(("run", "bfs", "--help")) == 0
    assert "--src" in capsys.readouterr().out


def test_a_shipped_program_names_no_file_of_the_current_folder(elsewhere: Path) -> None:
    (elsewhere / "bfs").mkdir()
    assert located("bfs") == str(PLACE / "bfs.irgl")


def test_a_file_of_that_name_goes_first(elsewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (elsewhere / "bfs").write_text(OWN)
    assert exit_code(("run", "bfs", "--graph", "path:20", "--json")) == 0
    assert json.loads(capsys.readouterr().out)["program"] == "own"
    assert irgl.compile("bfs")("path:20").seen == 20


def test_a_binary_of_that_name_is_told_from_the_program(elsewhere: Path) -> None:
    (elsewhere / "bfs").write_bytes(b"\x7fELF\2\1\1\0\0\0")
    with pytest.raises(irgl.IrglError) as caught:
        irgl.compile("bfs")
    assert str(caught.value) == ("bfs: error: this is not UTF-8 text\n"
                                 f"  hint: a file goes first; the program of that name is {PLACE / 'bfs.irgl'}")


@pytest.mark.parametrize(("given", "hint"), [
    ("bsf", "did you mean `bfs`"),
    ("ssp", "did you mean `sssp` or `sssp_nf` or `sssp_bf`?"),
    ("zzzz", "`irglc programs` lists those that come with irgl"),
    ("mine", "there is a file mine.irgl"),
    ("yours", "there is a file yours.py"),
])
@pytest.mark.parametrize("command", ["check", "run", "explain", "dump", "compile", "tune"])
def test_a_name_that_is_none_gets_the_nearest_ones(elsewhere: Path, capsys: pytest.CaptureFixture[str], command: str,
                                                   given: str, hint: str) -> None:
    (elsewhere / "mine.irgl").write_text(OWN)
    (elsewhere / "yours.py").write_text("")
    assert exit_code((command, given)) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first == f"{given}: error: there is no such file, and no program of that name comes with irgl"
    assert second.startswith("  hint: ") and hint in second


@pytest.mark.parametrize("given", ["bfs.irgl", "programs/bfs.irgl"])
def test_a_missing_file_that_is_called_like_a_shipped_program_gets_its_name(given: str) -> None:
    with pytest.raises(irgl.IrglError) as caught:
        irgl.compile(given)
    assert str(caught.value) == (f"{given}: error: can't read it: No such file or directory\n"
                                 "  hint: the program that comes with irgl is called `bfs`")


@pytest.mark.parametrize("given", ["./bfs", "bfs/", "x/bfs", "", "-", ".", "bfs.py", "n" * 300, "a\0b", "ü"])
def test_what_is_no_bare_name_is_a_file_and_a_missing_one_is_the_user_s_mistake(given: str) -> None:
    with pytest.raises(irgl.IrglError) as caught:
        irgl.compile(given)
    assert "error: " in str(caught.value)


@pytest.mark.parametrize("name", SHIPPED)
def test_irgl_programs_has_every_program(name: str) -> None:
    assert isinstance(getattr(irgl.programs, name), Program)


def test_irgl_programs_lists_the_programs_and_nothing_else() -> None:
    assert dir(irgl.programs) == SHIPPED


def test_a_program_of_irgl_programs_runs_on_a_graph_in_memory_and_is_made_once() -> None:
    graph = nx.karate_club_graph()
    found = irgl.programs.bfs(graph, src=5)
    assert dict(enumerate(found.hops)) == nx.single_source_shortest_path_length(graph, 5)
    assert irgl.programs.bfs is irgl.programs.bfs


def test_a_shipped_program_can_be_pickled_and_used_in_another_folder() -> None:
    again = pickle.loads(pickle.dumps(irgl.compile("bfs")))
    assert again("path:20").deepest == 19


def test_running_loading_and_interpreting_take_the_name_of_a_shipped_program() -> None:
    assert irgl.run("bfs", "path:20", src=3).result.scalars == {"reached": 20, "deepest": 16}
    assert irgl.load_graph("path:20", "bfs").num_nodes == 20
    assert irgl.compile("bfs", target="ref")("path:20").deepest == 19


@pytest.mark.parametrize("name", MORE)
def test_a_further_program_is_found_by_the_name_of_its_file(name: str) -> None:
    assert located(name) == str(path_of(name))
    assert irgl.compile(name).manifest.path == str(path_of(name))


def test_a_program_in_python_that_comes_with_irgl_is_read_and_not_executed(
        elsewhere: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    more = elsewhere / "shipped" / "more"
    more.mkdir(parents=True)
    (more / "side.py").write_text(LEAVES_A_MARK)
    monkeypatch.setattr(shipped, "_FOLDERS", (elsewhere / "shipped",))
    assert exit_code(("programs",)) == exit_code(("run", "side", "--graph", "path:3", "--json")) == 0
    assert capsys.readouterr().out.startswith("side  Counts the nodes of a graph.\n")
    assert irgl.compile("side")("path:4").seen == 4
    assert not Path("mark").exists()


def test_a_name_with_a_text_of_its_own_is_a_name() -> None:
    assert irgl.compile("bfs", text=OWN)("path:20").seen == 20


def test_an_unknown_program_is_an_attribute_error_with_the_nearest_name() -> None:
    with pytest.raises(AttributeError, match="no program 'bsf' comes with irgl; did you mean `bfs`"):
        _ = irgl.programs.bsf
    with pytest.raises(AttributeError, match=r"no program 'zzzz' comes with irgl$"):
        _ = irgl.programs.zzzz
