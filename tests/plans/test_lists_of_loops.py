"""`frontier` at a loop: the lists that it reads or fills, and those that are swapped with them, are of that kind."""

from __future__ import annotations

import re

import pytest
from support.awkward_graphs import grid, random_arcs
from support.tables import found_and_wanted

from irgl import driver
from irgl.cli.explaining.updates import updates_under
from irgl.options import OPTIONS
from irgl.plan import Plan
from irgl.source import IrglError
from irgl.space import legal_space
from irgl.tune.search.places import dimensions_of

#: `now` and `later` are swapped; nothing is with `seen`.
TEXT = """
graph Graph { node int level = INF; node int near = 0; }
long size = 0;
Kernel step(Graph g, int depth, unique list<node> now, unique list<node> later) {
  ForAll (n In now.items) {
    ForAll (e In n.edges) { if (cas(e.dst.level, INF, depth)) { later.push(e.dst); } }
  }
}
Kernel add(Graph g, int depth, unique list<node> seen) {
  ForAll (n In g.nodes) { if (n.level == depth) { seen.push(n); } }
}
Kernel look(Graph g, unique list<node> seen) { ForAll (n In seen.items) { n.near += 1; } }
Program main(Graph g, node s = first) {
  unique list<node> now; unique list<node> later; unique list<node> seen;
  now.push(s); s.level = 0; int depth = 1;
  while (now.size > 0) {
    later.clear();
    Invoke step(g, depth, now, later);
    Invoke add(g, depth, seen);
    now.swap(later);
    size = size * 3 + now.size;
    depth++;
  }
  Invoke look(g, seen);
  size += 1000000 * seen.size;
}
"""


def kinds(plan: str) -> dict[str, str]:
    """What each list of the Program is declared as in C++ for the CPU."""
    text = driver.compile("p.irgl", text=TEXT, plan=Plan.parse(plan)).text
    declared = r"^  irgl::(\w+)<node_t(?:, 64)?> (now|later|seen)\b"
    return {name: kind for kind, name in re.findall(declared, text, re.MULTILINE)}


@pytest.mark.parametrize(("plan", "wanted"), [
    ("step.loop1.frontier=bitmap", ["bitmap", "bitmap", "list"]),
    ("add.loop1.frontier=bytemap", ["list", "list", "bytemap"]),
    ("frontier=bitmap look.loop1.frontier=list", ["bitmap", "bitmap", "list"]),
    ("frontier=bitmap add.loop1.frontier=bytemap", ["bitmap", "bitmap", "bytemap"]),
    ("step.loop1.frontier=queue", ["queue", "queue", "list"]), ("add.loop1.frontier=either", ["list", "list", "list"])])
def test_lists_that_are_swapped_are_of_one_kind_and_others_of_theirs(plan: str, wanted: list[str]) -> None:
    assert list(kinds(plan).values()) == wanted


def test_explain_tells_which_lists_are_queues() -> None:
    checked = driver.ready("p.irgl", TEXT).checked
    told = {u.text: u.why for u in updates_under(checked, Plan.parse("step.loop1.frontier=queue"))}
    assert told["later.push(...)"] == "one operation for the 64 items of a thread's buffer"
    assert told["seen.push(...)"] == "each thread has a list of its own"


@pytest.mark.parametrize("graph", [grid(9), random_arcs(3, 90, 240)], ids=["grid", "arcs"])
@pytest.mark.parametrize(("target", "plan"), [
    ("cpu", "serial=off step.loop1.frontier=bitmap"), ("cpu", "serial=off frontier=queue add.loop1.frontier=bytemap"),
    ("cpu", "serial=off step.loop1.frontier=queue"), ("cpu", "serial=off look.loop1.frontier=either switch=nodes:1/9"),
    ("simt", "block=32 step.loop1.frontier=bitmap"), ("simt", "block=32 frontier=either look.loop1.frontier=bytemap"),
    ("simt", "block=32 outline=off look.loop1.frontier=bitmap")])
def test_no_answer_changes(target: str, plan: str, graph: object) -> None:
    found, wanted = found_and_wanted(TEXT, plan, target, graph)  # type: ignore[arg-type]
    assert found == wanted


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_two_places_that_speak_of_the_same_lists_are_both_named(target: str) -> None:
    with pytest.raises(IrglError) as e:
        driver.compile("p.irgl", text=TEXT, target=target,
                       plan=Plan.parse("add.loop1.frontier=bitmap look.loop1.frontier=list", target))
    assert str(e.value) == (
        "error: `add.loop1.frontier=bitmap` and `look.loop1.frontier=list` speak of the same lists, which are swapped "
        "with each other or handed on\n  hint: leave one of them out")


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_a_place_that_neither_reads_nor_fills_a_list_is_refused(target: str) -> None:
    text = TEXT.replace("ForAll (n In g.nodes) {", "ForAll (m In g.nodes) { m.near += 0; } ForAll (n In g.nodes) {")
    with pytest.raises(IrglError) as e:
        driver.compile("p.irgl", text=text, target=target, plan=Plan.parse("add.loop1.frontier=bitmap", target))
    assert "the plan sets `frontier` for `add.loop1`, which is no place for it" in str(e.value)
    assert "places: step.loop1, add.loop2, look.loop1" in str(e.value)


def test_what_may_be_said_is_told_by_place() -> None:
    text = TEXT.replace("unique list<node> seen", "list<node> seen")
    program = driver.ready("p.irgl", text).checked.program
    found = {c.place: c.values for c in legal_space(program) if c.option == "frontier"}
    assert found == {"": ("list", "queue", "bitmap", "bytemap", "either"), "add.loop1": ("list", "queue"),
                     "step.loop1": ("list", "queue", "bitmap", "bytemap", "either"), "look.loop1": ("list", "queue")}


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_a_search_speaks_of_the_same_lists_once(target: str) -> None:
    choices = legal_space(driver.ready("p.irgl", TEXT).checked.program, target)
    assert {c.place: c.like for c in choices if c.option == "frontier"} == {
        "": "", "step.loop1": "", "add.loop1": "", "look.loop1": "add.loop1"}
    found = dimensions_of(choices, OPTIONS[target], True)
    assert [d.key for d in found if d.option.name == "frontier"] == ["step.loop1.frontier", "add.loop1.frontier"]
