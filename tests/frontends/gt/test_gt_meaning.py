"""What sentences of .gt files mean, run by the interpreter on a small graph."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support.random_graphs import from_arcs

from irgl.analysis.check import check
from irgl.ast.dump import dump
from irgl.ast.visit import difference
from irgl.driver import front
from irgl.frontends.text.load import load_text
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


def test_a_function_may_be_called_as_the_kernel_that_fills_sets() -> None:
    assert printed("func add_all(v : Vertex) x[v] = 1; end func main() vertices.apply(add_all);"
                   " var s : vertexset{Vertex} = new vertexset{Vertex}(vertices.size()); print s.size(); end") == ["4"]


def test_two_functions_may_have_lists_of_one_name() -> None:
    one = (" var l : list{vertexset{Vertex}} = new list{vertexset{Vertex}}(); var s : vertexset{Vertex} ="
           " new vertexset{Vertex}(0); s.addVertex(1); l.append(s); s = l.pop(); print s.size(); end")
    assert printed(f"func a() {one} func b() {one} func main() a(); b(); end") == ["1", "1"]


#: Names that mean something to irgl, to C++, or to what is made of a program.
NAMES = ("v", "value", "found", "e", "argv2", "delta", "vertex", "node", "constexpr", "threadIdx", "atomic_next",
         "omp_x", "fill_x", "Until", "__shfl", "uint8_t", "Kernel", "g", "WL", "INF", "push", "_Atomic")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("what", ["number", "vector", "function", "set", "label"])
def test_names_are_free(name: str, what: str) -> None:
    text = {
        "number": "const N : int = 5; func set(u : Vertex) x[u] = N; end func main() N += 1; vertices.apply(set);"
                  " print x.sum(); end",
        "vector": "const N : vector{Vertex}(int); func set(N : Vertex) x[N] = 6; end"
                  " func main() N = atoi(argv[2]); vertices.apply(set); print x.sum(); end",
        "function": "func N(v : Vertex) x[v] = 6; end func main() var y : vector{Vertex}(int) = atoi(argv[2]);"
                    " vertices.apply(N); print x.sum(); end",
        "set": "const y : vector{Vertex}(Vertex) = 1; func set(N : Vertex, dst : Vertex) x[y[dst]] min= N - 6; end"
               " func main() var N : vertexset{Vertex} = edges.applyModified(set, x); N.apply(far);"
               " print x.sum(); end func far(N : Vertex) x[N] = 24; end",
        "label": "func set(v : Vertex) x[v] = 6; end func main() #N# for i in 0:2 #N# vertices.apply(set); end"
                 " print x.sum(); end",
    }[what].replace("set", "put").replace("vertexput", "vertexset")
    checked = front(Source("t.gt", HEAD + re.sub(r"\bN\b", name, text)))
    again = check(load_text(dump(checked.program)))
    args = {"argv2": 0} if "argv[2]" in text else {}
    assert list(run(again, {"g": GRAPH}, args).printed) == ["24"]


VALUES = ("-0.5", "0.5", "-3", "3", "-(1 / 2.0)", "true", "x[v]", "-x[v]", "16777217", "1e10", "-1e39")


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("op", ["=", "+=", "min=", "max="])
@pytest.mark.parametrize("kind", ["float", "double", "int", "uint", "uint_64"])
def test_a_number_of_any_kind_is_stored_to_one_of_any_other(kind: str, op: str, value: str) -> None:
    first, zero = ("0" if value == "true" else value.replace("x[v]", "0")), value.replace("[v]", "[0]")
    checked = front(Source("t.gt", HEAD + f"const y : vector{{Vertex}}({kind}) = {first}; const s : {kind};"
                           f" func f(v : Vertex) y[v] {op} {value}; s {op} {value}; end"
                           f" func g(a : {kind}) -> b : {kind} b = a + {value.replace('x[v]', '2')}; end"
                           f" func main() vertices.apply(f); s {op} g({zero}); end"))
    assert difference(checked.program, load_text(dump(checked.program))) is None
