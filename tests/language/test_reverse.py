"""`e.reverse` is the edge of the other direction: on every target, in every layout, of undirected graphs alone."""

from __future__ import annotations

import numpy as np
import pytest
from support.awkward_graphs import awkward, random_arcs
from support.running import outcome

from irgl.analysis.check import check
from irgl.ast.dump_python import dump_python
from irgl.ast.visit import difference
from irgl.driver import ready
from irgl.frontends.load import load, source_of
from irgl.frontends.text.load import load_text
from irgl.interpret import run
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.prepare import Requirements, prepare
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError

TEXT = """
graph Graph {
  edge int w; edge long back = 0; edge long of = 0; edge int got = 0; edge int p = 0; edge long by_in = 0;
}
long same = 0;
Kernel look(Graph g) {
  ForAll (e In g.edges) {
    e.back = e.reverse.id;
    e.reverse.of = e.id;
    same += e.reverse.reverse == e && e.reverse.src == e.dst && e.reverse.dst == e.src && e.reverse.w == e.w;
  }
}
Kernel more(Graph g) {
  ForAll (n In g.nodes) {
    ForAll (e In n.edges) { e.reverse.got += 1; if (e.dst < n) { racy e.reverse.p = e.w + 7; } }
    ForAll (i In n.in_edges) { i.by_in = i.reverse.id; }
  }
}
Program main(undirected Graph g) {
  Invoke look(g); Invoke more(g);
  if (g.num_edges > 0) { same += g.edge(0).reverse.reverse == g.edge(0); }
}
"""


def undirected(g: Graph) -> Graph:
    return prepare(g, Requirements(directed=False, weighted="int32"))


GIVEN = [random_arcs(5, 40, 300), *(awkward()[k] for k in ("parallel arcs", "self-loops", "star"))]
GRAPHS = [undirected(g) for g in GIVEN]


def pairs(g: Graph) -> list[int]:
    """Of each edge the reverse: the k-th of its ends and weight, the other way."""
    ends = list(zip(g.sources().tolist(), g.dst.tolist(), np.asarray(g.weight).tolist(), strict=True))
    of: dict[tuple[int, int, int], list[int]] = {}
    for e, (u, v, w) in enumerate(ends):
        of.setdefault((v, u, w), []).append(e)
    return [of[end].pop(0) for end in ends]


@pytest.mark.parametrize("target", ["ref", "cpu", "simt"])
def test_it_is_the_edge_of_the_other_direction(target: str) -> None:
    for g in GRAPHS:
        if target == "ref":
            done = run(check(load_text(TEXT)), {"g": g})
            found, scalars = done.properties, done.scalars
        else:
            result = outcome(TEXT, "none" if target == "cpu" else "np=wp+fg block=64", target, g).result
            found, scalars = {name: p.array for name, p in result.properties.items()}, result.scalars
        back = pairs(g)
        assert scalars["same"] == g.num_edges + 1
        assert found["back"].tolist() == found["of"].tolist() == back
        assert found["by_in"].tolist() == [back[e] for e in range(g.num_edges)]
        assert found["got"].tolist() == [1] * g.num_edges
        src, weight = g.sources(), np.asarray(g.weight)
        assert found["p"].tolist() == [int(w) + 7 if u < v else 0 for u, v, w in zip(src, g.dst, weight, strict=True)]


LAID_OUT = """
graph Graph { edge int w; edge int left = 0; edge int right = 0; node int sum = 0; }
Kernel mark(Graph g) { ForAll (n In g.nodes) { ForAll (e In n.edges) { e.left = 3 * e.w + (int)n.degree; } } }
Kernel cross(Graph g) {
  ForAll (n In g.nodes) { ForAll (e In n.edges) { e.right = e.reverse.left; e.dst.sum += e.reverse.left; } }
}
Program main(undirected Graph g) { Invoke mark(g); Invoke cross(g); }
"""


@pytest.mark.parametrize("plan", ["order=degree", "order=rcm", "direction=pull", "order=degree direction=pull"])
def test_no_plan_changes_which_it_is(plan: str) -> None:
    for g in GRAPHS[:2]:
        wanted = run(check(load_text(LAID_OUT)), {"g": g}).properties
        found = outcome(LAID_OUT, plan, "cpu", g).result.properties
        assert all(found[name].array.tolist() == wanted[name].tolist() for name in ("left", "right", "sum"))


