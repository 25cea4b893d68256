"""Functions that .gt files export: what is said of calls that are wrong, and of functions that can't be exported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from support.gt_libraries import COMPUTED, HEAD, RANKS, ROUNDS, compiled, matrix, ranked

import irgl
from irgl.cli.main import exit_code
from irgl.driver import front
from irgl.frontends.load import source_of

GRAPH = sp.csr_array(([1, 1], [1, 0], [0, 1, 2]), shape=(2, 2))


@pytest.mark.parametrize(("given", "named", "message"), [
    ((), {}, "begin_with needs a value for `given` (edgeset)"),
    ((GRAPH, [0, 1]), {}, "begin_with needs a value for `rounds` (int)"),
    ((GRAPH, [0, 1], 2, 3), {}, "begin_with takes 3 arguments, and 4 are given"),
    ((GRAPH, [0, 1], 2), {"start": [0, 1]}, "begin_with is given `start` twice"),
    ((GRAPH, [0, 1], 2), {"stop": 3}, "begin_with has no parameter `stop`"),
    ((GRAPH, [0, 1, 2], 2), {}, "`start` has the shape (3,): the graph `g` has 2 nodes, so that it takes (2,)"),
    ((GRAPH, [[0], [1]], 2), {}, "`start` has the shape (2, 1): the graph `g` has 2 nodes, so that it takes (2,)"),
    ((GRAPH, ["a", "b"], 2), {}, "`start` takes double values, and the values given are <U1"),
    ((GRAPH, 0.5, 2), {}, "`start` takes a double for every node, and float is given"),
    ((GRAPH, [0, 1], 2.5), {}, "rounds=2.5: it takes a whole number from -2147483648 to 2147483647"),
    ((GRAPH, [0, 1], [2]), {}, "rounds=[2]: it takes a whole number from -2147483648 to 2147483647"),
    ((GRAPH[:1], [0, 1], 2), {}, "`given`: a matrix of 1 rows and 2 columns is no graph"),
    ((None, [0, 1], 2), {}, "`given`: a builtins.NoneType is no graph"),
])
def test_a_mistake_in_a_call_is_one_message(given: tuple[Any, ...], named: dict[str, Any], message: str) -> None:
    with pytest.raises(irgl.IrglError) as caught:
        compiled(RANKS).begin_with(*given, **named)
    assert caught.value.message == message


def test_a_graph_that_nobody_stored_is_told_with_who_would() -> None:
    with pytest.raises(irgl.IrglError) as caught:
        compiled(RANKS).go_on(1)
    assert str(caught.value) == ("error: go_on works on `edges`, and no call has stored a graph there\n"
                                 "  hint: call set_graph(given) or begin_with(given, start, rounds) first")


@pytest.mark.parametrize(("given", "message"), [
    ([1, 2], "`values` takes 3 values, and 2 are given"),
    (["a", "b", "c"], "`values` takes double values, and the values given are <U1"),
    (3, "`values` is given 3: it takes double values"),
])
def test_a_vector_of_a_number_of_values_wants_as_many(given: Any, message: str) -> None:
    with pytest.raises(irgl.IrglError) as caught:
        compiled(COMPUTED).total(given, 1)
    assert caught.value.message == message


@pytest.mark.parametrize(("given", "message"), [
    ([2], "`sources` has values for nodes that the graph lacks: 2"),
    (1, "`sources` takes vertices, and int is given"),
    ("a", "`sources` takes vertices, and str is given"),
    ([[1]], "`sources` takes vertices: unhashable type: 'list'"),
    (np.zeros(3, bool), "`sources` has the shape (3,): the graph `g` has 2 nodes, so that it takes (2,)"),
])
def test_a_vertexset_wants_vertices(given: Any, message: str) -> None:
    with pytest.raises(irgl.IrglError) as caught:
        compiled(ROUNDS).begin(GRAPH, given)
    assert caught.value.message == message


def test_values_of_another_graph_are_not_taken() -> None:
    text = RANKS + "export func other(given : edgeset{Edge}(Vertex, Vertex))\n    edges = given;\nend\n"
    ranks = compiled(text)
    ranks.set_graph(matrix(4))
    ranks.other(GRAPH)
    with pytest.raises(irgl.IrglError) as caught:
        ranks.go_on(1)
    assert str(caught.value) == ("error: `rank` has values of 40 vertices, which an earlier call left, and "
                                 "the graph has 2\n  hint: call what makes `rank` for this graph first")


def test_a_call_that_fails_leaves_what_was_kept() -> None:
    graph = matrix(4)
    ranks = compiled(RANKS)
    ranks.set_graph(graph)
    with pytest.raises(irgl.IrglError):
        ranks.begin_with(GRAPH, [0, 1], "x")
    np.testing.assert_allclose(ranks.go_on(1), ranked(graph, 1), rtol=1e-12)


def test_what_is_asked_of_a_main_that_is_not_there_says_how_to_call() -> None:
    ranks = compiled(RANKS, "ranks.gt")
    for ask in (lambda: ranks(GRAPH), lambda: ranks.manifest, lambda: irgl.run(ranks, GRAPH)):
        with pytest.raises(irgl.IrglError) as caught:
            ask()
        assert str(caught.value) == ("error: ranks.gt has no main: it is a library of exported functions\n"
                                     "  hint: call one: ranks.set_graph(given)")
    with pytest.raises(AttributeError, match="exports no function `go_of`"):
        _ = ranks.go_of


@pytest.fixture
def ranks_file(tmp_path: Path) -> str:
    (tmp_path / "ranks.gt").write_text(RANKS)
    return str(tmp_path / "ranks.gt")


def test_check_reads_each_function(ranks_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["check", ranks_file]) == 0
    Path(ranks_file).write_text(RANKS.replace("count = calls", "count = call"))
    assert exit_code(["check", ranks_file]) == 2
    assert "there is no 'call'" in capsys.readouterr().err


def test_dump_shows_each_function(ranks_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["dump", ranks_file, "--stage", "program"]) == 0
    out = capsys.readouterr().out
    assert f"==== {ranks_file}:set_graph ====" in out and f"==== {ranks_file}:how_often ====" in out
    assert out.count("\nProgram ") == 5


def test_run_refuses_a_library_and_says_how_it_is_called(ranks_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["run", ranks_file, "--graph", "path:4"]) == 2
    assert capsys.readouterr().err == (
        f"{ranks_file}: error: it has no main: it is a library of exported functions: set_graph, go_on, begin_with, "
        f"set_damp, how_often\n  hint: call them from Python: irgl.compile(\"{ranks_file}\").set_graph(...); one alone "
        f"is {ranks_file}:set_graph\n")


#: A function f, and what is said of it.
REFUSED = {
    "a text": ("export func f(s : string)\nend\n",
               "x.gt:5:19: error: an exported function can't be given a string yet"),
    "a list": ("export func f(s : list{vertexset{Vertex}})\nend\n", "can't be given a list{vertexset{Vertex}} yet"),
    "a list as its result": ("export func f() -> s : list{vertexset{Vertex}}\nend\n",
                             "can't give a list{vertexset{Vertex}} yet"),
    "two graphs": ("export func f(g : edgeset{Edge}(Vertex, Vertex), h : edgeset{Edge}(Vertex, Vertex))\nend\n",
                   "x.gt:5:50: error: a second graph is not supported yet"),
    "no result": ("export func f() -> r : vector{Vertex}(int)\nend\n", "'f' stores nothing to its result 'r'"),
    "values before there are any": ("export func f() -> r : vector{Vertex}(int)\n    r[0] = 1;\nend\n",
                                    "'r' has no values yet"),
    "a vector now and then": (
        "export func f(b : bool) -> r : vector{Vertex}(int)\n    if b\n        r = new vector{Vertex}(int)();\n"
        "    end\nend\n",
        "'r' becomes another vector here"),
    "another type's vector": (
        "export func f(v : vector{Vertex}(float)) -> r : vector{Vertex}(int)\n    r = v;\nend\n",
        "'r' is a vector{Vertex}(int), and can't be a vector{Vertex}(float)"),
    "a graph in a loop": (
        "export func f(g : edgeset{Edge}(Vertex, Vertex))\n    for i in 0:2\n        edges = g;\n    end\nend\n",
        "'edges' becomes another graph here"),
    "a graph beside the one given": (
        "export func f(g : edgeset{Edge}(Vertex, Vertex)) -> n : int\n    n = edges.getVertices();\nend\n",
        "'f' uses 'edges', which may be another graph than 'g'"),
    "weights": ("export func f(g : edgeset{Edge}(Vertex, Vertex, int))\n    edges = g;\nend\n",
                "'g' has weights, unlike 'edges'"),
    "argv": ("export func f() -> n : int\n    n = atoi(argv[2]);\nend\n", "an exported function has no argv"),
    "argv's graph": ("export func f()\n    edges = load(argv[1]);\nend\n", "an exported function has no argv"),
    "a list that is kept": (
        "const s : list{vertexset{Vertex}};\nexport func f() -> n : int\n    var t : vertexset{Vertex} = s.pop();\n"
        "    n = t.size();\nend\n",
        "'s' is a list{vertexset{Vertex}}, which is not kept between calls yet, and 'f' asks for it"),
    "one vector of two names": (
        "const a : vector{Vertex}(int);\nconst b : vector{Vertex}(int);\n"
        "export func f(g : edgeset{Edge}(Vertex, Vertex), v : vector{Vertex}(int))\n    edges = g;\n    a = v;\n"
        "    b = v;\nend\n",
        "'b' and 'a' are one vector when 'f' ends"),
    "a set that begins with what is computed": (
        "const n : int = 3;\nconst s : vertexset{Vertex} = new vertexset{Vertex}(n);\nexport func f()\n"
        "    s.addVertex(0);\nend\n",
        "'s' begins with what is computed, and functions change it"),
    "an array that is kept": (
        "const a : vector[2](int);\nexport func f() -> n : int\n    n = a[0];\nend\n"
        "export func h()\n    a[0] = 1;\nend\n",
        "'a' is a vector of int values, which is not kept between calls yet, and 'f' asks for it"),
    "an array in a loop": (
        "export func f(a : vector[2](int)) -> n : int\n    for i in 0:2\n        a = new vector[2](int)();\n"
        "    end\nend\n",
        "'a' becomes another vector here"),
    "an array of any size": ("export func f(n : int, a : vector[n](int))\nend\n",
                             "how many values it has is a plain number for a parameter"),
    "an array that is given": ("export func f(a : vector[2](int))\n    a[0] = 1;\nend\n", "x.gt:6:5: error: "),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_an_exported_function_can_not_do_is_refused_with_its_place(case: str) -> None:
    text, message = REFUSED[case]
    with pytest.raises(irgl.IrglError) as caught:
        front(source_of("x.gt:f", HEAD + text))
    assert message in str(caught.value) and "^" in str(caught.value)


def test_a_function_that_is_not_exported_is_told_with_those_that_are() -> None:
    with pytest.raises(irgl.IrglError) as caught:
        irgl.compile("x.gt:spread", text=RANKS)
    assert str(caught.value) == ("x.gt: error: no function 'spread' is exported\n"
                                 "  hint: it exports set_graph, go_on, begin_with, set_damp, how_often")
