"""What each form of the notation for Python stands for, as .irgl."""

from __future__ import annotations

import textwrap

import pytest

from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.frontends.load import load, source_of
from irgl.source import IrglError

HEAD = """import irgl
from irgl import edge, long, node, worklist

@irgl.struct
class Pair:
    a: int
    b: node

@irgl.graph
class Graph:
    p: node[int] = 0
    q: node[Pair]
    guard: node[irgl.lock]

total = irgl.scalar(long)
DAMPING = 0.85

@irgl.kernel
def other(g: Graph, wl: worklist):
    pass
"""


def decl(text: str) -> str:
    """The .irgl of the last declaration of a Python text."""
    return dump(load(source_of("t.py", HEAD + textwrap.dedent(text))).decls[-1])


def body(text: str, role: str = "kernel") -> str:
    """The .irgl of a body in which g, n, e, m, i, wl and found are known."""
    names = "g: Graph, n: node, m: node, e: edge, i: int, found: list[node]" + ", wl: worklist" * (role == "kernel")
    whole = decl(f"@irgl.{role}\ndef f({names}):\n" + textwrap.indent(textwrap.dedent(text), "    "))
    inside = whole[whole.index("{") + 1 : whole.rindex("}")]
    return textwrap.dedent(inside.removeprefix("\n")).rstrip("\n")


@pytest.mark.parametrize(
    ("python", "irgl"),
    [
        ("x = 1", "auto x = 1;"),
        ("x: int", "int x;"),
        ("x: long = 5", "long x = 5;"),
        ("n.p = 5", "n.p = 5;"),
        ("n.p = irgl.racy(5)", "racy n.p = 5;"),
        ("n.p = irgl.relaxed(5)", "relaxed n.p = 5;"),
        ("i = irgl.relaxed.load(n.p)", "i = relaxed n.p;"),
        ("n.p += 1", "n.p += 1;"),
        ("irgl.reduce.min(n.p, 5)", "n.p min= 5;"),
        ("if irgl.reduce.add(n.p, 5).old > 1:\n    i = 1", "if ((n.p += 5).old > 1) {\n    i = 1;\n}"),
        ("global total\ntotal += 1", "total += 1;"),
        ("i = 2 if n is None else 3", "i = n == NONE ? 2 : 3;"),
        ("i = not i and i or i", "i = !i && i || i;"),
        ("i = -i + ~i", "i = -i + ~i;"),
        ("n.q = Pair(1, n)", "n.q = (Pair){1, n};"),
        ("i = int(2.5)", "i = (int)2.5;"),
        ("i = irgl.cast(int, 2.5)", "i = (int)2.5;"),
        ("x: float = float(i)", "double x = (double)i;"),
        ("x: irgl.float32 = irgl.float32(i)", "float x = (float)i;"),
        ('x: long = irgl.literal("5L")', "long x = 5L;"),
        ("x: float = DAMPING", "double x = 0.85;"),
        ("i = 0xff", "i = 255;"),
        ("i = g.nodes(3).p", "i = g.nodes(3).p;"),
        ("i = irgl.popcount(i)", "i = popcount(i);"),
        ("i = min(i, 3)", "i = min(i, 3);"),
        ('irgl.stop("why")', 'stop("why");'),
        ("pass", ""),
        ("...", ""),
        ('"""Says what it does."""', ""),
        ("while i < 3:\n    i += 1", "while (i < 3) {\n    i += 1;\n}"),
        ("while irgl.do_while(i < 3):\n    i += 1", "do {\n    i += 1;\n} while (i < 3);"),
        ("with irgl.block():\n    i = 1", "{\n    i = 1;\n}"),
    ],
)
def test_a_statement_is(python: str, irgl: str) -> None:
    assert body(python) == irgl


