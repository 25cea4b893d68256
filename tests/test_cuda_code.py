"""Small programs as CUDA code, each once compiled wrongly: in the emulator they do what the interpreter does."""

from __future__ import annotations

import pytest
from support.random_graphs import SmallGraph, from_arcs
from support.random_parts import RandomProgram
from support.simt_batch import compared

PATH = from_arcs(40, [(v, v + 1, v % 7) for v in range(39)])
STAR = from_arcs(70, [(0, v, v % 5) for v in range(1, 70)] + [(v, 0, v % 3) for v in range(1, 70, 2)])
HEAD = "graph Graph { node lock guard; node int a = 0; edge int w; }\nint s = 0;\n"


def wrong(text: str, plan: str = "", *, capacity: int = 1, graph: SmallGraph = PATH, mode: str = "check") -> str:
    """What the emulator complains of, or what it finds otherwise than the interpreter; '' for nothing."""
    return compared(RandomProgram(HEAD + text, graph, {}), f"block=32 {plan}", capacity, mode)


@pytest.mark.parametrize("outline", ["off", "all"])
def test_lists_take_what_no_bound_foresees(outline: str) -> None:
    text = """
Kernel k(Graph g, int turn) WL list<node> {
  ForAll (x In WL) {
    node n = WL.pop(x);
    n.a += 1;
    int j = 0;
    while (j < 3) { j++; if (turn < 3) { WL.push(n); } }
  }
}
Program entry(Graph g) { int turn = 0; Iterate k(g, turn) Initial (g.nodes) { turn++; } }"""
    assert wrong(text, f"outline={outline}") == ""


SCRATCH = """
  ForAll (n In g.nodes) {
    scratch<node> seen;
    For (e In n.edges) { seen.push(e.dst); }
    ForAll (e In n.in_edges) { if (seen.contains(e.src)) n.a += 1; }
  }
"""


def test_a_kernel_of_two_loops_has_scratch_sets() -> None:
    text = f"Kernel k(Graph g) {{ {SCRATCH} SyncRunningThreads; {SCRATCH} }} Program entry(Graph g) {{ Invoke k(g); }}"
    assert wrong(text, graph=STAR) == ""


def test_a_loop_with_scratch_sets_stays_on_the_host() -> None:
    loop = "int turn = 0; Pipe Once { Invoke k(g); Invoke k(g); }"
    assert wrong(f"Kernel k(Graph g) {{ {SCRATCH} }} Program entry(Graph g) {{ {loop} }}", "outline=all",
                 graph=STAR) == ""
