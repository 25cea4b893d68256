"""A priority queue becomes buckets, in which nodes are filed when they move, and skipped where they no longer are.

What it does: an update changes the property and files the node in its new bucket. An array has what each node last ran
with: a node whose property is still the same isn't in the queue, and an entry in a bucket that the node has left is
none. So each filing of a node runs it once, and nothing stale is run. A bucket without anybody in it is passed over
before anybody notices (cpu_rt/ordered.hpp, cuda_rt/ordered.cuh).

    Kernel relax(Graph g, int delta)                    Kernel relax(Graph g, int delta, array<long> dist_ran)
        WL priority_queue<node>(dist / delta) {             WL buckets<node> {
      ForAll (n In WL.items) {                            ForAll (n In WL.items) {
                                                            long with = n.dist;
                                                            if (!(dist_ran[n.id] min= with)) { continue; }
        ForAll (e In n.edges) {                     =>      ForAll (e In n.edges) {
          WL.update_min(e.dst, n.dist + e.length);            int to = n.dist + e.length;
        }                                                     if (e.dst.dist min= to) { WL.push(e.dst, to / delta); }
      }                                                     }
    }                                                     }
                                                        }

When it applies: to every kernel on a priority queue, and to the Pipes and Iterates that run one: before them the array
is made anew.
Where nobody can tell whether a node runs again (analysis/loops/again.py), there is no such array: a node waits unless
the bucket of its property has run; who is filed before the bucket that runs is `WL.early`.

    Kernel relax(Graph g, int delta)                    Kernel relax(Graph g, int delta) WL buckets<node> {
        WL priority_queue<node>(dist / delta) {   =>      ForAll (n In WL.items) {
      ...                                                   long with = n.dist;
                                                            if (with / delta < WL.priority && !WL.early(n)) {
                                                              continue;
                                                            }

What it needs and keeps: any program that checks; its meaning. An update may stand as a statement, as the condition of
an `if` or the last part of one joined by &&, or make a bool variable; a property moves one way in all of the Program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from irgl.analysis.check import check
from irgl.analysis.loops.any_order import any_order
from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.respawns import over_wl
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import rebuild, transform
from irgl.passes.parts.arrays import with_arrays
from irgl.passes.queues.claims import asks_first, claim
from irgl.passes.queues.loops import Loops
from irgl.passes.queues.moves import falls, refuse_others
from irgl.passes.queues.parts import ARRAY, OnQueue
from irgl.passes.queues.told import never_filed
from irgl.passes.queues.unseen import needs_no_record, unseen
from irgl.passes.queues.updates import Updates


def run(program: A.Program) -> A.Program:
    """The program without priority queues; the same where there are none."""
    if not any(isinstance(d, A.Kernel) and isinstance(d.worklist, T.Worklist) and d.worklist.kind == T.QUEUE
               for d in program.decls):
        return program
    checked = check(program)
    on = _on_queues(checked)
    refuse_others(checked, {name: k.by for name, k in on.items()})
    decls: list[A.Decl] = []
    for decl in program.decls:
        match decl:
            case A.Kernel(name=name) if name in on:
                decls.append(_with_buckets(checked, on[name]))
            case A.Entry():
                loops = Loops(checked, decl, on)
                entry = loops.run()
                decls += [*loops.kernels, entry]
            case _:
                decls.append(decl)
    return A.Program(tuple(with_arrays(decls)), span=program.span)


def _on_queues(checked: Checked) -> dict[str, OnQueue]:
    """The kernels on queues, by name."""
    found: dict[str, tuple[A.Kernel, T.Priority, str]] = {}
    for k in checked.kernels.values():
        t = checked.facts[k.name].worklist
        if t.kind == T.QUEUE and t.by is not None and isinstance(t.item, T.NodeT):
            found[k.name] = k, t.by, t.item.graph
    alike: dict[tuple[str, str], list[A.Kernel]] = {}
    for k, by, _ in found.values():
        alike.setdefault(by.key(), []).append(k)
    wide = {by.key() for _, by, _ in found.values() if by.is_wide()}
    down = {key: falls(key[1], kernels, key in wide) for key, kernels in alike.items()}
    knows = {key for key, kernels in alike.items() if len(kernels) > 1}
    knows |= {by.key() for k, by, _ in found.values()
              if by.key() not in knows and not needs_no_record(checked, k, by, down[by.key()])}
    return {name: OnQueue(k, by, graph, down[by.key()], None if by.key() in knows else
                          never_filed(checked, k, by, down[by.key()]), by.key() in knows)
            for name, (k, by, graph) in found.items()}


def _with_buckets(checked: Checked, on: OnQueue) -> A.Kernel:
    kernel, falling, fresh = on.kernel, on.falls, Fresh(checked.program, on.kernel)
    ran = fresh.bare(f"{on.by.property}_ran") if on.knows else ""
    updates = Updates(checked, on, ran, fresh)

    def rewritten(stmts: Sequence[A.Stmt]) -> tuple[A.Stmt, ...]:
        block = rebuild(A.Block(tuple(stmts)), visit)
        assert isinstance(block, A.Block)
        return block.body

    def visit(node: A.Node) -> A.Node | Sequence[A.Node]:
        if isinstance(node, A.Stmt):
            made = updates.instead(node, rewritten)
            if made is not None:
                return made
        if isinstance(node, A.ForAll) and over_wl(node):
            inner = rebuild(node, visit)
            assert isinstance(inner, A.ForAll)
            asks, body = claim(node, on, ran, fresh), inner.body
            if not ran and asks_first(node, on.by):  # what the claim asks for, too
                body, asks = body[1:], claim(node, on, ran, fresh, body[0])
            return replace(inner, body=(*asks, *body))
        return rebuild(node, visit)

    new = rebuild(transform(kernel, updates.asked), visit)
    assert isinstance(new, A.Kernel)
    t = kernel.worklist
    assert isinstance(t, T.Worklist)
    seen = on.knows or not unseen(checked, kernel, on.by)
    free = not (seen or on.by.is_wide()) and any_order(checked, kernel, on.by, falling)
    by = replace(on.by, ran=ran, falls=falling, seen=seen, free=free)
    params = (*kernel.params, *([A.Param(ARRAY, ran, None, (), span=kernel.span)] if ran else []))
    return replace(new, params=params, worklist=replace(t, kind="buckets", by=by))
