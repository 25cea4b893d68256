"""How nodes of a priority queue are filed: what of it is legal, what programs become, and that nobody can tell."""

from __future__ import annotations

import re
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from support.peeling import KERNELS

import irgl
from irgl import driver
from irgl.ast.dump import dump
from irgl.plan import Plan
from irgl.source import IrglError
from irgl.space import legal_space, report

HEAD = "graph Graph { node int p = INF; node int other = 0; edge int length; }\nint total = 0; bool flag = false;\n"
RELAX = "ForAll (e In n.edges) { WL.update_min(e.dst, n.p + e.length); }"
PEEL = "ForAll (e In n.edges) { WL.update_sum(e.dst, -1, WL.priority); }"


def program(body: str, by: str = "p / delta", rounds: str = "", first: str = "[s]", beside: str = "") -> str:
    return f"""{HEAD}Kernel k(Graph g, int delta, node goal) WL priority_queue<node>({by}) {{
  ForAll (n In WL.items) {{ {body} }} {beside}
}}
Program main(weighted Graph g, node s = first, node goal = first, int delta = 3) {{
  s.p = 0;
  Iterate k(g, delta, goal) Initial {first} {{ {rounds} }}
}}
"""


def choice(text: str) -> dict[str, str | None]:
    """By word, why the queue's loop can't file so."""
    found, = (c for c in legal_space(driver.ready("k.irgl", text).checked.program)
              if c.option == "priority" and c.place == "k.loop1")
    words = ("lazy", "lazy_sum", "relaxed")
    return {w: found.reason or dict(found.refused).get(w) for w in words}


def queues(text: str, plan: str = "none") -> str:
    """A program behind the passes that make queues what the plan says."""
    checked = driver.ready("k.irgl", text).checked
    passes = {name: after for name, after, _ in driver.planning(checked, Plan.parse(plan))}
    return dump(passes["queues"].program)


def stage(text: str, plan: str, kernel: str = "k") -> str:
    """A kernel behind them."""
    whole = queues(text, plan)
    return whole[whole.index(f"Kernel {kernel}("):whole.index("\n}\n", whole.index(f"Kernel {kernel}("))]


COUNTED = "counted yet"
TOLD, ORDER = "who ran how often", "in another order it might leave something else"
SAFE = "ForAll (e In n.edges) { int to = n.p + e.length; if (to >= n.p) { WL.update_min(e.dst, to); } }"


