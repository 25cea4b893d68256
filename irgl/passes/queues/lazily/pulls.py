"""Whether a loop over the items of a priority queue may pull, round by round of the bucket that runs.

    ForAll (n In WL.items) {                      bitmap<node> front;
        CLAIM                                     ForAll (n In WL.items) { CLAIM; n joins front }
        ForAll (e In n.edges) {                   ForAll (v In g.nodes) {
            if (e.dst.p min= to) {          =>        For (e In v.in_edges) {
                WL.push(e.dst, to / delta);               if (front.contains(e.src)) {
            }                                                 if (v.p min= to) { found = true; }
        }                                             }}
    }                                                 if (found) { WL.push(v, v.p / delta); }
                                                  }

All who wait in the bucket that runs come to their edges before any of these is taken (analysis/loops/direction.py), and
who is filed meanwhile in that bucket makes the next round of the same invocation. That is one of the orders in which
nodes of a bucket may run, where who runs is told by CLAIM, so that an entry of a node that stands there twice does
nothing, and where nobody but the edges' targets is filed: each node files itself, once a round, where it has moved to.
"""

from __future__ import annotations

from irgl.analysis.flow.kernels import only_loop
from irgl.analysis.loops import direction
from irgl.analysis.loops.direction import Turn
from irgl.analysis.loops.edge_bodies import EdgeBody
from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.respawns import over_wl
from irgl.ast import nodes as A
from irgl.ast.visit import walk
from irgl.passes.queues.lazily.lazy_loops import noted
from irgl.passes.queues.lazily.lazy_sums import pushes
from irgl.plan import Plan

#: What a plan says where a queue's loop pulls, and how its nodes are filed then.
WAY, PULL, OPTION, LAZY = "direction", "pull", "priority", "lazy"


def turn_of(checked: Checked, kernel: A.Kernel, loop: A.ForAll) -> Turn | str:
    """How an outermost ForAll of a kernel may be turned round, or why it may not: over a queue's items, too, which are
    filed as they move or are noted first (file_lazily.py). O(size of the kernel)."""
    by = checked.facts[kernel.name].worklist.by
    if by is None or not over_wl(loop):
        return direction.turn_of(checked, kernel, loop)
    if any(isinstance(n, A.Assign) and isinstance(n.target, A.Index) and isinstance(of := n.target.object, A.Name)
           and of.id == by.ran for n in walk(loop)):
        return "it files nodes by WL.push, which may come again whatever they last ran with"
    notes = [(s, change) for s in walk(loop) if (change := noted(s)) is not None]
    turn = direction.turn_of(checked, kernel, loop, by_rounds=True, excused=[change.target for _, change in notes])
    if isinstance(turn, str):
        return turn
    if by.is_wide():
        return f"'{by.property}' has 64 bits, and what can't be filed lazily doesn't pull"
    if only_loop(kernel) is not loop:
        return "what stands beside it is done once, and a round that pulls is all of its kernel"
    body = EdgeBody(checked, loop, turn.inner)
    inside = set(walk(turn.inner))
    settles = {n for s in loop.body[:1] for n in walk(s)} if notes else set()
    filed = [call for call in pushes(loop) if call not in settles]
    if not filed:
        return "it files nobody while it runs the items of its queue"
    if any(call not in inside or not body.is_target(call.args[0]) for call in filed):
        return "it files nodes other than the targets of its edges"
    return turn


def why_not_said(checked: Checked, plan: Plan, kernel: A.Kernel, place: str) -> str | None:
    """Why a loop of a kernel doesn't pull under what else a plan says of it; None: it does, if it may at all."""
    word = plan.text_of(OPTION, place)
    if checked.facts[kernel.name].worklist.by is None or word == LAZY:
        return None
    return f"under {OPTION}={word} its bucket may grow while it runs: say {OPTION}={LAZY}, too"


def pulls(checked: Checked, plan: Plan, kernel: A.Kernel, loop: A.ForAll, place: str) -> bool:
    """Does a loop over a queue's items pull in all rounds, so that nothing is noted of nodes that move?"""
    return (plan.text_of(WAY, place) == PULL and why_not_said(checked, plan, kernel, place) is None
            and isinstance(turn_of(checked, kernel, loop), Turn))
