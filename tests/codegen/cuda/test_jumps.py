"""Jumps in a kernel's own loops on GPUs, where all threads of the grid take them together, and loops in a row."""

from __future__ import annotations

import pytest
from support.awkward_graphs import directed
from support.running import outcome

GRAPH = directed(5, [(0, 1), (1, 2), (2, 3), (3, 4), (1, 1), (0, 4)])
KERNELS = """graph Graph { node int a = 0; node int b = 0; node int d = 0; } long s = 0; int t = 0; int u = 0;
Kernel skips(Graph g) { for (int i = 0; i < 5; i++) { if (i == 1) { continue; } ForAll (n In g.nodes) { n.a += i; } } }
Kernel ends(Graph g) {
  while (t < 3) { t += 1; if (t == 2) { s += 5; break; } ForAll (n In g.nodes) { n.b += 1; } }
}
Kernel reads(Graph g) {
  int i = 0;
  while (i < 5) { i++; if (g.node(i - 1).d > 2) { continue; } ForAll (n In g.nodes) { n.d += i; } }
}
Kernel both(Graph g) {
  int i = 0;
  do {
    i++;
    if (i == 2) { s += 10; continue; }
    if (i == 4) { s += 100; break; }
    ForAll (n In g.nodes) { n.a += 7 * i; }
  } while (i < 6);
  while (true) { i++; if (i > 7) { break; } s += i; }
  for (int k = 0; k < 4; k++) { if (k == 1) { continue; } s += 1000 * k; }
}
Kernel leaves(Graph g, int last) {
  for (int i = 0; i < 5; i++) {
    while (u < 20) { u += 1; if (u % 5 == 0) { if (u == last) { s += 7; } break; } }
    ForAll (n In g.nodes) { n.b += 1; }
  }
  s += 100000;
}
Program main(Graph g) {
  Invoke skips(g); Invoke ends(g); Invoke reads(g); Invoke both(g); Invoke leaves(g, 10); Invoke leaves(g, 0);
  Pipe Once { t = 0; Invoke ends(g); Invoke leaves(g, 20); }
}
"""


@pytest.mark.parametrize("plan", ["outline=off block=32", "np=fg outline=all block=64", "outline=graph block=32"])
def test_jumps_in_a_kernels_own_loops(plan: str) -> None:
    wanted, found = (outcome(KERNELS, *on, GRAPH).result for on in (("default", "cpu"), (plan, "simt")))
    assert found.scalars == wanted.scalars
    assert [found.array(p).tolist() for p in "abd"] == [wanted.array(p).tolist() for p in "abd"]


ROUNDS = """graph Graph { node int a = 0; } long t = 0;
Kernel k(Graph g, int step, int most) { ForAll (n In g.nodes) { n.a += step; ReduceAndReturn (n.a < most); } }
Program main(Graph g) {
  Pipe Once {
    Iterate While Any k(g, 2, 9) { t += 1; Iterate Until All k(g, 1, 100) { t += 100; } }
    Iterate While Any k(g, 3, 40) { t += 1000; }
    Iterate Until All k(g, -1, 10) { t += 100000; }
  }
}
"""


@pytest.mark.parametrize("plan", ["outline=off block=32", "outline=all unroll=2 block=64", "outline=graph block=32"])
def test_loops_that_ask_for_a_value_follow_each_other(plan: str) -> None:
    wanted, found = (outcome(ROUNDS, *on, GRAPH).result for on in (("default", "cpu"), (plan, "simt")))
    assert (found.scalars, found.array("a").tolist()) == (wanted.scalars, wanted.array("a").tolist())
