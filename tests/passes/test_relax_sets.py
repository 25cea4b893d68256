"""Sets that become lists: which do, why others stay sets, and that no node comes twice into one that is unique then."""

from __future__ import annotations

import pytest
from support.agreement import differences
from support.awkward_graphs import awkward, random_arcs
from support.choices import Seeded
from support.random_programs import random_program
from support.random_pushes import PushingMaker

from irgl import driver
from irgl.analysis.names.symbols import Checked
from irgl.ast import types as T
from irgl.ast.dump import dump
from irgl.interpret import run
from irgl.passes.sets import relax_sets
from irgl.plan import Plan
from irgl.source import IrglError

HEAD = """graph Graph { node int level = INF; node long far = INF; node node parent = NONE; node bool seen = false;
  node double load = 0; node int got = 0; edge int weight; }
long visits = 0; long size = 0;
"""
#: A search over two sets; BODY stands in the loop over edges.
STEP = """Kernel step(Graph g, int depth, long d, int once, set<node> now, set<node> later) {
  ForAll (n In now.items) { visits += 1; ForAll (e In n.edges) { BODY } }
}
"""
MAIN = """Program main(Graph g, node s = first) {
  set<node> now; set<node> later; now.push(s); s.level = 0; s.seen = true; int depth = 1; long d = 1;
  while (now.size > 0) {
    later.clear();
    Invoke step(g, depth, d, 1, now, later);
    now.swap(later);
    size = size * 3 + now.size; depth++; d++;
    if (depth > 40) { now.clear(); }
  }
}
"""
PUSH = "{ later.push(e.dst); }"
CLAIM = f"if (cas(e.dst.level, INF, depth)) {PUSH}"
IMPLICIT = """Kernel step(Graph g, int depth) WL set<node> {
  ForAll (n In WL.items) { ForAll (e In n.edges) { if (cas(e.dst.level, INF, depth)) { WL.push(e.dst); } } }
}
Program main(Graph g, node s = first) { s.level = 0; int depth = 1; Iterate step(g, depth) Initial [s] { depth++; } }
"""
NO_CLAIM = "step pushes without a claim that only one of all can win"
MAY_BE_WANTED = "step claims nodes by '{}', and what is stored there may be what the claim wants"
#: What claims a node once an invocation.
CLAIMS = {
    "a number of rounds": CLAIM,
    "a long one": f"if (cas(e.dst.far, INF, d)) {PUSH}",
    "what the Program hands over": f"if (cas(e.dst.level, INF, once)) {PUSH}",
    "constants": f"if (cas(e.dst.got, 0, -1)) {PUSH}",
    "a flag": f"if (cas(e.dst.seen, false, true)) {PUSH}",
    "a parent": f"if (cas(e.dst.parent, NONE, n)) {PUSH}",
    "a parent's number": f"if (cas(e.dst.got, -1, (int)n.id)) {PUSH}",
    "under a variable": f"node m = e.dst; if (cas(m.level, INF, depth)) {PUSH}",
    "beside another condition": f"if (e.weight > 2 && cas(e.dst.level, INF, depth)) {{ if (n.got == 0) {PUSH} }}",
    "a minimum that is one for all": f"if (e.dst.level == INF && (e.dst.level min= depth)) {PUSH}",
    "whether it changed": f"if ((e.dst.got |= 4).changed) {PUSH}",
    "two pushes by one claim each": CLAIM + f"if (cas(e.dst.level, INF, 3)) {PUSH}",
}
#: What doesn't, and why.
OTHERS = {
    "no claim": (PUSH, NO_CLAIM),
    "a minimum of each edge's own": (f"if (e.dst.level min= depth + e.weight) {PUSH}", NO_CLAIM),
    "a minimum of each node's own": (f"if ((e.dst.got min= -n.got).changed) {PUSH}", NO_CLAIM),
    "a claim of another node": ("if (cas(e.dst.level, INF, depth)) { later.push(n); }", NO_CLAIM),
    "a claim in an else": (f"if (cas(e.dst.level, INF, depth)) {{ }} else {PUSH}", NO_CLAIM),
    "a claim for two pushes": ("if (cas(e.dst.level, INF, depth)) { later.push(e.dst); later.push(e.dst); }", NO_CLAIM),
    "a claim around a loop": ("if (cas(e.dst.level, INF, depth)) { for (int i = 0; i < 2; i += 1) { "
                              "later.push(e.dst); } }", NO_CLAIM),
    "a claim of a number with a fraction": (f"if (cas(e.dst.load, 0, 1)) {PUSH}", NO_CLAIM),
    "what one saw before": ("if (relaxed e.dst.level == INF) { racy e.dst.level = depth; later.push(e.dst); }",
                            "step claims nodes by 'level', and several iterations may see it as it was"),
    "claims of two properties": (CLAIM + f"if (cas(e.dst.seen, false, true)) {PUSH}",
                                 "step claims nodes in several ways"),
    "claims of two numbers": (f"if (cas(e.dst.got, 0, 1)) {PUSH} if (cas(e.dst.got, 1, 2)) {PUSH}",
                              "step claims nodes in several ways"),
    "a claim that changes nothing": (f"if (cas(e.dst.level, 1, 1)) {PUSH}", MAY_BE_WANTED.format("level")),
    "a claim of nobody knows what": (f"if (cas(e.dst.level, INF, e.weight)) {PUSH}", MAY_BE_WANTED.format("level")),
    "a parent that may be NONE": (f"if (cas(e.dst.parent, NONE, n.parent)) {PUSH}", MAY_BE_WANTED.format("parent")),
    "a parent's number that is wanted": (f"if (cas(e.dst.got, 0, (int)n.id)) {PUSH}", MAY_BE_WANTED.format("got")),
    "a claim that is given back": (CLAIM + "if (e.weight == 3) { racy e.dst.level = INF; }",
                                   MAY_BE_WANTED.format("level")),
    "a minimum beside something else": (
        f"if (e.dst.level min= depth) {PUSH} if (e.weight == 3) {{ e.dst.level max= 1000; }}",
        "step claims nodes by 'level', and something else is stored there"),
}
#: Programs whose sets stay for what else is done with them: (replaced, by, reason).
ELSEWHERE = {
    "not emptied": ("later.clear();", "", "step pushes into 'later', which may hold nodes already"),
    "emptied now and then": ("later.clear();", "if (depth != 2) { later.clear(); }",
                             "step pushes into 'later', which may hold nodes already"),
    "filled by two invocations": ("now.swap(later);", "Invoke step(g, depth, d, 1, now, later); now.swap(later);",
                                  "step pushes into 'later', which may hold nodes already"),
    "filled by the Program twice": ("now.push(s);", "now.push(s); now.push(s);",
                                    "the Program pushes into 'now', which may hold nodes already"),
    "asked for a node": ("now.swap(later);", "Invoke ask(g, later); now.swap(later);",
                         "'contains' asks what is in one"),
    "filled from a list": ("now.push(s);", "list<node> l; l.push(s); l.push(s); now.update(l);",
                           "'update' fills one"),
    "emptied by a kernel": ("ForAll (n In now.items)", "later.clear(); ForAll (n In now.items)",
                            "a kernel calls 'clear' of one"),
    "given by the caller": ("node s = first) {\n", "set<node> some, node s = first) {\n  set<node> found; "
                            "Invoke step(g, 1, 1, 1, some, found);", "the caller fills one"),
    "a number that returns": ("depth++; d++;", "depth = 1 - depth; d++;", MAY_BE_WANTED.format("level")),
    "a number that begins anywhere": ("int depth = 1;", "int depth = (int) g.num_nodes;",
                                      MAY_BE_WANTED.format("level")),
    "a number that is soon there": ("int depth = 1;", "int depth = 2147483640;", MAY_BE_WANTED.format("level")),
    "rounds that push nothing": ("while (now.size > 0)", "while (depth > 0)", MAY_BE_WANTED.format("level")),
    "rounds of what is kept": ("if (depth > 40)", "Invoke more(g, now); if (depth > 40)",
                               "more pushes into 'now', which may hold nodes already"),
}
#: Kernels that some of these invoke.
OTHER_KERNELS = {"more": "now.push(n);", "ask": "if (now.contains(n)) { visits += 1; }"}


