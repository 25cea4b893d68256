"""The size of a worklist, asked by a kernel's iterations and between its loops, on the CPU and on GPUs."""

from __future__ import annotations

import random

from support.agreement import disagreements
from support.awkward_graphs import directed
from support.random_graphs import from_arcs
from support.random_programs import RandomProgram
from support.running import outcome
from support.simt_batch import all_compared

KINDS = ["list", "unique list", "set", "bitmap", "bytemap", "count"]
HEAD = "graph Graph { node int p = 0; }\nlong s = 0;\nlong t = 0;\n"
GIVEN = HEAD + """long half(KIND<node> z) { return z.size / 2; }
Kernel k(Graph g, KIND<node> z) {
  ForAll (n In g.nodes) { s += z.size + half(z); ForAll (e In n.edges) { t += z.size; } }
  SyncRunningThreads;
  ForAll (n In g.nodes) { if (n.id % 4 == 2) { z.push(n); } }
  if (z.size > 9) { ForAll (n In g.nodes) { t += 1000; } }
  s += 10000 * z.size;
}
Program main(Graph g) { KIND<node> z; z.push(g.node(1)); z.push(g.node(9)); Invoke k(g, z); s += half(z) * 7; }
"""
IMPLICIT = HEAD + """Kernel fill(Graph g) WL KIND<node> {
  ForAll (n In g.nodes) { if (n.id % 3 == 0) { WL.push(n); } s += WL.size; }
}
Kernel k(Graph g) WL KIND<node> {
  long before = WL.size;
  if (WL.size > 2) { ForAll (n In g.nodes) { s += WL.size + before; if (n.id < 12) { WL.push(n); } } }
  t += WL.size;
}
Kernel again(Graph g) WL KIND<node> {
  long before = WL.size;
  ForAll (n In WL.items) { s += before; if ((n.p += 1).old < 2) { Respawn n; } }
}
Program main(Graph g) {
  Pipe Once { Invoke fill(g); Invoke k(g); for (int i = 0; i < 3; i++) { Invoke k(g); } Invoke again(g); }
}
"""
COUNTED = IMPLICIT.replace("Invoke again(g);", "").replace("n In WL.items", "n In g.nodes").replace("Respawn n;", "")
ASKED = HEAD + """Kernel fill(Graph g) WL KIND<node> { ForAll (n In g.nodes) { if (n.id % 3 == 0) { WL.push(n); } } }
Kernel ask(Graph g) WL KIND<node> {
  long before = WL.size;
  ForAll (n In g.nodes) { s += before * 100 + WL.size; ReduceAndReturn (WL.size > 20); }
  t += 1000 * WL.size;
}
Kernel take(Graph g) WL KIND<node> { ForAll (n In g.nodes) { t += 1; if (n.id < 9) { WL.push(n); } } }
Program main(Graph g) {
  Pipe Once {
    Invoke ask(g); Invoke fill(g); Invoke ask(g); Invoke ask(g); Invoke take(g);
    if (Any Invoke ask(g)) { s += 1; }
  }
}
"""
BUCKETS = HEAD + """Kernel k(Graph g) WL buckets<node> {
  s += WL.size;
  if (WL.size > 0) { t += 1; }
  ForAll (n In WL.items) { if (n.p < 9) { n.p += 1; WL.push(n, (int)(2 * n.p + n.id % 2 + 3)); } }
}
Program main(Graph g) { Pipe Initial [g.node(1), g.node(2)] { Invoke k(g); } }
"""
KINDS_OF_ITEMS = ["list", "unique list", "set", "bitmap", "bytemap"]
WALKED = HEAD + "".join(f"Kernel fill_{i}(Graph g, {kind}<node> z) {{ ForAll (n In g.nodes) {{ z.push(n); }} }}\n"
                        for i, kind in enumerate(KINDS_OF_ITEMS)) + "Program main(Graph g) {\n" + "".join(
    f"  {kind}<node> z{i}; Invoke fill_{i}(g, z{i}); For (n In z{i}.items) {{ s += n.id; t += n.id % {i + 2}; }}\n"
    for i, kind in enumerate(KINDS_OF_ITEMS)) + "}\n"
RANGES = HEAD + """Kernel fill(Graph g, KIND<node> z) { ForAll (n In g.nodes) { if (n.id % 3 == 0) { z.push(n); } } }
Kernel ask(Graph g, KIND<node> z) WL KIND<node> {
  s += z.items.size;
  ForAll (n In WL.items) { auto all = z.items; t += all.size * 100 + WL.items.size + z.items.size; }
}
Program main(Graph g) {
  KIND<node> z;
  Invoke fill(g, z);
  Pipe Initial [g.node(1), g.node(2)] { Invoke ask(g, z); }
}
"""
DRAW = random.Random(5)
GRAPH = from_arcs(40, [(DRAW.randrange(40), DRAW.randrange(40), 1) for _ in range(60)] + [(7, v, 1) for v in range(40)])
PROGRAMS = [RandomProgram((COUNTED if text is IMPLICIT and kind == "count" else text).replace("KIND", kind), GRAPH, {})
            for text in (GIVEN, IMPLICIT, ASKED) for kind in KINDS] + [RandomProgram(BUCKETS, GRAPH, {})]
PROGRAMS += [RandomProgram(RANGES.replace("KIND", kind), GRAPH, {}) for kind in KINDS_OF_ITEMS]
PLANS = ["none block=32", "default block=32", "np=fg cc=warp outline=all block=32", "outline=graph block=32"]


def test_iterations_of_a_loop_of_all_threads_may_ask_for_a_size() -> None:
    assert disagreements(PROGRAMS) == []


def test_kernels_of_a_device_may_ask_for_a_size() -> None:
    assert all_compared(PROGRAMS, PLANS) == {}


def test_the_host_walks_over_all_items_of_a_list_that_has_more_items_than_words() -> None:
    many = 5000
    found = outcome(WALKED, "default", "cpu", directed(many, [])).result.scalars
    assert found == {"s": len(KINDS_OF_ITEMS) * many * (many - 1) // 2,
                     "t": sum(i % k for k in range(2, 2 + len(KINDS_OF_ITEMS)) for i in range(many))}
