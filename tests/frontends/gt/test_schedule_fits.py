"""Whatever a schedule says, the plan that it comes to can be honoured by the program, and the rest is told."""

from __future__ import annotations

import pytest
from support.gt_rows import IN_CHAINS, ON_CPUS, ON_GPUS, on_program
from support.gt_schedules import LABELS, Search

from irgl import driver
from irgl.frontends.gt.schedules.labels import APPLY, WHILE, Label, Labelled
from irgl.plan import Plan
from irgl.scheduling import fitted
from irgl.source import Source

#: A search that claims by a set, so that its lists may be bits and bytes; and sums of all edges.
TEXT = """graph Graph { node int hops = INF; node int near = 0; edge int cost; }
Kernel advance(Graph g, int step, set<node> front, set<node> next) {
  s1: ForAll (n In front.items) {
    ForAll (e In n.edges) {
      if (e.dst.hops == INF) { racy e.dst.hops = step; next.push(e.dst); }
    }
  }
}
Kernel total(Graph g) {
  s3: ForAll (n In g.nodes) { ForAll (e In n.edges) { e.dst.near += n.hops; } }
}
Program search(Graph g, node src = first, double argv3 = 0.5, double argv5 = 0.5) {
  set<node> front;
  set<node> next;
  src.hops = 0;
  front.push(src);
  int step = 1;
  s0: while (front.size > 0) {
    Invoke advance(g, step, front, next);
    front.swap(next);
    next.clear();
    step++;
  }
  Invoke total(g);
}
"""
HERE = Labelled({"s0": Label(WHILE, rounds=("search.s0",)),
                 "s0:s1": Label(APPLY, ("advance.s1",), ("advance.s1.loop1",), frontier=True),
                 "s3": Label(APPLY, ("total.s3",), ("total.s3.loop1",))}, {"old_rank": "hops", "out_degree": "near"})
ROWS = [text for text in (*(on_program(c) for c, _ in ON_CPUS), *(on_program(*c) for c, _ in IN_CHAINS),
                          *(t for t, _ in ON_GPUS)) if not any(f'"{label}"' in text for label in ("q1", "s0:s2"))
        and '"rank"' not in text]


class Walk(Search):
    """The program above, as a notation with schedules."""

    __slots__ = ()

    def labelled(self) -> Labelled:
        return HERE


READY = driver.ready("walk.irgl", TEXT)


def fit(text: str, target: str) -> tuple[str, tuple[str, ...]]:
    found = fitted(Walk("walk.stub", TEXT, given=Source("s.gt", text)), READY.checked, target)
    assert found is not None
    return found.plan, found.not_applicable


@pytest.mark.parametrize("text", ROWS, ids=range(len(ROWS)))
def test_the_plan_of_a_row_is_honoured(text: str) -> None:
    for target in ("cpu", "simt"):
        plan, refused = fit(text, target)
        assert plan or refused
        if target == "cpu":
            driver.emit(READY, Plan.parse(plan), target)


@pytest.mark.parametrize(("text", "target", "plan"), [
    (on_program('configApplyDirection("s0:s1", "DensePush")'), "cpu",
     "advance.s1.direction=written advance.s1.frontier=bytemap"),
    (on_program('configApplyDirection("s0:s1", "SparsePush-DensePush")'), "cpu",
     "advance.s1.direction=written advance.s1.frontier=either"),
    (ON_GPUS[18][0], "simt", "advance.s1.frontier=bytemap advance.s1.loop1.format=coo"),
])
def test_a_plan_that_can_be_honoured_is_taken_whole(text: str, target: str, plan: str) -> None:
    assert fit(text, target) == (plan, ())


def test_what_hangs_on_a_word_that_is_refused_is_refused_with_it() -> None:
    text = on_program('configApplyDirection("s3", "SparsePush-DensePull")',
                      'configApplyNumSSG("s3", "fixed-vertex-count", 2, "DensePull")',
                      'configApplyParallelization("s3", "static-vertex-parallel", 1, "SparsePush")')
    plan, refused = fit(text, "cpu")
    assert plan == "total.s3.share=even total.s3.direction=hybrid total.s3.switch=edges:0.05"
    assert [r.partition(" (")[0] for r in refused] == [
        'configApplyNumSSG("s3", "fixed-vertex-count", 2, "DensePull")'] * 2 + [
        'configApplyParallelization("s3", "static-vertex-parallel", 1, "SparsePush")']


def test_the_labels_of_the_tests_are_of_every_kind() -> None:
    assert {label.kind for label in LABELS.labels.values()} == {
        "apply", "queue", "vertices", "while", "for", "intersection"}
