"""Of those that want one element of an Exclusive one wins in each round, in whatever order their blocks come."""

from __future__ import annotations

import pytest
from support.awkward_graphs import directed
from support.running import outcome

TEXT = """graph Graph { node int uses = 0; }
long won = 0; long lost = 0;
Kernel take(Graph g) {
  ForAll (n In g.nodes) { Exclusive (g, [n, g.node(50)]) { n.uses += 1; won += 1; } Else { lost += 1; } }
}
Program main(Graph g) { Invoke take(g); }
"""


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("mode", ["check", "lockstep"])
def test_one_of_all_wins(mode: str, seed: int) -> None:
    found = outcome(TEXT, "none block=32", "simt", directed(100, []), mode, seed).result
    assert (found.scalars["won"], found.scalars["lost"]) == (1, 99)
