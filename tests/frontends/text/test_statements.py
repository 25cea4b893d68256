"""The parser: statements become the trees that irgl.asdl has for them."""

from __future__ import annotations

import pytest
from support.parsed import body, call, method, name, number, same, statement

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.text.load import parse

# Statements of C


def test_variables_of_one_line_become_one_declaration_each() -> None:
    found = A.Block(body("node n = WL.pop(i), m;"))
    same(found, A.Block((A.VarDecl(T.NODE, "n", method("WL.pop", name("i"))), A.VarDecl(T.NODE, "m", None))))


def test_auto_takes_the_type_of_its_value() -> None:
    same(statement("auto x = n.level;"), A.VarDecl(T.AUTO, "x", name("n.level")))


def test_a_plain_store() -> None:
    same(statement("n.level = 3;"), A.Assign(name("n.level"), number(3), "plain"))


@pytest.mark.parametrize("access", ["racy", "relaxed"])
def test_a_marked_store(access: str) -> None:
    same(statement(f"{access} e.dst.level = 3;"), A.Assign(name("e.dst.level"), number(3), access))


def test_a_branch_needs_no_braces() -> None:
    found = statement("if (a) f(); else if (b) g(); else { h(); }")
    same(found, A.If(name("a"), (call("f"),), (A.If(name("b"), (call("g"),), (call("h"),)),)))


def test_an_else_belongs_to_the_nearest_if() -> None:
    same(statement("if (a) if (b) f(); else g();"), A.If(name("a"), (A.If(name("b"), (call("f"),), (call("g"),)),), ()))


def test_loops_of_c() -> None:
    found = A.Block(body("while (a) { break; } do continue; while (b);"))
    same(found, A.Block((A.While(name("a"), (A.Break(),)), A.DoWhile((A.Continue(),), name("b")))))


def test_a_for_loop_of_c() -> None:
    found = statement("for (int i = 0, j = 9; i < j; i++, j -= 2) f();")
    wanted = A.CFor((A.VarDecl(T.INT, "i", number(0)), A.VarDecl(T.INT, "j", number(9))),
                    A.Binary("<", name("i"), name("j")),
                    (A.ExprStmt(A.Reduce("+", name("i"), number(1))), A.ExprStmt(A.Reduce("-", name("j"), number(2)))),
                    (call("f"),))  # fmt: skip
    same(found, wanted)


def test_a_for_loop_of_c_may_leave_everything_out() -> None:
    same(statement("for (;;) break;"), A.CFor((), None, (), (A.Break(),)))


def test_a_for_loop_of_c_may_store_first() -> None:
    found = statement("for (i = 0, f(); ; i = i + 1) {}")
    step = A.Assign(name("i"), A.Binary("+", name("i"), number(1)), "plain")
    same(found, A.CFor((A.Assign(name("i"), number(0), "plain"), call("f")), None, (step,), ()))


def test_blocks_nest_and_empty_statements_vanish() -> None:
    same(statement("{ ; { f(); } ; }"), A.Block((A.Block((call("f"),)),)))


# Statements of kernels


@pytest.mark.parametrize(("word", "kind"), [("ForAll", A.ForAll), ("For", A.For)])
def test_a_loop_over_an_iterator(word: str, kind: type[A.ForAll] | type[A.For]) -> None:
    found = statement(f"{word} (e In n.edges.skip(2)) f(e);")
    same(found, kind("e", method("n.edges.skip", number(2)), (call("f", name("e")),)))


def test_loops_nest() -> None:
    found = statement("ForAll (i In WL) { ForAll (e In n.edges) { For (d In e.dst.in_edges) f(); } }")
    inner = A.ForAll("e", name("n.edges"), (A.For("d", name("e.dst.in_edges"), (call("f"),)),))
    same(found, A.ForAll("i", name("WL"), (inner,)))


def test_an_atomic_without_else_waits() -> None:
    same(statement("Atomic (n.door) { f(); }"), A.Atomic(name("n.door"), (call("f"),), (), True))


@pytest.mark.parametrize(("text", "orelse"), [("Else { g(); }", (call("g"),)), ("Else {}", ())])
def test_an_atomic_with_else_tries_once(text: str, orelse: tuple[A.Stmt, ...]) -> None:
    same(statement(f"Atomic (n.door) {{ f(); }} {text}"), A.Atomic(name("n.door"), (call("f"),), orelse, False))


