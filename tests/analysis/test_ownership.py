"""Who owns which location: the access that each gets, and what it means for loads and stores."""

from __future__ import annotations

import pytest
from support.checking import accesses, checked, kernel, over_nodes

from irgl.ast import nodes as A
from irgl.ast.dump_expr import expression
from irgl.ast.visit import walk

# own


@pytest.mark.parametrize(
    ("body", "location"),
    [
        (over_nodes("n.label = 1;"), "n.label"),
        ("ForAll (e In g.edges) { e.mark = 1; }", "e.mark"),
        ("ForAll (i In range(9)) { g.node(i).label = 1; }", "g.node(i).label"),
        ("ForAll (i In range(9)) { g.edge(i).mark = 1; }", "g.edge(i).mark"),
        (over_nodes("node m = n; node q = m; q.label = 1;"), "q.label"),
        (over_nodes("auto m = n.id; g.node(m).label = 1;"), "g.node(m).label"),
        (over_nodes("node m = n.id; m.label = 1;"), "m.label"),
        (over_nodes("For (e In n.edges) { e.mark = 1; }"), "e.mark"),
        (over_nodes("For (e In n.edges) { e.src.label = 1; }"), "e.src.label"),
        (over_nodes("For (e In n.in_edges) { e.dst.label = 1; }"), "e.dst.label"),
        (over_nodes("For (e In n.in_edges) { e.mark = 1; }"), "e.mark"),
        (over_nodes("For (e In n.edges.skip(1)) { e.mark = 1; }"), "e.mark"),
        (over_nodes("auto r = n.edges; For (e In r) { e.mark = 1; }"), "e.mark"),
        (over_nodes("edge e = n.edges[0]; e.mark = 1;"), "e.mark"),
        (over_nodes("ForAll (e In n.edges) { e.mark = 1; }"), "e.mark"),
        (over_nodes("ForAll (e In n.in_edges) { e.mark = 1; }"), "e.mark"),
        (over_nodes("node m = n; ForAll (e In m.edges) { edge f = e; f.mark = 1; }"), "f.mark"),
        (over_nodes("For (i In range(3)) { n.label = n.label + 1; }"), "n.label"),
        (over_nodes("if (n.seen) { while (n.label > 3) { n.label -= 1; } }"), "n.label"),
    ],
)
def test_an_iteration_owns(body: str, location: str) -> None:
    c = kernel(body)
    assert set(accesses(c, location)) == {"own"}
    assert not {expression(e) for e in c.concurrent} & {location}


@pytest.mark.parametrize(
    ("body", "location"),
    [
        ("ForAll (e In s.edges) { e.mark = 1; }", "e.mark"),
        ("ForAll (e In s.out_edges.skip(1)) { e.mark = e.mark + 1; }", "e.mark"),
        ("ForAll (e In s.edges.when(s.seen)) { e.mark += 1; }", "e.mark"),
        ("ForAll (e In s.in_edges) { e.mark = 1; }", "e.mark"),
        ("auto r = s.edges; ForAll (e In r) { edge f = e; f.mark = 1; }", "f.mark"),
        ("node m = s.up; m = m.up; ForAll (e In m.edges) { e.mark = 1; }", "e.mark"),
        ("ForAll (e In s.up.edges) { g.edge(e.id).mark = 1; e.mark += 1; }", "g.edge(e.id).mark"),
        ("For (n In g.nodes) { ForAll (e In n.edges) { e.mark = 1; } }", "e.mark"),
        ("For (e In s.edges) { ForAll (f In e.dst.edges) { f.mark = 1; } }", "f.mark"),
        ("ForAll (e In s.edges) { a[e.id] = 1; }", "a[e.id]"),
        ("ForAll (i In range(s.degree)) { s.edges[i].mark = 1; }", "s.edges[i].mark"),
        ("auto r = s.in_edges; ForAll (i In range(s.in_degree)) { edge e = r[i]; e.mark = 1; }", "e.mark"),
        ("ForAll (i In range(2)) { auto r = s.edges.when(s.seen); r[i].mark = 1; }", "r[i].mark"),
        ("ForAll (i In range(2)) { s.edges[i].mark = 1; s.up.edges[i].mark += 1; }", "s.up.edges[i].mark"),
        ("ForAll (n In g.nodes) { if (n.id < s.degree) { s.edges[n.id].mark = 1; } }", "s.edges[n.id].mark"),
    ],
)
def test_an_iteration_owns_an_edge_of_one_node(body: str, location: str) -> None:
    c = kernel(body, "Graph g, node s, array<int> a")
    assert set(accesses(c, location)) == {"own"} and not c.concurrent


