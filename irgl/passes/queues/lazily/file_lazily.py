"""Nodes of a priority queue that an operator moves are noted, and filed together when the others have run.

What it does: in place of filing a node each time that it moves, the node comes into the running bucket, once, to be
filed: where it has last moved to (lazy: Dhulipala, Blelloch and Shun, Julienne, SPAA 2017). Where all that moves nodes
is one sum, up to one limit, they aren't moved either: counted is how often they would be (lazy_sum: Zhang et al.,
Optimizing Ordered Graph Algorithms with GraphIt, CGO 2020, figure 10).

    Kernel peel(Graph g, array<long> left_ran)        Kernel peel(Graph g, array<long> left_ran, array<int> left_sums)
        WL buckets<node> {                                WL buckets<node> {
      ForAll (n In WL.items) {                          ForAll (n In WL.items) {
        ...                                               if (relaxed left_sums[n.id] != 0) {
        ForAll (e In n.edges) {                             long count = (left_sums[n.id] xchg= 0).old;
          int limit = (int)WL.priority;           =>        if (count != 0) {
          int seen = e.dst.left;                              ... n.left += -1 * count, at most to the limit
          while (seen > limit) {                              WL.push(n, n.left);
            ... e.dst.left += -1                              continue;
            WL.push(e.dst, e.dst.left);                     }
          }                                               }
        }                                                 ...
                                                          ForAll (e In n.edges) {
                                                            int limit = (int)WL.priority;
                                                            if (e.dst.left > limit) {
                                                              if ((left_sums[e.dst.id] += 1).old == 0) {
                                                                WL.push(e.dst, WL.priority);

When it applies: to loops over the items of a queue that file nodes in it, where the plan says so (`priority=`). A loop
that pulls in all its rounds notes nothing: each node files itself once (pull_rounds.py).
What it needs and keeps: buckets that stand in for a queue (file_updates.py), and their meaning: who is filed in the
bucket that runs, or before it, runs in the same invocation as before.
"""

from __future__ import annotations

from dataclasses import replace

from irgl.analysis.check import check
from irgl.analysis.effects.effects import home_graph
from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.respawns import over_wl
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.passes.parts.arrays import with_arrays
from irgl.passes.queues.lazily.lazy_loops import LazyLoop
from irgl.passes.queues.lazily.lazy_sums import pushes, why_not_counted
from irgl.passes.queues.lazily.pulls import pulls
from irgl.passes.queues.node_arrays import NodeArrays, Wanted
from irgl.plan import Plan

OPTION, EAGER, LAZY, SUMS = "priority", "eager", "lazy", "lazy_sum"


def why_not_filed(checked: Checked, kernel: A.Kernel, loop: A.ForAll) -> str | None:
    """Why an outermost ForAll files no nodes of a queue that it runs; None: it does."""
    if checked.facts[kernel.name].worklist.by is None or not checked.facts[kernel.name].uses_worklist:
        return f"{kernel.name} is on no priority queue"
    return None if over_wl(loop) and any(pushes(loop)) else "it files nobody while it runs the items of its queue"


def why_not(checked: Checked, kernel: A.Kernel, loop: A.ForAll, word: str) -> str | None:
    """Why an outermost ForAll can't file as `word` says; None: it can."""
    t, none = checked.facts[kernel.name].worklist, why_not_filed(checked, kernel, loop)
    if none is not None or t.by is None:
        return none
    if t.by.is_wide():
        return f"'{t.by.property}' has 64 bits, and what is noted of a node is a bucket's number of 40"
    return why_not_counted(checked, kernel, loop, t.by) if word == SUMS else None


def strategy(checked: Checked, kernel: A.Kernel, loop: A.ForAll, word: str) -> str:
    """What a loop does under a plan that says `word`: lazy_sum, lazy or eager."""
    return word if word in (LAZY, SUMS) and why_not(checked, kernel, loop, word) is None else EAGER


def said_of(checked: Checked, kernel: A.Kernel, loop: A.ForAll, plan: Plan, place: str) -> str:
    """What a loop does under a plan: where it pulls, each node files itself, and nothing is noted."""
    if pulls(checked, plan, kernel, loop, place):
        return EAGER
    return strategy(checked, kernel, loop, plan.text_of(OPTION, place))


def run(checked: Checked, plan: Plan) -> Checked:
    """The program whose loops file as the plan says, where that is legal; the same where none does."""
    said = {k.name: (loop, how) for k in checked.kernels.values() for place, loop in outer_loops(k)
            if (how := said_of(checked, k, loop, plan, place)) != EAGER}
    if not said or checked.entry is None:
        return checked
    decls: list[A.Decl] = []
    wanted: dict[str, Wanted] = {}
    for decl in checked.program.decls:
        if isinstance(decl, A.Kernel) and decl.name in said:
            loop, how = said[decl.name]
            by = checked.facts[decl.name].worklist.by
            assert by is not None
            stem = f"{by.property}_{'sums' if how == SUMS else 'noted'}"
            of = T.INT if how == SUMS else T.LONG
            word = Fresh(checked.program, decl).bare(stem)
            wanted[decl.name] = Wanted(_graph(checked, decl), stem, of)
            decl = LazyLoop(checked, decl, by, word, how == SUMS).instead(loop)
            param = A.Param(T.Named("array", (of,)), word, None, (), span=decl.span)
            decl = replace(decl, params=(*decl.params, param))
        decls.append(decl)
    arrays = NodeArrays(checked, checked.entry, wanted, Fresh(checked.program, checked.entry))
    entry = arrays.given(checked.entry)
    decls = [entry if isinstance(d, A.Entry) else d for d in decls]
    return check(A.Program(tuple(with_arrays(decls)), span=checked.program.span), lowered=checked.lowered)


def _graph(checked: Checked, k: A.Kernel) -> str:
    """The parameter whose nodes a queue holds."""
    item = checked.facts[k.name].worklist.item
    assert isinstance(item, T.NodeT)
    return item.graph or home_graph(checked, k.params)
