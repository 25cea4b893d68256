"""What runs under a lock goes past the processor's cache, which another processor's stores don't reach."""

from __future__ import annotations

import pytest

from irgl import driver
from irgl.plan import Plan

TEXT = """graph Graph { node int sum = 0; node lock guard; edge int far = 0; }
Kernel k(Graph g) {
  ForAll (n In g.nodes) {
    ForAll (e In n.edges) { Atomic (e.dst.guard) { STATEMENT } }
  }
}
Program main(Graph g) { Invoke k(g); }
"""


@pytest.mark.parametrize(("statement", "written"), [
    ("e.dst.sum += 2;", "irgl::atomic_add(g.sum[{dst}], 2);"),
    ("e.dst.sum min= 2;", "irgl::atomic_min(g.sum[{dst}], 2);"),
    ("e.dst.sum = 2;", "irgl::store(g.sum[{dst}], 2);"),
    ("int x = e.dst.sum; e.dst.sum = x + 1;", "const int32_t x = irgl::load(g.sum[{dst}]);"),
])
def test_each_access_is_one_that_others_see(statement: str, written: str) -> None:
    unit = driver.compile("p.irgl", text=TEXT.replace("STATEMENT", statement), target="cuda",
                          plan=Plan.parse("np=serial", "cuda"))
    assert written.format(dst="irgl::other(g.out(), e)") in unit.text
