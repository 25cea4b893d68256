"""An apply whose function prints runs one by one, by the numbers of vertices, on every target and under every plan."""

from __future__ import annotations

import pytest
import scipy.sparse as sp

import irgl

HEAD = """element Vertex end
element Edge end
const edges : edgeset{Edge}(Vertex, Vertex, int) = load(argv[1]);
const back : edgeset{Edge}(Vertex, Vertex, int) = edges.transpose();
const vertices : vertexset{Vertex} = edges.getVertices();
const sum : vector{Vertex}(int) = 0;
const near : vector{Vertex}(int) = 0;
func add(src : Vertex, dst : Vertex, weight : int)
    print src;
    print dst;
    print weight;
    sum[dst] += weight;
end
func ends(src : Vertex, dst : Vertex)
    print src;
    print dst;
end
func low(v : Vertex) -> output : bool
    output = sum[v] < 9;
end
func late(v : Vertex) -> output : bool
    output = v > 1;
end
func upwards[k : int, of : vector{Vertex}(int)](src : Vertex, dst : Vertex)
    if src < dst
        print of[dst] * k;
    end
end
func show(v : Vertex)
    print v;
end
func shown[k : int](v : Vertex)
    print v * k;
end
func unseen(v : Vertex) -> output : bool
    output = near[v] == 0;
end
func visit(src : Vertex, dst : Vertex)
    near[dst] = 1;
end
"""
#: 0 -> 1 -> 2 -> 3 -> 1, of weights 5, 6, 7, 8
CYCLE = sp.csr_array(([5, 6, 7, 8], ([0, 1, 2, 3], [1, 2, 3, 1])), shape=(4, 4))
SOME = "var some : vertexset{Vertex} = new vertexset{Vertex}(0); some.addVertex(3); some.addVertex(2);"
APPLIES = {
    "of edges": ("edges.apply(add);", [0, 1, 5, 1, 2, 6, 2, 3, 7, 3, 1, 8]),
    "that sees what it has stored": ("edges.apply(add); edges.to(low).apply(add);",
                                     [0, 1, 5, 1, 2, 6, 2, 3, 7, 3, 1, 8, 1, 2, 6, 2, 3, 7]),
    "from a function's": ("edges.from(late).apply(ends);", [2, 3, 3, 1]),
    "from a set's": (f"{SOME} edges.from(some).apply(ends);", [2, 3, 3, 1]),
    "to a set's": (f"{SOME} edges.to(some).apply(ends);", [1, 2, 2, 3]),
    "against the edges": ("back.apply(ends);", [1, 0, 1, 3, 2, 1, 3, 2]),
    "of a functor": ("edges.apply(add); edges.apply(upwards[1 + 1, sum]);",
                     [0, 1, 5, 1, 2, 6, 2, 3, 7, 3, 1, 8, 26, 12, 14]),
    "of a set of vertices": (f"{SOME} some.apply(show);", [2, 3]),
    "of a functor of vertices": ("vertices.apply(shown[7]);", [0, 7, 14, 21]),
}
LEVELS = """func main()
    var frontier : vertexset{Vertex} = new vertexset{Vertex}(0);
    frontier.addVertex(0);
    near[0] = 1;
    while (frontier.getVertexSetSize() != 0)
        var found : vertexset{Vertex} = edges.from(frontier).to(unseen).applyModified(visit, near, true);
        frontier = found;
        frontier.apply(show);
        edges.from(frontier).apply(ends);
    end
end
"""


def printed(text: str, graph: object, capfd: pytest.CaptureFixture[str], **how: str) -> list[int]:
    """The lines that a program prints: the interpreter gives them with its answer, other targets print them."""
    answer = irgl.compile("x.gt", text=HEAD + text, **how)(graph)
    return [int(line) for line in (*capfd.readouterr().out.split(), *answer.printed)]


@pytest.mark.parametrize("what", APPLIES)
def test_an_apply_prints_in_order(what: str, capfd: pytest.CaptureFixture[str]) -> None:
    text, lines = APPLIES[what]
    assert printed(f"func main() {text} end", CYCLE, capfd, target="ref") == lines


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_all_of_them_print_the_same_on_other_targets(target: str, capfd: pytest.CaptureFixture[str]) -> None:
    calls = [text.replace("some", f"some_{k}") for k, (text, _) in enumerate(APPLIES.values())]
    text = "func main() " + " ".join(calls) + " end"
    assert printed(text, CYCLE, capfd, target=target) == printed(text, CYCLE, capfd, target="ref")


@pytest.mark.parametrize("how", [{"target": "cpu"}, {"target": "cpu", "plan": "direction=pull"}, {"target": "simt"}],
                         ids=["cpu", "pull", "simt"])
def test_the_order_of_a_frontier_is_the_same_under_every_plan(how: dict[str, str],
                                                              capfd: pytest.CaptureFixture[str]) -> None:
    graph = sp.random_array((40, 40), density=0.1, rng=3, format="csr")
    graph.data[:] = 1
    graph = graph.astype(int)
    wanted = printed(LEVELS, graph, capfd, target="ref")
    assert len(wanted) > 100
    assert printed(LEVELS, graph, capfd, **how) == wanted
