"""Rounds over all nodes become rounds over a list of those that something has given work to.

What it does: the loop that runs while any node has something to do looks at all nodes in the first round, and then at
those in a set, into which comes each node one of whose values was changed that its iteration asks for.

    Iterate While Any relax(g) { ... }       bool whole = true; set<node> now; set<node> later;
                                             Iterate While Any relax(g, whole, now, later) {
    ForAll (n In g.nodes) {           =>         whole = false; now.swap(later); later.clear(); ... }
        ... e.dst.p min= x; ...
    }                                        if (whole) { ForAll (n In g.nodes) { BODY } }
                                             else { ForAll (n In now.items) { BODY } }
                                             with if (e.dst.p min= x) { later.push(e.dst); } in BODY

Where a node's turn comes when a number that may be another in each round is its own (`n.p == step - 1`), a node with a
larger one stays in the list, but for the largest of all, INF, which stands for never. That holds as long as the number
grows by one from a round to the next; at first, and where it doesn't, or comes to INF, a loop over all nodes fills the
list, over which the round then runs:

    if (whole) { ForAll (n In g.nodes) { if (n.p == step - 1 || n.p > step - 1 && n.p != INF) { now.push(n); } } }
    ForAll (n In now.items) { if (n.p == step - 1) { WORK } else if (n.p > step - 1 && n.p != INF) { later.push(n); } }

When it applies: to an Iterate While Any of one kernel that is one ForAll over all nodes, where analysis/idle finds that
a node at which nothing has changed does nothing. The rounds, and what is done between them, are then the same.
What it needs and keeps: a checked program after `name_items`; the meaning, and the paths: the loop over the set has the
old one's, that over all nodes `_all` behind it, one that fills the list `_found`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from irgl.analysis.idle.idle import Idle, idle_of
from irgl.analysis.idle.rounds import Rounds, rounds_of
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import copied, rebuild
from irgl.passes.drive.push_changed import Pushing
from irgl.passes.drive.relabel import replaced
from irgl.passes.drive.turns import Turns
from irgl.passes.parts.replacing import fresh_in, labels_of
from irgl.source import Span

#: What stands behind the label of the loop over all nodes, or of the one that looks whose turn it is, or will be.
ALL, FOUND = "all", "found"


def run(checked: Checked, iterate: A.Iterate) -> A.Program | str:
    """The program whose Iterate is driven by data, or why it can't be."""
    rounds = rounds_of(checked, iterate)
    if isinstance(rounds, str):
        return rounds
    idle = idle_of(rounds.own, rounds.counters)
    if isinstance(idle, str):
        return idle
    kernel = _listing(checked, rounds, idle)
    if isinstance(kernel, str):
        return kernel
    assert checked.entry is not None
    fresh = Fresh(checked.program, checked.entry)
    entry = replaced(checked.entry, iterate, lambda label: _driven(rounds, idle, label, fresh))
    instead = {rounds.kernel: kernel, checked.entry: entry}
    return rebuild(checked.program, lambda d: instead.get(d, d))


def _listing(checked: Checked, rounds: Rounds, idle: Idle) -> A.Kernel | str:
    """The kernel over all nodes, or over those in a list, which notes who is in the next one."""
    kernel, loop, at = rounds.kernel, rounds.loop, rounds.loop.span
    fresh = fresh_in(checked, kernel)
    turns = Turns.new(fresh.bare, at)
    label = labels_of(kernel)[loop]
    pushing = Pushing(checked, rounds, idle, turns.push)
    body = pushing.body()
    if isinstance(body, str):
        return body
    listed = pushing.has_turn(turns.listed, at)
    first = tuple(map(copied, body)) if listed is None else (listed,)
    whole = (A.Labeled(fresh.bare(f"{label}_{ALL if listed is None else FOUND}"),
                       A.ForAll(loop.var, copied(loop.iterator), first, span=at), span=at),)
    some = A.Labeled(label, A.ForAll(loop.var, A.Member(A.Name(turns.now, span=at), "items", span=at), body, span=at),
                     span=at)
    flag = A.Name(turns.whole, span=at)
    text = (A.If(flag, whole, (some,), span=at),) if listed is None else (A.If(flag, whole, (), span=at), some)
    params = (*kernel.params, *turns.params(T.Worklist("set", T.NodeT(rounds.graph))))
    return replace(kernel, params=params, body=text)


def _driven(rounds: Rounds, idle: Idle, label: str, fresh: Fresh) -> Iterator[A.Stmt]:
    """The Iterate with its lists, and what says that a round is over all nodes."""
    iterate, at = rounds.iterate, rounds.iterate.span
    turns, counted = Turns.new(fresh.bare, at), idle.counted
    graph = next(a for p, a in zip(rounds.kernel.params, iterate.args, strict=True) if p.name == rounds.graph)
    assert isinstance(graph, A.Name)
    yield from turns.lists(T.Worklist("set", T.NodeT(graph.id)))
    yield turns.flag(True)
    body = (*turns.turned(whole=counted is not None), *iterate.body)
    if counted is not None:
        last, here = fresh.bare("last"), _given(rounds, counted.bound)
        before = A.VarDecl(T.bare(rounds.own.checked.types[counted.bound]), last, here, span=at)
        body = (before, *body, turns.all_unless(_is_next(A.Name(last, span=at), here, at)))
    args = (*iterate.args, *turns.args(A.Name(turns.whole, span=at)))
    yield A.Labeled(label, replace(iterate, args=args, body=body), span=at)


def _is_next(last: A.Expr, here: A.Expr, at: Span | None) -> A.Expr:
    """Has a number grown by one, and neither come to INF nor begun anew?"""
    one = A.Binary("+", last, A.IntLit(1, T.INT, span=at), span=at)
    found = A.Binary("&&", A.Binary("==", copied(here), one, span=at),
                     A.Binary("<", copied(last), copied(here), span=at), span=at)
    return A.Binary("&&", found, A.Binary("!=", copied(here), A.Name("INF", span=at), span=at), span=at)


def _given(rounds: Rounds, bound: A.Expr) -> A.Expr:
    """What a kernel's counter is in the Program."""
    return copied(bound, lambda n: copied(rounds.counters[n.id]) if isinstance(n, A.Name) else None)

