"""Values of a program's parameters: defaults with the language's arithmetic, texts by type, nodes by the file's ids."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from irgl.rt.call.bind import bind
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError

# Nodes 5, 6, 7; edges of weights 1, 2, 6.
GRAPH = Graph(np.array([0, 2, 3, 3], np.int32), np.array([1, 2, 2], np.int32), np.array([1, 2, 6], np.int32), id_base=5)
EMPTY = Graph(np.zeros(1, np.int32), np.zeros(0, np.int32), np.zeros(0, np.int32))


def bound(params: str, graph: Graph = GRAPH, **given: object) -> dict[str, Any]:
    text = f"graph Graph {{ edge int w; }}\nProgram p(Graph g, {params}) {{ }}\n"
    return bind(open_program("<test>", text=text), {"g": graph}, given)


@pytest.mark.parametrize(("declaration", "value"), [
    ("int x = 7 / 2", 3),
    ("int x = -7 / 2", -3),
    ("int x = -7 % 3", -1),
    ("int x = 2147483647 + 1", -(2**31)),
    ("int x = 1 << 33", 2),
    ("int x = INF", 2**31 - 1),
    ("double x = INF", float("inf")),
    ("int x = (int)3e10", 2**31 - 1),
    ("float x = 0.1", float(np.float32(0.1))),
    ("double x = 1 / 2", 0.0),
    ("double x = 1 / 2.0", 0.5),
    ("bool x = 3 > 2 && !false", True),
    ("long x = g.num_nodes * 10 + g.num_edges", 33),
    ("double x = average_weight(g)", 3.0),
    ("long x = max_weight(g)", 6),
    ("int x = auto((int)max(2.5, average_weight(g)))", 3),
    ("long x = g.num_nodes > 2 ? 1 : 2", 1),
    ("node x = first", 0),
    ("node x = NONE", -1),
    ("node x = g.node(2)", 2),
    ("int a = 4, int x = a * a", 16),
])
def test_defaults_follow_the_languages_arithmetic(declaration: str, value: object) -> None:
    assert bound(declaration)["x"] == value


def test_a_later_default_uses_a_given_value() -> None:
    assert bound("int a = 4, int x = a * a", a="5")["x"] == 25


def test_the_first_node_of_an_empty_graph_is_none() -> None:
    assert bound("node x = first", EMPTY)["x"] == -1


def test_the_weight_summaries_of_an_empty_graph_are_one() -> None:
    assert bound("double x = average_weight(g), long y = max_weight(g)", EMPTY) == {"x": 1.0, "y": 1}


def test_a_node_is_given_by_the_files_id() -> None:
    assert bound("node x = first", x=6)["x"] == 1


def test_a_parameter_without_default_must_be_given() -> None:
    with pytest.raises(IrglError) as e:
        bound("int x")
    assert str(e.value) == "error: p needs a value for `x` (int)\n  hint: give x=VALUE"


def test_a_default_that_divides_by_zero_is_said() -> None:
    with pytest.raises(IrglError) as e:
        bound("long x = 1 / (g.num_nodes - 3)")
    assert str(e.value) == "error: the default of `x`: division by zero\n  hint: give another value on the command line"


def test_a_default_of_a_node_that_is_not_there_is_said() -> None:
    with pytest.raises(IrglError, match="the default of `x`: there is no node 3 in a graph of 3"):
        bound("node x = g.node(3)")


@pytest.mark.parametrize(("declaration", "text", "value"), [
    ("uint8 x = 0", "0xff", 255),
    ("int x = 0", "-3", -3),
    ("long x = 0", "INF", 2**63 - 1),
    ("float x = 0", "0.1", float(np.float32(0.1))),
    ("double x = 0", "1e-3", 1e-3),
    ("bool x = false", "yes", True),
    ("bool x = true", "0", False),
    ("node x = NONE", "first", 0),
])
def test_texts_are_read_by_type(declaration: str, text: str, value: object) -> None:
    assert bound(declaration, x=text)["x"] == value


@pytest.mark.parametrize(("declaration", "text"), [
    ("uint8 x = 0", "256"), ("uint8 x = 0", "-1"), ("int x = 0", "1e3"), ("int x = 0", ""), ("int x = 0", "9" * 5000),
    ("double x = 0", "one"), ("bool x = false", "2"), ("node x = first", "4"), ("node x = first", "9" * 30),
])
def test_a_text_that_is_no_value_of_the_type_is_refused(declaration: str, text: str) -> None:
    with pytest.raises(IrglError):
        bound(declaration, x=text)


def test_an_unknown_parameter_names_those_there_are() -> None:
    with pytest.raises(IrglError) as e:
        bound("int a = 1, int b = 2", c=3)
    assert str(e.value) == "error: p has no parameter `c`\n  hint: its parameters: a, b"