@pytest.mark.parametrize(
    ("python", "irgl"),
    [
        ("for x in g.nodes:\n    pass", "ForAll (x In g.nodes) {}"),
        ("for x in irgl.serial(n.edges):\n    pass", "For (x In n.edges) {}"),
        ("for x in range(3):\n    pass", "ForAll (x In range(3)) {}"),
        ("for x in wl:\n    pass", "ForAll (x In WL.items) {}"),
        ("for x in wl.positions:\n    pass", "ForAll (x In WL) {}"),
        ("for x in found:\n    pass", "ForAll (x In found.items) {}"),
        ("for x in g.edges(n):\n    pass", "ForAll (x In n.edges) {}"),
        ("for k in irgl.c_range(int, 0, 3):\n    pass", "for (int k = 0; k < 3; k += 1) {}"),
        ("for k in irgl.c_range(long, 1, i, 2):\n    pass", "for (long k = 1; k < i; k += 2) {}"),
        (
            "for k in irgl.c_for(int, 9, lambda k: k > 0, lambda k: k / 2):\n    pass",
            "for (int k = 9; k > 0; k /= 2) {}",
        ),
        ("for k in irgl.c_for(int, 9, None, lambda k: i):\n    pass", "for (int k = 9;; k = i) {}"),
        (
            "for a, b in irgl.c_for(int, (0, 9), lambda a, b: a < b, lambda a, b: (a + 1, b - 1)):\n    pass",
            "for (int a = 0, b = 9; a < b; a += 1, b -= 1) {}",
        ),
        (
            "while irgl.c_while(i > 0, first=[irgl.assign(i, 9)], then=[irgl.reduce.sub(i, 1)]):\n    pass",
            "for (i = 9; i > 0; i -= 1) {}",
        ),
        ('with irgl.label("outer"):\n    for x in g.nodes:\n        pass', "outer: ForAll (x In g.nodes) {}"),
    ],
)
def test_a_loop_of_a_kernel_is(python: str, irgl: str) -> None:
    assert body(python) == irgl


@pytest.mark.parametrize(
    ("python", "irgl"),
    [
        ("for x in found:\n    pass", "For (x In found.items) {}"),
        ("other(g)", "Invoke other(g);"),
        ("if any(other(g)) or all(other(g)):\n    pass", "if (Any Invoke other(g) || All Invoke other(g)) {}"),
        ("irgl.iterate(other(g), initial=[n])", "Iterate other(g) Initial [n];"),
        (
            "with irgl.iterate(other(g), initial=g.nodes):\n    i += 1",
            "Iterate other(g) Initial (g.nodes) {\n    i += 1;\n}",
        ),
        ("irgl.iterate_while(any(other(g)))", "Iterate While Any other(g);"),
        ("while irgl.iterate_until(all(other(g))):\n    break", "Iterate Until All other(g) {\n    break;\n}"),
        ("with irgl.pipe(initial=[n, m]):\n    other(g)", "Pipe Initial [n, m] {\n    Invoke other(g);\n}"),
        (
            "with irgl.pipe(once=True, initial=found):\n    other(g)",
            "Pipe Once Initial (found.items) {\n    Invoke other(g);\n}",
        ),
        (
            "while irgl.pipe(initial=[n]):\n    other(g)\n    break",
            "Pipe Initial [n] {\n    Invoke other(g);\n    break;\n}",
        ),
        ("front = list[node]()\nfront.push(n)", "list<node> front;\nfront.push(n);"),
        ("h: Graph = irgl.oriented(g)", "Graph h = oriented(g);"),
        ('print("nodes", g.num_nodes)', 'print("nodes", g.num_nodes);'),
    ],
)
def test_a_statement_of_a_program_is(python: str, irgl: str) -> None:
    assert body(python, "program") == irgl


@pytest.mark.parametrize(
    ("python", "irgl"),
    [
        ("with irgl.atomic(n.guard):\n    i = 1", "Atomic (n.guard) {\n    i = 1;\n}"),
        (
            "if irgl.atomic(n.guard):\n    i = 1\nelse:\n    i = 2",
            "Atomic (n.guard) {\n    i = 1;\n} Else {\n    i = 2;\n}",
        ),
        ("if irgl.atomic(n.guard):\n    i = 1", "Atomic (n.guard) {\n    i = 1;\n} Else {}"),
        ("with irgl.exclusive(g, [n, m]):\n    i = 1", "Exclusive (g, [n, m]) {\n    i = 1;\n}"),
        (
            "if irgl.exclusive(g, [n]):\n    i = 1\nelse:\n    irgl.retry(n)",
            "Exclusive (g, [n]) {\n    i = 1;\n} Else {\n    Retry n;\n}",
        ),
        ("irgl.respawn(n)", "Respawn n;"),
        ("irgl.reduce_and_return(i > 1)", "ReduceAndReturn(i > 1);"),
        ("irgl.sync_running_threads()", "SyncRunningThreads;"),
        ('irgl.c_block("g.p[n] = 1;", reads=[], writes=[n.p])', "CBlock reads() writes(n.p) {g.p[n] = 1;}"),
        ("if n in found:\n    i = 1", "if (found.contains(n)) {\n    i = 1;\n}"),
    ],
)
def test_a_construct_is(python: str, irgl: str) -> None:
    assert body(python) == irgl


