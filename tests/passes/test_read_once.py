"""What a node of a queue runs with is read once: where, and where not."""

from __future__ import annotations

from irgl import driver
from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.plan import Plan

RELAX = """graph Graph {{ node int dist = INF; node int lost = 0; edge int length; }}
Kernel relax(Graph g, int delta) WL priority_queue<node>(dist / delta) {{
    ForAll (n In WL.items) {{ ForAll (e In n.edges) {{ {edge} }} }}
}}
Program sssp(Graph g, node src = first, int delta = 1) {{ src.dist = 0; Iterate relax(g, delta) Initial [src] {{ }} }}
"""


def planned(edge: str, plan: str = "") -> str:
    ready = driver.ready("q.irgl", RELAX.format(edge=edge))
    program = driver.turned(ready.checked, Plan.parse(plan))[0].program
    return "\n".join(dump(A.Program((d,))) for d in program.decls if isinstance(d, A.Kernel) and d.name == "relax")


def test_edges_take_it_from_the_variable_that_their_iteration_begins_with() -> None:
    found = planned("int to = n.dist + e.length; WL.update_min(e.dst, to);")
    assert "int to = with + e.length;" in found and found.count("n.dist") == 1


def test_what_others_run_with_is_read_where_it_is_asked_for() -> None:
    found = planned("if (n.dist + e.length < relaxed e.dst.dist) { WL.update_min(e.dst, n.dist + e.length); }")
    assert "with + e.length < relaxed e.dst.dist" in found and found.count("n.dist") == 1


def test_a_node_of_which_is_kept_what_it_ran_with_is_read_anew() -> None:
    found = planned("bool moved = WL.update_min(e.dst, n.dist + e.length); if (!moved) { e.dst.lost += 1; }")
    assert "dist_ran" in found and found.count("n.dist") == 2


def test_a_loop_that_pulls_has_nodes_move_themselves() -> None:
    found = planned("WL.update_min(e.dst, n.dist + e.length);", "priority=lazy direction=pull")
    assert "e.src.dist" in found