@pytest.mark.parametrize(("text", "word", "reason"), [
    (program(RELAX), "lazy_sum", "it has no update_sum"),
    (program(f"{PEEL} ForAll (e In n.edges) {{ WL.update_sum(e.dst, -1, WL.priority); }}", "p"), "lazy_sum",
     "it has 2 update_sums"),
    (program(f"{PEEL} WL.update_min(n, 0);", "p"), "lazy_sum", "something beside its update_sum"),
    (program(f"{PEEL} if (n.other > 3) {{ WL.push(n); }}", "p"), "lazy_sum", "something beside its update_sum"),
    (program("ForAll (e In n.edges) { WL.update_sum(e.dst, -1, e.length); }", "p"), "lazy_sum", "the limit"),
    (program("ForAll (e In n.edges) { WL.update_sum(e.dst, -1, e.dst.other); }", "p"), "lazy_sum", "the limit"),
    (program("ForAll (e In n.edges) { if (WL.update_sum(e.dst, -1, 0)) { total += 1; } }", "p"), "lazy_sum",
     "whether update_sum has moved its node"),
    (program("ForAll (e In n.edges) { bool did = WL.update_sum(e.dst, -1, 0); flag |= did; }", "p"), "lazy_sum",
     "whether update_sum has moved its node"),
    (program("ForAll (e In n.edges) { int was = WL.update_sum(e.dst, -1, 0).old; total += was; }", "p"), "lazy_sum",
     "from where update_sum has moved its node"),
    (program("ForAll (e In n.edges) { if (e.dst.p > 3) { WL.update_sum(e.dst, -1, 0); } }", "p"), "lazy_sum", COUNTED),
    (program(f"relaxed n.other = n.p; {PEEL}", "p"), "lazy_sum", COUNTED),
    (program("total += 1;"), "lazy", "it files nobody"),
    (program("total += 1;"), "relaxed", "it files nobody"),
    (program(RELAX, rounds="total += 1;"), "relaxed", TOLD),
    (program(f"total += 1; {RELAX}"), "relaxed", TOLD),
    (program(f"n.other += 1; {RELAX}"), "relaxed", TOLD),
    (program("ForAll (e In n.edges) { WL.update_min(e.dst, (int)WL.priority + e.length); }"), "relaxed", TOLD),
    (program(PEEL, "p"), "relaxed", TOLD),
    (program(f"WL.push(n); {RELAX}"), "relaxed", TOLD),
    (program("ForAll (e In n.edges) { WL.update_min(e.dst, e.dst.other + n.p); e.dst.other min= 3; }"),
     "relaxed", TOLD),
    (program("ForAll (e In n.edges) { if (goal.p < 9) { WL.update_min(e.dst, n.p + 1); } }"), "relaxed", TOLD),
    (program("ForAll (e In n.edges) { if (WL.update_min(e.dst, n.p + 1)) { } else { total += 1; } }"),
     "relaxed", TOLD),
    (program("ForAll (e In n.edges) { if (n.p > goal.p) { continue; } WL.update_min(e.dst, n.p + 1); }"),
     "relaxed", TOLD),
    (program(RELAX, "higher_first p / delta"), "relaxed", TOLD),
    (program("ForAll (e In n.edges) { if (e.length < 0) { racy flag = true; } WL.update_min(e.dst, e.length); }"),
     "relaxed", ORDER),
    (program(RELAX), "relaxed", ORDER),  # which may wrap around on a detour
    (program("ForAll (e In n.edges) { WL.update_min(e.dst, 1000 - n.p); }"), "relaxed", ORDER),
    (program("ForAll (e In n.edges) { if (n.p < 10) { WL.update_min(e.dst, 3); } else { WL.update_min(e.dst, 15); } }"),
     "relaxed", ORDER),
    (program("ForAll (e In n.edges) { int to = max(n.p, 3); if (to < goal.p) { WL.update_min(e.dst, to); } }"),
     "relaxed", ORDER),
    (program("ForAll (e In n.edges) { int to = max(n.p, 3); if (to > e.dst.p) { WL.update_min(e.dst, to - 9); } }"),
     "relaxed", TOLD),
    (program("int here = n.p; ForAll (e In n.edges) { int to = here + here; "
             "if (to >= here) { WL.update_min(e.dst, to); } }"), "relaxed", ORDER),  # false below 0
    (program("int here = n.p; ForAll (e In n.edges) { int to = max(here + e.length, delta); "
             "if (to >= here) { WL.update_min(e.dst, to); } }"), "relaxed", ORDER),  # which hides what wraps around
    (program("int lim = 6; lim = 2; ForAll (e In n.edges) { WL.update_sum(e.dst, -1, lim); }", "p"), "lazy_sum",
     "the limit"),
    (program("int lim = 6; if (n.id > 3) { lim = 2; } int most = lim; "
             "ForAll (e In n.edges) { WL.update_sum(e.dst, -1, most); }", "p"), "lazy_sum", "the limit"),
])
def test_what_can_not_be_filed_so_is_told(text: str, word: str, reason: str) -> None:
    assert reason in (choice(text)[word] or "nothing stands against it")


@pytest.mark.parametrize(("text", "words"), [
    (program(SAFE), ("lazy", "relaxed")),
    (program("ForAll (e In n.in_edges) { WL.update_min(e.src, max(n.p, e.length)); }"), ("lazy", "relaxed")),
    (program("int here = n.p; ForAll (e In n.edges) { int to = here + e.length; "
             "if (to >= here && to < e.dst.p) { WL.update_min(e.dst, to); } }"),
     ("lazy", "relaxed")),
    (program("ForAll (e In n.edges) { int to = n.p - e.length; "
             "if (e.length > 3 && n.p >= to && WL.update_max(e.dst, to)) { } }", "higher_first p"),
     ("lazy", "relaxed")),
    (program(PEEL, "p"), ("lazy", "lazy_sum")),
    (program(PEEL, "p", rounds="total += 1;"), ("lazy", "lazy_sum")),
    (program("ForAll (e In n.in_edges) { WL.update_sum(e.src, -2, max(3, WL.priority)); }", "p"), ("lazy", "lazy_sum")),
    (program("ForAll (e In n.edges) { WL.update_sum(e.dst, 2, delta); }", "higher_first p"), ("lazy", "lazy_sum")),
])
def test_what_can_be_filed_so_is_legal(text: str, words: tuple[str, ...]) -> None:
    assert tuple(word for word, reason in choice(text).items() if reason is None) == words


