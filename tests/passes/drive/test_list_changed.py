"""Rounds over all nodes that become rounds over those that something has given work to: text, refusals, answers."""

from __future__ import annotations

import textwrap

import pytest
from support.driven import text_after, why_not

HEAD = """graph Graph { node int hue = INF; node int told = INF; node bool on = false; node double sum = 0;
edge int w; }
long count = 0;
int limit = 7;
int other = 0;
bool lower(Graph g, node n, int x) { return n.hue min= x; }
"""
SPREAD = "ForAll (e In n.edges) { ReduceAndReturn(e.dst.hue min= n.hue); }"
FIND = "ForAll (e In n.edges) { if (e.dst.hue == INF) { racy e.dst.hue = step; ReduceAndReturn(true); } }"
LEVEL = f"if (n.hue == step - 1) {{ {FIND} }}"
RELAX = ("int here = n.hue; if (here < n.told) { n.told = here; "
         "ForAll (e In n.edges) { ReduceAndReturn(e.dst.hue min= here + e.w); } }")
COUNTING = "int step = 1; Iterate While Any k(g, step) { step++; }"


def program(body: str, host: str = "Iterate While Any k(g, 1) { count += 1; }", over: str = "n In g.nodes",
            more: str = "", worklist: str = "", params: str = "") -> str:
    return (f"{HEAD}Kernel k(Graph g, int step{params}) {worklist} {{ ForAll ({over}) {{ {body} }} {more} }}\n"
            f"Program p(weighted Graph g, node src = first) {{ src.hue = 0; {host} }}")


def text(lines: str) -> str:
    return textwrap.dedent(lines).strip()


def test_who_is_told_something_new_is_in_the_next_round() -> None:
    assert text_after(program(SPREAD), "drive=data") == text("""
        Kernel k(Graph g, int step, bool whole, set<node<g>> now, set<node<g>> later) {
            if (whole) {
                loop1_all: ForAll (n In g.nodes) {
                    ForAll (e In n.edges) {
                        if (e.dst.hue min= n.hue) {
                            later.push(e.dst);
                            ReduceAndReturn(true);
                        }
                    }
                }
            } else {
                loop1: ForAll (n In now.items) {
                    ForAll (e In n.edges) {
                        if (e.dst.hue min= n.hue) {
                            later.push(e.dst);
                            ReduceAndReturn(true);
                        }
                    }
                }
            }
        }
        Program p(weighted Graph g, node src = first) {
            src.hue = 0;
            set<node<g>> now;
            set<node<g>> later;
            bool whole = true;
            iterate1: Iterate While Any k(g, 1, whole, now, later) {
                whole = false;
                now.swap(later);
                later.clear();
                count += 1;
            }
        }
        """)


def test_a_node_whose_number_comes_later_stays_until_then() -> None:
    found = text_after(program(LEVEL, COUNTING), "drive=data")
    assert "} else if (n.hue > step - 1 && n.hue != INF) {\n            later.push(n);" in found
    assert found.endswith("""
    iterate1: Iterate While Any k(g, step, whole, now, later) {
        int last = step - 1;
        whole = true;
        now.swap(later);
        later.clear();
        step += 1;
        whole = !(step - 1 == last + 1 && last < step - 1 && step - 1 != INF);
    }
}""")


def test_whose_turn_it_is_by_number_is_found_among_all_nodes_before_the_first_round() -> None:
    assert """(Graph g, int step, bool whole, set<node<g>> now, set<node<g>> later) {
    if (whole) {
        loop1_found: ForAll (n In g.nodes) {
            if (n.hue == step - 1 || n.hue > step - 1 && n.hue != INF) {
                now.push(n);
            }
        }
    }
    loop1: ForAll (n In now.items) {
        if (n.hue == step - 1) {""" in text_after(program(LEVEL, COUNTING), "drive=data")


def test_a_store_that_ends_the_work_of_its_own_node_tells_nobody() -> None:
    found = text_after(program(RELAX), "drive=data")
    assert found.count("later.push(e.dst);") == 2 and "later.push(n)" not in found


@pytest.mark.parametrize("body", [
    "if (n.hue < n.told) { n.told = n.hue; ForAll (e In n.edges) { ReduceAndReturn(e.dst.hue min= n.told + e.w); } }",
    "if (n.told > n.hue && n.hue < limit) { n.told = n.hue; " + SPREAD + " }",
    "bool busy = n.on; if (busy) { n.on = false; n.sum += 1; ReduceAndReturn(true); }",
    "if (!n.on) { n.on = true; " + SPREAD + " }",
    "if (n.hue != n.told) { n.told = n.hue; ForAll (e In n.edges) { racy count = 3; ReduceAndReturn(true); } }",
    "int x = n.hue; if (x > limit) { continue; } "
    "ForAll (e In n.edges) { if (e.dst.hue min= x + e.w) { racy other = 1; ReduceAndReturn(true); } }",
    "ForAll (e In n.edges) { if (n.hue < e.dst.hue) { ReduceAndReturn(e.dst.hue min= n.hue); } }",
    "ForAll (e In n.edges) { "
    "if (n.hue < e.dst.hue && (e.dst.hue min= n.hue).changed) { e.dst.sum += 1; ReduceAndReturn(true); } }",
    "ReduceAndReturn(false); ForAll (e In n.edges) { if (e.w < 3) { e.dst.hue min= n.hue; } }",
    "ReduceAndReturn(false); For (e In n.in_edges) { e.src.hue max= min(n.hue, 4); if (e.w == 9) { break; } }",
])
def test_other_loops_that_can_be_driven_by_data(body: str) -> None:
    assert why_not(program(body), "data") is None


