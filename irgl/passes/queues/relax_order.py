"""Nodes of a priority queue run when a thread comes to them, in an order of its own, without rounds.

What it does: the queue becomes a list, and who is filed comes back to it (Respawn). Threads take from theirs who is
nearest to the front (cpu_rt/ranked.hpp), and wait for nobody.

    Kernel relax(Graph g, int delta)                       Kernel relax(Graph g, int delta) WL list<node> {
        WL buckets<node> {                                   ForAll (n In WL.items) {
      ForAll (n In WL.items) {                                 ForAll (e In n.edges) {
        int with = n.dist;                                       int to = n.dist + e.length;
        if (with / delta < WL.priority && ...) {           =>    if (e.dst.dist min= to) {
          continue;                                                Respawn e.dst;
        }
        ForAll (e In n.edges) {
          int to = n.dist + e.length;
          if (e.dst.dist min= to) { WL.push(e.dst, to / delta); }

When it applies: to loops over the items of a queue, where the plan says so (`priority=relaxed`), which leave the same
in any order (analysis/loops/any_order.py), and where nobody can tell who runs again, nor how many buckets there were
(unseen.py).
What it needs and keeps: buckets that stand in for a queue; what they leave.
"""

from __future__ import annotations

from dataclasses import replace

from irgl.analysis.check import check
from irgl.analysis.names.members import of_wl
from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import rebuild, walk
from irgl.passes.queues.lazily.lazy_sums import pushes
from irgl.plan import Plan

RELAXED = "relaxed"


def why_not(by: T.Priority) -> str | None:
    """Why the nodes of a queue, as buckets that stand in for it have it, can't run in any order; None: they can."""
    if by.seen:
        return "it can be told who ran how often, or how many buckets there were"
    if by.is_wide():
        return f"'{by.property}' has 64 bits, whose ends it might reach in another order, where nobody waits"
    return None if by.free else "in another order it might leave something else"


def run(checked: Checked, plan: Plan, option: str) -> Checked:
    """The program whose loops run without order as the plan says, where that is legal; the same where none does."""
    said = {k.name: loop for k in checked.kernels.values() for place, loop in outer_loops(k)
            if plan.text_of(option, place) == RELAXED and (by := checked.facts[k.name].worklist.by) is not None
            and any(pushes(loop)) and why_not(by) is None}
    if not said:
        return checked
    decls = [_any_order(d, said[d.name]) if isinstance(d, A.Kernel) and d.name in said else d
             for d in checked.program.decls]
    return check(A.Program(tuple(decls), span=checked.program.span), lowered=checked.lowered)


def _any_order(kernel: A.Kernel, loop: A.ForAll) -> A.Kernel:
    first, claim, *rest = loop.body  # whether the node's bucket has run
    assert isinstance(first, A.VarDecl)
    used = any(isinstance(n, A.Name) and n.id == first.name for s in rest for n in walk(s))
    asked = (claim,) if used else (first, claim)

    def visit(node: A.Node) -> A.Node | tuple[A.Node, ...]:
        if node in asked:
            return ()
        if isinstance(node, A.ExprStmt) and (call := of_wl(node.value, "push")) is not None:
            return A.Respawn(call.args[0], span=node.span)
        return rebuild(node, visit)

    t = kernel.worklist
    assert isinstance(t, T.Worklist)
    return replace(rebuild(kernel, visit), worklist=replace(t, kind="list", by=None))
