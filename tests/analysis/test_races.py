"""Races: what several iterations may do to one place only where it is declared, and what declaring it allows."""

from __future__ import annotations

import pytest
from support.checking import accesses, kernel, over_nodes

from irgl.source import IrglError

ONE = "For (s In g.nodes) { "


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (over_nodes("n.up.label = 1;"), "several iterations may store 'label' of this node"),
        (over_nodes("For (e In n.edges) { For (f In e.dst.edges) { f.mark = 1; } }"), "may store 'mark' of this edge"),
        (over_nodes("ForAll (e In n.edges) { n.label = 1; }"), "every iteration of the inner ForAll stores 'label'"),
        (over_nodes("n.label = n.up.label;"), "'label' of another item is read while its own iteration stores it"),
        (over_nodes("n.label = 1; For (e In n.edges) { e.dst.label += 1; }"), "other iterations also write 'label'"),
        (over_nodes("high = 1;"), "stores into the program scalar 'high'"),
        (over_nodes("high += 1; n.label = high;"), "'high' is read while the same ForAll updates it"),
        (
            over_nodes("ForAll (e In n.edges) { e.mark = 1; n.level min= n.edges[0].mark; }"),
            "'mark' of another item is read",
        ),
        (over_nodes("Atomic (n.up.guard) { n.up.label = 1; } n.level = n.label;"), "is read here without the lock"),
        (over_nodes("Atomic (n.up.guard) { n.up.label = 1; } n.label = 2;"), "is stored here without the lock"),
        (over_nodes("Atomic (n.up.guard) { n.up.label = 1; } n.label += 2;"), "is updated here without the lock"),
        (over_nodes("Atomic (n.up.guard) { n.level = n.up.label; } n.label = 2;"), "under which other iterations read"),
        (over_nodes("n.label = 1; For (e In n.edges) { g.node(e.id).label = 1; }"), "may store 'label' of this node"),
        (over_nodes("n.label = 1; For (e In n.edges) { n.level += g.node(e.id).label; }"), "'label' of another item"),
        (ONE + "ForAll (e In s.edges) { e.src.label = 1; } }", "several iterations may store 'label' of this node"),
        (ONE + "ForAll (e In s.edges) { e.dst.label = 1; } }", "several iterations may store 'label' of this node"),
        (ONE + "ForAll (e In s.edges) { e.mark = s.edges[0].mark; } }", "'mark' of another item is read"),
        (ONE + "ForAll (e In s.edges) { e.mark = 1; s.in_edges[0].mark += 1; } }", "other iterations also write"),
        (ONE + "ForAll (n In g.nodes) { ForAll (e In s.edges) { e.mark = 1; } } }", "may store 'mark' of this edge"),
        (ONE + "ForAll (i In range(2)) { s.edges[i].mark = g.edge(i).mark; } }", "'mark' of another item is read"),
    ],
)
def test_a_race_is_refused(body: str, message: str) -> None:
    with pytest.raises(IrglError, match=message):
        kernel(body)


@pytest.mark.parametrize(
    "body",
    [
        over_nodes("racy n.up.label = 1;"),
        over_nodes("relaxed n.up.label = n.level;"),
        over_nodes("ForAll (e In n.edges) { racy n.label = 1; }"),
        over_nodes("n.label = relaxed n.up.label;"),
        over_nodes("relaxed n.label = 1; For (e In n.edges) { e.dst.label += 1; }"),
        over_nodes("racy high = 1;"),
        over_nodes("high += 1; n.label = relaxed high;"),
        over_nodes("ForAll (e In n.edges) { e.mark = 1; n.level min= relaxed n.edges[0].mark; }"),
        over_nodes("Atomic (n.up.guard) { n.up.label = 1; } n.level = relaxed n.label;"),
        over_nodes("Atomic (n.up.guard) { n.up.label = 1; } relaxed n.label = 2;"),
        over_nodes("Atomic (n.up.guard) { relaxed n.up.label = 1; } n.label += 2;"),
        over_nodes("Atomic (n.up.guard) { n.up.label += 1; } n.label += 2;"),
        over_nodes("Atomic (n.up.guard) { n.level = n.up.label; } n.label += 2;"),
        over_nodes("Atomic (n.up.guard) { n.level = relaxed n.up.label; } n.label = 2;"),
        over_nodes("n.label = 1; For (e In n.edges) { n.level += relaxed g.node(e.id).label; }"),
        over_nodes("For (e In n.edges) { e.mark = 1; } For (e In n.in_edges) { n.level += relaxed e.mark; }"),
    ],
)
def test_a_race_that_is_declared_is_accepted(body: str) -> None:
    assert kernel(body).concurrent


def test_arrays_under_other_names_in_a_helper_meet_their_callers_stores() -> None:
    with pytest.raises(IrglError, match="another element of 'a'"):
        kernel(
            "ForAll (i In range(9)) { a[i] = first_of(a); }",
            "Graph g, array<int> a",
            helpers="int first_of(array<int> s) { return s[0]; }",
        )


def test_two_arrays_of_one_type_are_two_places() -> None:
    c = kernel(
        "ForAll (i In range(9)) { a[i] = head(b); }",
        "Graph g, array<int> a, array<int> b",
        helpers="int head(array<int> s) { return s[0]; }",
    )
    assert accesses(c, "a[i]") == ["own"]