@pytest.mark.parametrize(("body", "reason"), [
    # What an iteration does again.
    ("if (n.hue < 9) { " + SPREAD + " n.sum += 1; }",
     "nothing tells that a node that has run has nothing more to do: its condition may stay true"),
    ("ReduceAndReturn(false); ForAll (e In n.edges) { e.dst.hue += 1; }", "+= changes something each time"),
    ("ReduceAndReturn(false); ForAll (e In n.edges) { racy e.dst.told = 3; }", "it stores something each time"),
    ("ForAll (e In n.edges) { ReduceAndReturn(n.hue < e.w); }",
     "ReduceAndReturn tells more than whether something has changed"),
    ("ReduceAndReturn(false); ForAll (e In n.edges) { if (e.dst.hue min= n.hue) { count += 1; } else { count += 2; } }",
     "it does something where an update did nothing"),
    ("ReduceAndReturn(false); For (e In n.edges) { if (e.dst.hue min= n.hue) { break; } }",
     "it leaves off, or takes locks, where an update did something"),
    # What it asks for.
    ("For (e In n.in_edges) { ReduceAndReturn(n.hue min= e.src.hue); }",
     "it depends on 'hue' of other nodes, which changes while the loop goes on"),
    ("if (n.hue < n.told && count < 3) { n.told = n.hue; " + SPREAD + " }",
     "in its condition 'count' changes while the loop goes on"),
    (f"if (n.hue == step) {{ {FIND} }}",
     "nothing tells that a node that has run has nothing more to do: its condition may stay true"),
    ("int x = 9 / (int)count; if (n.hue < n.told) { n.told = n.hue; n.sum += x; " + SPREAD + " }",
     "'count' changes while the loop goes on"),
    # What others do to it.
    ("ReduceAndReturn(false); ForAll (e In n.edges) { e.dst.hue min= n.hue; if (e.w > 3) { e.dst.hue max= n.told; } }",
     "'hue' is changed in two ways"),
    ("if (n.hue < n.told) { n.told = n.hue; ForAll (e In n.edges) { ReduceAndReturn(lower(g, e.dst, n.told)); } }",
     "it changes 'hue' where nothing can be put behind it that tells of which node"),
    ("if (n.hue < n.told) { n.told = n.hue; ForAll (e In n.edges) { "
     "ReduceAndReturn((e.dst.hue min= n.told).old > 3); } }",
     "it changes 'hue' where nothing can be put behind it that tells of which node"),
])
def test_why_a_loop_over_all_nodes_stays_one(body: str, reason: str) -> None:
    assert why_not(program(body), "data") == reason


@pytest.mark.parametrize(("changes", "reason"), [
    ({"host": "long step = 1; Iterate While Any k(g, (int)step) { step++; }"},
     "in its condition 'step' is another in each round"),
    ({"host": "int step = 1; Iterate While Any k(g, step) { step++; src.hue = 3; }"},
     "'hue' is changed between its rounds"),
    ({"host": "int step = 1; Iterate Until All k(g, step) { step++; }"},
     "it doesn't go on while any node has something to do: it is no Iterate While Any"),
    ({"host": "int step = 1; Iterate While Any k(g, step) { step++; } Invoke k(g, step);"},
     "'k' is invoked elsewhere, too"),
    ({"host": "int step = 1; Iterate While Any k(g, step) Initial [src] { step++; }", "over": "n In WL.items",
      "worklist": "WL set<node>"},
     "it runs over a worklist as it is written"),
    ({"host": COUNTING, "more": "ForAll (n In g.nodes) { n.sum += 1; }"}, "'k' is more than one ForAll"),
    ({"host": "int step = 1; set<node> some; some.push(src); Iterate While Any k(g, step, some) { step++; }",
      "over": "n In some.items", "params": ", set<node> some"}, "'k' doesn't run over all nodes of its graph"),
])
def test_why_rounds_stay_what_they_are(changes: dict[str, str], reason: str) -> None:
    assert why_not(program(LEVEL, **changes), "data") == reason


def test_rounds_within_rounds_stay_what_they_are() -> None:
    text = program(LEVEL, "int step = 1; Pipe Once { Iterate While Any k(g, step) { step++; } }")
    reason = "it stands in another Iterate or Pipe, whose rounds it is part of"
    assert why_not(text, "data", "p.pipe1.iterate1") == reason
