"""`irgl.input[...]` around a property, and the builder's `given`, say what `input` says in IrGL."""

from __future__ import annotations

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
