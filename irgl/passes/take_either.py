"""Loops over lists run over the list while that is short, and else over a byte of each node, in the nodes' order.

What it does: a loop becomes two, with the condition that chooses: what `switch` says of the graph's edges or nodes.

    ForAll (n In now.items) { BODY }   =>   if (now.size > g.num_nodes / 50) {          switch=nodes:1/50
                                                bytemap<node> members;
                                                ForAll (n In now.items) { n joins members }
                                                ForAll (n In members.items) { BODY }
                                            } else {
                                                ForAll (n In now.items) { BODY }
                                            }

Where the second loop fills lists that may be marked first (collect_items.py), it does: the next list is long, too, and
then stands in the nodes' order (the sparse and dense sets of J. Shun and G. E. Blelloch, Ligra, PPoPP 2013).

When it applies: where a plan says frontier=either of the list that an outermost ForAll runs over, in which no node is
twice and which the loop leaves alone.
What it needs and keeps: a checked program, and a check as `lowered`; the meaning, since a ForAll's iterations come in
any order. Every outermost ForAll of a kernel that is changed gets its path's last word as a label, so that paths stay;
the loop over bytes has `_dense` behind its own, and is a place for the plan.
"""

from __future__ import annotations

from collections.abc import Iterator

from irgl.analysis.check import check
from irgl.analysis.flow.kernels import moves_its_range
from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.analysis.sets.groups import Group, key_of
from irgl.ast import nodes as A
from irgl.ast.visit import walk
from irgl.options import EITHER
from irgl.passes import collect_items, turn_direction
from irgl.passes.parts.either_loops import DENSE, both, graph_of, list_of
from irgl.passes.parts.list_groups import exchangeable, said, words
from irgl.passes.parts.replacing import fresh_in, replaced
from irgl.passes.parts.shares import Shares, check_parameters, handed
from irgl.plan import Plan
from irgl.switches import BEAMER, Switch, switch_in


def why_not(checked: Checked, group: Group) -> str | None:
    """Why no loop over a list of the group can choose; None: one can."""
    found = [_why_not_here(checked, k, loop) for k in checked.kernels.values() for _, loop in outer_loops(k)
             if _runs_over(k, loop, group)]
    return None if None in found else next(iter(found), "no loop runs over one")


def can_choose(checked: Checked, kernel: A.Kernel, loop: A.ForAll) -> bool:
    """May an outermost loop of a kernel choose?"""
    return list_of(checked, kernel, loop) is not None and _why_not_here(checked, kernel, loop) is None


def _runs_over(kernel: A.Kernel, loop: A.ForAll, group: Group) -> bool:
    items = loop.iterator
    return isinstance(items, A.Member) and items.name == "items" and key_of(kernel, items.object) in group.keys


def _why_not_here(checked: Checked, kernel: A.Kernel, loop: A.ForAll) -> str | None:
    """Why a loop over a list can't choose; None: it can."""
    t = list_of(checked, kernel, loop)
    if t is None or not exchangeable(t):
        return f"the list that '{loop.var}' runs over may hold a node twice: declare it unique"
    if checked.facts[kernel.name].comes_back:
        return "items come back within the round"
    if any(isinstance(n, A.Exclusive) for n in walk(kernel)):
        return "an Exclusive holds for what one loop runs over"
    if moves_its_range(checked, loop):
        return "the loop changes what it runs over"
    if loop in checked.none:
        return "NONE may be in the list, and has no byte"
    if not graph_of(checked, kernel, t):
        return "no parameter of the kernel is the graph of its nodes"
    return None


def chosen(written: Checked, checked: Checked, plan: Plan) -> tuple[Checked, Plan]:
    """`checked`, to which `written` was turned, with loops that choose as the plan says, and a plan that says what
    holds at the new ones; both as they are where none does.

    Raises IrglError as `list_groups.said` and for a parameter that is no share.
    """
    if EITHER not in words(plan):
        return checked, plan
    found = [s.group for s in said(written, plan) if s.kind == EITHER]
    wanted = [place for k in written.kernels.values() for place, loop in outer_loops(k)
              if any(_runs_over(k, loop, g) for g in found) and why_not_at(written, plan, place) is None]
    if not wanted:
        return checked, plan
    check_parameters(checked, plan)
    given: dict[str, dict[str, str]] = {}
    decls: list[A.Decl] = []
    for d in checked.program.decls:
        if isinstance(d, A.Kernel):
            switches = {loop: switch_in(plan.text_of("switch", place))
                        for place, loop in outer_loops(d) if place in wanted}
            d, shares = _choosing(checked, d, switches, plan) if switches else (d, {})
            given |= {d.name: shares} if shares else {}
        decls.append(d)
    made = check(handed(checked, A.Program(tuple(decls), span=checked.program.span), given), lowered=True)
    return made, _marking(made, plan, [f"{place}_{DENSE}" for place in wanted])


def why_not_at(checked: Checked, plan: Plan, place: str) -> str | None:
    """Why the loop over a list at a place doesn't choose under what else the plan says of it; None: it does, or what
    stands there is none."""
    kernel, loop = next((k, loop) for k in checked.kernels.values() for here, loop in outer_loops(k) if here == place)
    if list_of(checked, kernel, loop) is None:
        return None
    reason, way = _why_not_here(checked, kernel, loop), plan.text_of("direction", place)
    if reason is None and way != turn_direction.AS_WRITTEN and turn_direction.why_not(checked, kernel, loop) is None:
        reason = f"under direction={way} the loop has a set of its own"
    if reason is None and switch_in(plan.text_of("switch", place)).of == BEAMER:
        reason = "switch=beamer says when a loop turns round, and not how long a list is"
    return reason


def _marking(made: Checked, plan: Plan, dense: list[str]) -> Plan:
    """The plan under which the loops over bytes mark what they put into lists, unless it says otherwise."""
    places = {place: (k, loop) for k in made.kernels.values() for place, loop in outer_loops(k)}
    added = tuple((f"{place}.{collect_items.OPTION}", "bytemap") for place in dense
                  if not plan.says(collect_items.OPTION, place)
                  and collect_items.why_not(made, *places[place]) is None)
    return Plan((*plan.settings, *added), plan.target)


def _choosing(checked: Checked, kernel: A.Kernel, switches: dict[A.ForAll, Switch],
              plan: Plan) -> tuple[A.Kernel, dict[str, str]]:
    """The kernel whose loops choose, and what it wants to know of the Program's parameters (Shares.given)."""
    fresh = fresh_in(checked, kernel)
    shares = Shares(fresh.bare)

    def instead(loop: A.ForAll, label: str) -> Iterator[A.Stmt]:
        t = list_of(checked, kernel, loop)
        assert t is not None
        return both(loop, label, graph_of(checked, kernel, t), switches[loop], plan.target != "cpu", fresh, shares)

    return replaced(kernel, dict.fromkeys(switches, instead)), shares.given
