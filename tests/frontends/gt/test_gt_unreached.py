"""A function that nobody calls or applies is checked, as far as its use is clear; what is not supported in it is no
mistake."""

from __future__ import annotations

import pytest

from irgl.driver import front
from irgl.frontends.load import load, source_of
from irgl.source import IrglError, Source

HEAD = """element Vertex end
element Edge end
const edges : edgeset{Edge}(Vertex, Vertex, int) = load(argv[1]);
const vertices : vertexset{Vertex} = edges.getVertices();
const x : vector{Vertex}(int) = 0;
const pair : vector[2](int);
const total : int = 0;
const queue : priority_queue{Vertex}(int);
"""
MAIN = "func main() total = 1; end\n"
WRONG = {
    "a name that is none": ("func f(v : Vertex) x[v] = y[v]; end", "there is no 'y'"),
    "a function that is none": ("func f() vertices.apply(g); end", "there is no function 'g'"),
    "a type that is none": ("func f(v : Vertexx) total = 1; end", "there is no type 'Vertexx'"),
    "a text as a number": ('func f() total = "one"; end', "a text is no number"),
    "another number of arguments": ("func g(v : int) total = v; end func f() g(); end", "'g' takes 1 argument, not 0"),
    "a set that is stored to a number": ("func f() total = edges; end", "'edges' is an edgeset, not a number"),
    "a parameter that is stored to": ("func f(v : Vertex) v = 1; end", "'v' is given, and can't be stored to"),
    "a break outside of loops": ("func f(v : Vertex) break; end", "'break' leaves no loop"),
}
RIGHT = {
    "of a vertex": "func f(v : Vertex) x[v] = 1; end",
    "of an edge": "func f(src : Vertex, dst : Vertex, w : int) x[dst] min= x[src] + w; end",
    "a filter": "func f(v : Vertex) -> output : bool output = x[v] > total; end",
    "a functor": "func f[own : vector{Vertex}(int), k : int](v : Vertex) own[v] = k; end",
    "that applies another": "func g(v : Vertex) x[v] = 1; end func f() vertices.apply(g); end",
    "that takes the time": "func f() startTimer(); print stopTimer(); end",
    "that makes a set": "func f() var s : vertexset{Vertex} = new vertexset{Vertex}(0); s.addVertex(1); end",
    "that moves vertices of a queue": "func f(src : Vertex, dst : Vertex, w : int) "
                                      "queue.updatePriorityMin(dst, x[dst], x[src] + w); end",
    "that runs a queue of its caller's": "func up(src : Vertex, dst : Vertex, w : int) "
                                         "queue.updatePriorityMin(dst, x[dst], x[src] + w); end "
                                         "func f(q : priority_queue{Vertex}(int)) while (q.finished() == false) "
                                         "var bucket : vertexset{Vertex} = q.dequeue_ready_set(); "
                                         "edges.from(bucket).applyUpdatePriority(up); delete bucket; end end",
    "of an array": "func f(a : vector[2](int)) a[0] = 1; total = a[1]; end",
    "of an edgeset": "func f(g : edgeset{Edge}(Vertex, Vertex, int)) total = g.getVertices(); end",
    "whose use is not supported": "func f(src : Vertex, dst : Vertex) -> own : vector{Vertex}(int) own = x; end",
    "that asks for random neighbours": "func f(v : Vertex) x[v] = getRandomOutNgh(edges, v); end",
    "that calls an extern function": "extern func g(v : Vertex) -> output : int; func f(v : Vertex) x[v] = g(v); end",
}


@pytest.mark.parametrize("what", WRONG)
def test_a_mistake_is_told(what: str) -> None:
    text, message = WRONG[what]
    with pytest.raises(IrglError) as caught:
        front(Source("x.gt", f"{HEAD}{text}\n{MAIN}"))
    assert caught.value.message.startswith(message)
    assert caught.value.span is not None and caught.value.span.line == 9


@pytest.mark.parametrize("what", RIGHT)
def test_nothing_is_told_of_what_is_right_or_not_supported(what: str) -> None:
    front(Source("x.gt", f"{HEAD}{RIGHT[what]}\n{MAIN}"))


def test_nothing_of_it_comes_into_the_program() -> None:
    text = "func f(v : Vertex) #s1# x[v] = atoi(argv[7]); end func g() #s0# vertices.apply(f); end\n"
    with pytest.raises(IrglError, match="argv can't be asked in an applied function"):
        load(Source("x.gt", HEAD + text + MAIN))
    right = text.replace("atoi(argv[7])", "1")
    assert [type(d) for d in load(Source("x.gt", HEAD + right + MAIN)).decls] == \
        [type(d) for d in load(Source("x.gt", HEAD + MAIN)).decls]


def test_a_library_is_checked_too() -> None:
    text = "export func g() total = 1; end\nfunc f(v : Vertex) x[v] = y[v]; end\n"
    with pytest.raises(IrglError, match="there is no 'y'"):
        load(source_of("x.gt:g", HEAD + text))
