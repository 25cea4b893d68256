"""On GPUs, too, what stands beside the loop whose items come back is done once, its variables kept till then."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from support.tables import found_and_wanted, numbered, scalars
from support.verifying import arcs

from irgl.driver import compile as compile_unit
from irgl.plan import Plan

#: What stands before the loop, and what behind it.
BESIDE = {
    "a store": ("r = 5;", ""),
    "an update": ("r += most;", "r += 1;"),
    "what the loop changes": ("long y = s;", "r = y;"),
    "a call": ("int y = bump(1);", "r = y * 10 + t;"),
    "a condition": ("if (most > 1) { r += 1; }", ""),
    "an update that is asked for": ("long y = (r += 3).old;", "r += y;"),
    "behind": ("", "r = s;"),
    "a sum": ("long sum = 7;", "r = sum;"),
    "sums": ("long sum = 7; long low = 100;", "r = sum * 1000 + low;"),
    "a parameter": ("most += (r += 2).old + 1;", "r += most;"),
    "a struct": ("Pair p = pair(4);", "r = p.x * 10 + p.y;"),
    "a node": ("node n = g.node(2); n.a += 3;", "n.a += 1; r = n.a + n.id;"),
    "a loop": ("for (int j = 0; j < 3; j++) { r += j; }", "while (r < 20) { r += 3; }"),
    "the size of WL": ("most += (int)WL.size;", ""),
    "the items of WL": ("For (y In WL.items) { most += (int)y; }", ""),
    "pushes": ("WL.push(1);", "if (s > 0) { WL.push(0); }"),
}
HEAD = """graph Graph { node int a = 1; } struct Pair { int x; int y; };
long s = 0; int t = 0;
int bump(int k) { t += k; return t; }
Pair pair(int k) { Pair p; t += k; p.x = k; p.y = t; return p; }
"""
PLANS = ["outline=off block=32", "np=fg cc=block outline=all unroll=2 block=64", "cc=warp outline=graph block=32"]


def text_of(besides: Iterable[tuple[str, str]]) -> str:
    """A program with a kernel for each, and a scalar for what it finds."""
    kernels, invoked = [], []
    for i, (before, behind) in enumerate(besides):
        combines = ("sum += x; " if "sum" in before else "") + ("low min= x; " if "low" in before else "")
        kernels.append(numbered(f"""Kernel k{i}(Graph g, int most) WL list<long> {{
  {before}
  ForAll (i In WL) {{ long x = WL.pop(i); s += x * most; {combines}if (x > 0) {{ Respawn x - 1; }} }}
  {behind}
}}""", i, "r"))
        invoked.append(f"Pipe Once Initial [3, 2, 5] {{ Invoke k{i}(g, 2); Invoke k{i}(g, 3); }}")
    return "\n".join([scalars(len(kernels), "r"), HEAD, *kernels, f"Program p(Graph g) {{ {' '.join(invoked)} }}\n"])


@pytest.mark.parametrize("plan", PLANS)
def test_it_is_done_once(plan: str) -> None:
    found, wanted = found_and_wanted(text_of(BESIDE.values()), plan, "simt", arcs(4, []), [*BESIDE, "s", "t"])
    assert found == wanted


def test_what_computes_variables_from_what_the_kernel_leaves_alone_is_done_again() -> None:
    text = text_of([("long y = most * 3; y += g.num_nodes; if (y > 5) { y = r; }", "")])
    assert "wl.tries" not in compile_unit("p.irgl", target="cuda", plan=Plan.parse("none", "cuda"), text=text).text
