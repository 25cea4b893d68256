"""What sentences of .gt files mean, run by the interpreter on a small graph."""

from __future__ import annotations

from typing import Any

from support.random_graphs import from_arcs

from irgl.driver import front
from irgl.interpret import run
from irgl.source import Source

HEAD = """element Vertex end
element Edge end
const edges : edgeset{Edge}(Vertex, Vertex, int) = load(argv[1]);
const vertices : vertexset{Vertex} = edges.getVertices();
const x : vector{Vertex}(int) = 0;
"""
#: 0 -> 1 -> 2 -> 3, 0 -> 2, with weights.
GRAPH = from_arcs(4, [(0, 1, 4), (0, 2, 1), (1, 2, 2), (2, 3, 7)])


def ran(text: str, **args: int) -> Any:
    return run(front(Source("t.gt", HEAD + text)), {"g": GRAPH}, args)


def printed(text: str) -> list[str]:
    return list(ran(text).printed)


def test_a_truth_is_printed_as_a_number() -> None:
    assert printed("func main() var yes : bool = true; print yes; print 1 > 2; end") == ["1", "0"]


def test_a_vertex_may_be_in_several_layers_of_a_list() -> None:
    assert printed("func main() var s : vertexset{Vertex} = new vertexset{Vertex}(0); s.addVertex(2);"
                   " var l : list{vertexset{Vertex}} = new list{vertexset{Vertex}}();"
                   " l.append(s); s.addVertex(1); l.append(s);"
                   " s = l.pop(); print s.size(); s = l.pop(); print s.size(); end") == ["2", "1"]


def test_test_is_a_name_like_any_other() -> None:
    assert printed("func main() var test : int = 5; print test * test; end") == ["25"]
