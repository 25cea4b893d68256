"""Priorities of buckets are ordered as the numbers they are; one below the running bucket's counts as that."""

from __future__ import annotations

from support.agreement import disagreements, interpreted
from support.random_graphs import from_arcs
from support.random_programs import RandomProgram
from support.simt_batch import all_compared

PROGRAM = """graph Graph { node int p = 0; }
long order = 0; long sum = 0; long low = 0;
Kernel fill(Graph g) WL buckets<node> {
  ForAll (n In g.nodes) { WL.push(n, (n.id - 3) * 2); if (n.id == 1) { WL.push(n, -5000); WL.push(n, 7000); } }
}
Kernel rising(Graph g) WL buckets<node> {
  order = order * 5 + WL.priority;
  ForAll (n In WL.items) { sum += n.id * WL.priority; if ((n.p += 1).old < 2) { WL.push(n, WL.priority + 1); } }
}
Kernel falling(Graph g) WL buckets<node> {
  ForAll (n In WL.items) { low += (n.id + 1) * WL.priority; if ((n.p += 1).old < 3) { WL.push(n, WL.priority - 9); } }
}
Kernel reset(Graph g) { ForAll (n In g.nodes) { n.p = 0; } }
Program main(Graph g) {
  Pipe Once { Invoke fill(g); Pipe { Invoke rising(g); } }
  Invoke reset(g);
  Pipe Once { Invoke fill(g); Pipe { Invoke falling(g); } }
}
"""
ONE = RandomProgram(PROGRAM, from_arcs(7, [(0, 1, 1)]), {})
PLANS = ["none block=32", "cc=block outline=all block=64", "cc=warp outline=graph block=32"]


def test_the_least_priority_comes_first_on_every_target() -> None:
    found = interpreted(ONE)
    assert found is not None and found.scalars["low"] == sum(
        4 * (n + 1) * 2 * (n - 3) for n in range(7) if n != 1) + 2 * (4 * -5000 - 4 + 7000)
    assert disagreements([ONE]) == []
    assert all_compared([ONE], PLANS) == {}
