"""Loops that take a node's first edges by number, and what they read at their other ends."""

from __future__ import annotations

import pytest

from irgl import driver
from irgl.analysis.loops.far_ends import FirstEdges, first_edges
from irgl.ast import nodes as A
from irgl.ast.visit import walk
from irgl.plan import Plan
from irgl.source import Source

TEXT = """graph Graph {{ node int p = 0; node int q = 0; node node to; edge int w; }}
int least(Graph g, node a, node b) {{ return (int)a.degree + b.p; }}
Kernel k(Graph g, int count) {{ ForAll (n In g.nodes) {{ {loop} }} }}
Program main(Graph g) {{ Invoke k(g, 3); }}"""


def found(loop: str) -> FirstEdges | None:
    checked = driver.front(Source("k.irgl", TEXT.format(loop=loop)))
    (kernel,) = checked.kernels.values()
    return first_edges(checked, next(n for n in walk(kernel) if isinstance(n, A.ForAll)))


TAKEN = [
    ("n.to = n.edges[0].dst;", FirstEdges(False, 1, ())),
    ("n.to = n.in_edges[1].src;", FirstEdges(True, 2, ())),
    ("n.q = n.edges[0].dst.p;", FirstEdges(False, 1, ("p",))),
    ("node other = n.edges[2].dst; n.q = other.p;", FirstEdges(False, 3, ("p",))),
    ("n.to = n.edges[0].dst; n.q = least(g, n, n.edges[1].dst);", FirstEdges(False, 2, ("p",))),
    ("for (int i = 0; i < count; i++) { n.to = n.edges[i].dst; }", FirstEdges(False, 2, ())),
    ("n.q = n.edges[2].w; n.to = n.edges[0].dst;", FirstEdges(False, 1, ())),
]


@pytest.mark.parametrize(("loop", "wanted"), TAKEN)
def test_first_edges_and_what_is_read_there_are_found(loop: str, wanted: FirstEdges) -> None:
    assert found(loop) == wanted


NONE = [
    "n.q = n.edges[0].w;",
    "n.to = n.edges[count].dst;",
    "n.to = n.edges[40].dst;",
    "n.to = n.edges[n.q].dst;",
    "n.to = g.node(0).edges[0].dst;",
    "n.to = n.edges[0].dst; n.q = n.in_edges[0].src.p;",
]


@pytest.mark.parametrize("loop", NONE)
def test_edges_that_nobody_knows_ahead_are_left_alone(loop: str) -> None:
    assert found(loop) is None


def test_the_unit_asks_for_them_where_edges_stand_in_rows() -> None:
    text = TEXT.format(loop="n.q = n.edges[0].dst.p;")
    unit = driver.compile("k.irgl", text=text, target="cpu", plan=Plan.parse("", "cpu")).text
    assert "irgl::first_edges<1>(g.out(), irgl::nodes(g), g.p)" in unit
