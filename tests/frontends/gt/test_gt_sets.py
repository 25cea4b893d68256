"""Vertexsets that functions give, and those of a vertex's neighbours, on every target."""

from __future__ import annotations

import pytest
from support.agreement import disagreements, interpreted
from support.random_graphs import from_arcs
from support.random_programs import RandomProgram
from support.simt_batch import all_compared

from irgl.ast.dump import dump
from irgl.driver import front
from irgl.interpret import run
from irgl.source import Source

HEAD = """element Vertex end
element Edge end
const edges : edgeset{Edge}(Vertex, Vertex) = load(argv[1]);
const back : edgeset{Edge}(Vertex, Vertex) = edges.transpose();
const vertices : vertexset{Vertex} = edges.getVertices();
const x : vector{Vertex}(int) = 0;
const hits : int = 0;
func mark(v : Vertex)
    x[v] += 1;
end
func reach(src : Vertex, dst : Vertex)
    x[dst] += 10;
end
func reach_far(src : Vertex, dst : Vertex) -> far : bool
    x[dst] += 10;
    far = dst > src + 1;
end
func show_far(src : Vertex, dst : Vertex) -> far : bool
    print dst;
    far = dst > src + 1;
end
func is_odd(v : Vertex) -> output : bool
    output = v - v / 2 * 2 == 1;
end
func odd(some : vertexset{Vertex}) -> found : vertexset{Vertex}
    found = some.filter(is_odd);
end
func both(a : vertexset{Vertex}, b : vertexset{Vertex}) -> count : int
    var least : int = 0;
    count = intersection(a, b, a.size(), b.size());
    count max= least;
end
func nobody() -> found : vertexset{Vertex}
end
func after(v : Vertex, rounds : int) -> found : vertexset{Vertex}
    found.addVertex(v);
    for i in 0:rounds
        found = edges.from(found).applyModified(reach, x);
    end
end
"""
ARCS = [(0, 1, 1), (0, 2, 1), (0, 3, 1), (1, 2, 1), (2, 4, 1), (3, 4, 1), (4, 5, 1)]
GRAPH = from_arcs(6, ARCS)
MAINS = {
    "a function's": ("var s : vertexset{Vertex} = odd(vertices); s.apply(mark);", [0, 1, 0, 1, 0, 1]),
    "made of itself": ("var s : vertexset{Vertex} = edges.getNgh(0); s = odd(s); s.apply(mark);", [0, 1, 0, 1, 0, 0]),
    "in each round its own": ("for i in 0:3 var s : vertexset{Vertex} = after(i, 1); s.apply(mark); end",
                              [0, 11, 22, 11, 11, 0]),
    "nobody's": ("var s : vertexset{Vertex} = odd(vertices); s = nobody(); s.apply(mark);", [0, 0, 0, 0, 0, 0]),
    "where edges begin": ("edges.from(odd(vertices)).apply(reach);", [0, 0, 10, 0, 10, 0]),
    "through several rounds": ("var s : vertexset{Vertex} = after(0, 2); s.apply(mark);", [0, 10, 21, 10, 21, 0]),
    "of neighbours": ("var s : vertexset{Vertex} = edges.getNgh(0); s.apply(mark); edges.to(s).apply(reach);",
                      [0, 11, 21, 11, 0, 0]),
    "of those before": ("var s : vertexset{Vertex} = back.getNgh(4); s.apply(mark); hits = s.size();",
                        [0, 0, 1, 1, 0, 0]),
    "of far ends": ("var s : vertexset{Vertex} = edges.from(odd(vertices)).apply(reach_far); s.apply(mark);",
                    [0, 0, 10, 0, 10, 0]),
    "of far ends along all edges": ("var s : vertexset{Vertex} = edges.apply(reach_far); s.apply(mark);",
                                    [0, 10, 21, 11, 21, 10]),
    "of far ends against all edges": ("var s : vertexset{Vertex} = back.apply(reach_far); s.apply(mark);",
                                      [30, 10, 10, 10, 10, 0]),
    "of far ends that are shown": ("var s : vertexset{Vertex} = edges.apply(show_far); s.apply(mark);",
                                   [0, 0, 1, 1, 1, 0]),
    "stored again": ("var s : vertexset{Vertex} = edges.getNgh(0); s = edges.getNgh(4); s.addVertex(0); s.apply(mark);",
                     [1, 0, 0, 0, 0, 1]),
}


FEW = ("var o : vertexset{Vertex} = odd(vertices); var n : vertexset{Vertex} = edges.getNgh(0);"
       " var m : vertexset{Vertex} = edges.getNgh(1); ")
SHARED = {
    "of two vertexsets": ("intersection(o, vertices, o.size(), vertices.size())", 3),
    "of all and one": ("intersection(vertices, o, vertices.size(), o.size())", 3),
    "of one and itself": ("intersection(o, o, 3, 3)", 3),
    "of one and neighbours": ("intersection(o, n, o.size(), n.size())", 2),
    "below a number": ("intersection(n, o, n.size(), o.size(), 3)", 1),
    "of neighbours alone": ("intersection(n, m, n.size(), m.size())", 1),
    "of two in one sum": ("intersection(o, n, 3, 3) * 10 + intersection(vertices, o, 6, 3)", 23),
    "in a function": ("both(o, n)", 2),
}


def program(main: str) -> str:
    return dump(front(Source("t.gt", f"{HEAD}func main() {main} end")).program)


@pytest.mark.parametrize("what", MAINS)
def test_a_vertexset(what: str) -> None:
    main, wanted = MAINS[what]
    found = run(front(Source("t.gt", f"{HEAD}func main() {main} end")), {"g": GRAPH}, {})
    assert found.properties["x"].tolist() == wanted


@pytest.mark.parametrize("what", SHARED)
def test_an_intersection(what: str) -> None:
    value, wanted = SHARED[what]
    found = run(front(Source("t.gt", f"{HEAD}func main() {FEW} hits = {value}; end")), {"g": GRAPH}, {})
    assert found.scalars["hits"] == wanted


def test_neighbours_that_are_intersected_alone_are_no_list() -> None:
    text = program("var s : vertexset{Vertex} = edges.getNgh(0); var t : vertexset{Vertex} = edges.getNgh(1);"
                   " hits = intersection(s, t, s.size(), t.size());")
    assert "set<node>" not in text and "common(" in text


def test_every_target_finds_the_same() -> None:
    sums = "".join(f"hits = hits * 3 + {value};" for value, _ in SHARED.values())
    programs = [RandomProgram(program(main), GRAPH, {}) for main in (*(m for m, _ in MAINS.values()), FEW + sums)]
    assert all(interpreted(p) is not None for p in programs)
    assert disagreements(programs) == []
    assert all_compared(programs, ["cc=block outline=all block=64"]) == {}