def test_the_loader_makes_the_reverse_edges_of_a_directed_graph() -> None:
    need = open_program("t.irgl", text=TEXT).graphs[0]
    assert (need.directed, need.in_edge) == (False, True)
    found = outcome(TEXT, "none", "cpu", random_arcs(8, 20, 40)).result
    assert found.scalars["same"] == len(found.properties["back"].array) + 1


@pytest.mark.parametrize(("head", "message", "hint"), [
    ("Graph g", "may be directed", "write undirected Graph g in the Program's head"),
    ("directed Graph g", "is directed", "write undirected Graph g in the Program's head"),
])
def test_a_graph_that_may_be_directed_has_none(head: str, message: str, hint: str) -> None:
    with pytest.raises(IrglError, match=message) as told:
        check(load_text(TEXT.replace("undirected Graph g", head)))
    assert told.value.span is not None and told.value.span.line == 8 and hint in (told.value.hint or "")


def test_it_is_asked_by_way_of_helpers_and_of_several_graphs() -> None:
    text = """graph A { } graph B { edge int got = 0; }
edge turned(B k, edge e) { return e.reverse; }
Kernel look(A a, B b) { ForAll (e In b.edges) { e.got = turned(b, e).src == e.dst; } }
Program main(A x, HEAD B y) { Invoke look(x, y); }"""
    graphs = {"x": random_arcs(1, 3, 3), "y": GRAPHS[0]}
    found = outcome(text.replace("HEAD", "undirected"), "none", "cpu", graphs).result.properties
    assert found["y.got"].array.all()
    with pytest.raises(IrglError, match="the graph 'y' of the Program may be directed"):
        check(load_text(text.replace("HEAD ", "")))
    oriented = """graph Graph { edge int got = 0; }
Kernel look(Graph h) { ForAll (e In h.edges) { e.got = e.reverse.src == e.dst; } }
Program main(undirected Graph g) { Graph f = oriented(g); Invoke look(f); }"""
    with pytest.raises(IrglError, match="'f' is made by oriented"):
        check(load_text(oriented))


@pytest.mark.parametrize(("body", "message"), [
    ("e.reverse = e;", "can't be stored to"), ("e.p = 1; e.reverse.p = 2;", "several iterations may store 'p'"),
    ("e.p = e.reverse.p;", "read while"), ("e.p = e.twin.p;", "no edge property 'twin'")])
def test_mistakes_are_told(body: str, message: str) -> None:
    text = f"""graph Graph {{ edge int p = 0; }}
Kernel look(Graph g) {{ ForAll (e In g.edges) {{ {body} }} }}
Program main(undirected Graph g) {{ Invoke look(g); }}"""
    with pytest.raises(IrglError, match=message) as told:
        check(load_text(text))
    assert told.value.hint is not None and ("twin" not in body or "e.reverse" in told.value.hint)


def test_none_has_no_reverse() -> None:
    text = """graph Graph { node edge up; } int y = 0;
Kernel look(Graph g) { ForAll (n In g.nodes) { y += n.up.reverse.src == n; } }
Program main(undirected Graph g) { Invoke look(g); }"""
    with pytest.raises(IrglError, match="NONE"):
        run(check(load_text(text)), {"g": GRAPHS[0]})
    with pytest.raises(IrglError, match="NONE"):
        outcome(text, "none", "cpu", GRAPHS[0])


def test_a_property_may_have_its_name() -> None:
    text = """graph Graph { edge int reverse = 4; }
Kernel look(Graph reverse) { ForAll (e In reverse.edges) { e.reverse = e.reverse + 1; } }
Program main(Graph g) { Invoke look(g); }"""
    found = outcome(text, "none", "cpu", random_arcs(1, 5, 9)).result.properties["reverse"]
    assert found.array.tolist() == [5] * 9
    assert run(check(load_text(text)), {"g": random_arcs(1, 5, 9)}).properties["reverse"].tolist() == [5] * 9


def test_python_has_it_and_is_told_in_its_own_words() -> None:
    program = load_text(TEXT)
    python = dump_python(program)
    assert difference(load(source_of("p.py", python)), program) is None
    with pytest.raises(IrglError) as told:
        ready("p.py", python.replace("Graph[irgl.undirected]", "Graph"))
    assert told.value.hint is not None and "write g: Graph[irgl.undirected] in the program's head" in told.value.hint
