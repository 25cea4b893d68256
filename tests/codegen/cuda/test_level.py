"""A kernel's own level on GPUs, which all threads of the grid run together."""

from __future__ import annotations

from support.random_graphs import from_arcs
from support.random_programs import RandomProgram
from support.simt_batch import all_compared

HEAD = "graph Graph { node int v = 0; node node nx = NONE; }\nlong s = 0; long r = 0;\n"
PLANS = ["none block=32", "np=fg cc=block outline=all block=64", "np=tb cc=warp outline=graph block=32"]
#: A parameter that a loop combines, which is all of its kernel.
COMBINED = """
Kernel k(Graph g, int x, uint64 most) { ForAll (n In g.nodes) { x += 1; most max= n.id; n.v += 1; } }
Kernel j(Graph g, bool some) { ForAll (n In g.nodes) { some |= n.v > 1; ForAll (e In n.edges) { s += n.v; } } }
Program main(Graph g) { Invoke k(g, 3, 1); Pipe Once { Invoke k(g, 4, 2); Invoke j(g, false); } Invoke j(g, true); }
"""
GRAPH = from_arcs(70, [(v, (3 * v + 1) % 70, 1) for v in range(70)])


def test_a_kernel_of_one_loop_may_combine_its_parameters() -> None:
    assert all_compared([RandomProgram(HEAD + COMBINED, GRAPH, {})], PLANS) == {}
