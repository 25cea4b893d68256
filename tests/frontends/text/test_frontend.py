"""The parser: the paper's listings, words, comments, positions."""

from __future__ import annotations

from typing import TypeVar

import pytest
from support.parsed import GRAPH, body, expression, method, name, number, same

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.check import verify
from irgl.ast.visit import walk
from irgl.frontends.text.load import parse
from irgl.source import Span

N = TypeVar("N", bound=A.Node)


# The paper's listings


def test_listing_3_of_the_paper() -> None:
    program = parse("""
        graph Graph { node int level = INF; }
        Kernel BFS(Graph graph, int LEVEL) {
          ForAll(wlidx In WL) {
            node n = WL.pop(wlidx);
            auto edges = graph.nodes(n).edges;
            ForAll(e In edges) {
              if(e.dst.level == INF) {
                racy e.dst.level = LEVEL;
                WL.push(e.dst.id);
              } } } }

        Program main(Graph graph, node src = first)
        {src.level = 0;
        int LEVEL=1;
        Iterate BFS(graph, LEVEL) Initial [src] {
          LEVEL++;
        }
        }""")
    visit = A.If(A.Binary("==", name("e.dst.level"), name("INF")), (
        A.Assign(name("e.dst.level"), name("LEVEL"), "racy"), A.ExprStmt(method("WL.push", name("e.dst.id")))), ())
    edges = A.Member(method("graph.nodes", name("n")), "edges")
    kernel = A.Kernel("BFS", (A.Param(T.Named("Graph"), "graph", None, ()), A.Param(T.INT, "LEVEL", None, ())), None, (
        A.ForAll("wlidx", name("WL"), (
            A.VarDecl(T.NODE, "n", method("WL.pop", name("wlidx"))),
            A.VarDecl(T.AUTO, "edges", edges),
            A.ForAll("e", name("edges"), (visit,)))),))  # fmt: skip
    entry = A.Entry("main", (
        A.Param(T.Named("Graph"), "graph", None, ()), A.Param(T.NODE, "src", name("first"), ())), (), (
        A.Assign(name("src.level"), number(0), "plain"),
        A.VarDecl(T.INT, "LEVEL", number(1)),
        A.Iterate("worklist", "", "BFS", (name("graph"), name("LEVEL")), A.InitialItems((name("src"),)),
                  (A.ExprStmt(A.Reduce("+", name("LEVEL"), number(1))),))))  # fmt: skip
    same(A.Program(program.decls[1:]), A.Program((kernel, entry)))


def test_listing_4_of_the_paper() -> None:
    program = parse("""
        graph Graph { node int distance = INF; }
        Kernel sssp_nf(Graph graph, int delta) {
            ForAll(i In WL) { node dst = WL.pop(i);
            if (dst.distance <= delta)
                Respawn(dst);   // near node
            else
                WL.push(dst);   // far node
        } }
        Program main(Graph graph, node src = first) { int curdelta = 0;
        // establishes worklist shared by
        // initialize, sssp_nf and remove_dups
        Pipe Once {
            // also places src into the worklist
            Invoke initialize(graph, src);

            // looping Pipe
            Pipe {
                // Invoke sssp_nf will automatically loop
                Invoke sssp_nf(graph, curdelta);
                Invoke remove_dups();
                curdelta += DELTA;
            } } }""")
    kernel, entry = program.decls[1:]
    assert isinstance(kernel, A.Kernel) and isinstance(kernel.body[0], A.ForAll) and isinstance(entry, A.Entry)
    same(kernel.body[0].body[1], A.If(A.Binary("<=", name("dst.distance"), name("delta")),
                                      (A.Respawn(name("dst")),), (A.ExprStmt(method("WL.push", name("dst"))),)))
    inner = A.Pipe(False, None, (
        A.Invoke("sssp_nf", (name("graph"), name("curdelta")), None), A.Invoke("remove_dups", (), None),
        A.ExprStmt(A.Reduce("+", name("curdelta"), name("DELTA")))))  # fmt: skip
    same(entry.body[1], A.Pipe(True, None, (A.Invoke("initialize", (name("graph"), name("src")), None), inner)))


