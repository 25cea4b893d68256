"""Room for all edges of a node is reserved before its loop only where the edges are the same when they are walked."""

from __future__ import annotations

from pathlib import Path

import pytest

from irgl import driver
from irgl.plan import Plan

TEXT = """graph Graph { node node next; node int p = 0; }
Kernel k(Graph g, list<node> found) {
  ForAll (n In g.nodes) {
    ForAll (e In (relaxed n.next).edges) { found.push(e.dst); }
    REST
  }
}
Program main(Graph g) { list<node> found; Invoke k(g, found); }
"""


@pytest.mark.parametrize(("rest", "at_once"), [
    ("n.p = 1;", True),
    ("relaxed n.next = n;", False),
    ("relaxed g.node(0).next = n;", False),
])
def test_a_range_that_the_kernel_changes_is_not_looked_up_twice(rest: str, at_once: bool, tmp_path: Path) -> None:
    program = tmp_path / "p.irgl"
    program.write_text(TEXT.replace("REST", rest), encoding="utf-8")
    after = dict(driver.stages(program, Plan.parse("np=fg cc=block", "cuda")))["aggregate_appends"]
    assert ("found.put(base_1 + e.id, e.dst);" in after) == at_once
    assert after.count("(relaxed n.next).edges") == (3 if at_once else 1)
    assert "found.reserve_block(count_1)" in after
