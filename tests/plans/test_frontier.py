"""The options frontier and buffer: what lists are under them, where that is legal, and that answers stay."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from irgl import driver
from irgl.plan import Plan
from irgl.rt.call.run import Options, run
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.program import open_program
from irgl.space import Choice, legal_space

HEAD = "graph Graph { node int seen = 0; node node next; }\nlong left = 0;\n"
#: A kernel with a unique list, whose body and Program are given.
UNIQUE = HEAD + """Kernel visit(Graph g) WL unique list<node> {
  ForAll (n In WL.items) { n.seen += 1; if (n.seen < 3) { PUSH } }
}
Program p(Graph g) { Iterate visit(g) Initial (g.nodes) { } HOST }"""
SIMPLE = UNIQUE.replace("PUSH", "WL.push(n);").replace("HOST", "")
EXPLICIT = HEAD + """Kernel fill(Graph g, list<node> wl) { ForAll (n In g.nodes) { wl.push(n); wl.push(n); } }
Kernel tally(Graph g, list<node> wl) { ForAll (n In wl.items) { n.seen += 1; } }
Program p(Graph g) {
  list<node> a;
  list<node> b;
  Invoke fill(g, a);
  b.stack(a);
  b.stack(a);
  a.clear();
  b.unstack(a);
  Invoke tally(g, a);
  a.swap(b);
  a.push(g.node(0));
  left = a.size * 1000 + b.size;
  b.update(a);
  Invoke tally(g, b);
}"""
LISTS = HEAD + """Kernel fill(Graph g, unique list<node> wl) { ForAll (n In g.nodes) { wl.push(n); } }
Program p(Graph g) { unique list<node> a; unique list<node> b; Invoke fill(g, a); HOST }"""
NO_SET = "no list of nodes is declared unique, and none is a set"
MEANINGLESS = "it means nothing under frontier=list"


def choices(text: str) -> dict[str, Choice]:
    return {c.option: c for c in legal_space(driver.ready("p.irgl", text).checked.program) if not c.place}


def test_a_unique_list_of_nodes_may_be_of_any_kind() -> None:
    found = choices(SIMPLE)
    assert found["frontier"] == Choice("", "frontier", None, ("list", "queue", "bitmap", "bytemap", "either"))
    assert found["buffer"] == Choice("", "buffer", None, ("64", "16", "256", "1024"))


def test_a_plain_list_may_be_a_queue() -> None:
    assert choices(EXPLICIT)["frontier"] == Choice(
        "", "frontier", None, ("list", "queue"), tuple((kind, NO_SET) for kind in ("bitmap", "bytemap", "either")))


def test_without_a_list_that_may_be_a_queue_a_buffer_means_nothing() -> None:
    found = choices(LISTS.replace("unique list<node>", "set<node>").replace("HOST", ""))
    assert found["frontier"].values == ("list", "bitmap", "bytemap")
    assert found["buffer"].reason == "the program has no list"


def test_without_a_list_there_is_nothing_to_choose() -> None:
    found = choices(HEAD + "Program p(Graph g) { }")
    assert found["frontier"].values == ("list",)
    assert found["frontier"].reason == found["buffer"].reason == "the program has no list"


@pytest.mark.parametrize(("text", "reason"), [
    (UNIQUE.replace("PUSH", "WL.push(n.next);").replace("HOST", ""),
     "a bitmap holds no NONE, which may be put into such a list"),
    (SIMPLE.replace("(g.nodes)", "[g.node(0).next]"), "a bitmap holds no NONE, which may be put into such a list"),
    (LISTS.replace("HOST", "a.stack(b);"), "the program wants a list: bitmap<node> has no method 'stack'"),
    (LISTS.replace("HOST", "b.swap(a);").replace("unique list<node> b", "list<node> b"),
     "the program wants a list: 'swap' wants list<node>, not bitmap<node>"),
    (SIMPLE.replace("unique list<node>", "unique list<long>").replace(
        "ForAll (n In WL.items) {", "ForAll (i In WL.items) { node n = g.node(i);").replace("push(n)", "push(i)")
     .replace("(g.nodes)", "[0]"), NO_SET),
])
def test_a_set_is_refused_where_only_a_list_will_do(text: str, reason: str) -> None:
    assert dict(choices(text)["frontier"].refused)["bitmap"] == reason
    unit = driver.compile("p.irgl", text=text, plan=Plan.parse("frontier=bitmap"))
    assert f"the program: frontier=bitmap: {reason}" in unit.not_applicable
    assert "irgl::bitmap" not in unit.text


def test_a_buffer_means_something_for_queues_alone() -> None:
    unit = driver.compile("p.irgl", text=SIMPLE, plan=Plan.parse("buffer=16"))
    assert unit.not_applicable[-1] == f"the program: buffer=16: {MEANINGLESS}"
    assert "buffer=16" in driver.compile("p.irgl", text=SIMPLE, plan=Plan.parse("frontier=queue buffer=16")).applied[-1]


@pytest.mark.parametrize(("plan", "kind"), [
    ("", "irgl::list<node_t>"), ("frontier=queue", "irgl::queue<node_t, 64>"),
    ("frontier=queue buffer=1024", "irgl::queue<node_t, 1024>"), ("frontier=bitmap", "irgl::bitmap<node_t>"),
    ("frontier=bytemap", "irgl::bytemap<node_t>")])
def test_the_plan_exchanges_the_type(plan: str, kind: str) -> None:
    text = driver.compile("p.irgl", text=SIMPLE, plan=Plan.parse(plan)).text
    assert text.count(f"irgl::Pipe<{kind}, false>") == 2


@pytest.mark.parametrize("plan", ["", "frontier=queue", "frontier=queue buffer=16"])
@pytest.mark.parametrize("capacity", [0, 1])
@pytest.mark.parametrize("threads", [1, 2, 4])
def test_all_that_lists_do_queues_do(plan: str, capacity: int, threads: int) -> None:
    outcome = ran(EXPLICIT, f"serial=off {plan}".strip(), 1000, threads, capacity)
    # Twice in the layer that came back, then once more what is left below it: the older layer, and node 0.
    assert outcome.result.scalars["left"] == 2001 * 1000 + 2000
    seen = outcome.result.properties["seen"].array
    assert Counter(seen.tolist()) == {2 + 2 + 2: 999, 2 + 2 + 2 + 1: 1}
    assert outcome.stats["worklist_growths"] > 0


@pytest.mark.parametrize("plan", ["frontier=queue buffer=16", "frontier=bitmap", "frontier=bytemap"])
@pytest.mark.parametrize("nodes", [0, 1, 64, 1000])
def test_each_round_has_the_items_that_the_last_one_pushed(plan: str, nodes: int) -> None:
    outcome = ran(SIMPLE, f"serial=off {plan}", nodes, 3, 1)
    assert outcome.result.properties["seen"].array.tolist() == [3] * nodes
    assert outcome.stats["rounds"] == (3 if nodes else 0)


@pytest.mark.parametrize("kind", ["list", "queue", "bitmap", "bytemap"])
def test_as_many_items_are_told_whatever_holds_them(kind: str) -> None:
    program = HEAD + """Kernel pick(Graph g, unique list<node> some) {
  ForAll (n In g.nodes) { if (n.id % 3 == 0) { some.push(n); } }
}
Kernel count(Graph g, unique list<node> some) { left = some.items.size; }
Program p(Graph g) { unique list<node> some; Invoke pick(g, some); Invoke count(g, some); }"""
    assert ran(program, f"frontier={kind}", 100, 2, 0).result.scalars["left"] == 34


def ran(text: str, plan: str, nodes: int, threads: int, capacity: int):  # type: ignore[no-untyped-def]
    graph = Graph(np.zeros(nodes + 1, np.int32), np.zeros(0, np.int32), None)
    chosen = Plan.parse(plan)
    manifest = open_program("p.irgl", chosen, text=text)
    return run(manifest, {"g": graph}, {}, chosen, Options(threads=threads, worklist_capacity=capacity))
