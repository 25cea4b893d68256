"""np=cut: who of a warp runs what is left of its ranges, a few items in a step."""

from __future__ import annotations

import pytest
from support.awkward_graphs import directed
from support.running import outcome
from support.tables import found_and_wanted

from irgl.rt.graphs.graph import Graph

TEXT = """graph Graph { node int got = 0; node long most = 0; }
long sum = 0;
Kernel spread(Graph g) {
  ForAll (n In g.nodes) {
    long most = 0;
    ForAll (e In n.edges) { e.dst.got += 1; most max= e.dst.id; sum += e.dst.id; }
    n.most = most;
  }
}
Program main(Graph g) { Invoke spread(g); }
"""
LONG = 28  # edges of a node of eight; the others have one


def eight_long(longs: list[int]) -> Graph:
    return directed(64, [(n, 32 + (n + k) % 32) for n in range(32) for k in range(LONG if n in longs else 1)])


def at_memory(graph: Graph, stage: int) -> int:
    return outcome(TEXT, f"np=cut stage={stage} cc=off block=32", "simt", graph, mode="lockstep").stats["warp_memory"]


@pytest.mark.parametrize("stage", [4, 8])
def test_threads_that_are_done_run_ranges_that_others_have_brought(stage: int) -> None:
    together, apart = at_memory(eight_long(list(range(8))), stage), at_memory(eight_long(list(range(0, 32, 4))), stage)
    assert together <= 1.4 * apart  # twice as many where all wait for eight ranges of one hand


@pytest.mark.parametrize("cc", ["off", "warp", "block"])
@pytest.mark.parametrize("stage", [1, 2, 8, 16])
def test_sums_go_to_those_who_have_brought_the_ranges(stage: int, cc: str) -> None:
    found, wanted = found_and_wanted(TEXT, f"np=cut stage={stage} cc={cc} block=64", "simt", eight_long([0, 1, 5, 31]))
    assert found == wanted
