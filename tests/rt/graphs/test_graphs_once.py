"""A graph is given once, in whatever form, and what it may have been meant to be is asked, not guessed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.places import PROGRAMS

import irgl
from irgl.source import IrglError

ROME = PROGRAMS / "data" / "rome99.gr.gz"


@pytest.fixture(scope="module")
def paths() -> Any:
    return irgl.compile(PROGRAMS / "sssp_nf.irgl", target="ref")


@pytest.fixture(scope="module")
def search() -> Any:
    return irgl.compile(PROGRAMS / "bfs.irgl")


def cities(**attributes: int) -> nx.Graph:
    graph = nx.path_graph(["a", "b", "c"])
    nx.set_edge_attributes(graph, {("a", "b"): {k: v + 1 for k, v in attributes.items()},
                                   ("b", "c"): attributes})
    return graph


def test_a_file_is_a_graph_for_several_calls(search: Any) -> None:
    roads = irgl.as_graph(ROME)
    assert np.array_equal(search(roads, src=1).hops, search(ROME, src=1).hops)


def test_a_file_may_be_taken_both_ways(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("0 1\n1 2\n")
    assert irgl.as_graph(path, directed=False).graph.num_edges == 4


def test_a_generator_is_a_graph() -> None:
    assert irgl.as_graph("grid:3x3").graph.num_nodes == 9


def test_a_call_says_which_attribute_holds_the_weights(paths: Any) -> None:
    found = paths(cities(cost=4), src="a", weight="cost")
    assert found.named("path_length") == {"a": 0, "b": 5, "c": 9}


def test_a_call_says_which_column_holds_the_weights(paths: Any) -> None:
    table = {"source": ["a", "b"], "target": ["b", "c"], "cost": [3, 4], "toll": [1, 1]}
    assert paths(table, src="a", weight="cost").named("path_length") == {"a": 0, "b": 3, "c": 7}


def test_an_attribute_that_no_edge_has_is_refused() -> None:
    with pytest.raises(IrglError, match="no edge has an attribute 'wt'") as refused:
        irgl.as_graph(cities(cost=4, toll=1), weight="wt")
    assert refused.value.hint == "their attributes: cost, toll"


def test_weights_that_become_1_are_told(paths: Any) -> None:
    assert paths(cities(cost=4), src="a").changed == ("gave every edge weight 1",)


def test_edges_without_a_weight_are_counted(paths: Any) -> None:
    graph = cities(weight=4)
    del graph.edges["b", "c"]["weight"]
    found = paths(graph, src="a")
    assert (found.changed[0], found.named("path_length")["c"]) == ("gave 1 edge without 'weight' weight 1", 6)


@pytest.mark.parametrize("name", ["wieght", "Weigth", "weights"])
def test_a_column_that_is_nearly_called_weight_is_asked_about(name: str) -> None:
    with pytest.raises(IrglError, match="did you mean weight"):
        irgl.as_graph({"source": [0], "target": [1], name: [5]})


def test_a_column_that_is_not_called_weight_is_let_be() -> None:
    assert irgl.as_graph({"source": [0], "target": [1], "height": [5]}).graph.weight is None


@pytest.mark.parametrize("n", [2, 3])
def test_a_square_array_of_floats_is_asked_about(n: int) -> None:
    with pytest.raises(IrglError, match=f"is it a matrix of all pairs of nodes, or {n} edges"):
        irgl.as_graph(np.eye(n))


def test_an_array_of_floats_that_is_no_square_holds_edges() -> None:
    assert irgl.as_graph(np.array([[0.0, 1.0, 2.5], [1.0, 2.0, 0.5]])).graph.num_nodes == 3


@pytest.mark.parametrize("take", [irgl.as_graph, lambda path: irgl.compile(PROGRAMS / "bfs.irgl")(path)])
@pytest.mark.parametrize("text", ["", "# nothing\n"])
def test_an_empty_file_is_a_mistake(tmp_path: Path, take: Callable[[Path], Any], text: str) -> None:
    (tmp_path / "empty.txt").write_text(text)
    with pytest.raises(IrglError, match="the file has no edge and no node"):
        take(tmp_path / "empty.txt")


def test_an_empty_file_may_be_an_empty_graph(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("")
    assert irgl.as_graph(tmp_path / "empty.txt", allow_empty=True).graph.num_nodes == 0


def test_a_graph_whose_file_has_weights_takes_no_name_of_them(paths: Any) -> None:
    with pytest.raises(IrglError, match="this graph has none"):
        paths(ROME, src=1, weight="cost")
