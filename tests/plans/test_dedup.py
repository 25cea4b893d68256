"""The option dedup: how sets know their nodes under it, that answers stay, and where it is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.awkward_graphs import directed, grid, random_arcs
from support.running import outcome
from support.tables import found_and_wanted

from irgl import driver
from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options
from irgl.rt.manifests.program import open_program
from irgl.space import Choice, legal_space

WORDS = ("auto", "off", "flags", "bitmap", "rounds")
HEAD = "graph Graph { node int level = INF; node int near = 0; }\nlong visits = 0; long size = 0;\n"
MAIN = """Program main(Graph g, node s = first) {
  set<node> now; set<node> later; set<node> seen; now.push(s); s.level = 0; int depth = 1;
  while (now.size > 0) {
    later.clear();
    Invoke step(g, depth, now, later);
    now.swap(later);
    depth++;
  }
}
"""
#: Each claims its nodes: nobody has to remember them.
CLAIMED = HEAD + """Kernel step(Graph g, int depth, set<node> now, set<node> later) {
  ForAll (n In now.items) {
    visits += 1;
    ForAll (e In n.edges) { if (cas(e.dst.level, INF, depth)) { later.push(e.dst); } }
  }
}
""" + MAIN
#: Several may push a node, which does the same twice as once.
SEEN = HEAD + """Kernel step(Graph g, int depth, set<node> now, set<node> later) {
  ForAll (n In now.items) {
    ForAll (e In n.edges) { if (relaxed e.dst.level == INF) { racy e.dst.level = depth; later.push(e.dst); } }
  }
}
""" + MAIN
#: A set that is asked, one that is filled on and on, and implicit ones.
ASKED = HEAD + """Kernel step(Graph g, int depth, set<node> now, set<node> later, set<node> seen) {
  ForAll (n In now.items) {
    visits += 1;
    ForAll (e In n.edges) { if (e.dst.level > depth) { relaxed e.dst.level = depth; later.push(e.dst); } }
    ForAll (e In n.edges) { if (seen.contains(e.dst)) { n.near += 1; } }
  }
}
Kernel add(Graph g, set<node> now, set<node> seen) { ForAll (n In now.items) { seen.push(n); } }
Kernel spread(Graph g, int depth) WL set<node> {
  ForAll (n In WL.items) { visits += 1; ForAll (e In n.edges) { if (n.near < 9) { WL.push(e.dst); } } n.near += 3; }
}
Program main(Graph g, node s = first) {
  set<node> now; set<node> later; set<node> seen; now.push(s); s.level = 0; int depth = 1;
  while (now.size > 0) {
    later.clear();
    Invoke step(g, depth, now, later, seen);
    Invoke add(g, now, seen);
    now.swap(later);
    size = size * 3 + now.size;
    depth++;
  }
  size += 1000000 * seen.size;
  Iterate spread(g, depth) Initial (seen.items) { visits += 1; }
}
"""
#: Nodes come into each of its sets round after round.
AGAIN = HEAD + """Kernel spread(Graph g, int least) WL set<node> {
  ForAll (n In WL.items) {
    visits += 1; n.near += 1; ForAll (e In n.edges) { if (n.near < least) { WL.push(e.dst); } }
  }
}
Kernel step(Graph g, int depth, set<node> now, set<node> later) {
  ForAll (n In now.items) { visits += 1; ForAll (e In n.edges) { if (depth < 20) { later.push(e.dst); } } }
}
""" + MAIN.replace("depth++;\n  }", "depth++;\n  }\n  Iterate spread(g, 20) Initial [s] { }")
#: The implicit ones of a search that claims its nodes.
IMPLICIT = HEAD + """Kernel step(Graph g, int depth) WL set<node> {
  ForAll (n In WL.items) {
    visits += 1; ForAll (e In n.edges) { if (cas(e.dst.level, INF, depth)) { WL.push(e.dst); } }
  }
}
Program main(Graph g, node s = first) { s.level = 0; int depth = 1; Iterate step(g, depth) Initial [s] { depth++; } }
"""
TEXTS = {"claimed": CLAIMED, "seen": SEEN, "asked": ASKED, "implicit": IMPLICIT}
GRAPHS = [grid(9), random_arcs(3, 90, 300), directed(1, []), directed(41, [(0, k) for k in range(41)])]
#: One of each that is another program under the word.
RUN = [("claimed", "auto"), ("claimed", "bitmap"), ("seen", "off"), ("seen", "rounds"), ("asked", "bitmap"),
       ("asked", "rounds"), ("implicit", "auto"), ("implicit", "off")]
PLANS = ["block=32", "block=64 outline=off cc=off", "block=32 np=cut cc=warp"]
NO_SET = "the program has no set"
SEVERAL = "step claims nodes by 'level', and several iterations may see it as it was"
ONCE = f"{SEVERAL}; and step.loop1 would run twice for a node that is in one twice, and "


@pytest.mark.parametrize(("text", "word"), RUN)
def test_on_the_cpu_a_program_finds_the_same_however_sets_know_their_nodes(text: str, word: str) -> None:
    for graph in GRAPHS:
        found, wanted = found_and_wanted(TEXTS[text], f"serial=off dedup={word}", "cpu", graph)
        assert found == wanted


@pytest.mark.parametrize(("plan", "text", "word"), [(PLANS[k % 3], *one) for k, one in enumerate(RUN)])
def test_on_a_gpu_a_program_finds_the_same_however_sets_know_their_nodes(plan: str, text: str, word: str) -> None:
    for graph in GRAPHS:
        found, wanted = found_and_wanted(TEXTS[text], f"{plan} dedup={word}", "simt", graph)
        assert found == wanted


@pytest.mark.parametrize(("text", "word", "kinds"), [
    ("claimed", "auto", ["irgl::list<node_t>"]), ("claimed", "off", ["irgl::list<node_t>"]),
    ("claimed", "flags", ["irgl::set<node_t>"]), ("claimed", "bitmap", ["irgl::set<node_t, irgl::by_bit>"]),
    ("claimed", "rounds", ["irgl::set<node_t, irgl::by_round>"]),
    ("seen", "auto", ["irgl::set<node_t>"]), ("seen", "off", ["irgl::list<node_t>"]),
    ("asked", "auto", ["irgl::set<node_t>"]), ("asked", "off", ["irgl::set<node_t>"]),
])
@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_the_plan_says_what_sets_are(text: str, word: str, kinds: list[str], target: str) -> None:
    unit = driver.compile("p.irgl", target=target, text=TEXTS[text], plan=Plan.parse(f"dedup={word}", target)).text
    every = ("irgl::list<node_t>", *(f"irgl::set<node_t{how}>" for how in ("", ", irgl::by_bit", ", irgl::by_round")))
    assert [kind for kind in every if f"{kind} now(c" in unit] == kinds


@pytest.mark.parametrize(("target", "plan"), [
    ("cpu", "direction=hybrid dedup=auto"), ("cpu", "direction=pull dedup=off"), ("cpu", "frontier=queue dedup=auto"),
    ("simt", "block=32 direction=hybrid switch=nodes:1/9 dedup=auto"), ("simt", "block=32 np=bins dedup=rounds"),
    ("simt", "block=32 frontier=bytemap dedup=auto")])
def test_a_claimed_set_is_a_list_beside_whatever_else_a_plan_says(target: str, plan: str) -> None:
    for graph in GRAPHS[:2]:
        found, wanted = found_and_wanted(CLAIMED, plan, target, graph)
        assert found == wanted


def test_a_claimed_set_takes_fewer_atomics_than_one_that_remembers() -> None:
    auto, flags, bits, rounds = (
        outcome(CLAIMED, f"cc=off outline=off block=32 dedup={word}", "simt", GRAPHS[1], mode="lockstep").stats
        for word in ("auto", "flags", "bitmap", "rounds"))
    assert auto["atomics"] < min(flags["atomics"], bits["atomics"], rounds["atomics"])
    assert auto["transactions"] < min(flags["transactions"], bits["transactions"], rounds["transactions"])


@pytest.mark.parametrize("plan", ["block=32", "block=32 outline=off"])
def test_numbers_of_rounds_of_a_gpu_begin_again_when_all_have_been_used(plan: str) -> None:
    chosen = Plan.parse(f"{plan} dedup=rounds", "simt")
    manifest = open_program("p.irgl", chosen, text=AGAIN)
    assert "irgl::by_round>" in manifest.text
    few = replace(manifest, text=manifest.text.replace("irgl::by_round>", "irgl::by_round_until<4>>"))
    graphs = {"g": grid(5)}
    ran = [device.run(m, graphs, bind(m, graphs, {}), chosen, Options()).result.scalars for m in (manifest, few)]
    assert ran[0] == ran[1]


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_all_words_are_legal_where_nodes_are_claimed(target: str) -> None:
    assert choice(CLAIMED, target) == Choice("", "dedup", None, WORDS)


@pytest.mark.parametrize(("text", "reason"), [
    (SEEN.replace("later.push", "e.dst.near += 1; later.push"), ONCE + "+= may change something the second time"),
    (SEEN.replace("ForAll (e In", "n.near += 1; ForAll (e In"), ONCE + "more than its inner ForAll would run again"),
    (SEEN.replace("depth++;", "depth++; size = now.size;"),
     f"{SEVERAL}; and 'size' of one is asked for elsewhere than in a ForAll, where each node counts once"),
    (SEEN.replace("= depth;", "= 2147483647;"), ONCE + "what it stores may be what it looks for"),
    (ASKED.replace("relaxed e.dst.level = depth; later.push(e.dst);", ""), "'contains' asks what is in one"),
    (CLAIMED.replace("if (cas(e.dst.level, INF, depth))", "if (e.dst.level min= n.level + 1)"),
     "step pushes without a claim that only one of all can win"),
])
@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_where_a_node_counts_once_nobody_may_forget_it(text: str, reason: str, target: str) -> None:
    assert choice(text, target) == Choice("", "dedup", None, ("auto", "flags", "bitmap", "rounds"), (("off", reason),))
    unit = driver.compile("p.irgl", target=target, text=text, plan=Plan.parse("dedup=off", target))
    assert f"the program: dedup=off: {reason}" in unit.not_applicable
    assert "irgl::set<node_t>" in unit.text


@pytest.mark.parametrize("target", ["cpu", "simt"])
@pytest.mark.parametrize("word", ["off", "bitmap", "rounds"])
def test_without_a_set_there_is_nothing_to_know(target: str, word: str) -> None:
    text = CLAIMED.replace("set<node>", "list<node>")
    assert choice(text, target).reason == NO_SET
    unit = driver.compile("p.irgl", target=target, text=text, plan=Plan.parse(f"dedup={word}", target))
    assert f"the program: dedup={word}: {NO_SET}" in unit.not_applicable


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_where_sets_are_bitmaps_nothing_else_says_who_is_in_them(target: str) -> None:
    plan = Plan.parse("frontier=bitmap dedup=rounds", target)
    unit = driver.compile("p.irgl", target=target, text=ASKED, plan=plan)
    assert "the program: dedup=rounds: it means nothing under frontier=bitmap" in unit.not_applicable
    assert "irgl::set" not in unit.text


def test_the_interpreter_has_no_use_for_it() -> None:
    assert choice(CLAIMED, "ref").reason == "the reference interpreter runs one item after the other"


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_a_plan_speaks_of_it_only_where_it_says_something(target: str) -> None:
    assert "dedup" not in str(Plan(target=target))
    assert "dedup=rounds" in str(Plan.parse("dedup=rounds", target))


@pytest.mark.parametrize(("word", "told"), [
    ("auto", "step.loop1.loop1: cc=warp"),
    ("flags", "step.loop1.loop1: cc=warp: it fills a set, which takes its nodes one by one")])
def test_appends_to_a_claimed_set_are_combined_where_it_is_a_list(word: str, told: str) -> None:
    plan = Plan.parse(f"dedup={word} step.loop1.loop1.cc=warp", "simt")
    unit = driver.compile("p.irgl", target="simt", text=CLAIMED, plan=plan)
    assert told in (unit.applied if word == "auto" else unit.not_applicable)


def test_a_claimed_set_wants_no_more_room_than_its_graph_has_nodes() -> None:
    auto, flags = (outcome(CLAIMED, f"outline=off block=32 dedup={word}", "simt", GRAPHS[3]).stats
                   for word in ("auto", "flags"))
    assert auto["launches"] < flags["launches"]  # nobody sums degrees, and no bytes are made zero
    assert outcome(CLAIMED, "block=32", "simt", GRAPHS[3], capacity=1).stats["worklist_growths"] > 0


def test_the_program_is_shown_as_it_is_with_lists(tmp_path: Path) -> None:
    program = tmp_path / "p.irgl"
    program.write_text(CLAIMED)
    for target in ("cpu", "cuda"):
        shown = dict(driver.stages(program, Plan.parse("dedup=auto", target)))
        assert "unique list<node> now" in shown["relax_sets"]
        assert "relax_sets" not in dict(driver.stages(program, Plan.parse("dedup=rounds", target)))


def choice(text: str, target: str) -> Choice:
    (found,) = (c for c in legal_space(driver.ready("p.irgl", text).checked.program, target) if c.option == "dedup")
    return found
