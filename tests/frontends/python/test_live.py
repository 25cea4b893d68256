"""Programs of functions in memory: what their names mean is what Python says that they mean."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from support.places import PROGRAMS

from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.driver import checked_program
from irgl.frontends.load import load, open_source
from irgl.frontends.python.live import load_definition
from irgl.source import IrglError

HEAD = """import irgl
from irgl import long, node, worklist

@irgl.graph
class Graph:
    p: node[int] = 0

"""
MARK = HEAD + """
@irgl.kernel
def mark(g: Graph, by: int):
    for n in g.nodes:
        n.p = by
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def imported(folder: Path, name: str, text: str) -> ModuleType:
    """A module of that text; other tests of this process must not have imported one of its name."""
    assert name not in sys.modules
    (folder / f"{name}.py").write_text(text)
    return __import__(name)


def cell(number: int, text: str, names: dict[str, object]) -> None:
    """Runs a text as a notebook does a cell: its file exists only in linecache."""
    file = f"<cell {number}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), names)


def names_of(program: A.Program) -> list[str]:
    return [d.name for d in program.decls if not isinstance(d, A.Import)]


@pytest.mark.parametrize("name", ["bfs", "sssp_nf", "pr", "mst", "dmr"])
def test_a_function_in_memory_is_the_program_of_its_file(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place = PROGRAMS / "python"
    monkeypatch.syspath_prepend(str(place))
    monkeypatch.delitem(sys.modules, name, raising=False)
    found, _ = load_definition(getattr(__import__(name), name))
    monkeypatch.delitem(sys.modules, name)
    from_file = load(open_source(place / f"{name}.py"))
    assert {dump(d) for d in found.decls} == {dump(d) for d in from_file.decls}


def test_only_what_a_program_reaches_is_in_it(folder: Path) -> None:
    m = imported(folder, "reaching", MARK + "\n@irgl.kernel\ndef other(g: Graph):\n    pass\n\n"
                                            "@irgl.program\ndef p(g: Graph):\n    mark(g, 1)\n")
    assert names_of(load_definition(m.p)[0]) == ["Graph", "mark", "p"]


def test_kernels_of_other_modules_may_be_used_under_other_names(folder: Path) -> None:
    imported(folder, "theirs", MARK)
    m = imported(folder, "ours", "import irgl\nfrom theirs import Graph, mark as paint\n\n"
                                 "@irgl.program\ndef p(g: Graph):\n    paint(g, 2)\n")
    program, sources = load_definition(m.p)
    assert dump(program.decls[-1]).count("Invoke mark(g, 2);") == 1
    assert [Path(s.path).name for s in sources] == ["ours.py", "theirs.py"]


def test_numbers_that_python_has_computed_are_literals(folder: Path) -> None:
    m = imported(folder, "computing", MARK + "\nimport math\nBY = int(math.sqrt(50))\n\n"
                                             "@irgl.program\ndef p(g: Graph):\n    mark(g, BY)\n")
    assert "mark(g, 7)" in dump(load_definition(m.p)[0])


def test_a_function_that_makes_programs_gives_each_its_own_numbers(folder: Path) -> None:
    m = imported(folder, "making", MARK + "\ndef make(by):\n    @irgl.program\n    def p(g: Graph):\n"
                                          "        mark(g, by)\n    return p\n")
    made = [m.make(by) for by in (3, -4)]
    assert ["mark(g, 3)" in dump(load_definition(made[0])[0]), "mark(g, -4)" in dump(load_definition(made[1])[0])] == [
        True, True]


def test_a_graph_type_may_be_made_in_a_function(folder: Path) -> None:
    m = imported(folder, "inner", "import irgl\ndef make():\n    @irgl.graph\n    class G:\n"
                                  "        p: irgl.node[int] = 0\n    @irgl.kernel\n    def k(g: G):\n"
                                  "        for n in g.nodes:\n            n.p = 1\n    @irgl.program\n"
                                  "    def p(g: G):\n        k(g)\n    return p\n")
    assert names_of(load_definition(m.make())[0]) == ["G", "k", "p"]


def test_later_cells_of_a_notebook_use_earlier_ones() -> None:
    names: dict[str, object] = {"__name__": "__main__"}
    cell(1, MARK, names)
    cell(2, "@irgl.program\ndef p(g: Graph):\n    mark(g, 5)\n", names)
    program, _ = load_definition(names["p"])  # type: ignore[arg-type]
    assert names_of(program) == ["Graph", "mark", "p"]


def test_a_cell_that_is_run_again_replaces_what_it_said() -> None:
    names: dict[str, object] = {"__name__": "__main__"}
    cell(1, MARK, names)
    cell(2, "@irgl.program\ndef p(g: Graph):\n    mark(g, 5)\n", names)
    cell(3, MARK.replace("n.p = by", "n.p = by + 1"), names)
    assert "n.p = by + 1" in dump(load_definition(names["p"])[0])  # type: ignore[arg-type]


def test_scalars_and_included_types_are_found(folder: Path) -> None:
    m = imported(folder, "counted", HEAD + 'total = irgl.scalar(long, 0)\narrays = irgl.include("array.irgl")\n\n'
                 "@irgl.program\ndef p(g: Graph):\n    global total\n    by = arrays.array[long]()\n"
                 "    by.resize(3)\n    total = by.size\n")
    assert names_of(load_definition(m.p)[0]) == ["array", "Graph", "total", "p"]


def test_a_scalar_that_is_only_said_to_be_global_is_found(folder: Path) -> None:
    m = imported(folder, "early", HEAD + "total = irgl.scalar(long, 0)\n\n"
                 "@irgl.program\ndef p(g: Graph):\n    global total\n")
    assert names_of(load_definition(m.p)[0]) == ["Graph", "total", "p"]


def test_a_mistake_names_the_line_of_the_user_s_file(folder: Path) -> None:
    m = imported(folder, "mistaken", MARK + "\n@irgl.program\ndef p(g: Graph):\n    mark(g, 2 ** 3)\n")
    with pytest.raises(IrglError) as caught:
        load_definition(m.p)
    line = (folder / "mistaken.py").read_text().split("\n").index("    mark(g, 2 ** 3)") + 1
    assert str(caught.value).startswith(f"{folder}/mistaken.py:{line}:13: error: '**' is not part of the language")


def test_a_mistake_that_the_checker_finds_is_told_in_python_s_words(folder: Path) -> None:
    m = imported(folder, "racing", MARK + "\n@irgl.kernel\ndef k(g: Graph):\n    for n in g.nodes:\n"
                 "        for e in n.edges:\n            e.dst.p = 1\n\n@irgl.program\ndef p(g: Graph):\n    k(g)\n")
    program, sources = load_definition(m.p)
    with pytest.raises(IrglError, match=r"hint: write X.p = irgl.racy\(value\)"):
        checked_program(program, sources[0])


def test_a_mistake_in_an_included_file_is_told_in_that_file_s_words(folder: Path) -> None:
    (folder / "wrong.irgl").write_text("graph Other { node int p = 0; }\nKernel k(Other g) {\n"
                                       "  ForAll (n In g.nodes) { ForAll (e In n.edges) { e.dst.p = 1; } }\n}\n")
    m = imported(folder, "including", HEAD + 'wrong = irgl.include("wrong.irgl")\n\n'
                 "@irgl.program\ndef p(g: wrong.Other):\n    wrong.k(g)\n")
    program, sources = load_definition(m.p)
    with pytest.raises(IrglError, match=r"wrong\.irgl:3:.*\n(.*\n)*.*hint: write racy if all"):
        checked_program(program, sources[0])


def test_a_python_object_can_t_be_used(folder: Path) -> None:
    m = imported(folder, "foreign", MARK + "\nnames = ['a']\n\n@irgl.program\ndef p(g: Graph):\n    mark(g, names)\n")
    with pytest.raises(IrglError, match="'names' is a Python list: a program can't use it"):
        load_definition(m.p)


def test_a_program_without_a_text_says_so() -> None:
    names: dict[str, object] = {}
    exec("import irgl\n@irgl.program\ndef p(g): pass\n", names)
    with pytest.raises(IrglError, match="the text of 'p' is not at hand"):
        load_definition(names["p"])  # type: ignore[arg-type]


def test_a_kernel_that_python_calls_says_where_it_runs() -> None:
    names: dict[str, object] = {"__name__": "__main__"}
    cell(9, MARK, names)
    with pytest.raises(TypeError, match="kernel mark runs inside a program"):
        names["mark"](1, 2)  # type: ignore[operator]
