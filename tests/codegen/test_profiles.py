"""Profiles: their rounds, frontiers, edges and what did something are the interpreter's; code without knows nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.programs import PLACE
from support.verifying import arcs

import irgl
from irgl.driver import front
from irgl.frontends.load import source_of
from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options
from irgl.rt.call.targets import run_on
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.program import open_program
from irgl.rt.results.profile import Place, Profile

COUNTED = ("launches", "grid_barriers", "atomics", "warp_steps", "transactions")
SKEWED = load("rmat:8")
STAR40 = load("star:40")
STAR = arcs(40, [(0, n) for n in range(1, 40)] + [(n, 0) for n in range(1, 40)])
PARTS = """
graph Graph { node int seen = 0; node int low = INF; node int best = 0; }
long all = 0; int last = 0;
int raised(Graph g, node n) { racy n.best = 7; return 1; }
Kernel whole(Graph g) {
  last = 3;
  ForAll (n In g.nodes) {
    int k = 0;
    For (e In n.edges) { k++; if (k == 3) { break; } }
    if (n.id % 2 == 0) { continue; }
    ForAll (e In n.edges) { if (e.dst.id == 0) { continue; } e.dst.low min= (int)(n.id); }
    all += k;
  }
  ForAll (e In g.edges) { if (e.dst.id > 5 && cas(e.dst.seen, 0, 1)) { all += 1; } }
  ForAll (n In g.nodes) { if (n.id < 4) { int j = raised(g, n); j++; } }
}
Kernel again(Graph g) { ForAll (n In g.nodes) { if (n.seen < 3) { n.seen += 1; } ReduceAndReturn(n.seen < 3); } }
Program main(Graph g) {
  for (int i = 0; i < 3; i++) { Invoke whole(g); while (Any(Invoke again(g))) { last += 1; } }
}
"""


def profiled(text: str, target: str, graph: Graph, plan: str = "", threads: int = 1) -> Profile:
    chosen = Plan.parse(plan, target)
    manifest = open_program("text.irgl", chosen, text=text, profile=True)
    graphs = {g.name: prepare(graph, requirements(g)) for g in manifest.graphs}
    checked = front(source_of("text.irgl", text)) if target == "ref" else None
    found = run_on(manifest, graphs, bind(manifest, graphs, {}), chosen, Options(threads), checked=checked,
                   mode="lockstep")
    assert found.profile is not None
    if target == "simt":
        counted = [found.profile.outside or {}, *(p.counted or {} for p in found.profile.places if p.kind != "rounds")]
        assert {n: sum(c.get(n, 0) for c in counted) for n in COUNTED} == {n: found.stats[n] for n in COUNTED}
    return found.profile


def shipped(name: str) -> str:
    return (PLACE / f"{name}.irgl").read_text(encoding="utf-8")


def counted(profile: Profile) -> list[Place]:
    """The places with what is counted there, without times."""
    return [replace(p, ms=None, busy_ms=None, shared=None, shared_ms=None, dense_ms=None) for p in profile.places]


@pytest.mark.parametrize("name", ["bfs", "sssp_bf", "cc"])
def test_a_program_s_counts_are_the_interpreter_s(name: str) -> None:
    text = shipped(name)
    assert counted(profiled(text, "cpu", SKEWED)) == counted(profiled(text, "ref", SKEWED))


@pytest.mark.parametrize("plan", ["", "giant=2 serial=off"])
def test_loops_of_all_kinds_count_as_the_interpreter_does(plan: str) -> None:
    threads = 2 if plan else 1
    assert counted(profiled(PARTS, "cpu", STAR, plan, threads)) == counted(profiled(PARTS, "ref", STAR))


@pytest.mark.parametrize("plan", ["block=32 outline=off", "block=32 outline=all", "block=32 outline=graph"])
def test_the_emulator_s_frontiers_and_edges_are_the_interpreter_s_and_its_counters_add_up(plan: str) -> None:
    text = shipped("bfs")
    found, wanted = (profiled(text, target, STAR, how) for target, how in (("simt", plan), ("ref", "")))
    assert [(p.place, p.runs, p.items) for p in found.places if p.kind != "rounds"] == [
        (p.place, p.runs, p.items) for p in wanted.places if p.kind != "rounds"]
    rounds, frontier = found.places[:2]
    assert (rounds.kind, rounds.runs, rounds.items) == ("rounds", frontier.runs, frontier.items)


def test_kernels_of_several_loops_count_in_the_emulator_as_a_whole() -> None:
    found = places(profiled(PARTS, "simt", STAR, "block=32 outline=off"))
    assert [(found[name].kind, found[name].runs) for name in ("main.for1", "whole", "again.loop1")] == [
        ("rounds", 3), ("kernel", 3), ("loop", 5)]


def places(profile: Profile) -> dict[str, Place]:
    return {p.place: p for p in profile.places}


def test_what_does_something_is_what_changes_something() -> None:
    found = places(profiled(PARTS, "cpu", STAR))
    at = {name: (p.items.sum, p.did) for name, p in found.items() if p.items is not None}
    assert at["whole.loop1"] == (3 * 40, 3 * 40)
    assert at["whole.loop1.for1"] == (3 * (3 + 39),) * 2  # k is of the iteration around
    assert at["whole.loop1.loop1"] == (3 * 20, 0)
    assert at["whole.loop2"] == (3 * 78, 34)
    assert at["whole.loop3"] == (3 * 40, 3 * 4)


def test_loops_of_the_program_tell_their_rounds_and_kernels_their_invocations() -> None:
    found = places(profiled(PARTS, "cpu", STAR))
    assert [(name, found[name].kind, found[name].runs) for name in ("main.for1", "main.while1", "whole")] == [
        ("main.for1", "rounds", 3), ("main.while1", "rounds", 2), ("whole", "kernel", 3)]


def test_a_frontier_has_its_least_median_largest_and_sum() -> None:
    found = places(profiled(shipped("bfs"), "cpu", STAR))["advance_frontier.loop1"].items
    assert found is not None
    assert (found.least, found.median, found.largest, found.sum) == (1, 1, 39, 40)


def test_a_run_is_dense_that_looks_at_over_a_twentieth_of_the_edges() -> None:
    path = arcs(50, [(n, n + 1) for n in range(49)] + [(0, n) for n in range(2, 5)])
    found = places(profiled(shipped("bfs"), "cpu", path))["advance_frontier.loop1.loop1"]
    assert found.dense == 2  # of 52 edges 4, and then 4 of the four nodes


def test_times_add_up_and_threads_that_share_a_loop_are_busy_in_it() -> None:
    profile = profiled(PARTS, "cpu", SKEWED, "serial=off", threads=2)
    loops = [p for p in profile.places if p.kind == "loop"]
    assert profile.ms is not None
    assert all(p.shared == p.runs and p.shared_ms == p.ms for p in loops)
    assert all(p.ms and p.busy_ms and 0 < p.busy_ms <= 2 * p.ms for p in loops)
    assert sum(p.ms or 0 for p in loops) <= profile.ms
    assert {part.thread for part in profile.parts} == {0, 1}


def test_one_thread_alone_waits_for_nobody() -> None:
    profile = profiled(PARTS, "cpu", SKEWED)
    assert [(p.shared, (profile.waiting(p) or 0) < 0.5) for p in profile.places if p.kind == "loop" and p.runs > 2] == [
        (0, True)] * 4


def test_events_lie_within_those_around_them() -> None:
    profile = profiled(PARTS, "cpu", STAR)
    around: list[Any] = []
    for e in profile.events:
        while around and around[-1].end <= e.begin:
            around.pop()
        assert not around or e.end <= around[-1].end
        around.append(e)
    assert [e.kind for e in profile.events[:3]] == ["rounds", "kernel", "loop"]


def test_loops_over_a_form_part_by_part_are_timed_and_not_counted() -> None:
    text = (PLACE / "pr_pull.irgl").read_text(encoding="utf-8")
    swept = [p for p in profiled(text, "cpu", SKEWED, "format=shards").places if p.kind == "loop" and p.items is None]
    assert swept and all(p.ms and p.did is None for p in swept)


@pytest.mark.parametrize("rounds", [False, True])
def test_code_that_is_not_asked_for_a_profile_knows_nothing_of_it(rounds: bool) -> None:
    manifest = open_program("text.irgl", Plan(), text=PARTS, rounds=rounds)
    assert manifest.sites is None
    assert [w for w in ("profile", "Counts", "Iteration", "working(", "_k1", "LoopRun") if w in manifest.text] == []


def test_a_call_from_python_has_a_profile_where_it_is_asked_for() -> None:
    program = irgl.compile("text.irgl", text=PARTS, target="ref")
    found = program("star:40", profile=True).profile
    assert found is not None and counted(found) == counted(profiled(PARTS, "ref", STAR40))
    assert program("star:40").profile is None


def test_a_profile_of_several_runs_is_refused() -> None:
    with pytest.raises(irgl.IrglError, match=r"profile=True tells of one run, and repeat asks for 3"):
        irgl.compile("text.irgl", text=PARTS, target="ref")("path:3", profile=True, repeat=3)
