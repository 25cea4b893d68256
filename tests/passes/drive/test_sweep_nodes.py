"""Rounds over a worklist that become sweeps with flags: their text, the others with the reason, their answers."""

from __future__ import annotations

import textwrap

import pytest
from support.agreement import differences, disagreements, interpreted
from support.driven import after, text_after, why_not
from support.random_graphs import from_arcs
from support.random_parts import RandomProgram
from support.simt_batch import all_compared

from irgl.interpret import run
from irgl.plan import Plan

HEAD = """graph Graph { node int p = INF; node int seen = 0; node node up = NONE; edge int w; }
long rounds = 0;
"""
FIND = "ForAll (e In n.edges) { if (e.dst.p == INF) { racy e.dst.p = step; WL.push(e.dst); } }"
LOWER = "ForAll (e In n.edges) { if (e.dst.p min= min(n.p, 99) + e.w) { WL.push(e.dst); } }"
ARCS = [(0, 1, 4), (1, 2, 1), (0, 2, 9), (2, 3, 1), (3, 1, 1), (5, 6, 1), (2, 2, 0)]


def program(body: str = FIND, kind: str = "list<node>", first: str = "[src]", more: str = "", step: str = "step++;",
            over: str = "n In WL.items", host: str = "", beside: str = "") -> str:
    step += " rounds += 1;" if FIND in body else ""  # how many there are of others depends on the order
    return (f"{HEAD}Kernel k(Graph g, int step) WL {kind} {{ ForAll ({over}) {{ {body} }} {more} }}\n{beside}"
            f"Program p(weighted Graph g, node src = first) {{ src.p = 0; int step = 1; "
            f"{host or f'Iterate k(g, step) Initial {first} {{ {step} }}'} }}")


def test_a_worklist_becomes_flags() -> None:
    assert text_after(program(), "drive=topology") == textwrap.dedent("""
        Kernel k(Graph g, int step, bool whole, bytemap<node<g>> now, bytemap<node<g>> later) {
            ForAll (n In g.nodes) {
                if (whole || now.contains(n)) {
                    ForAll (e In n.edges) {
                        if (e.dst.p == INF) {
                            racy e.dst.p = step;
                            later.push(e.dst);
                            ReduceAndReturn(true);
                        }
                    }
                }
            }
        }
        Program p(weighted Graph g, node src = first) {
            src.p = 0;
            int step = 1;
            bytemap<node<g>> now;
            bytemap<node<g>> later;
            bool whole = false;
            now.push(src);
            if (now.size > 0) {
                iterate1: Iterate While Any k(g, step, whole, now, later) {
                    whole = false;
                    now.swap(later);
                    later.clear();
                    step += 1;
                    rounds += 1;
                }
            }
        }
        """).strip()


OF_SET = {"body": LOWER, "kind": "set<node>"}
SWEPT: list[dict[str, str]] = [
    {}, OF_SET, {"kind": "bitmap<node>"}, {"kind": "bytemap<node>"}, OF_SET | {"first": "(g.nodes)"},
    OF_SET | {"body": "n.seen max= 1; " + LOWER}, OF_SET | {"body": "if (n.seen > 9) { continue; } " + LOWER},
    {"over": "i In WL", "body": "node n = WL.pop(i); " + FIND}, {"first": "[src, src]"},
    {"first": "[g.node(0), g.node(5)]"}, {"step": "if (rounds == 2) { break; } step++;"},
    {"step": "if (rounds > 5) { continue; } step++;"},
]


@pytest.mark.parametrize("changes", SWEPT)
def test_its_rounds_are_the_same(changes: dict[str, str]) -> None:
    text = program(**changes)
    assert why_not(text, "topology") is None
    for n, arcs in ((7, ARCS), (6, []), (9, [(i, (i * 5 + 2) % 9, i % 4) for i in range(9)])):
        one = RandomProgram(text, from_arcs(n, arcs), {})
        expected = interpreted(one)
        assert expected is not None
        assert differences(expected, run(after(text, "drive=topology"), {"g": one.graph})) == []


def test_they_are_the_same_on_cpus_and_gpus() -> None:
    programs = [RandomProgram(program(**changes), from_arcs(7, ARCS), {}) for changes in SWEPT[::3]]
    assert disagreements(programs, Plan.parse("drive=topology")) == []
    assert all_compared(programs, ["drive=topology"]) == {}


def test_a_graph_without_nodes_has_no_round_when_all_nodes_come_first() -> None:
    text = program(LOWER, "set<node>", "(g.nodes)").replace("node src = first", "").replace("Graph g, )", "Graph g)")
    text = text.replace("src.p = 0; ", "")
    assert run(after(text, "drive=topology"), {"g": from_arcs(0, [])}).scalars["rounds"] == 0


TWICE = "a node may be in its worklist twice: "


@pytest.mark.parametrize(("changes", "reason"), [
    ({"body": "n.seen += 1; " + FIND},
     f"{TWICE}k claims nodes by 'p', and several iterations may see it as it was; and k.loop1 would run twice for a "
     "node that is in one twice, and more than its inner ForAll would run again"),
    ({"body": LOWER}, f"{TWICE}k pushes without a claim that only one of all can win"),
    ({"body": FIND + " if (n.p == 0) { Retry n; }"}, "its items come back within a round"),
    ({"body": FIND + " ReduceAndReturn(true);"}, "'k' has a value of its own"),
    ({"body": "n.seen = (int)WL.size; " + FIND, "kind": "set<node>"},
     "'k' does more with its worklist than to push to it"),
    ({"more": "ForAll (n In g.nodes) { n.seen += 1; }"}, "'k' is more than one ForAll over its worklist"),
    ({"kind": "buckets<node>", "body": LOWER.replace("WL.push(e.dst)", "WL.push(e.dst, 1)")},
     "its worklist has an order"),
    ({"host": "list<node> some; some.push(src); Iterate k(g, step) Initial (some.items) { step++; }"},
     "its first items are neither single ones nor all nodes"),
    ({"step": "Invoke also(g); step++;", "beside": "Kernel also(Graph g) { ForAll (n In g.nodes) { if (n.seen == 7) { "
      "WL.push(n); } } }\n"}, "its worklist is used between its rounds, too"),
    ({"body": "WL.push(n.up);", "kind": "unique list<node>"}, "NONE may be put into its worklist, and has no flag"),
])
def test_why_a_worklist_stays_one(changes: dict[str, str], reason: str) -> None:
    assert why_not(program(**changes), "topology") == reason


def test_rounds_within_a_pipe_stay_on_its_worklist() -> None:
    text = program(host="Pipe Initial [src] { Iterate k(g, step) { step++; } if (step > 3) { break; } }")
    assert why_not(text, "topology") == "a Pipe runs over worklists, which its kernels hand on to each other"
    reason = "it stands in another Iterate or Pipe, whose rounds it is part of"
    assert why_not(text, "topology", "p.pipe1.iterate1") == reason


def test_what_runs_over_all_nodes_is_told_so() -> None:
    host = "Iterate While Any k(g, step) { step++; }"
    text = program("ForAll (e In n.edges) { ReduceAndReturn(e.dst.p min= n.p); }", over="n In g.nodes", host=host)
    assert why_not(text.replace(" WL list<node>", ""), "topology") == "it runs over no worklist as it is written"
