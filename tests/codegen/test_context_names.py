"""A program's scalars may have the names of what the run's own state has."""

from __future__ import annotations

from support.running import outcome
from support.verifying import arcs

#: Members of the context (cpu_rt/runtime.hpp, unit.hpp).
NAMES = ("sources", "team", "habits", "helped", "by_all", "worth_waking", "stats", "fault", "rounds", "seed", "threads")
#: Asks the context for most of them, for the table of edges' sources, too.
TEXT = f"""graph Graph {{ node long reached = 0; }}
{"".join(f"long {name} = 0;" for name in NAMES)}
Kernel list_edges(Graph g, list<edge> all) {{ ForAll (n In g.nodes) {{ ForAll (e In n.edges) {{ all.push(e); }} }} }}
Kernel count(Graph g, list<edge> all) {{
  ForAll (e In all.items) {{ e.src.reached += 1; {"".join(f"{name} += 1;" for name in NAMES)} }}
}}
Program main(Graph g) {{ list<edge> all; Invoke list_edges(g, all); Invoke count(g, all); }}
"""


def test_scalars_hide_nothing_of_the_context() -> None:
    result = outcome(TEXT, "default", "cpu", arcs(3, [(0, 1), (0, 2), (2, 0)], [1, 1, 1])).result
    assert result.scalars == dict.fromkeys(NAMES, 3)
    assert result.properties["reached"].array.tolist() == [2, 0, 1]