@pytest.mark.parametrize(
    ("params", "over"),
    [
        ("Graph g, set<node> s", "n In s.items"),
        ("Graph g, bitmap<node> s", "n In s.items"),
        ("Graph g, bytemap<node> s", "n In s.items"),
        ("Graph g, unique list<node> s", "n In s.items"),
    ],
)
def test_items_of_sets_and_unique_lists_are_owned(params: str, over: str) -> None:
    assert accesses(kernel(f"ForAll ({over}) {{ n.label = 1; }}", params), "n.label") == ["own"]


def test_what_is_popped_at_a_position_of_a_unique_list_is_owned() -> None:
    c = kernel("ForAll (i In WL) { node n = WL.pop(i); n.label = 1; }", worklist="WL unique list<node>")
    assert accesses(c, "n.label") == ["own"]


def test_items_of_a_plain_list_are_not_owned() -> None:
    c = kernel("ForAll (n In s.items) { n.label += 1; }", "Graph g, list<node> s")
    assert accesses(c, "n.label") == ["shared"]


def test_an_element_is_owned_by_the_iteration_of_its_index() -> None:
    c = kernel("ForAll (i In range(a.size)) { a[i] = a[i] + 1; }", "Graph g, array<int> a")
    assert accesses(c, "a[i]") == ["own", "own"]


def test_an_element_is_owned_by_the_node_of_its_index() -> None:
    assert accesses(kernel(over_nodes("a[n.id] = 1;"), "Graph g, array<int> a"), "a[n.id]") == ["own"]


def test_an_element_at_a_computed_index_is_shared() -> None:
    c = kernel("ForAll (i In range(9)) { a[i + 1] += 1; }", "Graph g, array<int> a")
    assert accesses(c, "a[i + 1]") == ["shared"]


# outer


@pytest.mark.parametrize(
    ("body", "location"),
    [
        (over_nodes("ForAll (e In n.edges) { n.label += 1; }"), "n.label"),
        (over_nodes("ForAll (e In n.edges) { e.src.label += 1; }"), "e.src.label"),
        (over_nodes("ForAll (e In n.in_edges) { e.dst.label += 1; }"), "e.dst.label"),
        (over_nodes("ForAll (e In n.edges) { ForAll (f In e.dst.edges) { n.label += 1; } }"), "n.label"),
        (over_nodes("ForAll (e In n.edges) { ForAll (f In e.dst.edges) { e.mark += 1; } }"), "e.mark"),
        (over_nodes("ForAll (e In n.edges) { For (f In n.edges) { f.mark += 1; } }"), "f.mark"),
    ],
)
def test_an_iteration_around_owns(body: str, location: str) -> None:
    assert set(accesses(kernel(body), location)) == {"outer"}


def test_a_loop_inside_may_read_what_the_iteration_around_it_stored() -> None:
    c = kernel(over_nodes("n.label = 1; ForAll (e In n.edges) { e.mark = n.label; }"))
    assert accesses(c, "n.label") == ["own", "outer"]


# shared


