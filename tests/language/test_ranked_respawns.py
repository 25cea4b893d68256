"""Items that come back in the order of their values: the answers are the interpreter's, and the work is little."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.tables import found_and_wanted
from support.verifying import arcs

import irgl

#: By name: the property's type and first value, the source's, and what an edge offers the other end.
UPDATES = {
    "shortest": ("int", "INF", "0", "min", "n.p + e.w"),
    "widest": ("int", "0", "INF", "max", "min(n.p, e.w)"),
    "most likely": ("double", "0", "1", "max", "n.p / (1 + e.w)"),
    "longest": ("long", "-1", "0", "max", "e.src.id < e.dst.id ? n.p + 1 : 0"),
}
PLANS = ["", "serial=0 grain=1", "fuse=1", "fuse=1 serial=0", "fuse=2 serial=0", "giant=1 serial=0 fuse=3"]
COUNTED = """graph Graph {{ node {0} p = {1}; edge int w; }} long steps = 0;
Kernel k(Graph g) {{ ForAll (n In WL.items) {{ {count} ForAll (e In n.edges) {{
  if (e.dst.p {3}= {4}) {{ Respawn e.dst; }} }} }} }}
Program main(weighted Graph g, node src = first) {{ src.p = {2}; Pipe Once Initial [src] {{ Invoke k(g); }} }}
"""


def graph(n: int, m: int, seed: int) -> Any:
    draw = np.random.default_rng(seed)
    return arcs(n, np.vstack([np.arange(n - 1), np.arange(1, n)]).T.tolist() + draw.integers(0, n, (m, 2)).tolist(),
                draw.integers(1, 100, n - 1 + m).tolist())


def test_no_plan_changes_what_items_find() -> None:
    # One text: each update over a property of its own.
    declared, kernels, runs = [], [], []
    for i, (kind, first, begin, op, offer) in enumerate(UPDATES.values()):
        declared.append(f"node {kind} p{i} = {first};")
        offer = offer.replace("n.p", f"n.p{i}")
        kernels.append(f"Kernel k{i}(Graph g) {{ ForAll (n In WL.items) {{ ForAll (e In n.edges) {{ "
                       f"if (e.dst.p{i} {op}= {offer}) {{ Respawn e.dst; }} }} }} }}")
        runs.append(f"src.p{i} = {begin}; Pipe Once Initial [src] {{ Invoke k{i}(g); }}")
    text = (f"graph Graph {{ {' '.join(declared)} edge int w; }}\n" + "\n".join(kernels)
            + f"\nProgram main(weighted Graph g, node src = first) {{ {' '.join(runs)} }}")
    for plan in PLANS:
        found, wanted = found_and_wanted(text, plan, "cpu", graph(60, 200, 5))
        assert found.properties == {p: wanted.properties[p] for p in found.properties}, plan


@pytest.mark.parametrize("threads", [1, 2])
def test_label_correction_takes_the_order_of_dijkstra(threads: int) -> None:
    text = COUNTED.format(*UPDATES["shortest"], count="steps += 1;")
    g = graph(3000, 9000, 1)
    given = irgl.as_graph((g.sources(), g.dst, g.weight))
    found = irgl.compile("ranked.irgl", text=text)(given, src=0, threads=threads)
    assert found.steps < 2 * 3000, "each node is run with its last value, and seldom with another"


def test_the_order_is_given_up_where_it_misleads() -> None:
    # Longest paths through a chain of diamonds: the greatest first would take all 2^k ways.
    k = 200
    ends = [(3 * i + a, 3 * i + b) for i in range(k) for a, b in ((0, 1), (0, 2), (1, 2), (1, 3), (2, 3))]
    text = COUNTED.format(*UPDATES["longest"], count="steps += 1;")
    given = irgl.as_graph((np.array(ends)[:, 0], np.array(ends)[:, 1], np.ones(len(ends), np.int64)))
    found = irgl.compile("misled.irgl", text=text)(given, src=0, threads=1)
    assert found.p.max() == 3 * k
    assert found.steps < 3 * k * k