@pytest.mark.parametrize(
    ("python", "irgl"),
    [
        (
            "@irgl.kernel\ndef k(g: Graph, wl: worklist[irgl.unique[list[edge]]]): ...",
            "Kernel k(Graph g) WL unique list<edge> {}",
        ),
        (
            "@irgl.function\ndef f(x: irgl.uint8, n: node['h']) -> float:\n    return x",
            "double f(uint8 x, node<h> n) {\n    return x;\n}",
        ),
        (
            "@irgl.program\ndef p(g: Graph[irgl.undirected, irgl.simple], src: node = irgl.first): ...",
            "Program p(undirected simple Graph g, node src = first) {}",
        ),
        (
            "@irgl.program\ndef p(g: Graph, x: int = irgl.auto(lambda g: g.num_nodes), *, h: Graph): ...",
            "Program p(Graph g, int x = auto(g.num_nodes), Graph h) {}",
        ),
        (
            '@irgl.program\ndef p(g: Graph):\n    irgl.verify("right", ps=Graph.p, all=total)\n'
            "    irgl.tolerance(1e-6)\n    irgl.any_valid()\n    other(g)",
            "Program p(Graph g) verify right(ps = p, all = total) tolerance 1e-6 any_valid {\n    Invoke other(g);\n}",
        ),
        ("from_ = irgl.scalar(int, 5)", "int from = 5;"),
        (
            '@irgl.library("x.hpp", "T")\nclass Bag:\n    size: long\n    _: irgl.elements["T"]\n'
            '    items: irgl.iterator["T"]\n    @irgl.appends(thread="one")\n'
            '    def add(self, item: "T") -> long: ...\n    def has(self, item: "T") -> bool: ...',
            'library Bag<T> "x.hpp" {\n    long size;\n    elements T;\n    iterator T items;\n'
            "    appends long add(T item) thread(one);\n    bool has(T item);\n}",
        ),
        (
            '@irgl.library("x.hpp")\nclass Bag:\n    _: irgl.elements[long, "exclusive"]',
            'library Bag "x.hpp" {\n    exclusive elements long;\n}',
        ),
    ],
)
def test_a_declaration_is(python: str, irgl: str) -> None:
    assert decl(python) == irgl


def test_a_worklist_is_left_out_where_its_kernel_is_called() -> None:
    assert (
        decl("@irgl.program\ndef p(g: Graph):\n    with irgl.pipe(initial=g.nodes):\n        other(g)").count(
            "other(g)"
        )
        == 1
    )


def test_a_variable_may_be_called_like_a_word() -> None:
    assert body("first = 1\ncount = first + 1") == "auto first = 1;\nauto count = first + 1;"


def test_a_variable_hides_a_scalar() -> None:
    assert body("total: int = 1\ntotal += 1") == "int total = 1;\ntotal += 1;"


def test_a_variable_of_two_branches_is_two() -> None:
    assert body("if i > 0:\n    x = 1\nelse:\n    x = 2.5").count("auto x") == 2


def test_places_count_characters_and_not_bytes() -> None:
    with pytest.raises(IrglError) as caught:
        body('x: int = 1; print("äöü"); y = 2 ** 3')
    assert str(caught.value).split("\n")[-2].index("^") == str(caught.value).split("\n")[-3].index("2 ** 3")


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert len(load(source_of("t.py", "\ufeff" + HEAD)).decls) == 4


def test_what_is_python_alone_is_left_alone() -> None:
    program = load(source_of("t.py", HEAD + "import os\n\ndef main():\n    return [x for x in os.environ]\n"))
    assert [d.name for d in program.decls if isinstance(d, A.Kernel | A.Function)] == ["other"]
