"""`irgl.input[...]` around a property, and the builder's `given`, say what `input` says in IrGL."""

from __future__ import annotations

import networkx as nx
import pytest

import irgl
from irgl import builder
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.dump import dump
from irgl.ast.visit import equal
from irgl.driver import front
from irgl.frontends.load import source_of

PYTHON = """import irgl

@irgl.graph
class G:
    seed: irgl.input[irgl.node[float]] = 0
    cost: irgl.input[irgl.edge[int]]

@irgl.program
def nothing(g: G):
    pass
"""
IRGL = "graph G { input node double seed = 0; input edge int cost; } Program nothing(G g) { }"


def test_the_notations_give_one_tree() -> None:
    trees = [front(source_of(name, text)).program for name, text in (("a.py", PYTHON), ("a.irgl", IRGL))]
    assert equal(*trees)
    assert [p.given for d in trees[0].decls if isinstance(d, A.GraphType) for p in d.properties] == [True, True]


def test_the_builder_has_them() -> None:
    made = builder.edge_property("cost", T.INT, given=True), builder.node_property("seed", T.DOUBLE, 0, given=True)
    assert [dump(p) for p in made] == ["input edge int cost", "input node double seed = 0"]

arrays = irgl.include("array.irgl")


@irgl.graph
class Marked:
    mark: irgl.node[float] = 0


@irgl.kernel
def put(g: Marked, some: irgl.unique[list[irgl.node]], values: arrays.array[float]):  # noqa: ARG001
    for n in some:
        n.mark = values[n.id % values.size]


@irgl.program
def marked(g: Marked, some: irgl.unique[list[irgl.node]], values: arrays.array[float]):
    put(g, some, values)


@irgl.program
def emptied(g: Marked, some: list[irgl.node]):  # noqa: ARG001
    some.clear()


def test_decorated_programs_are_given_lists_and_arrays() -> None:
    graph = nx.path_graph(["a", "b", "c", "d"])
    found = irgl.compile(marked)(graph, some=["d", "a"], values=[0.5, 1.5])
    assert found.named("mark") == {"a": 0.5, "b": 0, "c": 0, "d": 1.5}


def test_a_change_is_refused_in_python_s_words() -> None:
    with pytest.raises(irgl.IrglError) as error:
        irgl.compile(emptied)
    assert error.value.message == "'some' is what the caller gives, and can't be changed"
    assert error.value.hint == "change a copy, the program's own: mine = list[node](); mine.update(some)"