def test_a_place_that_can_not_file_so_is_an_error() -> None:
    ready = driver.ready("k.irgl", program(RELAX))
    with pytest.raises(IrglError, match="it has no update_sum"):
        report(ready.checked.program, Plan.parse("k.loop1.priority=lazy_sum"))
    told = report(ready.checked.program, Plan.parse("priority=lazy_sum"))[1]
    assert any("k.loop1: priority=lazy_sum: it has no update_sum" in line for line in told)


def test_one_bucket_is_none() -> None:
    with pytest.raises(IrglError, match="buckets"):
        Plan.parse("buckets=1")


def test_buckets_mean_nothing_without_a_queue() -> None:
    text = "graph Graph { node int p = 0; }\nKernel k(Graph g) { ForAll (n In g.nodes) { n.p = 1; } }\n"
    ready = driver.ready("k.irgl", text + "Program main(Graph g) { Invoke k(g); }\n")
    assert "the program: buckets=16: no kernel is on a priority queue" in report(
        ready.checked.program, Plan.parse("buckets=16"))[1]


def test_sums_are_counted_first_and_done_where_a_node_comes_to_its_turn() -> None:
    text = stage(program(PEEL, "p"), "priority=lazy_sum")
    first, _, rest = text.partition("ForAll (e In n.edges)")
    assert "long count = (p_sums[n.id] xchg= 0).old;" in first
    assert "max((long)seen_2 + -1 * count, (long)limit_2)" in first  # -1 the constant sum, WL.priority the limit
    assert "int limit_2 = (int)WL.priority;" in first
    assert "if ((p_sums[e.dst.id] += 1).old == 0)" in rest
    assert "cas(" not in rest


def test_a_limit_is_asked_by_its_own_name_where_others_stand_for_it() -> None:
    body = "int most = delta; int lim = most; ForAll (e In n.edges) { WL.update_sum(e.dst, -1, lim); }"
    first, _, _ = stage(program(body, "p"), "priority=lazy_sum").partition("ForAll (e In n.edges)")
    assert "int most_2 = delta;\n                int lim_2 = most_2;" in first
    assert "while (seen_2 > lim_2)" in first


def test_a_node_is_noted_with_the_foremost_bucket_and_filed_there() -> None:
    text = stage(program(RELAX), "priority=lazy")
    first, _, rest = text.partition("ForAll (e In n.edges)")
    assert "WL.push(n, 1099511627776 - noted);" in first
    assert "if ((p_noted[e.dst.id] max= 1099511627776 - to / delta).old == 0)" in rest
    assert "WL.push(e.dst, WL.priority);" in rest


def test_without_order_nodes_come_back_to_a_list() -> None:
    text = stage(program(SAFE), "priority=relaxed")
    assert "WL list<node>" in text
    assert "Respawn e.dst;" in text
    assert "priority" not in text


def test_nobody_keeps_who_ran_where_nobody_can_tell() -> None:
    assert "array<" not in stage(program(RELAX), "none")
    assert "!WL.early(n)" in stage(program(RELAX), "none")


#: Of each edge what is reduced, and when its far end moves.
REDUCED = "ForAll (e In n.edges) {{ int to = n.p + e.length; {0} if ({1}) {{ WL.update_min(e.dst, to); }} }}"


@pytest.mark.parametrize("body", [
    REDUCED.format("total min= to;", "true"),
    REDUCED.format("total max= to;", "to > relaxed total"),
    REDUCED.format("total min= to;", "to < relaxed total && e.length > 2"),
    REDUCED.format("total min= to;", "relaxed total == INF"),
    REDUCED.format("flag |= to == 3;", "true"),
])
def test_a_reduction_that_is_done_again_changes_nothing(body: str) -> None:
    assert "array<" not in stage(program(body), "none")


@pytest.mark.parametrize("body", [
    REDUCED.format("total += to;", "true"),
    REDUCED.format("total min= goal.p;", "true"),
    REDUCED.format("total max= to;", "to < relaxed total"),
    REDUCED.format("total min= to;", "relaxed total != INF"),
    REDUCED.format("total min= to; total max= n.p;", "to < relaxed total"),
    REDUCED.format("total max= to;", "relaxed total == INF"),
])
def test_who_ran_is_kept_where_a_reduction_does_more_the_second_time(body: str) -> None:
    assert "array<long> p_ran" in stage(program(body), "none")


HELPED = "ForAll (e In n.edges) { int to = n.p + far(g, e.dst, goal); if (to >= n.p) { WL.update_min(e.dst, to); } }"