@pytest.mark.parametrize(
    ("body", "location"),
    [
        (over_nodes("n.up.label += 1;"), "n.up.label"),
        (over_nodes("For (e In n.edges) { e.dst.label += 1; }"), "e.dst.label"),
        (over_nodes("For (e In n.in_edges) { e.src.label += 1; }"), "e.src.label"),
        ("ForAll (e In g.edges) { e.src.label += 1; }", "e.src.label"),
        (over_nodes("For (m In g.nodes) { m.label += 1; }"), "m.label"),
        (over_nodes("For (e In n.edges) { For (f In e.dst.edges) { f.mark += 1; } }"), "f.mark"),
        (over_nodes("node m = n; m = n.up; m.label += 1;"), "m.label"),
        (over_nodes("node m = n.seen ? n : n.up; m.label += 1;"), "m.label"),
        ("ForAll (i In range(9)) { For (j In range(9)) { g.node(j).label += 1; } }", "g.node(j).label"),
        (over_nodes("high += 1;"), "high"),
    ],
)
def test_anyone_may_touch(body: str, location: str) -> None:
    assert set(accesses(kernel(body), location)) == {"shared"}


@pytest.mark.parametrize(
    ("body", "location"),
    [
        ("ForAll (e In s.edges) { e.src.label += 1; }", "e.src.label"),
        ("ForAll (e In s.edges) { e.dst.label += 1; }", "e.dst.label"),
        ("ForAll (e In s.in_edges) { e.dst.label += 1; }", "e.dst.label"),
        ("ForAll (e In s.edges) { e.mark += 1; s.edges[0].mark += 1; }", "e.mark"),
        ("ForAll (e In s.edges) { e.mark += 1; For (f In s.in_edges) { f.mark += 1; } }", "e.mark"),
        ("ForAll (e In s.edges) { e.mark += 1; For (f In e.dst.edges) { f.mark += 1; } }", "f.mark"),
        ("ForAll (e In s.edges) { e.mark += 1; For (i In range(2)) { g.edge(i).mark += 1; } }", "e.mark"),
        ("ForAll (e In s.edges) { e.mark += 1; s.edges[e.id].mark += 1; }", "e.mark"),
        ("ForAll (i In range(2)) { s.edges[i].mark += 1; g.edge(i).mark += 1; }", "s.edges[i].mark"),
        ("ForAll (i In range(2)) { s.edges[i].mark += 1; s.in_edges[i].mark += 1; }", "s.edges[i].mark"),
        ("ForAll (i In range(2)) { s.edges.skip(i)[i].mark += 1; }", "s.edges.skip(i)[i].mark"),
        ("ForAll (i In range(2)) { auto r = s.edges.skip(i).when(s.seen); r[i].mark += 1; }", "r[i].mark"),
        ("ForAll (i In range(2)) { s.edges[i + 1].mark += 1; }", "s.edges[i + 1].mark"),
        ("ForAll (i In range(2)) { edge e = s.edges[i]; e.src.label += 1; }", "e.src.label"),
        ("ForAll (i In range(2)) { a[s.edges[i].id] += 1; a[h.node(s.id).edges[i].id] += 1; }", "a[s.edges[i].id]"),
        (over_nodes("ForAll (e In s.edges) { e.mark += 1; }"), "e.mark"),
        (over_nodes("ForAll (e In n.up.edges) { e.mark += 1; }"), "e.mark"),
        (over_nodes("For (e In s.edges) { e.mark += 1; }"), "e.mark"),
        (over_nodes("s.edges[n.id].mark += 1; For (e In n.edges) { e.mark += 1; }"), "e.mark"),
    ],
)
def test_what_others_reach_of_the_edges_of_one_node_is_shared(body: str, location: str) -> None:
    assert set(accesses(kernel(body, "Graph g, Graph h, node<g> s, array<int> a"), location)) == {"shared"}


def test_an_owned_update_is_shared_where_other_iterations_update_too() -> None:
    c = kernel(over_nodes("n.label += 1; For (e In n.edges) { e.dst.label += 1; }"))
    assert accesses(c, "n.label") == ["shared"]


def test_edges_reached_from_both_ends_are_shared() -> None:
    c = kernel(over_nodes("For (e In n.edges) { e.mark += 1; } For (f In n.in_edges) { f.mark += 1; }"))
    assert accesses(c, "e.mark") == ["shared"] and accesses(c, "f.mark") == ["shared"]


