"""Programs for schedules of GraphIt: labels that stand for one, and an IrGL program that has such labels."""

from __future__ import annotations

from dataclasses import dataclass

from irgl.frontends.gt.schedules.labels import (
    APPLY,
    FOR,
    INTERSECTION,
    QUEUE,
    VERTICES,
    WHILE,
    Label,
    Labelled,
)
from irgl.frontends.gt.schedules.read import Schedule, schedule_of
from irgl.frontends.scheduled import ScheduledSource
from irgl.source import Source

#: One label of each kind.
LABELS = Labelled(
    {"s0": Label(WHILE, rounds=("main.s0",)),
     "s0:s1": Label(APPLY, ("relax.s1",), ("relax.s1.loop1",), frontier=True),
     "s0:s2": Label(VERTICES, ("reset.s2",)),
     "s3": Label(APPLY, ("sum.s3",), ("sum.s3.loop1",)),
     "s4": Label(INTERSECTION, ("count.s4",)),
     "q1": Label(QUEUE, ("move.q1",), ("move.q1.loop1",)),
     "l1": Label(FOR, rounds=("main.l1",)),
     "l1:a1": Label(APPLY, ("first.a1",), ("first.a1.loop1",), frontier=True),
     "l2": Label(FOR, rounds=("main.l2",)),
     "l2:a1": Label(APPLY, ("second.a1",), ("second.a1.loop1",), frontier=True),
     "u1": Label(APPLY, unreached="helper")},
    {"old_rank": "old_rank", "out_degree": "out_degree", "rank": "rank_", "degrees": ""})


def said(text: str, target: str = "cpu", labels: Labelled = LABELS) -> Schedule:
    """What a schedule says of the program with these labels."""
    return schedule_of(Source("x.gt", text), labels, target)


def told(text: str, target: str = "cpu") -> dict[str, str]:
    """The reasons why calls change nothing, by the calls."""
    return {n.call: n.reason for n in said(text, target).not_applicable}


#: A search whose loops have labels; what GraphIt would take for a comment ends it.
SEARCH = """graph Graph { node int hops = INF; }
Kernel advance(Graph g, int step) {
  s1: ForAll (n In WL.items) {
    ForAll (e In n.edges) {
      if (e.dst.hops == INF) { racy e.dst.hops = step; WL.push(e.dst); }
    }
  }
}
Program search(Graph g, node argv2 = first, double argv3 = 0.5) {
  argv2.hops = 0;
  int step = 1;
  s0: Iterate advance(g, step) Initial [argv2] { step++; }
}
"""
SEARCH_LABELS = Labelled({
    "s0": Label(WHILE, rounds=("search.s0",)),
    "s0:s1": Label(APPLY, ("advance.s1",), ("advance.s1.loop1",), frontier=True)})


@dataclass(frozen=True, slots=True)
class Search(ScheduledSource):
    """SEARCH, as a notation with schedules."""

    def labelled(self) -> Labelled:
        return SEARCH_LABELS


def with_section(schedule: str) -> str:
    """The text of the search with a schedule, which is a comment in IrGL."""
    return f"{SEARCH}/*\nschedule:\n{schedule}\n%*/\n"
