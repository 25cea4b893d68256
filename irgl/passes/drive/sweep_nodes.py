"""Rounds over a worklist become sweeps over all nodes, each of which asks a flag of its own whether it has work.

What it does: the worklist becomes two sets of flags, a byte or a bit for each node, and a round goes on where one of
them was set.

    Iterate step(g) Initial [src] { ... }      bytemap<node> now; bytemap<node> later; now.push(src);
                                               if (now.size > 0) {
    ForAll (n In WL.items) {                       Iterate While Any step(g, now, later) {
        ... WL.push(e.dst); ...         =>             now.swap(later); later.clear(); ...
    }                                              }
                                               }
                                               ForAll (n In g.nodes) {
                                                   if (now.contains(n)) {
                                                       ... later.push(e.dst); ReduceAndReturn(true); ...

When it applies: to an outermost Iterate whose kernel is one ForAll over its worklist, to which it pushes nodes and
which it uses for nothing else; where that may hold a node twice, what the loop does must be as good once
(analysis/sets).
What it needs and keeps: a checked program after `name_items`; the meaning, but for the order of items and for how often
a node runs for which twice is as good as once; and the paths.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from irgl.analysis.check import check
from irgl.analysis.effects.effects import home_graph
from irgl.analysis.flow.kernels import only_loop
from irgl.analysis.idle.rounds import why_not_alone
from irgl.analysis.names.members import DENSE, SETS, of_wl
from irgl.analysis.names.symbols import Checked
from irgl.analysis.values.none import brings_none
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import rebuild, walk
from irgl.options import OFF
from irgl.passes.drive.relabel import replaced
from irgl.passes.drive.turns import Turns, called
from irgl.passes.parts.replacing import fresh_in
from irgl.passes.sets import relax_sets


def run(checked: Checked, iterate: A.Iterate) -> A.Program | str:
    """The program whose Iterate sweeps over all nodes, or why it can't."""
    kernel = checked.kernels[iterate.kernel]
    graph = home_graph(checked, kernel.params)
    reason = _why_not(checked, iterate, kernel, graph)
    if reason is not None:
        return reason
    was = checked.facts[kernel.name].worklist.kind
    kind = T.Worklist(was if was in DENSE else DENSE[-1], T.NodeT(graph))
    assert checked.entry is not None
    fresh = Fresh(checked.program, checked.entry)
    given = next(a for p, a in zip(kernel.params, iterate.args, strict=True) if p.name == graph)
    if not isinstance(given, A.Name):
        return "its graph has no name"
    entry = replaced(checked.entry, iterate, lambda label: _rounds(iterate, replace(kind, item=T.NodeT(given.id)),
                                                                   given.id, label, fresh))
    instead = {kernel: _sweeping(checked, kernel, kind, graph), checked.entry: entry}
    made = rebuild(checked.program, lambda d: instead.get(d, d))
    swept = check(made)
    puts = (n for n in walk(swept.program) if isinstance(n, A.MethodCall) and n.name == "push")
    if any(isinstance(t := swept.types.get(n.object), T.Worklist) and t.kind in DENSE and brings_none(swept, n)
           for n in puts):
        return "NONE may be put into its worklist, and has no flag"
    return made


def _why_not(checked: Checked, iterate: A.Iterate, kernel: A.Kernel, graph: str) -> str | None:
    facts = checked.facts[kernel.name]
    if iterate.mode != "worklist" and not facts.uses_worklist:
        return "it runs over no worklist as it is written"
    if iterate.mode != "worklist":
        return "it ends before its worklist is empty"
    why = why_not_alone(checked, iterate)
    if why is not None:
        return why
    t = facts.worklist
    if t.by is not None or t.kind not in ("list", *SETS):
        return "its worklist has an order"
    if not isinstance(t.item, T.NodeT) or (t.item.graph or graph) != graph or not graph:
        return "its worklist holds no nodes of its kernel's graph"
    if facts.retries or facts.returns:
        return "its items come back within a round" if facts.retries else f"'{kernel.name}' has a value of its own"
    loop = only_loop(kernel)
    if loop is None or not _over_items(loop):
        return f"'{kernel.name}' is more than one ForAll over its worklist"
    pushes = {call.object for n in walk(kernel) if isinstance(n, A.ExprStmt)
              and (call := of_wl(n.value, "push")) is not None}
    if any(isinstance(n, A.Name) and n.id == "WL" and n not in pushes and n is not _list(loop) for n in walk(kernel)):
        return f"'{kernel.name}' does more with its worklist than to push to it"
    between = {n.kernel for s in iterate.body for n in walk(s) if isinstance(n, A.Invoke | A.InvokeResult | A.Iterate)}
    if any(checked.facts[name].uses_worklist for name in between) or any(
            isinstance(n, A.Name) and n.id == "WL" for s in iterate.body for n in walk(s)):
        return "its worklist is used between its rounds, too"
    if not isinstance(iterate.initial, A.InitialItems) and not _is_all(iterate):
        return "its first items are neither single ones nor all nodes"
    return None if t.unique or t.kind in SETS else _why_not_once(checked, kernel)


