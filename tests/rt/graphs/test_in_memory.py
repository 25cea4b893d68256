"""Graphs as Python's libraries keep them: what each shape means, and what is refused since it would mean another."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp

import irgl
from irgl.rt.graphs.in_memory import InMemory


def arcs(given: InMemory) -> list[tuple[Any, ...]]:
    """(source, target[, weight]) of each edge, by the nodes' names."""
    graph = given.graph
    names = given.labels if given.labels is not None else range(graph.num_nodes)
    ends = zip(graph.sources().tolist(), graph.dst.tolist(), strict=True)
    weights = [()] * graph.num_edges if graph.weight is None else [(w,) for w in graph.weight.tolist()]
    return [(names[u], names[v], *w) for (u, v), w in zip(ends, weights, strict=True)]


def frame(columns: dict[Any, Any]) -> Any:
    made = type("Frame", (), {"__getitem__": lambda self, name: self.held[name]})()
    made.held, made.columns = {name: np.asarray(values) for name, values in columns.items()}, list(columns)
    return made


ENDS: Any = {
    "names of several kinds": ([("a", "1"), (1, "b")], [("a", "1"), (1, "b")]),
    "tuples are names": (list(nx.grid_2d_graph(1, 3).edges), [((0, 0), (0, 1)), ((0, 1), (0, 2))]),
    "columns of two kinds": (([1, 2], ["a", "b"]), [(1, "a"), (2, "b")]),
    "floats for the sake of weights": (np.array([[0, 1, 2.5], [1, 2, 1]]), [(0, 1, 2.5), (1, 2, 1.0)]),
    "a matrix of edges": (np.matrix([[0, 1], [1, 2]]), [(0, 1), (1, 2)]),
    "unsigned": ((np.array([0, 1], np.uint64), np.array([1, 2], np.uint64)), [(0, 1), (1, 2)]),
    "columns called by numbers": (frame({0: [0, 1], 1: [1, 2]}), [(0, 1), (1, 2)]),
    "a third column": (frame({0: [0, 1], 1: [1, 2], 2: [7, 8]}), [(0, 1, 7), (1, 2, 8)]),
    "weights before the ends": (frame({"weight": [7, 8], "a": [0, 1], "b": [1, 2]}), [(0, 1, 7), (1, 2, 8)]),
    "one end by its name": ({"to": [1, 2], "x": [0, 1]}, [(0, 1), (1, 2)]),
    "ends the other way round": ({"target": [1, 2], "source": [0, 1]}, [(0, 1), (1, 2)]),
}


ONE_BY_ONE: Any = {
    "a generator": lambda: (edge for edge in [(0, 1), (1, 2)]),
    "zip": lambda: zip([0, 1], [1, 2], strict=True),
    "a set": lambda: {(0, 1), (1, 2)},
    "keys": lambda: {(0, 1): "a", (1, 2): "b"}.keys(),
    "a view of NetworkX's": lambda: nx.DiGraph([(0, 1), (1, 2)]).edges,
    "a queue": lambda: deque([(0, 1), (1, 2)]),
    "arrays of iterators": lambda: (map(int, "01"), iter([1, 2])),
    "arrays of values": lambda: ({"a": 0, "b": 1}.values(), range(1, 3)),
}


@pytest.mark.parametrize("given", ONE_BY_ONE.values(), ids=ONE_BY_ONE)
def test_edges_may_come_one_by_one(given: Callable[[], Any]) -> None:
    assert sorted(arcs(irgl.as_graph(given()))) == [(0, 1), (1, 2)]


def test_a_mask_that_hides_nothing_is_no_hindrance() -> None:
    assert arcs(irgl.as_graph((np.ma.array([0, 1], mask=[False, False]), np.ma.array([1, 2])))) == [(0, 1), (1, 2)]


@pytest.mark.parametrize(("given", "expected"), ENDS.values(), ids=ENDS)
def test_edges_are_those_that_were_given(given: Any, expected: list[tuple[Any, ...]]) -> None:
    assert sorted(arcs(irgl.as_graph(given)), key=repr) == sorted(expected, key=repr)


def test_a_chosen_column_is_not_mixed_up_with_one_of_like_name() -> None:
    table = {"source": [0], "target": [1], "cost": [7], "Cost": [2], "weight": [3]}
    assert [arcs(irgl.as_graph(table, weight=w)) for w in ("Cost", "cost", None)] == [[(0, 1, 2)], [(0, 1, 7)],
                                                                                   [(0, 1, 3)]]


@pytest.mark.parametrize("given", [nx.DiGraph([("a", "b"), ("b", "c")]), irgl.as_graph([("a", "b"), ("b", "c")]),
                                   [("a", "b"), ("b", "c")]], ids=["networkx", "held", "list"])
def test_edges_go_both_ways_whatever_holds_them(given: Any) -> None:
    found = arcs(irgl.as_graph(given, directed=False))
    assert sorted(e[:2] for e in found) == [("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")]


