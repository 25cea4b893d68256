"""Loops along out-edges become loops that pull along in-edges, always or where many nodes have something to hand on.

What it does: the nodes that a loop runs over become a set; then every node of the graph looks for them among the nodes
from which it has edges. The nodes' own values are then changed by their own iteration alone, without atomics, and a
node that wants nothing more leaves its edges (analysis/loops/direction.py says what is legal, and why).

    ForAll (n In WL.items) {                  bitmap<node> front;
        ForAll (e In n.edges) {               ForAll (n In WL.items) { n joins front }
            if (e.dst.p == INF) {             ForAll (e_dst In g.nodes) {
                racy e.dst.p = level;   =>        if (e_dst.p == INF) {
            }                                         For (e In e_dst.in_edges) {
        }                                                 if (front.contains(e.src)) {
    }                                                         racy e_dst.p = level;
                                                              if (!(e_dst.p == INF)) { break; }
                                                  ...

`hybrid` keeps both and asks before: the nodes and their edges are counted, and more than 1/20 of the graph's edges are
pulled along (Shun and Blelloch, Ligra, PPoPP 2013, after Beamer, Asanovic and Patterson, SC 2012), unless they are less
than half of its nodes, all of which a pulling loop looks at; `switch` may say otherwise. For a GPU, where a loop takes
a barrier, they are counted only where the most edges of a node times the number of nodes would be enough. What an
iteration computed before it came to its edges is kept for each node in an array.

When it applies: to the outermost ForAlls that the plan turns, where that is legal. Those over a queue's items take
rounds of the bucket that runs, each of which is all of the kernel then (queues/lazily/pull_rounds.py).
What it needs and keeps: a checked program, and a check as `lowered`, since kernels get lists of their own. The answer
stays. Every outermost ForAll of a kernel that is changed gets its path's last word as a label, so that paths stay, too.
"""

from __future__ import annotations

from dataclasses import replace

from irgl.analysis.check import check
from irgl.analysis.loops.direction import Turn
from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.passes.parts.arrays import with_arrays
from irgl.passes.parts.exploring import Exploring
from irgl.passes.parts.pulling import How, Pulling
from irgl.passes.parts.replacing import labels_of, replaced
from irgl.passes.parts.shares import check_parameters, handed
from irgl.passes.queues.lazily.pull_rounds import PullingRounds
from irgl.passes.queues.lazily.pulls import LAZY, OPTION, turn_of, why_not_said
from irgl.passes.sets.asked import AUTO, MADE, asked
from irgl.plan import Plan
from irgl.switches import switch_in

#: What a plan may say of a loop's direction.
OPTIONS = ("direction", "switch", "member")
AS_WRITTEN, HYBRID = "written", "hybrid"
#: Why nothing is asked about the nodes of a loop.
_EVERYBODY = "every node of the graph comes to its edges"


def why_not(checked: Checked, kernel: A.Kernel, loop: A.ForAll) -> str | None:
    """Why an outermost ForAll of a kernel can't be turned round; None: it can."""
    return reasons(checked, kernel, loop)["direction"]


def reasons(checked: Checked, kernel: A.Kernel, loop: A.ForAll) -> dict[str, str | None]:
    """By option, why it means nothing at an outermost ForAll of a kernel, whatever its direction; None: it does."""
    turn = turn_of(checked, kernel, loop)
    if isinstance(turn, str):
        return dict.fromkeys(OPTIONS, turn)
    return {"direction": None} | dict.fromkeys(OPTIONS[1:], _EVERYBODY if turn.everybody else None)


def only_under(checked: Checked, kernel: A.Kernel) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Options, with those of their values under which alone the loops of a kernel that may turn round do."""
    return () if checked.facts[kernel.name].worklist.by is None else ((OPTION, (LAZY,)),)


def why_not_at(checked: Checked, plan: Plan, place: str) -> str | None:
    """Why the loop at a place doesn't turn round under what else the plan says of it; None: it does, if it may at all,
    or is to stay as it is."""
    kernel = next((k for k in checked.kernels.values() for here, _ in outer_loops(k) if here == place), None)
    if kernel is None or plan.text_of("direction", place) == AS_WRITTEN:
        return None
    return why_not_said(checked, plan, kernel, place)


def turned(checked: Checked, plan: Plan) -> Checked:
    """The checked program turned as the plan says; the same where it turns nothing."""
    program = run(checked, plan)
    return check(program, lowered=True) if program is not checked.program else checked


def run(checked: Checked, plan: Plan) -> A.Program:
    """The program turned as the plan says, where that is legal; the same program where it turns nothing.

    Raises IrglError for a parameter named by the plan that is no share.
    """
    check_parameters(checked, plan)
    arrays = False
    given: dict[str, dict[str, str]] = {}
    exploring = Exploring(checked.program)
    decls: list[A.Decl] = []
    for decl in checked.program.decls:
        if isinstance(decl, A.Kernel):
            turns = {loop: (turn, replace(how(plan, place), asked=asked(checked, decl, loop, plan, place)))
                     for place, loop in outer_loops(decl)
                     if plan.text_of("direction", place) != AS_WRITTEN
                     and why_not_said(checked, plan, decl, place) is None
                     and isinstance(turn := turn_of(checked, decl, loop), Turn)}
            arrays |= any(turn.kept for turn, _ in turns.values())
            if turns:
                decl, shares = _turned(checked, decl, turns, exploring)
                given |= {decl.name: shares} if shares else {}
        decls.append(decl)
    if all(a is b for a, b in zip(decls, checked.program.decls, strict=True)):
        return checked.program
    if arrays:
        decls = with_arrays(decls)
    return exploring.kept(handed(checked, A.Program(tuple(decls), span=checked.program.span), given))


def how(plan: Plan, place: str) -> How:
    """Which way a loop goes that doesn't go as written."""
    hybrid = plan.text_of("direction", place) == HYBRID
    member = plan.text_of("member", place)
    return How(switch_in(plan.text_of("switch", place)) if hybrid else None, plan.target in ("cuda", "simt"),
               MADE if member == AUTO else member)


def _turned(checked: Checked, kernel: A.Kernel, turns: dict[A.ForAll, tuple[Turn, How]],
            exploring: Exploring) -> tuple[A.Kernel, dict[str, str]]:
    """The kernel with its loops turned, and what it wants to know of the Program's parameters (Shares.given)."""
    kind = Pulling if checked.facts[kernel.name].worklist.by is None else PullingRounds
    pulling = kind(checked, kernel, labels_of(kernel).values(), exploring)

    def instead(loop: A.ForAll, label: str) -> tuple[A.Stmt, ...]:
        return pulling.turned(*turns[loop], label)

    new = replaced(kernel, dict.fromkeys(turns, instead))
    return new, pulling.shares.given