@pytest.mark.parametrize(("helper", "kept"), [
    ("int far(Graph g, node a, node b) { return abs(a.other - b.other) + (int)sqrt(3.0); }", False),
    ("int twice(int x) { return 2 * x; } int far(Graph g, node a, node b) { return twice(a.other); }", False),
    ("int far(Graph g, node a, node b) { return a.other + b.p; }", True),  # which others move
    ("int far(Graph g, node a, node b) { return (a.other += 1).old; }", True),
    ("int twice(Graph g, node x) { return x.p; } int far(Graph g, node a, node b) { return twice(g, b); }", True),
])
def test_who_ran_is_kept_where_a_helper_may_give_something_else_the_second_time(helper: str, kept: bool) -> None:
    text = program(HELPED).replace("Kernel k(", f"{helper}\nKernel k(")
    assert ("array<long> p_ran" in stage(text, "none")) == kept


UNTIL = program(RELAX).replace("Iterate k", "Iterate Until (WL.finished(goal)) k")


def test_the_bucket_that_ran_tells_who_is_finished_where_nodes_move_to_the_front() -> None:
    whole = queues(UNTIL)
    assert "p_ran" not in whole
    assert "if (goal.p != INF && (long)goal.p / (long)delta <= WL.priority)" in whole


@pytest.mark.parametrize("text", [
    UNTIL.replace("p = INF", "p = 0"),                                   # the first item is as all are
    UNTIL.replace("  s.p = 0;\n", ""),                                   # the same
    UNTIL.replace("s.p = 0;", "s.p = INF;"),
    UNTIL.replace("s.p = 0;", "s.p = 0; goal.p = 3;"),                   # it is no first item
    UNTIL.replace("s.p = 0;", "s.p = delta;"),
    UNTIL.replace("s.p = 0;", "s.p = 0; Invoke begin(g);").replace(
        "Program", "Kernel begin(Graph g) { ForAll (n In g.nodes) { n.p = 50; } }\nProgram"),
    UNTIL.replace("int p", "uint32 p").replace("s.p = 0", "s.p = -1").replace("+ e.", "+ (uint32)e."),  # -1 is INF
    UNTIL.replace("[s]", "(g.nodes)"),
    UNTIL.replace("[s] {  }", "[s] { s = goal; }"),
    UNTIL.replace("  Iterate", "  for (int i = 0; i < 2; i++) Iterate"),
    UNTIL.replace("(p / delta)", "(higher_first p / delta)"),            # buckets open again
])
def test_who_ran_is_kept_where_the_bucket_that_ran_does_not_tell_who_is_finished(text: str) -> None:
    assert text != UNTIL
    assert "array<long> p_ran" in queues(text)


def test_a_variable_may_wrap_around_whatever_another_of_its_name_does() -> None:
    body = """ForAll (e In n.edges) { if (e.length > 2) { int x = e.length; WL.update_min(e.dst, x); }
      else { int x = n.p + e.length; WL.update_min(e.dst, x); } }"""
    assert ORDER in str(choice(program(body))["relaxed"])


ALL = "(g.nodes)"


@pytest.mark.parametrize("body", [PEEL, f"n.other += 1; {PEEL}", PEEL.replace("-1", "-3"),
                                  PEEL.replace("WL.update_sum", "int was = WL.update_sum").replace(");", ").old;")])
def test_who_ran_is_not_kept_where_all_nodes_move_by_sums_to_the_bucket_that_runs(body: str) -> None:
    text = program(body, "p", first=ALL)
    assert "p_ran" not in queues(text)
    assert "p_ran" not in stage(text, "buckets=1024")
    assert "with < WL.priority && !WL.early(n)" in stage(text, "none").replace("(long)", "")


@pytest.mark.parametrize(("text", "plan"), [
    (program(PEEL, "p"), "none"),  # some nodes begin: one of them might stand there twice
    (program(PEEL, "p", first="[s, goal]"), "none"),
    (program(PEEL, "p / delta", first=ALL), "none"),  # several values are of one bucket
    (program(PEEL.replace("-1", "1"), "higher_first p", first=ALL), "none"),
    (program(PEEL.replace("WL.priority", "0"), "p", first=ALL), "none"),  # it may come before the bucket that runs
    (program(f"int end = WL.priority; end -= 2; {PEEL.replace('WL.priority', 'end')}", "p", first=ALL), "none"),
    (program(f"WL.update_min(n, 0); {PEEL}", "p", first=ALL), "none"),
    (program(f"{PEEL} if (n.other > 3) {{ WL.push(n); }}", "p", first=ALL), "none"),
    (program(PEEL, "p", first=ALL, rounds="flag |= WL.finished(goal);"), "none"),
    (program(PEEL, "p", first=ALL), "priority=lazy"),
    (program(PEEL, "p", first=ALL), "priority=lazy_sum"),
    (program(PEEL, "p", first=ALL), "direction=pull"),
])
def test_who_ran_is_kept_where_a_node_might_run_twice_else(text: str, plan: str) -> None:
    assert re.search(r"p_ran\[n.id\] (min|max)= with", stage(text, plan))


