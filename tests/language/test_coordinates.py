"""Properties that begin as the graph's coordinates: `node double x = coordinate(0);`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.places import SharedGraph

import irgl
from irgl import builder, driver
from irgl.analysis.fingerprint import fingerprint
from irgl.ast import types as T
from irgl.ast.dump import dump
from irgl.ast.dump_python import dump_python
from irgl.ast.visit import equal
from irgl.frontends.load import source_of
from irgl.frontends.text.load import load_text
from irgl.source import IrglError

TEXT = """graph Graph { node double x = coordinate(0); node double y = coordinate(1); node double sum = 0; }
double most = 0;
Kernel add(Graph g) {
  ForAll (n In g.nodes) {
    n.sum = n.x + 100 * n.y;
    most max= n.sum;
  }
}
Program main(Graph g) { Invoke add(g); }
"""


def ran(graph: Any, text: str = TEXT, target: str = "cpu", plan: str = "none", **given: Any) -> Any:
    return irgl.compile("places.irgl", text=text, target=target, plan=plan)(graph, **given)


@pytest.mark.parametrize(("target", "plan"), [("ref", "none"), ("cpu", "none"), ("cpu", "order=rcm"),
                                              ("simt", "none"), ("simt", "order=degree")])
def test_generators_give_the_places_of_their_nodes(target: str, plan: str) -> None:
    found = ran("grid:5x4", target=target, plan=plan)
    assert found["sum"].tolist() == [column + 100 * row for row in range(4) for column in range(5)]
    assert found.most == 304


def test_what_the_program_asks_of_its_graph_changes_no_places() -> None:
    text = TEXT.replace("main(Graph g)", "main(undirected simple sorted Graph g)")
    assert ran("grid:5x4", text)["sum"].tolist() == ran("grid:5x4")["sum"].tolist()


def test_who_gives_values_is_asked_first() -> None:
    found = ran("grid:2x2", x=np.array([7.0, 8, 9, 10]))
    assert found["sum"].tolist() == [7, 8, 109, 110]


def test_a_graph_without_coordinates_asks_for_them() -> None:
    with pytest.raises(IrglError, match=r"`x` begins as coordinate\(0\), and the graph `g` has no coordinates"):
        ran("path:4")


def test_a_file_of_coordinates_stands_beside_the_graph(shared_graph: SharedGraph) -> None:
    roads, places = shared_graph("road/USA-road-d.NY.gr.gz"), shared_graph("road/USA-road-d.NY.co.gz")
    program = irgl.compile("places.irgl", text=TEXT, plan="none")
    graph = irgl.load_graph(roads, program, coordinates=str(places))
    found = program(graph)
    assert len(found["sum"]) == 264_346
    assert found["sum"][:2].tolist() == [41085396 * 100 - 73530767, 41086098 * 100 - 73530538]  # the file's first lines


@pytest.mark.parametrize(("declared", "message"), [
    ("node double x = coordinate(2);", r"coordinate\(2\): nodes lie in a plane"),
    ("node double x = coordinate();", "which of its coordinates is meant"),
    ("node double x = coordinate(0, 1);", "which of its coordinates is meant"),
    ("node double x = coordinate(1.5);", "which of its coordinates is meant"),
    ("node int x = coordinate(0);", "coordinates are floating-point numbers of nodes"),
    ("node lock x = coordinate(0);", "coordinates are floating-point numbers of nodes"),
    ("edge double x = coordinate(0);", "coordinates are floating-point numbers of nodes"),
])
def test_what_is_no_coordinate_is_told(declared: str, message: str) -> None:
    with pytest.raises(IrglError, match=message):
        driver.front(source_of("k.irgl", f"graph Graph {{ {declared} }}\nKernel k(Graph g) {{ }}\n"))


def test_who_asks_for_coordinates_elsewhere_is_told_where_they_stand() -> None:
    with pytest.raises(IrglError) as e:
        driver.front(source_of("k.irgl", TEXT.replace("n.x + 100", "coordinate(0) + 100")))
    assert e.value.hint == "a node's property begins with it, and with nothing else: node double x = coordinate(0);"


def test_a_given_input_is_another_program_than_a_coordinate() -> None:
    given = TEXT.replace("node double x = coordinate(0)", "input node double x")
    prints = {fingerprint(driver.front(source_of("k.irgl", text)), {}) for text in (TEXT, given)}
    assert len(prints) == 2


def test_both_notations_say_it() -> None:
    program = load_text(TEXT)
    assert "node double x = coordinate(0);" in dump(program)
    assert equal(load_text(dump(program)), program)
    assert "x: irgl.node[float] = irgl.coordinate(0)" in dump_python(program)


def test_python_says_it(tmp_path: Path) -> None:
    file = tmp_path / "places.py"
    file.write_text('''import irgl


@irgl.graph
class Graph:
    x: irgl.node[float] = irgl.coordinate(0)
    twice: irgl.node[float] = 0.0


@irgl.kernel
def double_it(g: Graph):
    for n in g.nodes:
        n.twice = 2 * n.x


@irgl.program
def places(g: Graph):
    double_it(g)
''', encoding="utf-8")
    assert irgl.compile(file, target="cpu")("grid:3x2")["twice"].tolist() == [0, 2, 4, 0, 2, 4]


def test_the_builder_says_it() -> None:
    x = builder.node_property("x", T.DOUBLE, builder.call("coordinate", 0))
    assert dump(x) == "node double x = coordinate(0)"


def test_a_program_may_have_a_function_of_that_name() -> None:
    text = TEXT.replace("double most", "double coordinate(int k) { return 5.0 * k; }\ndouble most").replace(
        "n.x + 100 * n.y", "coordinate(3)")
    assert ran("grid:2x2", text).most == 15


