"""Claims that become stores: where, and where not; and that what they find is right."""

from __future__ import annotations

from pathlib import Path

import pytest

import irgl
from irgl import driver
from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.plan import Plan

ROOT = Path(__file__).resolve().parents[2]
TAKE = "if (e.dst.up == -1) { if (cas(e.dst.up, -1, (int)n.id)) { later.push(e.dst); } }"
SEARCH = """graph Graph {{ node int up = -1; node int seen = 0; }}
{more}Kernel step(Graph g, set<node> now, set<node> later) {{
    ForAll (n In now.items) {{ {before} ForAll (e In n.edges) {{ {take} }} }}
}}
Program search(Graph g, node src = first) any_valid {{
    set<node> now; set<node> later;
    src.up = 0;
    now.push(src);
    while ({test}) {{ later.clear(); Invoke step(g, now, later); {then} now.swap(later); }}
}}
"""
VISIT = "Kernel visit(Graph g, set<node> found) { ForAll (n In found.items) { n.seen += 1; } }\n"


def planned(plan: str = "", take: str = TAKE, test: str = "now.size != 0", before: str = "", then: str = "",
            more: str = "") -> str:
    """The kernels and the Program as a CPU's plan has them."""
    text = SEARCH.format(take=take, test=test, before=before, then=then, more=more)
    program = driver.turned(driver.ready("search.irgl", text).checked, Plan.parse(plan))[0].program
    return "\n".join(dump(A.Program((d,))) for d in program.decls if isinstance(d, A.Kernel | A.Entry))


def test_a_claim_that_only_decides_who_pushes_is_a_store_behind_its_guard() -> None:
    found = planned()
    assert "cas(" not in found
    assert """if (e.dst.up == -1) {
                relaxed e.dst.up = (int)n.id;
                later.push(e.dst);
            }""" in found


def test_its_list_may_then_hold_a_node_twice() -> None:
    found = planned()
    assert "list<node> now, list<node> later" in found and "unique" not in found


def test_the_pulling_half_of_a_hybrid_keeps_the_claim_which_takes_no_atomic_there() -> None:
    found = planned("direction=hybrid")
    assert "cas(e_dst.up, -1, (int)e.src.id)" in found and "relaxed e.dst.up = (int)n.id;" in found


@pytest.mark.parametrize("other", [
    {"plan": "dedup=flags"}, {"plan": "dedup=rounds"}, {"plan": "frontier=bitmap"},  # claims that were asked for
    {"test": "now.size > 3"},  # how many there are is asked
    {"then": "Invoke visit(g, later);", "more": VISIT},  # somebody else does something for each
    {"before": "n.seen += 1;"},  # the loop does more than follow edges
    {"take": "if (cas(e.dst.up, -1, (int)n.id)) { later.push(e.dst); }"},  # nobody looks before
    {"take": "if (e.dst.up == -1) { if (cas(e.dst.up, -1, n.up + 1)) { later.push(e.dst); } }"},  # it may be -1
    {"take": "if (e.dst.up == -1) { if (cas(e.dst.up, -1, 5)) { later.push(e.dst); racy e.dst.seen = 1; } }"},
    {"take": "if (e.dst.up == 0) { if (cas(e.dst.up, 0, 7)) { later.push(e.src); } }"},
])
def test_other_claims_stay(other: dict[str, str]) -> None:
    assert "cas(" in planned(**other)


SEED = "Kernel seed(Graph g, set<node> later) {{ ForAll (n In g.nodes) {{ ForAll (e In n.edges) {{ {take} }} }} }}\n"


@pytest.mark.parametrize("seed", [
    "if (cas(e.dst.up, -1, 7)) { later.push(e.dst); }",
    "if (cas(e.dst.up, -1, 7)) { later.push(e.dst); } else { e.dst.seen += 1; }",
    "if (e.dst.up == -1) { if (cas(e.dst.up, -1, 7)) { later.push(e.dst); } }",
])
def test_a_set_that_another_loop_fills_keeps_its_claims(seed: str) -> None:
    text = SEARCH.format(take=TAKE, test="now.size != 0", before="", then="", more=SEED.format(take=seed))
    text = text.replace("now.push(src);", "Invoke seed(g, now);")
    program = driver.turned(driver.ready("search.irgl", text).checked, Plan())[0].program
    assert dump(program).count("cas(") == 2 and "relaxed" not in dump(program)


@pytest.mark.parametrize("plan", ["collect=bitmap", "step.loop1.collect=bytemap", "direction=hybrid collect=bitmap"])
def test_what_is_collected_keeps_its_claims(plan: str) -> None:
    found = planned(plan)
    assert "cas(" in found and "relaxed" not in found and "gather" in found


def test_the_list_that_is_implied_may_then_hold_a_node_twice_too() -> None:
    text = """graph Graph { node int up = -1; }
Kernel step(Graph g) WL set<node> {
    ForAll (n In WL.items) {
        ForAll (e In n.edges) { if (e.dst.up == -1) { if (cas(e.dst.up, -1, 9)) { WL.push(e.dst); } } }
    }
}
Program search(Graph g, node src = first) any_valid { src.up = 0; Iterate step(g) Initial [src] { } }
"""
    found = dump(driver.turned(driver.ready("search.irgl", text).checked, Plan())[0].program)
    assert "relaxed e.dst.up = 9;" in found and "WL list<node>" in found


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_search_whose_claims_are_stores_finds_a_tree_of_shortest_paths(threads: int) -> None:
    program = irgl.compile(ROOT / "programs" / "gt" / "bfs.gt", target="cpu", plan="serial=off grain=16")
    graph = irgl.load_graph("rmat:scale=11,degree=12", program)
    result = program(graph, threads=threads, repeat=5, argv2=0)
    assert not result.wrong()
