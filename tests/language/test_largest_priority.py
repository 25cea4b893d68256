"""Any long is a priority of buckets; the largest of all counts as the one before it."""

from __future__ import annotations

from support.agreement import disagreements, interpreted
from support.random_graphs import from_arcs
from support.random_programs import RandomProgram
from support.simt_batch import all_compared

PROGRAM = """graph Graph { node int p = 0; }
long buckets_run = 0; long last = 0; long items = 0;
Kernel fill(Graph g) WL buckets<node> {
  ForAll (n In g.nodes) {
    WL.push(n, n.id == 1 ? 9223372036854775807 : n.id == 2 ? 9223372036854775806 : n.id);
  }
}
Kernel use(Graph g) WL buckets<node> {
  buckets_run += 1; last = WL.priority;
  ForAll (n In WL.items) { items += n.id + 1; }
}
Program main(Graph g) { Pipe Once { Invoke fill(g); Pipe { Invoke use(g); } } }
"""
ONE = RandomProgram(PROGRAM, from_arcs(4, [(0, 1, 1)]), {})


def test_items_of_the_largest_priority_run_last_and_no_target_waits_for_ever() -> None:
    found = interpreted(ONE)
    assert found is not None
    assert found.scalars == {"buckets_run": 3, "last": 2**63 - 2, "items": 10}
    assert disagreements([ONE]) == []
    assert all_compared([ONE], ["outline=all block=32"]) == {}
