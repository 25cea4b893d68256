"""What the own statements of a loop on the GPU store, the host's copies no longer have."""

from __future__ import annotations

from support.awkward_graphs import directed
from support.running import outcome

#: The host fetches a whole array once it has asked for 64 of its elements.
TEXT = """graph Graph { node int v = 1; edge int mark = 1; node int u = 0; }
int before = 0;
int node_behind = 0;
int edge_behind = 0;
Kernel k(Graph g) { ForAll (n In g.nodes) { n.u += 1; } }
Program main(Graph g) {
  For (i In range(70)) { before += g.node(0).v + g.edge(0).mark; }
  Pipe Once { g.node(0).v = 5; g.edge(0).mark = 7; Invoke k(g); }
  node_behind = g.node(0).v;
  edge_behind = g.edge(0).mark;
}
"""


def test_the_host_sees_what_the_loop_stored() -> None:
    found = outcome(TEXT, "outline=all", "simt", directed(3, [(0, 1), (0, 2), (1, 2)])).result
    assert found.scalars == {"before": 140, "node_behind": 5, "edge_behind": 7}
    assert {name: p.array.tolist() for name, p in found.properties.items()} == {
        "v": [5, 1, 1], "mark": [7, 1, 1], "u": [1, 1, 1]}