def ready(text: str) -> Checked:
    return driver.ready("p.irgl", text).checked


def with_body(body: str) -> str:
    return HEAD + STEP.replace("BODY", body) + MAIN


def elsewhere(name: str) -> str:
    old, new, reason = ELSEWHERE[name]
    others = "".join(f"Kernel {word}(Graph g, set<node> now) {{ ForAll (n In g.nodes) {{ {body} }} }}\n"
                     for word, body in OTHER_KERNELS.items() if f"{word}(" in new)
    text = HEAD + others + STEP.replace("BODY", CLAIM if "claims" in reason else CLAIMS["a flag"]) + MAIN
    assert old in text
    return text.replace(old, new)


def relaxed(text: str) -> Checked:
    written = ready(text)
    return relax_sets.relaxed(written, written, Plan())


@pytest.mark.parametrize("name", CLAIMS)
def test_a_set_whose_nodes_are_claimed_once_a_round_is_a_unique_list(name: str) -> None:
    kinds = relax_sets.kinds_of(ready(with_body(CLAIMS[name])), "auto")
    assert not isinstance(kinds, str)
    assert {key[1]: (t.kind, t.unique) for key, t in kinds.items()} == {
        "now": ("list", True), "later": ("list", True)}
    assert sorted(kinds) == [("main", "later"), ("main", "now"), ("step", "later"), ("step", "now")]


