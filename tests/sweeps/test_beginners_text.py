"""What people write who are new to IrGL and know C, NumPy or NetworkX: each message names the cause and the way out.

A mistake: what is written, » where the carets begin, words for the cause, words for what to write.
"""

from __future__ import annotations

import pytest

from irgl.analysis.check import check
from irgl.frontends.text.load import load_text
from irgl.source import IrglError

GRAPH = "graph Graph { node int dist = INF; node float rank = 0.0; edge int weight; }\nint total = 0;\n"
PROGRAM = "Program p(Graph g, node src = first) {{ {} }}\n"


def kernel(body: str, program: str = "Invoke k(g);") -> str:
    return GRAPH + f"Kernel k(Graph g) {{ {body} }}\n" + PROGRAM.format(program)


def nodes(body: str) -> str:
    return kernel(f"ForAll (n In g.nodes) {{ {body} }}")


def edges(body: str) -> str:
    return nodes(f"ForAll (e In n.edges) {{ {body} }}")


def items(body: str) -> str:
    return kernel(body, "Iterate k(g) Initial [src];")


def program(body: str) -> str:
    return kernel("ForAll (n In g.nodes) { n.dist = 0; }", body)


MISTAKES = {
    "a forgotten semicolon": (nodes("n.dist = 0»\n"), "missing ';'", ""),
    "for in place of ForAll": (kernel("»for (n In g.nodes) { n.dist = 0; }"), "C's for takes no iterator", "ForAll"),
    "C++'s loop over a range": (kernel("»for (node n : g.nodes) { n.dist = 0; }"), "takes no iterator", "ForAll"),
    "Python's range": (kernel("»for (i in range(10)) { }"), "takes no iterator", "For (i In ...)"),
    "foreach": (kernel("»foreach (n in g.nodes) { n.dist = 0; }"), "does not begin a statement", "ForAll (n In"),
    "forall in small letters": (kernel("»forall (n In g.nodes) { n.dist = 0; }"), "'forall'", "spelt ForAll"),
    "in in small letters": (kernel("ForAll (n »in g.nodes) { n.dist = 0; }"), "expected 'In'", "spelt In"),
    "= in place of ==": (nodes("if (»n.dist = 0) { n.rank = 1.0; }"), "assignment has no value", "=="),
    "a store to a neighbour": (edges("»e.dst.dist = n.dist + 1;"), "several iterations may store 'dist'", "min="),
    "a store to a scalar": (nodes("»total = total + n.dist;"), "stores into the program scalar 'total'", "+="),
    "a push outside of Iterate": (GRAPH + "Kernel k(Graph g) { ForAll (n In g.nodes) { WL.push(n); } }\n"
                                  "Program p(Graph g) { »Invoke k(g); }\n", "there is none", "Iterate k(...) Initial"),
    "neighbors as a value": (nodes("node m = »n.neighbors;"), "no node property 'neighbors'", "e.dst"),
    "the first neighbour": (nodes("node m = »n.neighbors[0];"), "no node property 'neighbors'", "n.edges"),
    "neighbors of the graph": (nodes("ForAll (m In »g.neighbors(n)) { }"), "no method 'neighbors'", "n.edges"),
    "predecessors": (nodes("ForAll (e In »n.predecessors) { }"), "no node property 'predecessors'", "n.in_edges"),
    "len of edges": (nodes("n.dist = »len(n.edges);"), "no function 'len'", "write n.degree"),
    "len of a graph": (nodes("n.dist = »len(g);"), "no function 'len'", "g.num_nodes"),
    "an edge without a loop": (nodes("n.dist = »e.weight;"), "'e' is not declared", "ForAll (e In n.edges)"),
    "an edge after its loop": (nodes("ForAll (e In n.edges) { total += 1; }\nn.dist = »e.weight;"),
                               "'e' is not declared", "inside its loop, line 3"),
    "a node without a loop": (kernel("»n.dist = 0;"), "'n' is not declared", "ForAll (n In g.nodes)"),
    "a weight that is not declared": (edges("n.dist min= »e.cost;"), "no edge property 'cost'", "edge int cost;"),
    "target of an edge": (edges("»e.target.dist min= 1;"), "no edge property 'target'", "e.dst"),
    "dst as a function": (edges("»e.dst().dist min= 1;"), "no method 'dst'", "without ( )"),
    "num_nodes as a function": (nodes("n.dist = »g.num_nodes();"), "no method 'num_nodes'", "without ( )"),
    "a property as an array": (nodes("»dist[n] = 1;"), "'dist' is not declared", "write n.dist"),
    "a property of the graph": (nodes("»g.dist[n] = 1;"), "a graph has no 'dist'", "write n.dist"),
    "an element of a number": (nodes("»n.dist[0] = 1;"), "no elements to index", "write n.dist"),
    "and": (nodes("if (n.dist == 0 »and n.rank > 0.0) { }"), "found 'and'", "&&"),
    "not": (nodes("if (not »n.dist) { }"), "expected ')'", "written !"),
    "Python's condition": (nodes("n.dist = 1 »if n.rank > 0.0 else 0;"), "found 'if'", "CONDITION ? VALUE : OTHER"),
    "True": (nodes("if (»True) { }"), "'True' is not declared", "write true"),
    "NULL": (nodes("node m = »NULL;"), "'NULL' is not declared", "NONE"),
    "INFINITY": (nodes("n.dist = »INFINITY;"), "'INFINITY' is not declared", "INF"),
    "**": (nodes("n.rank = n.rank *»* 2;"), "'**'", "pow(x, y)"),
    "std::": (nodes("n.dist = std»::min(n.dist, 1);"), "'::'", "min(a, b)"),
    "->": (nodes("n»->dist = 1;"), "'->'", "use '.'"),
    "a comment with #": (nodes("n.dist = 1; »# one\n"), "preprocessor lines", "//"),
    "#include": ("»#include <stdio.h>\n" + nodes("n.dist = 0;"), "preprocessor lines", "import"),
    "kernel in small letters": ("graph Graph { node int dist; }\n»kernel k(Graph g) { }\n", "'kernel'", "spelt Kernel"),
    "no type of graph": ("Kernel k(»Graph g) { }\nProgram p(Graph g) { Invoke k(g); }\n", "unknown type",
                         "graph Graph {"),
    "a float for an int": (nodes("n.dist = »n.rank;"), "wants int, not float", "(int)(...)"),
    "a node as a number": (nodes("n.dist = »n;"), "wants int, not node", ".id"),
    "a number as a node": (nodes("node m = »5;"), "wants node, not int", "g.node(...)"),
    "an item that may come twice": (items("ForAll (n In WL.items) { »n.dist = 0; }"), "several iterations may store",
                                    "unique list<node>"),
    "a position as a node": (items("ForAll (i In WL) { »i.dist min= 0; }"), "position in list<node> has no", ".items"),
    "empty of a list": (items("while (!»WL.empty()) { }"), "no method 'empty'", ".size"),
    "break out of ForAll": (nodes("»break;"), "break can't end a ForAll", "use For"),
    "return out of ForAll": (nodes("»return n.dist;"), "return stands in a kernel", "ReduceAndReturn"),
    "CUDA's threads": (nodes("n.dist = »threadIdx.x;"), "'threadIdx' names the machine's threads", "ForAll"),
    "a kernel as a function": (program("»k(g);"), "'k' is a kernel", "Invoke k(...)"),
    "a kernel without its graph": (program("»Invoke k();"), "takes 1 argument, not 0", "Kernel k(Graph g)"),
    "a node in place of the graph": (program("Invoke k(»src);"), "wants Graph, not node", "of type Graph"),
    "a kernel that is not there": (program("»Invoke kk(g);"), "no kernel 'kk'", "did you mean 'k'?"),
    "ForAll in the Program": (program("»ForAll (n In g.nodes) { n.dist = 0; }"), "ForAll stands in a Program",
                              "kernels"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_beginner_is_told_of(name: str) -> None:
    marked, cause, remedy = MISTAKES[name]
    before, mark, after = marked.partition("»")
    assert mark
    with pytest.raises(IrglError) as caught:
        check(load_text(before + after, "x.irgl"))
    error = caught.value
    assert cause in error.message
    assert remedy in (error.hint or "")
    assert error.span is not None
    assert (error.span.line, error.span.column) == (before.count("\n") + 1, len(before) - before.rfind("\n"))


def test_all_but_a_missing_mark_come_with_a_way_out() -> None:
    assert [name for name, (_, _, remedy) in MISTAKES.items() if not remedy] == ["a forgotten semicolon"]