def test_an_exclusive_locks_a_list_of_elements() -> None:
    found = statement("Exclusive (g, [n, e.dst]) { f(); } Else { Retry n; }")
    same(found, A.Exclusive(name("g"), (name("n"), name("e.dst")), (call("f"),), (A.Retry(name("n")),)))


def test_an_exclusive_may_lock_one_element_without_brackets() -> None:
    same(statement("Exclusive (g, n) { f(); }"), A.Exclusive(name("g"), (name("n"),), (call("f"),), ()))


@pytest.mark.parametrize("text", ["SyncRunningThreads;", "SyncRunningThreads();"])
def test_a_barrier(text: str) -> None:
    same(statement(text), A.SyncRunningThreads())


def test_a_contribution_to_the_kernels_value() -> None:
    same(statement("ReduceAndReturn(n.level > 3);"), A.ReduceAndReturn(A.Binary(">", name("n.level"), number(3))))


@pytest.mark.parametrize(("word", "kind"), [("Retry", A.Retry), ("Respawn", A.Respawn)])
@pytest.mark.parametrize("item", ["e.dst", "(e.dst)"])
def test_an_item_runs_again(word: str, kind: type[A.Retry] | type[A.Respawn], item: str) -> None:
    same(statement(f"{word} {item};"), kind(name("e.dst")))


def test_a_label_names_a_loop() -> None:
    same(statement("s1: ForAll (n In g.nodes) f();"), A.Labeled("s1", A.ForAll("n", name("g.nodes"), (call("f"),))))


def test_a_raw_block_keeps_its_text() -> None:
    found = statement('CBlock reads(n.level, x) writes(y) { if (a->b) { puts("}"); } /* kept */ }')
    same(found, A.CBlock((name("n.level"), name("x")), (name("y"),), ' if (a->b) { puts("}"); } /* kept */ '))


def test_a_raw_block_of_several_lines_keeps_them_all() -> None:
    found = statement("CBlock writes(y) {\n  a;\n    b;\n}")
    same(found, A.CBlock((), (name("y"),), "  a;\n    b;"))


def test_a_block_marked_as_c_without_sets_is_ordinary() -> None:
    same(statement("CBlock { f(); }"), A.Block((call("f"),)))


# Statements of programs


def test_an_invocation() -> None:
    same(statement("Invoke k(g, 3);"), A.Invoke("k", (name("g"), number(3)), None))


def test_iterating_over_a_worklist() -> None:
    found = statement("Iterate k(g) Initial [src, n] { f(); }")
    same(found, A.Iterate("worklist", "", "k", (name("g"),), A.InitialItems((name("src"), name("n"))), (call("f"),)))


@pytest.mark.parametrize("mode", ["While", "Until"])
@pytest.mark.parametrize("reduction", ["Any", "All"])
def test_iterating_on_a_condition(mode: str, reduction: str) -> None:
    found = statement(f"Iterate {mode} {reduction} k(g);")
    same(found, A.Iterate(mode.lower(), reduction.lower(), "k", (name("g"),), None, ()))


def test_a_pipe_starts_from_an_iterator() -> None:
    found = statement("Pipe Initial (g.nodes) { Invoke k(g); }")
    same(found, A.Pipe(False, A.InitialIterator(name("g.nodes")), (A.Invoke("k", (name("g"),), None),)))


def test_pipes_nest() -> None:
    found = statement("Pipe Once { Invoke a(); Pipe { Invoke b(); x += 1; } }")
    update = A.ExprStmt(A.Reduce("+", name("x"), number(1)))
    inner = A.Pipe(False, None, (A.Invoke("b", (), None), update))
    same(found, A.Pipe(True, None, (A.Invoke("a", (), None), inner)))


@pytest.mark.parametrize(("word", "text"), [
    ("Pipe", "Pipe Once Initial (g.nodes) { Invoke k(g); }"), ("Iterate", "Iterate k(g);"), ("Invoke", "Invoke k(g);"),
    ("Iterate", "Iterate While Any k(g) Initial (g.nodes) { }")])
def test_a_statement_is_read_as_one_where_a_graph_type_is_called_as_it_is(word: str, text: str) -> None:
    whole = parse(f"graph {word} {{ }} Program main({word} g) {{ {text} {word} h = g; }}")
    entry = whole.decls[-1]
    assert isinstance(entry, A.Entry)
    assert [type(s).__name__ for s in entry.body] == [word, "VarDecl"]