def matrix(**arrays: Any) -> Any:
    made = sp.csr_array(np.array([[0, 5, 0], [0, 0, 2], [1, 0, 0]]))
    for name, values in arrays.items():
        setattr(made, name, values)
    return made


@pytest.mark.parametrize("kind", ["int16", "uint16", "uint32", "uint64", ">i4", ">i8"])
def test_indices_of_any_integers(kind: str) -> None:
    given = matrix(indices=np.array([1, 2, 0], kind), indptr=np.array([0, 1, 2, 3], kind))
    assert arcs(irgl.as_graph(given)) == [(0, 1, 5), (1, 2, 2), (2, 0, 1)]


NAN = float("nan")
REFUSED: Any = {
    "floats as indices": (matrix(indices=np.array([1.0, 2.0, 0.0])), {}, "the matrix's indices are float64"),
    "fewer values than indices": (matrix(data=np.array([5, 2])), {}, "the matrix has 2 values for 3 indices"),
    "a vector": (sp.coo_array(np.array([0, 1])), {}, r"an array of shape \(2,\) is no graph"),
    "no rows": ([1, 2], {}, "an edge is two nodes"),
    "texts as rows": (["ab", "cd"], {}, "an edge is two nodes"),
    "all pairs": (np.zeros((4, 4)), {}, "give a matrix of all pairs of nodes as scipy"),
    "lists of all pairs": ([[0] * 4] * 4, {}, "give a matrix of all pairs of nodes as scipy"),
    "no source": ([("a", "b"), (None, "c")], {}, "edge 1 has no source"),
    "no target": ((np.array([0.0, 1.0]), np.array([1.0, NAN])), {}, "edge 1 has no target"),
    "no weight": ((np.array([0]), np.array([1]), np.array([NAN])), {}, "edge 0 has no weight"),
    "no weight in networkx": (nx.Graph([(0, 1, {"weight": NAN})]), {}, "the weights 'weight' are no numbers"),
    "a missing value of Arrow's": (pa.table({"source": [0, None], "target": [1, 2]}), {}, "edge 1 has no source"),
    "lists as names": (([[1], [2]], [[3], [4]]), {}, "a node's name can't be that"),
    "a masked end": ((np.ma.array([0, 1], mask=[0, 1]), np.array([1, 2])), {}, "the array hides some of its values"),
    "a masked weight": (np.ma.array([[0, 1, 2], [1, 2, 3]], mask=[[0, 0, 1], [0, 0, 0]]), {}, "the array hides some"),
    "an iterator that was used": (iter([]), {}, "the list_iterator gives no edge"),
    "a set of ends": (({0, 1}, {1, 2}), {}, "a builtins.set is no array"),
    "a tuple of edges": (((0, 1), (1, 2), (2, 3), (3, 4)), {}, "a builtins.tuple is no graph"),
    "too high a number": ((np.array([2**63], np.uint64), np.array([0])), {}, f"there is no node {2**63}"),
    "lists of neighbours": ({"a": ["b"], "b": ["a"]}, {}, "a table of edges has a column for each end"),
    "lists of neighbours by number": ({0: [1], 1: [0]}, {}, "a builtins.dict is no graph"),
    "a target in the first place": ({"v": [0], "w": [1]}, {}, "a table of edges has a column for each end"),
    "too many columns": (frame({name: [0] for name in "abcd"}), {}, "a table of edges has a column for each end"),
    "nodes of a matrix": (matrix(), {"nodes": 5}, "nodes=5: the graph has 3 nodes"),
    "nodes of names": ([("a", "b")], {"nodes": 5}, "nodes=5: the graph has 2 nodes"),
    "nodes below 0": ([], {"nodes": -2}, "nodes=-2: it takes a whole number"),
    "a fraction of nodes": ([(0, 1)], {"nodes": 2.5}, "nodes=2.5: it takes a whole number"),
    "a column of a matrix": (matrix(), {"weight": "cost"}, "weight='cost' names an attribute or a column"),
}


@pytest.mark.parametrize(("given", "options", "message"), REFUSED.values(), ids=REFUSED)
def test_what_would_mean_another_graph_is_refused(given: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(irgl.IrglError, match=message):
        irgl.as_graph(given, **options)


def test_the_edge_whose_weight_is_no_number_is_named() -> None:
    with pytest.raises(irgl.IrglError) as caught:
        irgl.as_graph(nx.Graph([("a", "b", {"weight": 1}), ("b", "c", {"weight": None})]))
    assert caught.value.hint is not None and caught.value.hint.startswith("edge 'b', 'c' has None: ")


def test_a_name_that_no_node_can_have_is_no_node() -> None:
    with pytest.raises(irgl.IrglError, match=r"the graph has no node \['a'\]"):
        irgl.as_graph([("a", "b")]).place(["a"])  # type: ignore[arg-type]


def test_a_graph_can_be_sent_to_another_process() -> None:
    held = irgl.as_graph([("a", "b")])
    held.place("a")
    assert arcs(pickle.loads(pickle.dumps(held))) == [("a", "b")]
