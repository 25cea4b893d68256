"""What a CPU's plan says of one loop alone: grain, serial, giant, share and threads."""

from __future__ import annotations

from functools import cache

import pytest
from support.awkward_graphs import random_arcs
from support.running import outcome
from support.tables import Left, found_and_wanted

from irgl import driver
from irgl.frontends.text.load import load_text
from irgl.plan import Plan
from irgl.source import IrglError
from irgl.space import report

TEXT = """graph Graph { node long sum = 0; node int seen = 0; }
long total = 0;
Kernel add(Graph g) {
  ForAll (n In g.nodes) { ForAll (e In n.edges) { e.dst.sum += n.id + 1; } }
  ForAll (n In g.nodes) { n.seen = 1; total += n.sum; }
}
Program main(Graph g) { int k = 0; while (k < 3) { Invoke add(g); k++; } }
"""
GRAPH = random_arcs(3, 3000, 20000)


@cache
def wanted() -> Left:
    """What the interpreter leaves."""
    return found_and_wanted(TEXT, "default", "cpu", GRAPH)[1]


@pytest.mark.parametrize("plan", [
    "add.loop1.grain=1 serial=off", "add.loop1.serial=off", "add.loop1.giant=1 add.loop1.serial=off",
    "share=nodes serial=off", "share=even serial=off", "add.loop2.share=even add.loop1.share=nodes grain=16 serial=off",
    "threads=2 serial=off", "add.loop1.threads=3 add.loop2.threads=1 serial=off", "threads=2 share=even serial=off",
    "share=nodes format=blocks serial=off", "direction=pull share=even threads=3 serial=off"])
def test_no_answer_changes(plan: str) -> None:
    result = outcome(TEXT, plan, "cpu", GRAPH, threads=4).result
    assert result.scalars == wanted().scalars
    assert {n: v.array.tolist() for n, v in result.properties.items()} == wanted().properties


def test_a_loop_of_one_thread_wakes_nobody() -> None:
    def regions(plan: str) -> int:
        return outcome(TEXT, plan, "cpu", GRAPH, threads=4).stats["parallel_regions"]

    everywhere = regions("serial=off")
    assert everywhere - regions("serial=off add.loop1.threads=1") == 3
    assert everywhere - regions("serial=off threads=1") == 6


def test_a_loop_has_its_own_giants() -> None:
    def giants(plan: str) -> int:
        return outcome(TEXT, plan, "cpu", GRAPH, threads=4).stats["giant_items"]

    assert giants("serial=off") == 0
    assert giants("serial=off add.loop1.giant=5") > 0
    assert giants("serial=off giant=5 add.loop1.giant=off") == 0
    assert giants("serial=off giant=5 share=nodes") == 0


def test_code_says_what_holds_for_the_loop_alone() -> None:
    text = driver.compile("main.irgl", text=TEXT, plan=Plan.parse("add.loop1.grain=64 add.loop1.giant=off")).text
    assert "c.chunk_work = 64;" in text and f"c.giant = {2**63 - 1};" in text
    assert text.count("irgl::Knobs") == 1


@pytest.mark.parametrize(("plan", "reason"), [
    ("add.loop2.share=nodes", "no ForAll over a node's edges in this loop"),
    ("add.loop2.giant=7", "no ForAll over a node's edges in this loop"),
    ("add.loop1.share=nodes add.loop1.giant=7", "it means nothing under share=nodes"),
    ("add.loop3.threads=2", "which is no place for it")])
def test_what_means_nothing_at_a_loop_is_refused_there(plan: str, reason: str) -> None:
    with pytest.raises(IrglError) as caught:
        report(load_text(TEXT), Plan.parse(plan))
    assert reason in caught.value.message


@pytest.mark.parametrize("plan", ["threads=0", "threads=-1", "threads=4097", "share=fair", "add.loop1.fuse=3"])
def test_what_is_no_value_is_refused(plan: str) -> None:
    with pytest.raises(IrglError):
        Plan.parse(plan)
