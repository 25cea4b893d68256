"""Nodes that sums move run without a record of who ran: each is filed once in the bucket in which it runs.

What it does: the array of what nodes last ran with is left out (file_updates.py). A node of which the bucket has run is
passed over, and no node is there twice: it was filed where the loop began, and each time that it moved, each time to
another bucket, none of which lies before the one that runs.

    Kernel peel(Graph g, array<long> left_ran)             Kernel peel(Graph g) WL buckets<node> {
        WL buckets<node> {                                   ForAll (n In WL.items) {
      ForAll (n In WL.items) {                                 int with = n.left;
        long with = n.left;                           =>       if (with < WL.priority && !WL.early(n)) { continue; }
        if (!(left_ran[n.id] min= with)) { continue; }         ...
        ... int limit = WL.priority;
        ... while (seen > limit) { ... cas ... WL.push }

When it applies: on CPUs, to a kernel that is the only one on its queue, which isn't coarsened, files nodes at once, and
moves them down by sums alone, up to the bucket that runs; and where all loops that run it begin with all nodes. A GPU
may file a node twice that lies beyond its lists.
What it needs and keeps: buckets that stand in for a queue; their meaning.
"""

from __future__ import annotations

from dataclasses import replace

from irgl.analysis.check import check
from irgl.analysis.flow.kernels import only_loop
from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.respawns import over_wl
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import rebuild, walk
from irgl.options import WAY
from irgl.passes.parts.calls import Call
from irgl.passes.queues.claims import claim
from irgl.passes.queues.lazily.lazy_sums import invariant, limit_of, pushes
from irgl.passes.queues.parts import OnQueue, is_running
from irgl.passes.queues.sums import found
from irgl.plan import Plan


def run(checked: Checked, plan: Plan) -> Checked:
    """The program in which such kernels keep no record; the same where there are none."""
    none = {k.name: by for k in checked.kernels.values()
            if (by := checked.facts[k.name].worklist.by) is not None and by.ran and _runs_once(checked, k, by)
            and all(plan.text_of(WAY, place) == plan.plain(WAY) for place, _ in outer_loops(k))}
    if not none or checked.entry is None:
        return checked
    entry = _without(checked, checked.entry, set(none))
    called = {n.kernel for n in walk(entry) if isinstance(n, Call)}
    makes = {n.kernel for n in walk(checked.entry) if isinstance(n, A.Invoke)} - called
    decls = [_unrecorded(checked, d, none[d.name]) if isinstance(d, A.Kernel) and d.name in none else
             entry if isinstance(d, A.Entry) else d
             for d in checked.program.decls if not (isinstance(d, A.Kernel) and d.name in makes)]
    return check(A.Program(tuple(decls), span=checked.program.span), lowered=checked.lowered)


def by_sums(k: A.Kernel) -> bool:
    """Does a kernel move and file nodes by sums alone?"""
    loop = only_loop(k)
    if loop is None or not over_wl(loop):
        return False
    filed = len(list(pushes(loop)))
    return filed > 0 and filed == sum(len(list(pushes(s))) for s in _sums(loop))


def _sums(loop: A.ForAll) -> list[A.While]:
    return [n for n in walk(loop) if isinstance(n, A.While) and found(n) is not None]


def _runs_once(checked: Checked, k: A.Kernel, by: T.Priority) -> bool:
    alone = sum(f.worklist.by is not None and f.worklist.by.key() == by.key() for f in checked.facts.values()) == 1
    loop = only_loop(k)
    if not alone or by.delta or by.higher or not by.falls or by.is_wide() or loop is None or not by_sums(k):
        return False
    limits = [one.limit for s in _sums(loop) if (one := found(s)) is not None]
    ends = [limit_of(k, limit) for limit in limits if invariant(checked, k, limit)]
    to_here = len(ends) == len(limits) and all(isinstance(e, A.Cast) and is_running(e.operand) for e in ends)
    return to_here and _begins_with_all(checked, k, by)


def _begins_with_all(checked: Checked, k: A.Kernel, by: T.Priority) -> bool:
    """Is it run by Iterates alone that begin with all nodes, and is the record of nobody's business beside theirs?"""
    entry = checked.entry
    assert entry is not None
    records = _records(checked, entry, {k.name})

    def otherwise(n: A.Node) -> bool:
        match n:
            case A.Iterate(kernel=k.name, initial=A.InitialIterator(A.Member(object=A.Name() as graph, name="nodes"))):
                t = checked.types.get(graph)
                return not (isinstance(t, T.Named) and t.name in checked.graph_types)
            case A.Iterate(kernel=name) | A.Invoke(kernel=name) | A.InvokeResult(kernel=name):
                return name == k.name
            case A.VarDecl(type=T.Worklist(by=of)):
                return of is not None and of.key() == by.key()
            case A.Index(object=A.Name(id=word)):
                return word in records
            case _:
                return False

    return not any(map(otherwise, walk(entry)))


def _records(checked: Checked, entry: A.Entry, kernels: set[str]) -> set[str]:
    """The Program's arrays of what nodes last ran with that kernels are given."""
    return {a.id for n in walk(entry) if isinstance(n, Call) and n.kernel in kernels
            for p, a in zip(checked.kernels[n.kernel].params, n.args, strict=True)
            if p.name == _record(checked, n.kernel) and isinstance(a, A.Name)}


def _record(checked: Checked, kernel: str) -> str:
    by = checked.facts[kernel].worklist.by
    return "" if by is None else by.ran


def _unrecorded(checked: Checked, k: A.Kernel, by: T.Priority) -> A.Kernel:
    loop = only_loop(k)
    assert loop is not None
    on = OnQueue(k, by, "", by.falls, None, False)
    first = loop.body[0]
    assert isinstance(first, A.VarDecl)
    asked = claim(loop, on, "", Fresh(checked.program, k), replace(first, type=by.of or first.type))
    new = replace(loop, body=(*asked, *loop.body[2:]))  # in place of a variable and the claim
    t = k.worklist
    assert isinstance(t, T.Worklist)

    def visit(n: A.Node) -> A.Node:
        return new if n is loop else rebuild(n, visit)

    kernel = rebuild(k, visit)
    return replace(kernel, params=tuple(p for p in k.params if p.name != by.ran),
                   worklist=replace(t, by=replace(by, ran="", whole=True)))


def _without(checked: Checked, entry: A.Entry, kernels: set[str]) -> A.Entry:
    """The Program without the records, and without what makes them."""
    records = _records(checked, entry, kernels)

    def visit(n: A.Node) -> A.Node | tuple[A.Node, ...]:
        if isinstance(n, Call) and n.kernel in kernels:
            kept = tuple(a for a in n.args if not (isinstance(a, A.Name) and a.id in records))
            new = rebuild(n, visit)
            assert isinstance(new, Call)
            return replace(new, args=kept)
        makes = isinstance(n, A.VarDecl) and n.name in records
        of_it = isinstance(n, A.ExprStmt | A.Invoke) and any(
            isinstance(x, A.Name) and x.id in records for x in walk(n))
        return () if makes or of_it else rebuild(n, visit)

    new = rebuild(entry, visit)
    assert isinstance(new, A.Entry)
    return new
