"""Rounds that don't wait for each other: whoever would run in the next one comes back within the first.

What it does: what a kernel pushes for the next round it respawns, and of one over all nodes, which runs again while any
of them has something to do, all nodes come first.

    Iterate relax(g) Initial [src];                    Iterate relax(g) Initial [src];
    if (e.dst.p min= x) { WL.push(e.dst); }      =>    if (e.dst.p min= x) { Respawn e.dst; }

    Iterate While Any relax(g);                        Iterate relax(g) Initial (g.nodes);
    ForAll (n In g.nodes) { ...                  =>    ForAll (n In WL.items) { ...
        ReduceAndReturn(e.dst.p min= x);                   if (e.dst.p min= x) { Respawn e.dst; }

    if (here < n.q) { n.q = here; ... }          =>    if (here < n.q && (n.q min= here)) { ... }

When it applies: to a kernel whose rounds have nothing between them, and end in the same whatever runs when
(analysis/idle/fixpoint.py).
What it needs and keeps: a checked program after `name_items`; the meaning, but for how often a node runs and how many
rounds there are; and the paths.
"""

from __future__ import annotations

from dataclasses import replace

from irgl.analysis.idle.again import update_of
from irgl.analysis.idle.merging import Mergeable, mergeable
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import copied, rebuild


def run(checked: Checked, kernel: A.Kernel) -> A.Program | str:
    """The program in which a kernel's rounds don't wait for each other, or why they have to."""
    found = mergeable(checked, kernel)
    if isinstance(found, str):
        return found
    instead: dict[A.Node, A.Node] = {kernel: _merged(kernel, found)}
    if found.all and checked.entry is not None:
        instead[checked.entry] = _replaced(checked.entry, found.runs, _over_all(kernel, found))
    return rebuild(checked.program, lambda d: instead.get(d, d))


def _replaced(entry: A.Entry, old: A.Node, new: A.Node) -> A.Node:
    """The Program with another statement in the place of one."""
    def visit(node: A.Node) -> A.Node:
        return new if node is old else rebuild(node, visit)

    return visit(entry)


def _merged(kernel: A.Kernel, found: Mergeable) -> A.Kernel:
    """The kernel that respawns whom it moves, and notes in one step what it offers."""
    stores = {note.store for note in found.notes.values()}

    def visit(node: A.Node) -> A.Node | tuple[A.Stmt, ...]:
        item = found.again.get(node) if isinstance(node, A.Stmt) else None
        if item is not None:
            back = A.Respawn(copied(item), span=node.span)
            update = update_of(node.value) if isinstance(node, A.ReduceAndReturn) else None
            return back if update is None else A.If(update, (back,), (), span=node.span)
        note = found.notes.get(node) if isinstance(node, A.If) else None
        if note is not None and isinstance(node, A.If):
            news = A.Binary("&&", node.test, note.update, span=node.span)
            return replace(rebuild(node, visit), test=news)
        if (node.body if isinstance(node, A.Labeled) else node) in stores:
            return ()
        if found.all and isinstance(node, A.ReduceAndReturn):
            return A.ExprStmt(update_of(node.value) or node.value, span=node.span)
        if found.all and node is found.loop.iterator:
            return A.Member(A.Name("WL", span=node.span), "items", span=node.span)
        return rebuild(node, visit)

    made = rebuild(kernel, visit)
    assert isinstance(made, A.Kernel)
    t = kernel.worklist
    return made if not isinstance(t, T.Worklist) else replace(made, worklist=T.Worklist("list", t.item))


def _over_all(kernel: A.Kernel, found: Mergeable) -> A.Iterate:
    """The Iterate over a worklist in which all nodes come first."""
    runs, over = found.runs, found.loop.iterator
    assert isinstance(runs, A.Iterate) and isinstance(over, A.Member)
    of = over.object
    graph = next(a for p, a in zip(kernel.params, runs.args, strict=True) if isinstance(of, A.Name) and p.name == of.id)
    first = A.InitialIterator(A.Member(copied(graph), "nodes", span=runs.span), span=runs.span)
    return replace(runs, mode="worklist", reduction="", initial=first)