@pytest.mark.parametrize(("text", "plan", "buckets"), [
    (program(PEEL, "p", first=ALL), "buckets=auto", "1024, 4"),
    (program(PEEL, "p"), "priority=lazy_sum buckets=auto", "1024, 4"), (program(RELAX), "buckets=auto", "1024"),
    (program(f"WL.update_min(n, 0); {PEEL}", "p"), "buckets=auto", "1024"),
    (program(PEEL, "p", first=ALL), "buckets=32", "32")])
def test_few_buckets_lie_apart_at_first_where_nodes_move_by_sums_alone(text: str, plan: str, buckets: str) -> None:
    assert f"}}, {buckets});" in driver.compile("k.irgl", text=text, plan=Plan.parse(plan)).text


def test_an_order_of_its_own_is_refused_where_the_loop_ends_when_a_goal_is_finished() -> None:
    assert TOLD in str(choice(UNTIL.replace(RELAX, SAFE))["relaxed"])


@pytest.mark.parametrize("body", [
    "For (e In n.edges) { if (WL.update_min(e.dst, n.p + e.length)) { if (n.id == 3) { break; } } }",
    "ForAll (e In n.edges) { if (WL.update_min(e.dst, n.p + e.length)) { continue; } WL.update_min(goal, 77); }",
    "bool did = false; For (e In n.edges) { if (WL.update_min(e.dst, n.p)) { did = true; } } "
    "if (!did) { WL.update_min(goal, 77); }",
    f"if ((n.other += 1).old > 100) {{ }} {RELAX}",
    "ForAll (e In n.edges) { if (e.length > 0 && WL.update_min(e.dst, min(n.p + e.length, e.dst.p - 1))) { } }",
    f"node m = goal.p < 1000 ? goal : n; racy m.other = 5; {RELAX}",
    f"int with = goal.p; if (with < 5) {{ WL.update_min(goal, 2); }} {RELAX}",
    "ForAll (e In n.edges) { if (e.length > 2) { node to = e.dst; WL.update_min(to, n.p); } "
    "else { node to = goal.p < 9 ? goal : e.dst; WL.update_min(to, n.p); } }",
    "ForAll (e In n.edges) { if (e.length > 2) { bool did = WL.update_min(e.dst, n.p); } "
    "else { bool did = goal.p < 9; if (did) { WL.update_min(e.dst, 7); } } }",
])
def test_who_ran_is_kept_where_a_second_run_might_do_more(body: str) -> None:
    assert "array<long> p_ran" in stage(program(body), "none")


@pytest.mark.parametrize("text", [
    program(RELAX, rounds="total += 1;"),
    program(RELAX).replace("Iterate k(g, delta, goal)", "Iterate k(g, delta, goal, goal.p)").replace(
        "node goal) WL", "node goal, int bound) WL"),
], ids=["a body", "other arguments each time"])
def test_an_order_of_its_own_is_refused_where_buckets_are_seen_of_which_no_record_is_kept(text: str) -> None:
    assert "p_ran" not in queues(text)
    assert TOLD in str(choice(text.replace(RELAX, SAFE))["relaxed"])


#: Nodes that come back to a queue that has run dry, all of which have lain far off before.
AGAIN = """graph Graph { node int p = INF; node int runs = 0; edge int length; }
int turns = 0; int inner = 0;
Kernel begin(Graph g) { ForAll (n In g.nodes) { n.p = 1000 + (int)n.id; } }
Kernel run(Graph g) WL priority_queue<node>(p) {
  ForAll (n In WL.items) { n.runs += 1; ForAll (e In n.edges) { WL.update_min(e.dst, n.p + e.length); } }
}
Kernel file(Graph g) WL priority_queue<node>(p) {
  ForAll (n In g.nodes) { if (n.runs == 1 && n.id < 2) { WL.push(n); } }
}
Program main(weighted Graph g) {
  Invoke begin(g);
  Pipe Initial (g.nodes) { Iterate run(g) { inner++; } Invoke file(g); turns++; }
}
"""


