"""`%load_ext irgl` and `%%irgl` in a real IPython shell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import scipy.sparse as sp
from IPython.core.interactiveshell import InteractiveShell
from support.ipython import new_shell

from irgl.notebook import terminal
from irgl.rt.call.callable import Program

CELL = """%%irgl
graph Graph { node long out = 0; }
long most = 0;
Kernel count(Graph g, int by) { ForAll (n In g.nodes) { n.out = n.degree / by; most max= n.out; } }
Program degrees(Graph g, int by = 1) { Invoke count(g, by); }
"""
GRAPHIT = """%%irgl --gt --target ref
element Vertex end
element Edge end
const edges : edgeset{Edge}(Vertex, Vertex) = load(argv[1]);
const most : int = 0;
export func set_graph(given : edgeset{Edge}(Vertex, Vertex))
    edges = given;
    most = edges.getOutDegree(0);
end
export func degree(v : Vertex) -> found : int
    found = edges.getOutDegree(v);
end
export func kept() -> found : int
    found = most;
end
"""
MAIN = "func main()\n    print edges.getVertices();\nend\n"


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[InteractiveShell]:
    made = new_shell(tmp_path)
    made.run_cell("%load_ext irgl")
    yield made
    made.run_cell("%unload_ext irgl")


def test_a_cells_program_is_a_function_of_that_name(shell: InteractiveShell) -> None:
    assert shell.run_cell(CELL).success
    degrees = shell.user_ns["degrees"]
    assert isinstance(degrees, Program)
    assert degrees(sp.csr_array([[0, 1], [0, 0]])).out.tolist() == [1, 0]


def test_later_cells_call_it(shell: InteractiveShell) -> None:
    shell.run_cell(CELL)
    assert shell.run_cell("degrees([(0, 1), (0, 2)]).most").result == 2


def test_a_mistake_is_told_with_the_cells_line_and_no_traceback(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    done = shell.run_cell(CELL.replace("n.degree / by", "m.degree / by"))
    assert done.error_in_exec is not None  # later cells of "run all" do not run
    said = "".join(capsys.readouterr())
    assert ":4:65: error: " in said and "    Kernel count(Graph g, int by)" in said
    assert "Traceback" not in said and "site-packages" not in said and "irgl/" not in said


def test_a_cell_with_a_mistake_leaves_the_program_of_before(shell: InteractiveShell) -> None:
    shell.run_cell(CELL)
    before = shell.user_ns["degrees"]
    shell.run_cell(CELL.replace("Invoke", "Involve"))
    assert shell.user_ns["degrees"] is before


def test_a_fault_while_it_runs_names_the_cells_line(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.run_cell(CELL)
    done = shell.run_cell("degrees([(0, 1)], by=0)")
    assert type(done.error_in_exec).__name__ == "IrglError"
    assert ">:4:" in "".join(capsys.readouterr()) and "n.degree / by" in str(done.error_in_exec)


def test_what_a_cell_of_graphits_exports_are_functions_that_share_consts(shell: InteractiveShell) -> None:
    assert shell.run_cell(GRAPHIT).success and "main" not in shell.user_ns
    assert shell.run_cell("set_graph([(0, 1), (0, 2), (1, 2)])").success
    assert shell.run_cell("degree(1), kept()").result == (1, 2)


def test_main_of_a_cell_of_graphits_is_a_function(shell: InteractiveShell) -> None:
    assert shell.run_cell(GRAPHIT + MAIN).success and "degree" in shell.user_ns
    assert shell.run_cell("main([(0, 1), (0, 2)]).printed").result == ("3",)
    assert shell.run_cell(GRAPHIT.split("export")[0] + MAIN).success
    assert isinstance(shell.user_ns["main"], Program)


def test_a_mistake_in_a_cell_of_graphits_is_told_with_the_cells_line(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.run_cell(GRAPHIT.replace("found = most", "found = mst"))
    said = "".join(capsys.readouterr())
    assert ">.gt:14:13: error: there is no 'mst'" in said and "Traceback" not in said


def test_options_choose_target_and_plan(shell: InteractiveShell) -> None:
    shell.run_cell(CELL.replace("%%irgl", '%%irgl --target ref --plan "grain=256"'))
    degrees = shell.user_ns["degrees"]
    assert (degrees.plan.target, degrees.plan.text_of("grain")) == ("ref", "256")
    assert degrees([(0, 1)]).most == 1


@pytest.mark.parametrize(("line", "message"), [
    ("--plan nothing", "`nothing` is no part of a plan"), ("--target gpu", "invalid choice: 'gpu'"),
    ("--wrong", "unrecognized arguments: --wrong"), ('"open', "No closing quotation"),
])  # fmt: skip
def test_a_wrong_option_is_one_message(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    assert not shell.run_cell(CELL.replace("%%irgl", f"%%irgl {line}")).success
    said = "".join(capsys.readouterr())
    assert message in said and "Traceback" not in said


def test_show_displays_the_program(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell(CELL.replace("%%irgl", "%%irgl --show"))
    assert "<irgl program degrees(g, by) for cpu>" in capsys.readouterr().out


def test_ipython_asks_the_program_for_its_html(shell: InteractiveShell) -> None:
    shell.run_cell(CELL)
    data, _ = shell.display_formatter.format(shell.user_ns["degrees"])
    assert data["text/html"].startswith('<div class="irgl">')


def test_unloading_takes_the_magic_away(shell: InteractiveShell) -> None:
    shell.run_cell("%unload_ext irgl")
    assert "irgl" not in shell.magics_manager.magics["cell"]


def test_a_terminal_colours_the_cells_while_they_are_loaded() -> None:
    from IPython.terminal import interactiveshell as shells
    from prompt_toolkit.document import Document

    plain = shells.IPythonPTLexer
    terminal.colour(True)
    terminal.colour(True)  # loaded again
    line = shells.IPythonPTLexer().lex_document(Document("%%irgl\nKernel k(Graph g) { }"))(1)
    assert ("class:pygments.keyword.declaration", "Kernel") in line
    terminal.colour(False)
    assert shells.IPythonPTLexer is plain
