"""Lists of numbers and of vertexsets: what came last goes first, on every target; and what asks for their sizes."""

from __future__ import annotations

import networkx as nx
import pytest
import scipy.sparse as sp

import irgl
from irgl.source import IrglError

HEAD = """element Vertex end
element Edge end
const edges : edgeset{Edge}(Vertex, Vertex) = load(argv[1]);
const vertices : vertexset{Vertex} = edges.getVertices();
const x : vector{Vertex}(int) = 0;
const kept : list{int};
const few : vertexset{Vertex};
func keep(v : Vertex)
    kept.append(10 * v);
end
func keep_both(src : Vertex, dst : Vertex)
    kept.append(10 * src + dst);
end
func put(into : list{double}, value : double)
    into.append(value);
end
func many() -> output : int
    var half : int = kept.size() / 2;
    output = half + few.size();
end
func count(v : Vertex)
    x[v] = many();
end
func said() -> output : bool
    print 7;
    output = true;
end
"""
#: 0 -> 1 -> 2 -> 3, 0 -> 2
GRAPH = sp.csr_array(([1, 1, 1, 1], ([0, 0, 1, 2], [1, 2, 2, 3])), shape=(4, 4))
LISTS = {
    "what comes last goes first": ("kept.append(3); kept.insert(4); print kept.pop(); print kept.pop();", "4 3"),
    "its size is that of now": ("kept.append(3); kept.append(4); kept.pop(); print kept.size();", "1"),
    "retrieve stores the last one": ("var y : double = 0; kept.append(3); kept.retrieve(y); print y / 2;", "1.5"),
    "a vertex's value is stored to": ("kept.append(3); kept.retrieve(x[kept.size()]); print x[0];", "3"),
    "a number becomes one of its type": ("kept.append(2.75); print kept.pop() * 1.5;", "3"),
    "places are used again": ("for i in 0:3 kept.append(i); kept.append(i + 5); kept.pop(); end"
                              " while kept.size() > 0 print kept.pop(); end", "2 1 0"),
    "a new one is empty": ("kept.append(1); kept = new list{int}(); kept.append(2); print kept.size();"
                           " print kept.pop();", "1 2"),
    "each round has its own": ("for i in 0:2 var mine : list{bool} = new list{bool}(); mine.append(i);"
                               " print mine.size(); print mine.pop(); end", "1 0 1 1"),
    "a function is given one": ("var mine : list{double}; put(mine, 1); put(mine, 2.5); print mine.pop();", "2.5"),
    "vertices are put into it by their numbers": ("vertices.apply(keep); while kept.size() > 0 print kept.pop(); end",
                                                  "30 20 10 0"),
    "edges are, too": ("edges.apply(keep_both); while kept.size() > 0 print kept.pop(); end", "23 12 2 1"),
    "vertexsets are counted": ("var layers : list{vertexset{Vertex}}; layers.append(few); layers.append(vertices);"
                               " print layers.size(); layers.pop(); print layers.size();", "2 1"),
    "a helper asks for sizes": ("kept.append(1); kept.append(1); few.addVertex(2); print many() * 2;", "4"),
    "an applied function asks for sizes": ("kept.append(1); kept.append(1); few.addVertex(2); vertices.apply(count);"
                                           " print x.sum();", "8"),
    "the right of `and` is done only where it is asked for": ("var no : bool = false; if no and said() print 1; end"
                                                              " if not no and said() print 2; end", "7 2"),
    "the right of `or` is done only where it is asked for": ("kept.append(1); if kept.size() == 1 or kept.pop() == 1"
                                                             " print kept.size(); end", "1"),
    "the left of a sum comes first": ("kept.append(4); print kept.size() * 10 + kept.pop();", "14"),
}
DEPTH_FIRST = """element Vertex end
element Edge end
const edges : edgeset{Edge}(Vertex, Vertex) = load(argv[1]);
const seen : vector{Vertex}(bool) = false;
const waiting : list{Vertex};
func wait(src : Vertex, dst : Vertex)
    if not seen[dst]
        waiting.append(dst);
    end
end
func main()
    waiting.append(0);
    while waiting.size() > 0
        var v : Vertex = waiting.pop();
        if not seen[v]
            seen[v] = true;
            print v;
            var one : vertexset{Vertex} = new vertexset{Vertex}(0);
            one.addVertex(v);
            edges.from(one).apply(wait);
        end
    end
end
"""


def printed(text: str) -> str:
    return " ".join(irgl.compile("t.gt", target="ref", text=f"{HEAD}func main() {text} end")(GRAPH).printed)


@pytest.mark.parametrize("what", LISTS)
def test_of_a_list(what: str) -> None:
    text, wanted = LISTS[what]
    assert printed(text) == wanted


@pytest.mark.parametrize("kind", ["list{int}", "list{vertexset{Vertex}}"])
def test_pop_of_an_empty_list_stops_the_program_there(kind: str) -> None:
    with pytest.raises(IrglError, match="pop of 'mine', a list that is empty") as caught:
        printed(f"var mine : {kind};\nmine.pop();")
    assert caught.value.span is not None and caught.value.span.line == HEAD.count("\n") + 2


@pytest.mark.parametrize("target", ["ref", "cpu", "simt"])
def test_a_stack_goes_depth_first(target: str, capfd: pytest.CaptureFixture[str]) -> None:
    graph = nx.gnm_random_graph(12, 30, seed=0, directed=True)
    wanted = nx.dfs_preorder_nodes(graph, 0, sort_neighbors=lambda nodes: sorted(nodes, reverse=True))
    found = irgl.compile("t.gt", target=target, text=DEPTH_FIRST)(graph)
    lines = found.printed if target == "ref" else capfd.readouterr().out.split()
    assert list(map(int, lines)) == list(wanted)


def test_all_of_it_is_the_same_in_c(capfd: pytest.CaptureFixture[str]) -> None:
    bodies = (f"func part{i}() {text} while kept.size() > 0 kept.pop(); end few = new vertexset{{Vertex}}(0); end"
              for i, (text, _) in enumerate(LISTS.values()))
    main = "".join(f"part{i}();" for i in range(len(LISTS)))
    irgl.compile("t.gt", target="cpu", text="\n".join((HEAD, *bodies, f"func main() {main} end")))(GRAPH)
    assert " ".join(capfd.readouterr().out.split()) == " ".join(wanted for _, wanted in LISTS.values())
