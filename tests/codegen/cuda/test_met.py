"""Loops that run as one kernel: whatever the way that the threads come, none reads what others change already."""

from __future__ import annotations

import pytest
from support.awkward_graphs import directed
from support.tables import found_and_wanted, numbered, scalars

GRAPH = directed(40, [(i, (7 * i + 1) % 40) for i in range(40)])
HEAD = """
graph Graph { node int v = 0; }
Kernel gather(Graph g, list<node> l) { ForAll (n In g.nodes) { if (n.id % 3 == 0) { l.push(n); } } }
Kernel rise(Graph g) WL list<node> {
  ForAll (i In WL) { node n = WL.pop(i); if (n.id < 30) { WL.push(g.node(n.id + 3)); } }
}
"""
#: `more` adds the number of nodes to s, `less` makes it 2.
BODIES = {
    "the other branch": "for (int i = 0; i < 12; i++) { if (s > 99) { Invoke less(g); } else { Invoke more(g); } }",
    "a store in one branch": "for (int i = 0; i < 12; i++) { if (s > 99) { s = 0; } else { Invoke more(g); } }",
    "a store in the other": "for (int i = 0; i < 12; i++) { if (s < 99) { Invoke more(g); } else { s = 0; } }",
    "branches in branches": "for (int i = 0; i < 12; i++) { if (s > 99) { if (s > 150) { s = 3; } "
                            "else { Invoke more(g); } } else if (s > 50) { Invoke more(g); } else { s += 9; } }",
    "behind the branches": "for (int i = 0; i < 9; i++) { if (s > 99) { Invoke less(g); } Invoke more(g); "
                           "if (s > 150) { s = 1; } else { s += 1; } }",
    "a block": "for (int i = 0; i < 9; i++) { { Invoke more(g); } { if (s > 99) { Invoke less(g); } } }",
    "continue": "for (int i = 0; i < 9; i++) { if (s > 99) { Invoke less(g); continue; } Invoke more(g); }",
    "break": "for (int i = 0; i < 9; i++) { Invoke more(g); if (s > 99) { s = 5; break; } } "
             "if (s == 5) { Invoke more(g); }",
    "a while": "int i = 0; while (s < 200) { Invoke more(g); i += 1; } while (s > 3 && i < 9) { i += 1; s -= 50; } "
               "Invoke more(g);",
    "a do": "do { if (s > 99) { s += 7; } else { Invoke more(g); } } while (s < 127); Invoke less(g); "
            "do { s += 1; } while (s < 9); Invoke more(g);",
    "a step that all share": "for (s = 0; s < 500; s += 1) { Invoke more(g); }",
    "a first value that all share": "for (s = 3; s < 500;) { Invoke more(g); }",
    "two steps": "int j = 0; for (int i = 0, k = 9; i < k; i++, k--) { Invoke more(g); j += k; } s += j;",
    "a step and a list": "for (s = 0; s < 4; s += 1) { Invoke gather(g, l); } s = l.size;",
    "steps in steps": "for (s = 0; s < 500; s += 1) { for (int i = 0, j = 5; i < j; i++, j--) { Invoke more(g); "
                      "if (s > 400) { continue; } s += 1; } }",
    "a step behind continue": "for (s = 0; s < 900; s += 1) { if (s > 300) { s += 20; continue; } Invoke more(g); }",
    "rounds": "Iterate While Any some(g) { if (s > 200) { s += 500; } else { Invoke more(g); } }",
    "rounds with a step": "Iterate rise(g) Initial [g.node(0)] { for (s = s; s < 300; s += 30, s += 1) "
                          "{ Invoke more(g); } }",
}
PLANS = ["np=fg outline=off block=32", "np=fg outline=all block=32", "np=fg outline=all unroll=2 block=96",
         "np=fg outline=graph block=32"]


def text_of() -> str:
    """A program of all bodies, each in a loop of its own with a scalar of its own."""
    made, kernels = [], []
    for i, body in enumerate(BODIES.values()):
        kernels.append(f"Kernel more{i}(Graph g) {{ ForAll (n In g.nodes) {{ s{i} += 1; }} }}\n"
                       f"Kernel less{i}(Graph g) {{ ForAll (n In g.nodes) {{ s{i} min= 2; }} }}\n"
                       f"Kernel some{i}(Graph g) {{ ForAll (n In g.nodes) {{ ReduceAndReturn (s{i} < 999); }} }}")
        own = numbered(body, i, "s|more|less|some")
        made.append(own if own.startswith("Iterate") else f"Pipe Once {{ {own} }}")
    main = f"Program main(Graph g) {{ list<node> l; {' '.join(made)} }}\n"
    return "\n".join([HEAD, scalars(len(made)), *kernels, main])


@pytest.mark.parametrize("plan", PLANS)
def test_no_thread_reads_what_others_change_already(plan: str) -> None:
    found, wanted = found_and_wanted(text_of(), plan, "simt", GRAPH, BODIES)
    assert found.scalars == wanted.scalars