@pytest.mark.parametrize(
    ("body", "location"),
    [
        ("n.label += 1; For (e In n.edges) { g.node(e.id).label += 1; }", "n.label"),
        ("a[n.id] += 1; For (e In n.edges) { a[e.id] += 1; }", "a[n.id]"),
        ("For (e In n.edges) { a[e.id] += 1; } For (e In n.in_edges) { a[e.id] += 1; }", "a[e.id]"),
        ("For (e In n.edges) { a[e.id] += 1; } For (e In h.node(n.id).edges) { a[e.id] += 1; }", "a[e.id]"),
        ("g.edge(n.id).mark += 1; For (e In n.edges) { e.mark += 1; }", "e.mark"),
        ("For (e In n.edges) { e.mark += 1; } For (e In n.in_edges) { g.edge(e.id).mark += 1; }", "g.edge(e.id).mark"),
    ],
)
def test_what_is_reached_by_numbers_of_two_kinds_is_shared(body: str, location: str) -> None:
    assert set(accesses(kernel(over_nodes(body), "Graph g, Graph h, array<int> a"), location)) == {"shared"}


@pytest.mark.parametrize(
    ("body", "location"),
    [
        ("n.label += 1; g.node(n.id).label += 1; For (e In n.edges) { e.src.label += 1; }", "n.label"),
        ("For (e In n.edges) { e.mark += 1; g.edge(e.id).mark += 1; n.edges[0].mark += 1; }", "e.mark"),
        ("For (e In n.edges) { e.mark += 1; } For (f In h.node(n.id).edges) { f.mark += 1; }", "f.mark"),
        ("a[n.id] += 1; For (e In n.edges) { b[e.id] += 1; }", "b[e.id]"),
    ],
)
def test_what_is_reached_by_numbers_of_one_kind_stays_owned(body: str, location: str) -> None:
    c = kernel(over_nodes(body), "Graph g, Graph h, array<int> a, array<int> b")
    assert set(accesses(c, location)) == {"own"}


@pytest.mark.parametrize("load", ["e.dst.label", "relaxed e.dst.label", "g.node(e.id).label"])
def test_an_owned_update_is_watched_where_other_iterations_load(load: str) -> None:
    c = kernel(over_nodes(f"n.label += 1; For (e In n.edges) {{ high += {load}; }}"))
    assert accesses(c, "n.label") == ["own"] and {expression(e) for e in c.watched} == {"n.label"} <= {
        expression(e) for e in c.concurrent}


def test_an_edge_s_own_update_is_watched_where_others_read_the_edges_of_its_node() -> None:
    body = "ForAll (e In s.edges) { e.mark += 1; For (f In e.src.edges) { high += f.mark; } }"
    c = kernel(body, "Graph g, node<g> s")
    assert accesses(c, "e.mark") == ["own"] and {expression(e) for e in c.watched} == {"e.mark"}


def test_a_shared_update_is_not_watched() -> None:
    c = kernel(over_nodes("For (e In n.edges) { e.dst.label += 1; high += e.dst.label; }"))
    assert accesses(c, "e.dst.label").count("shared") == 2 and not c.watched


def test_edges_read_from_both_ends_stay_owned() -> None:
    c = kernel(over_nodes("For (e In n.edges) { n.label += e.mark; } For (f In n.in_edges) { n.label += f.mark; }"))
    assert set(accesses(c, "e.mark") + accesses(c, "f.mark")) == {"own"}


def test_a_helper_shares_what_it_touches() -> None:
    c = kernel(over_nodes("bump(g, n);"), helpers="void bump(Graph g, node m) { m.label += 1; }")
    (location,) = [e for e in walk(c.functions["bump"]) if isinstance(e, A.Member) and e.name == "label"]
    assert c.access[location] == "shared"


def test_a_helper_that_only_the_program_calls_shares_nothing() -> None:
    c = checked("void bump(Graph g, node m) { m.label = 1; }\nProgram p(Graph g, node src = first) { bump(g, src); }\n")
    (location,) = [e for e in walk(c.functions["bump"]) if isinstance(e, A.Member) and e.name == "label"]
    assert c.access[location] == "once"


# locked


