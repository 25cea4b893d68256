"""Focal points: the paper's figures, and that threads which decide non-uniform branches as they like still meet."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.flow import flow
from support.random_flow import bodies

from irgl.analysis.flow.cfg import Cfg, Edge, Vertex, flow_of
from irgl.analysis.flow.focal import focal_points

TRAVERSAL = flow("ForAll (x In x) { ForAll (x In x) { if (x) { f; } } }")


def names(points: frozenset[Vertex]) -> set[str]:
    return {v.name for v in points}


def of(cfg: Cfg, uniform: str) -> list[Vertex]:
    return [v for v in cfg.vertices if v.name in uniform.split()]


@pytest.mark.parametrize(
    ("uniform", "points"),
    [
        ("", {"Start", "0", "Exit"}),
        ("0", {"Start", "0", "1", "Exit"}),
        ("0 1", {"Start", "0", "1", "2", "4", "Exit"}),
        ("0 1 2", {"Start", "0", "1", "2", "3", "4", "Exit"}),
        ("1 2", {"Start", "0", "Exit"}),
    ],
)
def test_the_focal_points_of_figure_6(uniform: str, points: set[str]) -> None:
    assert names(focal_points(TRAVERSAL, of(TRAVERSAL, uniform)).points) == points


@pytest.mark.parametrize(
    ("uniform", "edges"),
    [
        ("", {"Start->0", "0->Exit"}),
        ("0", {"Start->0", "0->1", "1->0", "0->Exit"}),
        ("0 1", {"Start->0", "0->1", "1->2", "4->1", "1->0", "0->Exit"}),
        ("0 1 2", {"Start->0", "0->1", "1->2", "2->3", "3->4", "2->4", "4->1", "1->0", "0->Exit"}),
    ],
)
def test_the_edges_of_figure_6_on_which_a_collective_may_stand(uniform: str, edges: set[str]) -> None:
    assert {repr(e) for e in focal_points(TRAVERSAL, of(TRAVERSAL, uniform)).edges} == edges


def test_the_header_of_a_loop_that_is_not_uniform_is_entered_together_and_not_gone_back_to() -> None:
    cfg = flow("f; while (x) { f; } f;")
    found = focal_points(cfg, [])
    assert names(found.points) == {"Start", "0", "1", "3", "Exit"}
    assert {repr(e) for e in found.edges} == {"Start->0", "0->1", "1->3", "3->Exit"}


def test_what_is_between_is_named_in_the_order_of_the_text() -> None:
    found = focal_points(TRAVERSAL, of(TRAVERSAL, "0"))
    assert {p.name: [b.name for b in branches] for p, branches in found.between.items() if isinstance(p, Vertex)} == {
        "2": ["1"], "3": ["1", "2"], "4": ["1"]
    }  # fmt: skip


def test_after_a_break_that_threads_take_apart_they_meet_behind_the_loop() -> None:
    cfg = flow("while (x) { if (x) { break; } f; } f;")
    found = focal_points(cfg, of(cfg, "0"))
    assert names(found.points) == {"Start", "1", "4", "Exit"}
    assert {repr(e) for e in found.edges} == {"Start->0", "4->Exit"}


def test_a_uniform_branch_under_one_that_is_not_is_no_place_to_meet() -> None:
    cfg = flow("if (x) { if (x) { f; } }")
    assert names(focal_points(cfg, of(cfg, "1")).points) == {"Start", "0", "4", "Exit"}


def test_threads_hold_a_lock_one_after_the_other() -> None:
    cfg = flow("Atomic (x) { f; } f;")
    assert names(focal_points(cfg, []).points) == {"Start", "0", "2", "3", "Exit"}


def test_a_retry_ends_an_iteration_for_some_threads() -> None:
    cfg = flow("ForAll (x In x) { if (x) { Retry x; } f; }")
    assert names(focal_points(cfg, of(cfg, "0")).points) == {"Start", "0", "1", "Exit"}


# Threads that run


_VISITS = 2


def decided(shared: int, branch: Vertex, visit: int) -> int:
    """What all threads of a unit decide alike at a branch on their n-th visit: any number."""
    return hash((shared, int(branch.name), visit)) >> 9 & 0xFFFFF


def run(cfg: Cfg, uniform: frozenset[Vertex], shared: int, own: int) -> list[Edge]:
    """The edges that one thread passes: it decides uniform branches by `shared`, the others by `own`."""
    mine = random.Random(own)
    seen: Counter[Vertex] = Counter()
    at, passed = cfg.start, []
    while at is not cfg.exit:
        ways = cfg.out[at]
        if len(ways) > 1:
            seen[at] += 1
            done = [e for e in ways if e.label == "done"]
            if done and seen[at] > _VISITS:
                ways = done
        edge = ways[0]
        if len(ways) > 1:
            at_will = decided(shared, at, seen[at]) if at in uniform else mine.getrandbits(20)
            edge = ways[at_will % len(ways)]
        passed.append(edge)
        at = edge.target
    return passed


@st.composite
def units(draw: st.DrawFn) -> tuple[Cfg, frozenset[Vertex]]:
    cfg = flow_of("k", draw(bodies(2)))
    return cfg, frozenset(v for v in cfg.branches if draw(st.booleans()))


@given(units(), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_all_threads_pass_the_edges_for_collectives_in_the_same_order(
    unit: tuple[Cfg, frozenset[Vertex]], seed: int
) -> None:
    cfg, uniform = unit
    edges = focal_points(cfg, uniform).edges
    for shared in range(seed, seed + 4):
        walks = [[e for e in run(cfg, uniform, shared, seed + own) if e in edges] for own in range(6)]
        assert all(walk == walks[0] for walk in walks)


@given(units(), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_all_threads_are_at_a_focal_point_equally_often(unit: tuple[Cfg, frozenset[Vertex]], seed: int) -> None:
    cfg, uniform = unit
    found = focal_points(cfg, uniform)
    # A branch that is not uniform may send threads back to itself, each as often as it likes.
    points = [v for v in found.points if v in uniform or len(cfg.out[v]) == 1]
    for shared in range(seed, seed + 4):
        walks = [Counter(e.source for e in run(cfg, uniform, shared, seed + own)) for own in range(6)]
        assert all(walk[v] == walks[0][v] for walk in walks for v in points)


@given(units())
@settings(max_examples=40, deadline=None, derandomize=True)  # each example looks for luck
def test_threads_can_part_before_every_other_edge(unit: tuple[Cfg, frozenset[Vertex]]) -> None:
    cfg, uniform = unit
    apart = set(cfg.edges) - focal_points(cfg, uniform).edges
    for shared in range(1000):
        if not apart:
            break
        counts = [Counter(run(cfg, uniform, shared, 4 * shared + own)) for own in range(4)]
        apart -= {e for e in apart if len({c[e] for c in counts}) > 1}
    assert apart == set()
