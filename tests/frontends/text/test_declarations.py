"""The parser: declarations and types become the trees that irgl.asdl has for them."""

from __future__ import annotations

import pytest
from support.parsed import declaration, expression, name, number, same, statement

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.text.load import parse

# Declarations


def test_an_import_names_a_file() -> None:
    same(parse('import "array.irgl";').decls[0], A.Import("array.irgl"))


def test_a_graph_type_has_node_and_edge_properties() -> None:
    wanted = A.GraphType("H", (A.Property("node", T.INT, "a", A.Name("INF"), False, None),
                               A.Property("node", T.INT, "b", None, False, None),
                               A.Property("edge", T.DOUBLE, "w", None, False, None)))  # fmt: skip
    same(declaration("graph H { node int a = INF, b; edge double w; }"), wanted)


def test_a_struct_has_fields() -> None:
    wanted = A.Struct("Light", (A.Field(T.UINT, "weight"), A.Field(T.EDGE, "edge_of"), A.Field(T.EDGE, "other")))
    same(declaration("struct Light { unsigned weight; edge edge_of, other; };"), wanted)


def test_elements_of_a_library_type_may_have_locks() -> None:
    wanted = A.Library("Mesh", (), "m.hpp", (A.Elements(T.LONG, True),))
    same(declaration('library Mesh "m.hpp" { exclusive elements long; }'), wanted)


def test_a_library_type_has_features() -> None:
    text = """library Ring<T> "ring.hpp" {
        long size; elements T; iterator T items; void clear(); writes void resize(long n);
        appends void put(T item) thread(put_many) threadblock(put_block);
    }"""
    wanted = A.Library("Ring", ("T",), "ring.hpp", (
        A.Attribute(T.LONG, "size"),
        A.Elements(T.Named("T"), False),
        A.Iterator(T.Named("T"), "items"),
        A.Method(T.VOID, "clear", (), "reads", ()),
        A.Method(T.VOID, "resize", (A.Param(T.LONG, "n", None, ()),), "writes", ()),
        A.Method(T.VOID, "put", (A.Param(T.Named("T"), "item", None, ()),), "appends",
                 (A.Cooperative("thread", "put_many"), A.Cooperative("threadblock", "put_block"))),
    ))  # fmt: skip
    same(declaration(text), wanted)


def test_a_library_type_may_take_no_parameters() -> None:
    same(declaration('library Soup "soup.hpp" { long size; }'),
         A.Library("Soup", (), "soup.hpp", (A.Attribute(T.LONG, "size"),)))  # fmt: skip


def test_a_program_scalar_has_type_and_value() -> None:
    same(declaration("long count = 0;"), A.Global(T.LONG, "count", number(0), False))


def test_scalars_of_one_line_become_one_declaration_each() -> None:
    found = parse("int a = 1, b;").decls
    same(A.Program(found), A.Program((A.Global(T.INT, "a", number(1), False), A.Global(T.INT, "b", None, False))))


def test_a_function_has_parameters_and_a_body() -> None:
    wanted = A.Function(T.LONG, "f", (A.Param(T.LONG, "x", None, ()), A.Param(T.NODE, "n", None, ())),
                        (A.Return(name("x")),))  # fmt: skip
    same(declaration("long f(long x, node n) { return x; }"), wanted)


@pytest.mark.parametrize("params", ["()", "(void)"])
def test_a_function_without_parameters(params: str) -> None:
    same(declaration(f"void f{params} {{ return; }}"), A.Function(T.VOID, "f", (), (A.Return(None),)))


def test_a_kernel_has_no_worklist_type_of_its_own_accord() -> None:
    same(declaration("Kernel k(Graph g, int turn) {}"), A.Kernel("k", (
        A.Param(T.Named("Graph"), "g", None, ()), A.Param(T.INT, "turn", None, ())), None, ()))  # fmt: skip


def test_a_kernel_names_the_type_of_its_worklist() -> None:
    kernel = declaration("Kernel k(Graph g, buckets<node> far) WL unique list<edge> {}")
    assert isinstance(kernel, A.Kernel)
    assert kernel.worklist == T.Worklist("list", T.EDGE, unique=True)
    assert kernel.params[1].type == T.Worklist("buckets", T.NODE)