def test_under_a_lock_other_items_are_locked() -> None:
    c = kernel(over_nodes("Atomic (n.up.guard) { n.up.label = n.up.label + 1; }"))
    assert set(accesses(c, "n.up.label")) == {"locked"}


def test_under_a_lock_updates_stay_atomic() -> None:
    assert accesses(kernel(over_nodes("Atomic (n.up.guard) { n.up.label += 1; }")), "n.up.label") == ["shared"]


def test_what_an_iteration_owns_its_own_loops_may_read_under_any_lock() -> None:
    c = kernel(over_nodes("n.label = 1; n.level += 1; ForAll (e In n.edges) { Atomic (e.dst.guard) { e.mark = n.label; "
                          "e.dst.up = n.level > 1 ? n : e.dst.up; } }"))
    assert accesses(c, "n.label") == ["own", "locked"] and accesses(c, "n.level") == ["own", "locked"]


def test_exclusive_locks_as_atomic_does() -> None:
    c = kernel(over_nodes("Exclusive (g, [n, n.up]) { n.up.label = 1; }"))
    assert accesses(c, "n.up.label") == ["locked"]


def test_what_a_loop_runs_over_is_read_before_any_iteration_takes_a_lock() -> None:
    c = kernel("ForAll (i In range(g.node(0).label)) { node n = g.node(i); Atomic (n.up.guard) { n.up.label = 1; } }")
    assert accesses(c, "g.node(0).label") == ["once"]


def test_the_else_branch_holds_no_lock() -> None:
    c = kernel(over_nodes("Atomic (n.up.guard) { n.up.level = 1; } Else { n.up.label += 1; }"))
    assert accesses(c, "n.up.label") == ["shared"]


def test_a_helper_called_under_a_lock_is_locked() -> None:
    c = kernel(
        over_nodes("Atomic (n.up.guard) { put(g, n.up); }"), helpers="void put(Graph g, node m) { m.label = 1; }"
    )
    (location,) = [e for e in walk(c.functions["put"]) if isinstance(e, A.Member) and e.name == "label"]
    assert c.access[location] == "locked"


# once


def test_code_outside_every_forall_runs_once() -> None:
    assert accesses(kernel("high = 1; high += 1; " + over_nodes("n.label = 1;")), "high") == ["once", "once"]


def test_the_program_runs_once() -> None:
    c = checked("Program p(Graph g, node src = first) { src.label = 1; src.up.label = 2; }\n")
    assert c.entry is not None
    assert {c.access[e] for e in walk(c.entry) if e in c.access and isinstance(e, A.Member) and e.name == "label"} == {
        "once"
    }


# concurrent loads


@pytest.mark.parametrize(
    ("body", "location"),
    [
        (over_nodes("For (e In n.edges) { e.dst.label min= n.label; }"), "n.label"),
        (over_nodes("For (e In n.edges) { racy e.dst.label = 1; } n.level = n.label;"), "n.label"),
        (over_nodes("n.up = relaxed n.up.up;"), "n.up.up"),
        (over_nodes("ForAll (e In n.edges) { n.label += 1; if (n.label > 3) { e.mark = 1; } }"), "n.label"),
    ],
)
def test_loads_that_meet_other_iterations_writes_are_relaxed(body: str, location: str) -> None:
    c = kernel(body)
    assert location in {expression(e) for e in c.concurrent}


@pytest.mark.parametrize(
    "body",
    [
        over_nodes("n.label = n.up.level;"),
        over_nodes("n.label = n.up.level; For (e In n.edges) { n.label += e.dst.level; }"),
        over_nodes("Atomic (n.up.guard) { n.up.label = n.up.label + 1; }"),
        "high = 1; if (high > 0) { high += 1; }",
    ],
)
def test_loads_that_nobody_disturbs_are_plain(body: str) -> None:
    assert not kernel(body).concurrent


def test_each_forall_is_judged_by_itself() -> None:
    c = kernel(over_nodes("n.label = 1;") + over_nodes("n.level = n.up.label;"))
    assert not c.concurrent and set(accesses(c, "n.label")) == {"own"}