def _why_not_once(checked: Checked, kernel: A.Kernel) -> str | None:
    """Why a node that is in a list twice may not be run once."""
    once = replace(kernel, worklist=T.Worklist("set", T.NODE))
    reason = relax_sets.why_not(check(rebuild(checked.program, lambda d: once if d is kernel else d)), OFF)
    return None if reason is None else f"a node may be in its worklist twice: {reason}"


def _over_items(loop: A.ForAll) -> bool:
    return _list(loop) is not None


def _list(loop: A.ForAll) -> A.Name | None:
    """The worklist's name in `WL.items`, over which a loop runs."""
    match loop.iterator:
        case A.Member(name="items", object=A.Name(id="WL") as name):
            return name
        case _:
            return None


def _is_all(iterate: A.Iterate) -> bool:
    """Are all nodes of the kernel's graph its first items?"""
    match iterate.initial:
        case A.InitialIterator(iterator=A.Member(name="nodes", object=A.Name(id=word))):
            return any(isinstance(a, A.Name) and a.id == word for a in iterate.args[:1])
        case _:
            return False


def _sweeping(checked: Checked, kernel: A.Kernel, kind: T.Worklist, graph: str) -> A.Kernel:
    """The kernel over all nodes, with its flags."""
    loop = only_loop(kernel)
    assert loop is not None
    at = loop.span
    turns = Turns.new(fresh_in(checked, kernel).bare, at)

    def visit(node: A.Node) -> A.Node | tuple[A.Stmt, ...]:
        if isinstance(node, A.Labeled):
            inner = visit(node.body)
            one = A.Block(inner, span=node.span) if isinstance(inner, tuple) else inner
            return rebuild(node, lambda n: one if n is node.body else n)
        if isinstance(node, A.ExprStmt) and (call := of_wl(node.value, "push")) is not None:
            yes = A.ReduceAndReturn(A.BoolLit(True, span=node.span), span=node.span)
            return turns.push(*call.args), yes
        return rebuild(node, visit)

    body = rebuild(loop, visit).body
    has = A.MethodCall(A.Name(turns.now, span=at), "contains", (A.Name(loop.var, span=at),), span=at)
    test = A.If(A.Binary("||", A.Name(turns.whole, span=at), has, span=at), body, (), span=at)
    swept = A.ForAll(loop.var, A.Member(A.Name(graph, span=at), "nodes", span=at), (test,), span=at)
    of = replace(kernel, worklist=None, params=(*kernel.params, *turns.params(kind)))
    return rebuild(of, lambda n: swept if n is loop else rebuild(n, lambda m: swept if m is loop else m))


def _rounds(iterate: A.Iterate, kind: T.Worklist, graph: str, label: str, fresh: Fresh) -> Iterator[A.Stmt]:
    at = iterate.span
    turns, every = Turns.new(fresh.bare, at), _is_all(iterate)
    yield from turns.lists(kind)
    yield turns.flag(every)
    if isinstance(iterate.initial, A.InitialItems):
        yield from (called(turns.now, "push", e.span, e) for e in iterate.initial.items)
    args = (*iterate.args, *turns.args(A.Name(turns.whole, span=at)))
    body = (*turns.turned(whole=False), *iterate.body)
    rounds = A.Iterate("while", "any", iterate.kernel, args, None, body, span=at)
    some = A.Member(A.Name(graph, span=at), "num_nodes", span=at) if every else A.Member(
        A.Name(turns.now, span=at), "size", span=at)
    yield A.If(A.Binary(">", some, A.IntLit(0, T.INT, span=at), span=at), (A.Labeled(label, rounds, span=at),), (),
               span=at)
