"""Loops that one thread runs take neither atomics nor locks: they leave what those of several threads leave."""

from __future__ import annotations

import pytest
from support.awkward_graphs import awkward
from support.tables import found_and_wanted

from irgl import driver
from irgl.plan import Plan

TEXT = """struct Offer { int cost; node from; };
graph Graph {
  node lock guard; node int a = 0; node int b = 0; node long c = 0; node double d = 0; node uint8 e = 255;
  node int f = 7; node bool g = false; node Offer h = (Offer){INF, NONE}; node int met = 0; node int won = 0;
  node long offered = 0;
}
long total = 0;
bool improves(Graph g, node n, int v) { return n.f min= v; }
Kernel update(Graph g) {
  ForAll (n In g.nodes) {
    ForAll (e In n.edges) {
      e.dst.a += 1; e.dst.b max= (int)n.id; e.dst.c ^= n.id; e.dst.d += 0.5; e.dst.e &= 254; e.dst.g |= n.id == 3;
      e.dst.h min= (Offer){(int)n.degree, n};
      improves(g, e.dst, (int)(n.id % 5));
      Atomic (e.dst.guard) { e.dst.met = e.dst.met + 1; }
      if (cas(e.dst.won, 0, 1)) { total += 1; }
    }
  }
}
Kernel meet(Graph g) WL list<edge> {
  ForAll (e In WL.items) {
    bool done = false;
    Exclusive (g, [e.src, e.dst]) { e.src.met = e.src.met + 1; done = true; } Else { total += 0; }
    if (!done) { Retry e; }
  }
}
Kernel lock_or_not(Graph g) WL list<node> {
  ForAll (n In WL.items) {
    bool done = false;
    Atomic (n.guard) { n.met = n.met + 1; done = true; } Else { done = false; }
    if (!done) { Retry n; }
  }
}
Kernel tell(Graph g) { ForAll (n In g.nodes) { n.offered = (long)n.h.cost * 1000 + n.h.from.id; } }
Program main(Graph g) {
  Invoke update(g);
  Invoke tell(g);
  Pipe Once Initial (g.edges) { Invoke meet(g); }
  Pipe Once Initial (g.nodes) { Invoke lock_or_not(g); }
}
"""


@pytest.mark.parametrize("plan", ["serial=off", "serial=0 grain=1 giant=1", "serial=0 giant=off", "serial=100"])
def test_every_update_and_lock_does_the_same(plan: str) -> None:
    for name in ("dense", "self-loops", "no arcs"):
        found, wanted = found_and_wanted(TEXT, plan, "cpu", awkward()[name])
        assert found.scalars == wanted.scalars, name
        for p in found.properties.keys() - {"h"}:  # a struct, which `offered` tells
            assert found.properties[p] == wanted.properties[p], (name, p)


def test_code_for_one_thread_has_neither_atomics_nor_locks_of_its_own_accord() -> None:
    text = driver.emit(driver.ready("p.irgl", TEXT), Plan.parse(""), "cpu").text
    kernels = text.split("static void update(")[1].split("static void program(")[0]
    assert "irgl::atomic_" not in kernels
    assert all(f"irgl::{lock}If<IRGL_RACED(inner" in kernels for lock in ("Lock", "TryLock", "Exclusive"))
    assert kernels.count("for_each_alone_apart(c, ") == 3
    assert "irgl::atomic_min(" in text, "a helper, which anybody may call, keeps its atomics"
