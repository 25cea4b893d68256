"""Graphs that are made once, by name too, and what is asked rather than guessed of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import irgl
from irgl.rt.call.callable import Program

SUM = """graph Graph { node long out = 0; edge long w; }
Kernel sum(Graph g) { ForAll (n In g.nodes) { ForAll (e In n.edges) { n.out += e.w; } } }
Program total(Graph g) { Invoke sum(g); }
"""
ROADS = "p sp 3 2\na 1 2 5\na 2 3 1\n"


@pytest.fixture(scope="module")
def total(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path = tmp_path_factory.mktemp("programs") / "total.irgl"
    path.write_text(SUM)
    return irgl.compile(path, target="cpu")


@pytest.fixture(scope="module")
def search() -> Program:
    return irgl.compile("bfs", target="cpu")


@pytest.fixture
def roads(tmp_path: Path) -> Path:
    (tmp_path / "roads.gr").write_text(ROADS)
    return tmp_path / "roads.gr"


def refused(call: Any) -> tuple[str, str | None]:
    with pytest.raises(irgl.IrglError) as caught:
        call()
    return caught.value.message, caught.value.hint


# Files


def test_a_file_is_a_graph_for_several_calls(search: Program, total: Program, roads: Path) -> None:
    for given in (roads, str(roads)):
        held = irgl.as_graph(given)
        assert search(held, src=2).named("hops") == {1: 2**31 - 1, 2: 0, 3: 1}
        assert total(held).named("out") == {1: 5, 2: 1, 3: 0}


def test_a_file_s_nodes_are_the_file_s(search: Program, roads: Path) -> None:
    with pytest.raises(irgl.IrglError, match=r"there is no node 0: its 3 nodes are 1\.\.3"):
        search(irgl.as_graph(roads), src=0)


def test_a_generator_is_a_graph(search: Program) -> None:
    assert search(irgl.as_graph("path:4"), src=3).hops.tolist() == [3, 2, 1, 0]


def test_a_file_s_edges_go_both_ways_where_that_is_said(total: Program, roads: Path) -> None:
    assert total(irgl.as_graph(roads, directed=False)).out.tolist() == [5, 6, 1]


def test_a_file_s_number_of_nodes_may_be_checked(roads: Path) -> None:
    assert irgl.as_graph(roads, nodes=3).graph.num_nodes == 3
    assert refused(lambda: irgl.as_graph(roads, nodes=4))[0] == "nodes=4: the graph has 3 nodes"


def test_a_file_has_no_attributes_to_choose(roads: Path, total: Program) -> None:
    message = "weight='cost' names an attribute or a column, and a file has none"
    assert refused(lambda: irgl.as_graph(roads, weight="cost"))[0] == message
    assert refused(lambda: total(roads, weight="cost"))[0] == message


# Weights


def test_a_call_chooses_the_weights(total: Program) -> None:
    assert total(nx.DiGraph([("a", "b", {"cost": 7})]), weight="cost").out.tolist() == [7, 0]
    assert total({"source": [0], "target": [1], "cost": [9]}, weight="cost").out.tolist() == [9, 0]


def test_a_program_without_weights_chooses_none(search: Program) -> None:
    message, _ = refused(lambda: search(nx.path_graph(3), weight="cost"))
    assert message == "weight='cost': bfs uses no weights of its graph"


def test_a_parameter_called_weight_is_the_program_s(tmp_path: Path) -> None:
    text = SUM.replace("Graph g)", "Graph g, int weight)").replace("sum(g)", "sum(g, weight)").replace("e.w", "weight")
    times = irgl.compile(tmp_path / "times.irgl", target="cpu", text=text)
    assert times([(0, 1, 5)], weight=4).out.tolist() == [4, 0]


def test_an_attribute_that_no_edge_has_is_refused(total: Program) -> None:
    given = nx.Graph([("a", "b", {"weight": 7, "length": 3}), ("b", "c", {"toll": 1})])
    assert refused(lambda: irgl.as_graph(given, weight="wt")) == (
        "no edge has an attribute 'wt'", "its edges have weight, length, toll")
    assert refused(lambda: total(given, weight="lenght")) == (
        "no edge has an attribute 'lenght'", "did you mean 'length'? its edges have weight, length, toll")
    assert refused(lambda: irgl.as_graph(nx.path_graph(3), weight="wt"))[1] == "its edges have no attributes"


def test_a_graph_without_edges_lacks_no_attribute() -> None:
    assert irgl.as_graph(nx.empty_graph(3), weight="wt").graph.num_edges == 0


@pytest.mark.parametrize("given", [nx.DiGraph([(0, 1)]), [(0, 1)], {"source": [0], "target": [1]}],
                         ids=["networkx", "list", "table"])
def test_weights_that_become_1_are_told(total: Program, given: Any) -> None:
    found = total(given)
    assert (found.out.tolist(), found.changed) == ([1, 0], ("gave every edge weight 1",))


def test_some_weights_that_become_1_are_told(total: Program) -> None:
    found = total(nx.DiGraph([(0, 1, {"weight": 7}), (1, 2), (2, 0)]))
    assert found.out.tolist() == [7, 1, 1]
    assert found.changed == ("gave 2 edges without 'weight' the weight 1",)


def test_weights_that_are_there_change_nothing(total: Program, search: Program) -> None:
    assert total(nx.DiGraph([(0, 1, {"weight": 7})])).changed == ()
    assert search(nx.path_graph(3)).changed == ()


def test_the_shell_notes_weights_that_become_1(tmp_path: Path) -> None:
    (tmp_path / "total.irgl").write_text(SUM)
    done = subprocess.run([sys.executable, "-m", "irgl", "run", str(tmp_path / "total.irgl"), "--graph", "path:3"],
                          capture_output=True, text=True, check=True)
    assert done.stderr == "note: gave every edge weight 1\n"


# Tables and arrays that may mean another thing


@pytest.mark.parametrize("name", ["wieght", "weigth", "weights", "Weigt"])
def test_a_column_nearly_called_weight_is_asked_about(name: str) -> None:
    table = {"source": [0], "target": [1], name: [9]}
    message, hint = refused(lambda: irgl.as_graph(table))
    assert message == f"the table has a column '{name}' and none of weights: did you mean 'weight'?"
    assert hint == f"say weight='{name}', or call it weight; leave it out if it holds no weights"
    assert irgl.as_graph(table, weight=name).graph.weight.tolist() == [9]  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["height", "width", "year", "freight"])
def test_other_columns_are_nobody_s_weights(name: str) -> None:
    assert irgl.as_graph({"source": [0], "target": [1], name: [9]}).graph.weight is None


def test_a_misspelt_column_beside_weights_is_left_out() -> None:
    graph = irgl.as_graph({"source": [0], "target": [1], "weights": [9], "weight": [3]}).graph
    assert graph.weight is not None and graph.weight.tolist() == [3]


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.bool_])
@pytest.mark.parametrize("size", [2, 3])
def test_a_square_array_is_asked_about(size: int, kind: Any) -> None:
    array = np.ones((size, size), kind)
    message, hint = refused(lambda: irgl.as_graph(array))
    assert message == (f"a {size} x {size} array of {array.dtype} may be a matrix of all pairs of nodes, or a list of "
                       f"{size} edges")
    third = ", array[:, 2]" * (size == 3)
    assert hint == ("give a matrix as scipy.sparse.csr_array(array), edges as their columns: "
                    f"(array[:, 0].astype(int), array[:, 1].astype(int){third})")


def test_what_the_hint_says_of_a_square_array_works(total: Program) -> None:
    array = np.array([[0, 1, 4], [1, 2, 5], [2, 0, 6]], float)
    assert total(sp.csr_array(array)).out.tolist() == [5, 8, 8]
    assert total((array[:, 0].astype(int), array[:, 1].astype(int), array[:, 2])).out.tolist() == [4, 5, 6]


@pytest.mark.parametrize("array", [np.array([[0, 1], [1, 0]]), np.array([[0, 1, 2.5], [1, 2, 1]])])
def test_whole_numbers_and_long_lists_are_edges(array: Any) -> None:
    assert irgl.as_graph(array).graph.num_edges == 2


# Nothing


@pytest.mark.parametrize("text", ["", "\n\n", "# from, to\n"], ids=["no byte", "no line", "comments"])
def test_an_empty_file_is_refused_unless_that_is_said(text: str, search: Program, tmp_path: Path) -> None:
    path = tmp_path / "nothing.el"
    path.write_text(text)
    for call in (lambda: search(path), lambda: irgl.as_graph(path), lambda: irgl.load_graph(path, search)):
        message, hint = refused(call)
        assert message == "the graph file is empty: it holds no node"
        assert hint == "where that is meant, say --allow-empty, in Python allow_empty=True"
    assert search(irgl.as_graph(path, allow_empty=True)).reached == 0
    assert irgl.load_graph(path, search, allow_empty=True).num_nodes == 0


def test_the_shell_refuses_an_empty_file_unless_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "nothing.el").write_text("")
    for words in (["run", "bfs", "--graph"], ["graph", "info"]):
        command = [sys.executable, "-m", "irgl", *words, str(tmp_path / "nothing.el")]
        refusal = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (refusal.returncode, refusal.stderr.partition(": error: ")[2].splitlines()[0]) == (
            2, "the graph file is empty: it holds no node")
        assert subprocess.run([*command, "--allow-empty"], capture_output=True, check=False).returncode == 0


def test_nothing_from_a_generator_is_what_was_asked_for(search: Program) -> None:
    assert search("path:0").reached == search(irgl.as_graph("path:0")).reached == 0


def test_graphs_in_memory_may_be_empty_without_saying_so() -> None:
    assert refused(lambda: irgl.as_graph([(0, 1)], allow_empty=True))[0] == "allow_empty=True is for files"