def test_an_entry_says_what_it_needs_of_its_graph_and_its_defaults() -> None:
    text = "Program p(undirected simple sorted weighted Graph g, node src = first, int delta = auto(g.num_nodes)) {}"
    wanted = A.Entry("p", (
        A.Param(T.Named("Graph"), "g", None, ("undirected", "simple", "sorted", "weighted")),
        A.Param(T.NODE, "src", name("first"), ()),
        A.Param(T.INT, "delta", A.Call("auto", (name("g.num_nodes"),)), ()),
    ), (), ())  # fmt: skip
    same(declaration(text), wanted)


def test_an_entry_has_clauses() -> None:
    text = "Program p(Graph g) verify some_verifier(values = level, source = src) tolerance 1e-6 any_valid {}"
    entry = declaration(text)
    assert isinstance(entry, A.Entry)
    same(A.Entry("p", (), entry.clauses, ()), A.Entry("p", (), (
        A.Verify("some_verifier", (A.Role("values", name("level")), A.Role("source", name("src")))),
        A.Tolerance(A.FloatLit("1e-6", T.DOUBLE)), A.AnyValid()), ()))  # fmt: skip


def test_types_may_be_used_before_they_are_declared() -> None:
    kernel = parse("Kernel k(Web g, Light x) {}\nstruct Light { int a; };\ngraph Web { node int b; }").decls[0]
    assert isinstance(kernel, A.Kernel)
    assert [p.type for p in kernel.params] == [T.Named("Web"), T.Named("Light")]


def test_a_semicolon_may_follow_any_declaration() -> None:
    assert len(parse("graph Graph { };; void f() { };").decls) == 2


# Types


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("bool", T.BOOL), ("_Bool", T.BOOL), ("int", T.INT), ("long", T.LONG), ("long long", T.LONG),
        ("long int", T.LONG), ("unsigned", T.UINT), ("unsigned int", T.UINT), ("unsigned long long", T.ULONG),
        ("long unsigned", T.ULONG), ("short", T.Int(16, True)), ("unsigned short", T.Int(16, False)),
        ("char", T.Int(8, True)), ("signed char", T.Int(8, True)), ("unsigned char", T.Int(8, False)),
        ("int8", T.Int(8, True)), ("int16_t", T.Int(16, True)), ("uint32", T.UINT), ("uint64_t", T.ULONG),
        ("float", T.FLOAT), ("double", T.DOUBLE), ("node", T.NODE), ("edge", T.EDGE), ("node<g>", T.NodeT("g")),
        ("edge < g >", T.EdgeT(graph="g")), ("Pair", T.Named("Pair")), ("struct Pair", T.Named("Pair")),
        ("Graph", T.Named("Graph")), ("list<node>", T.Worklist("list", T.NODE)),
        ("unique  list < node >", T.Worklist("list", T.NODE, True)), ("set<long>", T.Worklist("set", T.LONG)),
        ("bitmap<node>", T.Worklist("bitmap", T.NODE)), ("bytemap<edge>", T.Worklist("bytemap", T.EDGE)),
        ("count<node>", T.Worklist("count", T.NODE)), ("buckets<Pair>", T.Worklist("buckets", T.Named("Pair"))),
        ("scratch<node>", T.Worklist("scratch", T.NODE)), ("list<unsigned int>", T.Worklist("list", T.UINT)),
        ("array<long>", T.Named("array", (T.LONG,))),
        ("array<list<node>>", T.Named("array", (T.Worklist("list", T.NODE),))),
        ("array< array <\n Pair > >", T.Named("array", (T.Named("array", (T.Named("Pair"),)),))),
    ],
)  # fmt: skip
def test_a_type_is_read(text: str, kind: T.Type) -> None:
    found = statement(f"{text} v;")
    assert isinstance(found, A.VarDecl)
    assert found.type == kind


def test_a_comparison_of_a_variable_named_like_a_worklist_kind_is_no_type() -> None:
    same(expression("count < a && b > c"), A.Binary("&&", A.Binary("<", name("count"), name("a")),
                                                   A.Binary(">", name("b"), name("c"))))  # fmt: skip
