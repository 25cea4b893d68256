"""Which respawned items go first, and which of them may be dropped."""

from __future__ import annotations

import pytest

from irgl.analysis.check import check
from irgl.analysis.loops.ranks import drops_overtaken, ranks
from irgl.ast import nodes as A
from irgl.frontends.text.load import load_text

PROGRAM = """struct Pair {{ int a; node b; }};
graph Graph {{ node int p = 0; node double q = 0; node bool r = false; node Pair s = (Pair){{INF, NONE}}; edge int w; }}
long steps = 0;
Kernel k(Graph g, long limit) {{ ForAll (n In WL.items) {{ {body} }} }}
Program main(weighted Graph g, node src = first) {{ Pipe Once Initial [src] {{ Invoke k(g, 3); }} }}
"""
EDGES = "ForAll (e In n.edges) {{ {} }}"
#: By body: by which update items are ranked, if any, and whether overtaken ones are dropped.
CASES = {
    EDGES.format("if (e.dst.p min= n.p + e.w) { Respawn e.dst; }"): ("p min", True),
    EDGES.format("int v = n.p + e.w; if (v < e.dst.p && (e.dst.p min= v)) { Respawn e.dst; }"): ("p min", True),
    EDGES.format("if ((e.dst.q max= n.q * 0.5).changed) { Respawn e.dst; }"): ("q max", True),
    EDGES.format("if (e.dst.p max= n.p) { steps += 1; Respawn e.dst; }"): ("p max", False),
    EDGES.format("steps += 1; if (e.dst.p max= n.p) { Respawn e.dst; }"): ("p max", False),
    EDGES.format("if (e.dst.p min= e.dst.p - 1) { Respawn e.dst; }"): ("p min", False),
    EDGES.format("int v = e.dst.p; if (e.dst.p min= v - 1) { Respawn e.dst; }"): ("p min", False),
    "if (n.p min= n.p - 1) { Respawn n; }": ("p min", True),
    # a value that also changes otherwise says nothing
    EDGES.format("if (e.dst.p min= n.p) { Respawn e.dst; } e.dst.p += 1;"): ("", False),
    # nor does one of another node, one that may not have changed, or what is no number
    EDGES.format("if (e.dst.p min= n.p) { Respawn n; }"): ("", False),
    EDGES.format("if ((e.dst.p min= n.p).old > 3) { Respawn e.dst; }"): ("", False),
    EDGES.format("if (e.dst.s min= n.s) { Respawn e.dst; }"): ("", False),
    EDGES.format("if ((e.dst.p min= n.p) || steps > limit) { Respawn e.dst; }"): ("", False),
    EDGES.format("if (e.dst.p min= n.p) { } else { Respawn e.dst; }"): ("", False),
    # two values can't both say what is first
    EDGES.format("if (e.dst.p min= n.p) { Respawn e.dst; } if (e.dst.q min= n.q) { Respawn e.dst; }"): ("", False),
    # who comes back for another reason may wait for what those with a value do
    EDGES.format("if (e.dst.p min= n.p) { Respawn e.dst; }") + " if (steps < limit) { Respawn n; }": ("", False),
    # near and far piles are the program's own order
    EDGES.format("if (e.dst.p min= n.p) { if (n.p < limit) { Respawn e.dst; } else { WL.push(e.dst); } }"): ("", False),
}


@pytest.mark.parametrize("body", CASES)
def test_items_are_ranked_by_the_update_that_they_stand_under(body: str) -> None:
    checked = check(load_text(PROGRAM.format(body=body)))
    k = checked.kernels["k"]
    found = ranks(checked, k)
    updates = [r for r in found.values() if isinstance(r.target, A.Member)]
    words = " ".join(sorted({f"{r.target.name} {r.op}" for r in updates if isinstance(r.target, A.Member)}))
    assert (words, drops_overtaken(k, found)) == CASES[body]
