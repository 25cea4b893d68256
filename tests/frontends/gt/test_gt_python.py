"""Functions that .gt files export, called from Python: they find what SciPy and NetworkX find, and keep consts."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import dijkstra
from support.gt_libraries import COMPUTED, HOPS, RANKS, ROADS, ROUNDS, ROWS, compiled, matrix, ranked

import irgl
from irgl.ast.dump import dump
from irgl.frontends.load import load, source_of
from irgl.rt.call.library import Library


@pytest.mark.parametrize("target", ["ref", "cpu"])
def test_ranks_are_scipys(target: str) -> None:
    graph = matrix(1)
    start = np.random.default_rng(2).random(40)
    before = start.copy()
    found = compiled(RANKS, target=target).begin_with(graph, start, rounds=7)
    np.testing.assert_allclose(found, ranked(graph, 7, before), rtol=1e-12)
    assert found.dtype == np.float64 and (start == before).all()


@pytest.mark.parametrize("target", ["ref", "cpu"])
def test_hops_are_networkxs_and_vertices_go_by_their_names(target: str) -> None:
    graph = nx.relabel_nodes(nx.gnm_random_graph(30, 50, seed=3, directed=True), lambda v: f"n{v}")
    wanted = nx.single_source_shortest_path_length(graph, "n4")
    found = compiled(HOPS, target=target).from_vertex(graph, "n4")
    assert found.tolist() == [wanted.get(name, -1) for name in graph]


@pytest.mark.parametrize("target", ["ref", "cpu"])
def test_distances_are_scipys(target: str) -> None:
    graph = matrix(5, edges=60)
    found = compiled(ROADS, target=target).cheapest(graph, source=np.int64(7))
    assert found.tolist() == dijkstra(graph, indices=7).tolist()


def test_consts_stay_between_calls() -> None:
    graph = matrix(4)
    ranks = compiled(RANKS)
    ranks.set_graph(graph)
    ranks.go_on(3)
    np.testing.assert_allclose(ranks.go_on(rounds=4), ranked(graph, 7), rtol=1e-12)
    assert ranks.how_often() == 2


def test_what_begins_with_a_computed_value_does_so_once_for_a_graph() -> None:
    four, two = sp.csr_array((4, 4)), sp.csr_array((2, 2))
    shares = compiled(COMPUTED)
    shares.set_graph(four)
    assert [shares.double_them().tolist(), shares.double_them().tolist()] == [[0.5] * 4, [1] * 4]
    assert [shares.larger(), shares.larger()] == [5, 6]
    shares.set_graph(two)
    assert (shares.double_them().tolist(), shares.larger()) == ([1, 1], 3)
    assert [shares.double_of(two).tolist(), shares.double_of(two).tolist()] == [[1, 1], [1, 1]]
    assert shares.double_them().tolist() == [2, 2]


def test_a_vector_of_a_number_of_values_is_given_as_an_array() -> None:
    shares = compiled(COMPUTED)
    assert shares.total([1, 2, 3.5], times=2) == 13
    shares.set_graph(sp.csr_array((4, 4)))
    assert shares.scaled(np.array([0, 0, 8.0])).tolist() == [2] * 4


@pytest.mark.parametrize("target", ["ref", "cpu"])
def test_rows_of_values_are_given_kept_and_results(target: str) -> None:
    edges, rows = matrix(6) != 0, np.arange(120).reshape(40, 3)
    sums = compiled(ROWS, target=target)
    sums.begin(edges, rows)
    assert sums.step().tolist() == (edges.T @ rows).tolist()
    assert sums.step().tolist() == (edges.T @ (edges.T @ rows)).tolist()
    assert sums.step().dtype == np.float32 and rows[0].tolist() == [0, 1, 2]


@pytest.mark.parametrize("target", ["ref", "cpu"])
def test_vertexsets_are_given_kept_and_results(target: str) -> None:
    graph = nx.gnm_random_graph(30, 40, seed=6, directed=True)
    search = compiled(ROUNDS, target=target)
    search.begin(graph, [3, 7])
    for layer in list(nx.bfs_layers(graph, [3, 7]))[1:]:
        assert search.further().tolist() == sorted(layer)
    assert search.further().tolist() == []


def test_a_vertexset_may_go_by_names_or_by_bools() -> None:
    graph = nx.DiGraph([("a", "b"), ("b", "c"), ("d", "a")])
    search = compiled(ROUNDS)
    search.begin(graph, {"a", "d"})
    assert search.how_many() == 2
    assert search.further().tolist() == [1]
    search.begin(graph, np.array([False, True, False, False]))
    assert search.further().tolist() == [2]


def test_a_call_can_change_a_const_for_others() -> None:
    graph = matrix(4)
    ranks = compiled(RANKS)
    ranks.set_damp(0.5)
    ranks.set_graph(graph)
    np.testing.assert_allclose(ranks.go_on(6), ranked(graph, 6, damp=0.5), rtol=1e-12)


def test_each_library_has_values_of_its_own() -> None:
    one, other = compiled(RANKS), compiled(RANKS)
    one.set_graph(matrix(4))
    one.go_on(1)
    assert (one.how_often(), other.how_often()) == (1, 0)


def test_a_result_that_the_caller_changes_is_not_what_is_kept() -> None:
    graph = matrix(4)
    ranks = compiled(RANKS)
    ranks.set_graph(graph)
    ranks.go_on(1)[:] = 0
    np.testing.assert_allclose(ranks.go_on(1), ranked(graph, 2), rtol=1e-12)


def test_edges_are_taken_as_they_are() -> None:
    graph = sp.csr_array(([1, 1, 1, 1], [0, 1, 1, 0], [0, 3, 4]), shape=(2, 2))  # a loop, two parallel edges
    rank = np.array([0.5, 0.5])
    wanted = [0.075 + 0.85 * (0.5 / 3 + 0.5), 0.075 + 0.85 * (2 * 0.5 / 3)]
    np.testing.assert_allclose(compiled(RANKS).begin_with(graph, rank, 1), wanted, rtol=1e-12)


def test_vectors_are_converted_and_may_go_by_node() -> None:
    graph = nx.DiGraph([("a", "b"), ("b", "a"), ("b", "c"), ("c", "a")])
    begin = compiled(RANKS).begin_with
    by_array = begin(graph, np.array([1, 0, 2], np.int16), 2)
    assert by_array.tolist() == begin(graph, {"a": 1, "b": 0, "c": 2}, 2).tolist()


def test_a_file_is_a_graph_too(tmp_path: Path) -> None:
    (tmp_path / "g.el").write_text("0 1\n1 4\n")
    assert compiled(HOPS).from_vertex(tmp_path / "g.el", 0).tolist() == [0, 1, -1, -1, 2]


def test_a_library_is_pickled_with_its_values() -> None:
    graph = matrix(4)
    ranks = compiled(RANKS)
    ranks.set_graph(graph)
    ranks.go_on(2)
    again: Any = pickle.loads(pickle.dumps(ranks))
    np.testing.assert_allclose(again.go_on(1), ranked(graph, 3), rtol=1e-12)


def test_a_library_tells_what_it_exports() -> None:
    ranks = compiled(RANKS, "ranks.gt")
    assert repr(ranks) == ("<irgl library ranks: set_graph(given), go_on(rounds), begin_with(given, start, rounds), "
                           "set_damp(by), how_often()>")
    assert {"set_graph", "go_on"} <= set(dir(ranks)) and ranks["go_on"] is ranks.go_on
    assert repr(ranks.go_on) == "<irgl function go_on(rounds) of ranks>"


def test_a_function_is_a_program_of_irgls_with_the_answer_of_its_last_call() -> None:
    ranks = compiled(RANKS)
    assert ranks.go_on.program.manifest.program == "go_on" and ranks.go_on.answer is None
    ranks.set_graph(matrix(4))
    assert len(ranks.set_graph.answer.times_ms) == 1


def test_one_function_alone_is_compiled_by_its_name() -> None:
    graph = matrix(5, edges=60)
    program = irgl.compile("x.gt:cheapest", text=ROADS, target="ref")
    assert not isinstance(program, Library)
    assert program(graph, source=7).cost.tolist() == dijkstra(graph, indices=7).tolist()


def test_a_dumped_function_finds_the_same() -> None:
    graph = matrix(1)
    start = np.random.default_rng(2).random(40)
    text = dump(load(source_of("x.gt:begin_with", RANKS)))
    found = irgl.compile("dumped.irgl", text=text, target="ref")(graph, start=start, rounds=7)
    np.testing.assert_allclose(found.start, ranked(graph, 7, start), rtol=1e-12)


def test_a_file_with_main_is_a_program_and_a_library() -> None:
    text = HOPS.replace("Vertex);\n", "Vertex) = load(argv[1]);\n", 1)
    text += "func main()\n    print edges.getVertices();\nend\n"
    both = compiled(text)
    assert isinstance(both, Library) and both.has_main
    assert both(nx.path_graph(5)).printed == ("5",)
    assert both.from_vertex(nx.path_graph(5), 1).tolist() == [1, 0, 1, 2, 3]


def test_what_the_interpreter_prints_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    compiled("export func f(x : int)\n    print x + 1;\nend\n").f(3)
    assert capsys.readouterr().out == "4\n"


def test_what_compiled_code_prints_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    compiled("export func f(x : int)\n    print x + 1;\nend\n", target="cpu").f(3)
    assert capfd.readouterr() == ("4\n", "")


def test_a_function_without_a_graph_needs_none() -> None:
    assert compiled("export func f(x : int, y : float) -> z : float\n    z = x * y;\nend\n").f(3, 0.5) == 1.5