# Words, comments, positions

WORDS = [
    "ForAll", "For", "In", "Atomic", "Else", "Exclusive", "Retry", "Respawn", "Invoke", "Iterate", "While", "Until",
    "Any", "All", "Initial", "Pipe", "Once", "CBlock", "reads", "writes", "racy", "relaxed", "min", "max", "xchg",
    "graph", "library", "Kernel", "Program", "import", "verify", "tolerance", "any_valid", "directed", "WL", "iterator",
    "elements", "appends", "thread", "foreach", "kernel", "SyncRunningThreads", "ReduceAndReturn", "unique", "list",
    "count", "set",
]  # fmt: skip


@pytest.mark.parametrize("word", WORDS)
def test_a_word_of_the_language_may_name_a_variable(word: str) -> None:
    found = A.Block(body(f"int {word} = 1; {word} += 2; u = {word} + {word};"))
    same(found, A.Block((A.VarDecl(T.INT, word, number(1)), A.ExprStmt(A.Reduce("+", name(word), number(2))),
                         A.Assign(name("u"), A.Binary("+", name(word), name(word)), "plain"))))  # fmt: skip


@pytest.mark.parametrize("word", ["node", "edge", "Graph", "Pair"])
def test_a_property_may_have_the_name_of_a_member_of_everything(word: str) -> None:
    same(expression(f"n.{word}"), A.Member(name("n"), word))


def test_comments_are_left_out() -> None:
    same(parse("/* a /* b */ int x /* c\n d */ = 1; // e /* f\nint y; /**/"), parse("int x = 1; int y;"))


def test_line_ends_of_windows_are_read() -> None:
    same(parse("int x = 1;\r\nint y;\r\n"), parse("int x = 1;\nint y;\n"))


def only(program: A.Program, kind: type[N]) -> N:
    (found,) = [n for n in walk(program) if isinstance(n, kind)]
    return found


def quoted(span: Span | None) -> str:
    assert span is not None and span.line == span.end_line
    return span.source.line(span.line)[span.column - 1 : span.end_column - 1]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (A.Kernel, "Kernel k"), (A.ForAll, "ForAll (n In g.nodes)"), (A.VarDecl, "far"),
        (A.Conditional, "(n.level > 3 ? 1 : 2)"), (A.Unary, "-far"), (A.Cast, "(double)1.5f"), (A.FloatLit, "1.5f"),
        (A.Reduce, "n.level min= far"), (A.InvokeResult, "Any Invoke k(g)"), (A.Relaxed, "relaxed n.mark"),
        (A.StringLit, '"text"'), (A.MethodCall, "WL.push(n)"), (A.Retry, "Retry n;"), (A.Index, "a[0]"),
        (A.StructLit, "(Pair){7, n}"), (A.Property, "level"), (A.Field, "first"),
    ],
)  # fmt: skip
def test_a_node_knows_its_place(kind: type[A.Node], text: str) -> None:
    program = parse("""graph Graph { node int level; }
        struct Pair { int first; };
        Kernel k(Graph g) { // ä comment before, äöü, to shift bytes but not characters
            ForAll (n In g.nodes) { /* ü */ int far = (n.level > 3 ? 1 : 2);
                n.level min= far; WL.push(n); Retry n; u = relaxed n.mark; u = -far;
                if (Any Invoke k(g)) print("text"); u = (double)1.5f; u = a[0]; u = (Pair){7, n};
            } }""")
    assert quoted(only(program, kind).span) == text


def test_a_generic_type_over_two_lines_does_not_shift_positions() -> None:
    kernel = parse("Kernel k(list<\n  node> far, int\tx) {}").decls[0]
    assert isinstance(kernel, A.Kernel)
    places = [(p.span.line, p.span.column) for p in kernel.params if p.span is not None]
    assert places == [(2, 9), (2, 18)]


def test_every_tree_of_this_file_is_well_formed() -> None:
    for text in ("int x = 1;", "Kernel k(Graph g) { ForAll (n In g.nodes) { continue; } }"):
        verify(parse(GRAPH + text))
