"""What people write who are new to irgl's notation for Python: each message names the cause and the way out.

A mistake: a kernel's body, » where the carets begin, words for the cause, words for what to write, the program's body.
"""

from __future__ import annotations

import pytest

import irgl
from irgl.driver import front
from irgl.frontends.load import source_of
from irgl.source import IrglError

HEAD = """import irgl
from irgl import INF, first, node, edge, worklist
@irgl.graph
class Graph:
    dist: node[int] = INF
    rank: node[float] = 0.0
    weight: edge[int]

@irgl.kernel
def k(g: Graph{}):
    for n in g.nodes:
        {}

@irgl.program
def p(g: Graph, src: node = first):
    {}
"""
WL = ", wl: worklist"

MISTAKES: dict[str, tuple[str, str, str] | tuple[str, str, str, str] | tuple[str, str, str, str, str]] = {
    "NumPy": ("n.dist = »np.minimum(n.dist, 1)", "'np' is not declared", "calls no library: write min(a, b)"),
    "math": ("n.rank = »math.sqrt(n.rank)", "'math' is not declared", "irgl.sqrt(x)"),
    "another library": ("»heapq.heappush(wl, n)", "'heapq' is not declared", "calls no library", "k(g)", WL),
    "neighbors": ("m = »n.neighbors[0]", "no node property 'neighbors'", "e.dst"),
    "NetworkX's neighbors": ("for m in »g.neighbors(n):\n            m.dist = 0", "no method 'neighbors'", "n.edges"),
    "NetworkX's degree": ("n.dist = »g.degree(n)", "no method 'degree'", "n.degree"),
    "NetworkX's subscript": ("for m in »g[n]:\n            m.dist = 0", "no elements to index", "n.edges"),
    "NetworkX's attributes": ("»n['dist'] = 0", "no elements to index", "write n.dist"),
    "nodes as a function": ("for m in »g.nodes():\n            n.dist = 0", "takes 1 argument, not 0", "without ( )"),
    "len of edges": ("n.dist = »len(n.edges)", "no function 'len'", "write n.degree"),
    "a store to a neighbour": ("for e in n.edges:\n            »e.dst.dist = n.dist + 1", "may store 'dist'",
                               "irgl.reduce.min(X.p, value)"),
    "an edge without a loop": ("n.dist = »e.weight", "'e' is not declared", "for e in n.edges:"),
    "an edge after its loop": ("for e in n.edges:\n            n.rank = 1.0\n        n.dist = »e.weight",
                               "'e' is not declared", "inside its loop, line 12"),
    "float('inf')": ("n.dist = »float('inf')", "can't be converted", "write INF"),
    "//": ("n.dist = »n.dist // 2", "'//' rounds down", "write /"),
    "**": ("n.dist = »n.dist ** 2", "'**'", "irgl.pow(x, y)"),
    "a comprehension": ("xs = »[e.dst for e in n.edges]", "comprehensions", "pushes to a list"),
    "a dictionary": ("d = »{}", "dictionaries", "properties"),
    "append": ("»wl.append(n)", "no method 'append'", ".push(...)", "k(g)", WL),
    "a push outside of iterate": ("wl.push(n)", "there is none", "irgl.iterate(k(...), initial=[...])", "»k(g)", WL),
    "try": ("»try:\n            n.dist = 0\n        except ValueError: pass", "catch nothing", "irgl.stop"),
    "a lambda": ("f = »lambda x: x", "lambda", "@irgl.function"),
    "break": ("»break", "break can't end a parallel loop", "irgl.serial(...)"),
    "print": ("»print(n.dist)", "'print' belongs to the program", "call it there"),
    "a parameter without a type": ("n.dist = 0", "'level' has no type", "level: int", "k(g, 1)", ", »level"),
    "a text for a parameter": ("n.dist = 0", "no type 'str'", "int, long, float", "k(g, 1)", ", level: »str"),
    "an argument that is missing": ("n.dist = level", "takes 2 arguments", "level: int", "»k(g)", ", level: int"),
    "a dictionary as a result": ("n.dist = 0", "return with a value", "results are properties",
                               "k(g)\n    »return g.dist"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_beginner_is_told_of(name: str) -> None:
    body, cause, remedy, program, params = (*MISTAKES[name], *("k(g)", "")[len(MISTAKES[name]) - 3:])
    marked = HEAD.format(params, body, program)
    before, mark, after = marked.partition("»")
    assert mark
    with pytest.raises(IrglError) as caught:
        front(source_of("x.py", before + after))
    error = caught.value
    assert cause in error.message
    assert remedy in (error.hint or "")
    assert error.span is not None
    assert (error.span.line, error.span.column) == (before.count("\n") + 1, len(before) - before.rfind("\n"))


@pytest.mark.parametrize(("given", "message"), [
    ({"src": "Bob"}, "src='Bob': it takes the number of a node"),
    ({"src": 1.5}, "src=1.5: it takes the number of a node")])
def test_a_call_is_told_in_the_words_of_python(given: dict[str, object], message: str) -> None:
    with pytest.raises(IrglError) as caught:
        irgl.compile("bfs", target="ref")("path:5", **given)
    assert message in caught.value.message
    assert "--" not in str(caught.value)


def test_a_call_without_a_value_is_told_how_to_give_one() -> None:
    text = "graph G { node int d; }\nKernel k(G g, int x) { ForAll (n In g.nodes) { n.d = x; } }\n" \
           "Program p(G g, int x) { Invoke k(g, x); }\n"
    with pytest.raises(IrglError) as caught:
        irgl.compile("x.irgl", target="ref", text=text)("path:5")
    assert caught.value.hint == "give x=VALUE"
