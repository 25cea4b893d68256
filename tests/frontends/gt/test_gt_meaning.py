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


def printed(text: str, **args: int) -> list[str]:
    return list(ran(text, **args).printed)


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


@pytest.mark.parametrize(("value", "shown"), [
    ("fabs(7) / 2", "3.5"), ("fabs(u) - 5", "-1"), ("fabs(true) - u", "-3"), ("fabs(x[0] - 7) / 2", "3.5"),
    ("floor(7) / 2", "3.5"), ("to_double(u) - 5", "-1")])
def test_functions_of_real_numbers_give_real_numbers_of_whole_ones(value: str, shown: str) -> None:
    assert printed(f"func main() var u : uint = 4; print {value}; end") == [shown]


@pytest.mark.parametrize(("kind", "value", "wanted"), [
    ("double", "w / 2", [0, 2.0, 1.5, 3.5]), ("float", "floor(w / 2) / 4", [0, 0.5, 0.25, 0.75]),
    ("uint", "w - 5", [0, 4294967295, 8589934592 - 7, 2])])
def test_a_weight_is_a_number_of_its_parameter_s_type(kind: str, value: str, wanted: list[float]) -> None:
    found = ran(f"const y : vector{{Vertex}}(double) = 0; func f(src : Vertex, dst : Vertex, w : {kind})"
                f" y[dst] += {value}; end func main() edges.apply(f); end")
    assert found.properties["y"].tolist() == wanted


@pytest.mark.parametrize(("body", "value", "shown"), [
    ("5", "given(1) / 2", "2.5"), ("a", "given(k) / 2", "3.5"), ("a / 2", "(given(k) + 1) / 8", "0.5")])
def test_a_function_gives_a_number_of_its_result_s_type(body: str, value: str, shown: str) -> None:
    assert printed(f"func given(a : int) -> output : double output = {body}; end"
                   f" func main() var k : int = 7; print {value}; end") == [shown]


UP = "func up(v : Vertex) x[v] += 1; end"


@pytest.mark.parametrize(("loop", "shown"), [
    ("while x.sum() < 9 vertices.apply(up); end", "12"),
    ("do vertices.apply(up); end while x.sum() < 9;", "12"),
    ("do vertices.apply(up); if x[0] == 2 break; end end while x.sum() < 9;", "8"),
    ("for i in 0:x.sum() + 3 if i == 1 vertices.apply(up); end end", "4"),
    ("for i in 0:x.sum() + 3 if i < 6 vertices.apply(up); end end", "24")])
def test_a_loop_may_ask_for_sums_in_each_round(loop: str, shown: str) -> None:
    assert printed(f"{UP} func main() {loop} print x.sum(); end") == [shown]


def test_a_loop_of_an_applied_function_may_intersect_in_each_round() -> None:
    assert ran("func f(v : Vertex) var mine : vertexset{Vertex} = edges.getNgh(v); var k : int = 0; while"
               " intersection(mine, mine, 1, 1, k) < mine.size() k += 1; end x[v] = k; end"
               " func main() vertices.apply(f); end").properties["x"].tolist() == [3, 3, 4, 0]


def test_a_queue_s_loop_may_ask_for_sums_in_each_round() -> None:
    assert printed("const pq : priority_queue{Vertex}(int); const far : vector{Vertex}(int) = 1000;"
                   " func near(src : Vertex, dst : Vertex, w : int)"
                   " pq.updatePriorityMin(dst, far[dst], far[src] + w); end"
                   " func main() far[0] = 0; pq = new priority_queue{Vertex}(int)(false, false, far, 1, 2, false, 0);"
                   " while far.sum() > 2000 var b : vertexset{Vertex} = pq.dequeue_ready_set();"
                   " edges.from(b).applyUpdatePriority(near); end print far.sum(); end", delta=1) == ["1005"]


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