@pytest.mark.parametrize("plan", ["none", "buckets=2", "priority=lazy buckets=4", "priority=lazy direction=pull"])
def test_a_queue_that_has_run_dry_takes_nodes_again(plan: str) -> None:
    arrays = (np.array([0, 1, 2]), np.array([1, 2, 3]), np.array([5, 1, 1], np.int32))
    found = irgl.compile("again.irgl", text=AGAIN, target="cpu", plan=plan)(arrays, threads=2)
    assert (found["runs"].tolist(), found.turns, found.inner) == ([2, 2, 1, 1], 2, 5)


CORES = KERNELS + """Program main(undirected simple Graph g) {
  Invoke begin(g);
  Iterate peel(g) Initial (g.nodes) { turns++; }
}
"""


@pytest.mark.parametrize("plan", ["priority=eager buckets=2 fuse=1", "priority=eager buckets=1024 fuse=1000",
                                  "priority=lazy buckets=16 fuse=100", "priority=lazy_sum buckets=2 fuse=1000",
                                  "priority=lazy_sum buckets=1024 fuse=1",
                                  "priority=lazy direction=pull fuse=1000",
                                  "priority=lazy direction=hybrid switch=nodes:1/50 buckets=2"])
def test_cores_are_networkxs_however_nodes_are_filed(plan: str, tmp_path: Path) -> None:
    file = tmp_path / "cores.irgl"
    file.write_text(CORES, encoding="utf-8")
    graph = nx.barabasi_albert_graph(300, 4, seed=3)
    graph.add_edges_from((a, b) for a in range(12) for b in range(a))
    graph.remove_edges_from(nx.selfloop_edges(graph))
    cores = nx.core_number(graph)
    for threads in (1, 2, 4):
        found = irgl.compile(file, plan=f"none serial=off {plan}")(graph, threads=threads)
        assert found["left"].tolist() == [cores[n] for n in graph.nodes]
        assert found["runs"].tolist() == [1] * 300
        assert found.turns == len(set(cores.values()))


def paths(text: str, arcs: list[tuple[int, int, int]], plan: str, **given: int) -> list[int]:
    """What the text's program finds as its property `p`, with two threads."""
    source, target, weight = (np.array(column, np.int32) for column in zip(*arcs, strict=True))
    return irgl.compile("k.irgl", text=text, plan=f"none serial=off {plan}")(
        (source, target, weight), threads=2, **given)["p"].tolist()


@pytest.mark.parametrize("plan", ["priority=eager buckets=2 fuse=1", "priority=eager buckets=1024 fuse=1000",
                                  "priority=lazy buckets=4 fuse=100", "priority=relaxed fuse=1000",
                                  "priority=lazy direction=hybrid switch=nodes:1/10 fuse=100"])
@pytest.mark.parametrize("delta", [1, 50, 1 << 30])
def test_paths_are_networkxs_however_nodes_are_filed(plan: str, delta: int) -> None:
    arcs = [(v, (v * k + 7) % 200, 1 + v * k % 97) for v in range(200) for k in (1, 3, 11)]
    arcs = [(a, b, w) for a, b, w in arcs if a != b]
    graph = nx.MultiDiGraph()
    graph.add_weighted_edges_from(arcs)
    want = nx.single_source_dijkstra_path_length(graph, 5)
    found = paths(program(SAFE), arcs, plan, s=5, delta=delta)
    assert found == [want.get(v, 2**31 - 1) for v in range(200)]


@pytest.mark.parametrize("plan", ["priority=eager fuse=1", "priority=eager", "priority=lazy", "priority=relaxed",
                                  "priority=lazy direction=pull"])
def test_what_is_filed_before_its_bucket_runs(plan: str) -> None:
    """Arcs that lead back past buckets that have run: with nobody who keeps who ran, all that is filed must run."""
    text = program("ForAll (e In n.edges) { WL.update_min(e.dst, max(0, n.p - e.length)); }", "p").replace(
        "s.p = 0;", "s.p = 90;")
    found = paths(text, [(v, v + 1, v % 3) for v in range(40)], plan, s=0)
    assert found == [90 - sum(u % 3 for u in range(v)) for v in range(41)]


def test_what_forgets_who_ran_meets_no_scalar_of_the_program() -> None:
    text = program(f"{RELAX} total += n.p;").replace("int total = 0;", "int total = 0; int ran = 0;")
    assert "Kernel begin_p_ran(Graph g, array<long> ran_2)" in queues(text)
