"""What the interpreter makes of numbers, updates, and access to graphs. It defines the language."""

from __future__ import annotations

import pytest
from support.interpreting import ALONE, LOOPY, NOTHING, fault, ran, value
from support.random_graphs import from_arcs


@pytest.mark.parametrize(
    ("expression", "t", "right"),
    [
        ("2147483647 + 1", "int", -2147483648),
        ("2147483647 * 2", "int", -2),
        ("(int8)200", "int", -56),
        ("(uint8)(-1)", "int", 255),
        ("(uint8)255 + 1", "int", 256),
        ("-7 / 2", "int", -3),
        ("-7 % 2", "int", -1),
        ("(-2147483647 - 1) / -1", "int", -2147483648),
        ("(-2147483647 - 1) % -1", "int", 0),
        ("0u - 1", "long", 4294967295),
        ("(-1 < 0u) ? 1 : 2", "int", 2),
        ("min((uint64)0, -3) == 0 ? 1 : 2", "int", 1),
        ("1 << 33", "int", 2),
        ("1l << 33", "long", 1 << 33),
        ("-8 >> 1", "int", -4),
        ("1 << -1", "int", -2147483648),
        ("abs(-2147483647 - 1)", "int", -2147483648),
        ("popcount((int8)(-1))", "int", 32),
        ("popcount(-1l)", "int", 64),
        ("(int)3.99", "int", 3),
        ("(int)-1e30", "int", -2147483648),
        ("(uint8)300.5", "int", 255),
        ("(int)(0.0 / 0.0)", "int", 0),
        ("(int)INF", "int", 2147483647),
        ("1.0 / 0.0", "double", float("inf")),
        ("(float)0.1", "double", 0.10000000149011612),
        ("(float)16777216 + 1.0f", "double", 16777216.0),
        ("(float)16777217l", "double", 16777216.0),
        ("(float)9007199791611905l", "double", 9007200328482816.0),
        ("sqrt(2)", "double", 1.4142135623730951),
        ("floor(-0.5f)", "double", -1.0),
        ("true + true", "int", 2),
        ("7 == 7", "int", 1),
    ],
)
def test_arithmetic(expression: str, t: str, right: float) -> None:
    assert value(expression, t) == right


def test_hash_is_the_low_half_of_splitmix64() -> None:
    # The first output of splitmix64 seeded with 0, from its authors' program, is e220a8397b1dcdaf.
    assert value("hash(0)", "uint32") == 0x7B1DCDAF


@pytest.mark.parametrize("op", ["/", "%"])
def test_division_by_zero_is_an_error_at_its_place(op: str) -> None:
    error = fault(f"7 {op} (extra - 5)", before="int extra = 5;")
    assert error.message == "division by zero"
    assert error.span is not None and error.span.line == 3


@pytest.mark.parametrize("expression", ["0 && 1 / 0 == 1", "false ? 1 / 0 : 3", "1 || 1 / 0 == 1"])
def test_what_is_not_needed_is_not_computed(expression: str) -> None:
    value(expression)


def test_local_updates_follow_c() -> None:
    assert value("x", "int", "int8 x = 100; x += 100; x <<= 1; x /= 3;") == -37


@pytest.mark.parametrize(
    ("update", "old", "new", "changed"),
    [
        ("min= 3", 5, 3, 1), ("min= 5", 5, 5, 0), ("max= 9", 5, 9, 1), ("max= 1", 5, 5, 0), ("+= 0", 5, 5, 0),
        ("-= 2", 5, 3, 1), ("|= 2", 5, 7, 1), ("&= 5", 5, 5, 0), ("^= 5", 5, 0, 1), ("xchg= 8", 5, 8, 1),
    ],
)  # fmt: skip
def test_updates_tell_the_value_before_and_whether_it_changed(update: str, old: int, new: int, changed: int) -> None:
    host = f"o = (s {update}).old; s = 5; c = (s {update}).changed;"
    found = ran(f"int s = 5; int o = 0; int c = 0; Program p(Graph g) {{ {host} }}").scalars
    assert found == {"s": new, "o": old, "c": changed}


@pytest.mark.parametrize(("first", "update", "changed"), [
    ("0.0 / 0.0", "min= 1.0", 0), ("0.0 / 0.0", "+= 1.0", 0), ("0.0", "+= 0.0 / 0.0", 1), ("-0.0", "+= 0.0", 1),
    ("-0.0", "+= -0.0", 0), ("0.0", "min= -0.0", 0),
])
def test_updates_of_real_numbers_change_bits_or_nothing(first: str, update: str, changed: int) -> None:
    host = f"s = {first}; c = (s {update}).changed;"
    assert ran(f"double s = 0.0; int c = 0; Program p(Graph g) {{ {host} }}").scalars["c"] == changed