@pytest.mark.parametrize("name", [*OTHERS, *ELSEWHERE])
def test_a_set_into_which_a_node_may_come_twice_stays_one(name: str) -> None:
    text = with_body(OTHERS[name][0]) if name in OTHERS else elsewhere(name)
    assert relax_sets.kinds_of(ready(text), "auto") == {}


@pytest.mark.parametrize("name", [*OTHERS, *ELSEWHERE])
def test_the_reason_why_a_node_may_come_twice_is_told(name: str) -> None:
    text, reason = (with_body(OTHERS[name][0]), OTHERS[name][1]) if name in OTHERS else (
        elsewhere(name), ELSEWHERE[name][2])
    found = relax_sets.why_not(ready(text.replace("visits += 1;", "visits += 1; n.got += 1;", 1)), "off")
    assert found is not None
    assert found.split("; and ")[0] == reason


def test_the_implicit_lists_of_a_search_are_unique_ones() -> None:
    after = relaxed(HEAD + IMPLICIT)
    assert after.facts["step"].worklist == T.Worklist("list", T.NodeT("g"), True, True)
    assert "WL unique list<node>" in dump(after.program)


@pytest.mark.parametrize(("old", "new"), [
    ("Initial [s]", "Initial [s, g.node(0)]"),
    ("ForAll (e In", "if (n.got < 1) { n.got += 1; Respawn(n); } ForAll (e In"),
])
def test_implicit_lists_that_begin_with_two_nodes_or_get_some_back_stay_sets(old: str, new: str) -> None:
    assert relax_sets.kinds_of(ready(HEAD + IMPLICIT.replace(old, new)), "auto") == {}


def test_a_set_of_the_loops_own_nodes_is_a_unique_list_and_another_one_stays() -> None:
    text = HEAD + """Kernel sift(Graph g, set<node> some, set<node> others) {
      ForAll (n In g.nodes) { if (n.id % 3 == 0) { some.push(n); } ForAll (e In n.edges) { others.push(e.dst); } }
    }
    Program main(Graph g) { set<node> some; set<node> others; Invoke sift(g, some, others);
      size = some.size * 1000 + others.size; }"""
    kinds = relax_sets.kinds_of(ready(text), "auto")
    assert sorted(kinds) == [("main", "some"), ("sift", "some")]


@pytest.mark.parametrize("body", ["ForAll (e In n.edges) { some.push(n); }", "some.push(n); some.push(n);"])
def test_a_set_into_which_a_loop_pushes_its_own_node_again_stays_one(body: str) -> None:
    text = HEAD + f"""Kernel sift(Graph g, set<node> some) {{ ForAll (n In g.nodes) {{ {body} }} }}
    Program main(Graph g) {{ set<node> some; Invoke sift(g, some); size = some.size; }}"""
    assert relax_sets.kinds_of(ready(text), "auto") == {}


@pytest.mark.parametrize("name", [*CLAIMS, "implicit"])
def test_the_interpreter_meets_no_node_twice_and_finds_the_same(name: str) -> None:
    text = HEAD + IMPLICIT if name == "implicit" else with_body(CLAIMS[name])
    written, after = ready(text), relaxed(text)
    assert after is not written
    for graph in [*awkward().values(), random_arcs(5, 60, 200)]:
        if graph.num_nodes == 0:
            continue
        one, other = (run(c, {"g": graph}, order=2) for c in (written, after))
        assert one.scalars["size"] == other.scalars["size"]
        assert list(one.properties["level"]) == list(other.properties["level"])


def test_relaxed_random_programs_meet_no_node_twice_and_find_the_same() -> None:
    relaxed_ones, wrong = 0, []
    for seed in range(50):
        program = (random_program if seed % 2 else lambda c: PushingMaker(c).make())(Seeded(seed))
        written = ready(program.text)
        after = relax_sets.relaxed(written, written, Plan())
        if after is written:
            continue
        try:
            wanted = run(written, {"g": program.graph}, program.params, order=seed, max_steps=20_000)
        except IrglError:
            continue  # it takes too long
        relaxed_ones += 1
        found = run(after, {"g": program.graph}, program.params, order=seed, max_steps=40_000)
        wrong += [(seed, name) for name in differences(wanted, found)]
    assert wrong == []
    assert relaxed_ones > 3