def test_cas_stores_only_over_what_it_expects() -> None:
    text = "int s = 5; int o = 0; Program p(Graph g) { if (cas(s, 5, 6)) o += 1; if (cas(s, 5, 7)) o += 10; }"
    assert ran(text).scalars == {"s": 6, "o": 1}


@pytest.mark.parametrize(
    ("expression", "right"),
    [
        ("g.num_nodes", 3), ("g.num_edges", 4), ("g.node(0).degree", 3), ("g.node(1).in_degree", 3),
        ("g.node(0).edges[2].w", 4), ("g.node(1).in_edges[2].src.id", 2), ("g.node(1).in_edges[0].dst.id", 1),
        ("g.node(0).edges.skip(2).size", 1), ("g.edge(3).src.id", 2), ("g.node(0).in_edges[0].id", 0),
    ],
)  # fmt: skip
def test_graph_access(expression: str, right: int) -> None:
    assert value(expression, graph=LOOPY) == right


@pytest.mark.parametrize(
    ("statements", "right"),
    [
        ("array<int> x; x.resize(g.node(2).id); answer = x.size;", 2),
        ("array<int> x; x.resize(g.num_nodes > 2); answer = x.size;", 1),
        ("array<long> x; x.append(g.node(2).id); answer = x[0] + 1;", 3),
        ("AppendOnlyList<double> x; x.append(7); answer = x[0] / 2 == 3.5;", 1),
        ("answer = g.node(0).edges.skip(g.node(2).id).size;", 1),
        ("buckets<node> x; x.push(g.node(0), g.node(2).id); answer = x.size;", 1),
    ],
)
def test_arguments_of_methods_are_converted_to_what_the_method_takes(statements: str, right: int) -> None:
    libraries = 'import "array.irgl"; import "append_only_list.irgl"; long answer = 0;'
    text = f"{libraries} Program p(Graph g) {{ {statements} }}"
    assert ran(text, LOOPY).scalars["answer"] == right


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("g.node(4).a", "there is no node 4: the graph has 4"),
        ("g.edge(-1).w", "there is no edge -1: the graph has 3"),
        ("g.node(0).edges[1].w", "there is no edge 1 here: there are 1"),
        ("g.node(0).up.a", "this is NONE: it has no 'a'"),
        ("g.node(0).up.degree", "this is NONE: it has no 'degree'"),
    ],
)
def test_what_does_not_exist_is_an_error(expression: str, message: str) -> None:
    assert fault(expression).message == message


def test_an_edge_property_without_first_value_has_the_weights_and_else_ones() -> None:
    assert ran("Program p(Graph g) { }").properties["w"].tolist() == [5, 3, 9]
    assert ran("Program p(Graph g) { }", from_arcs(2, [(0, 1, 5)], weighted=False)).properties["w"].tolist() == [1]


def test_a_program_from_a_node_ends_at_once_in_an_empty_graph() -> None:
    text = "int s = 1; Program p(Graph g, node src = first) { s = 2; src.a = 1; }"
    assert ran(text, NOTHING).scalars == {"s": 1}
    assert ran(text, ALONE).scalars == {"s": 2}


def test_parameters_are_taken_from_the_caller() -> None:
    text = "int s = 0; Program p(Graph g, node src = first, int k = 3) { s = k; src.a = 1; }"
    result = ran(text, params={"src": 2, "k": 8})
    assert (result.scalars["s"], result.properties["a"].tolist()) == (8, [0, 0, 1, 0])


def test_oriented_keeps_each_edge_once_from_the_lower_to_the_higher_degree() -> None:
    star = from_arcs(4, [(0, 1, 1), (0, 2, 1), (0, 3, 1), (1, 0, 1), (2, 0, 1), (3, 0, 1), (1, 2, 1), (2, 1, 1)])
    kernel = (
        "Kernel k(Graph h) { ForAll (n In h.nodes) { ForAll (e In n.edges) { count += 1; most max= (int)e.dst.id; } } }"
    )
    text = f"int count = 0; int most = -1; {kernel} Program p(Graph g) {{ Graph h = oriented(g); Invoke k(h); }}"
    assert ran(text, star).scalars == {"count": 4, "most": 1}
