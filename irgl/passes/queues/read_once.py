"""What a node of a queue runs with is read once: its edges take it from the variable that its iteration begins with.

    ForAll (n In WL.items) {                        ForAll (n In WL.items) {
        int with = n.dist;                              int with = n.dist;
        if (...) { continue; }                          if (...) { continue; }
        ForAll (e In n.edges) {                         ForAll (e In n.edges) {
            int to = n.dist + e.length;        =>           int to = with + e.length;
            if (e.dst.dist min= to) { ... }                 if (e.dst.dist min= to) { ... }

Others may move the node meanwhile. Then it has been filed anew, and runs again with what it has by then; and to read it
before all else is one of the orders in which the iterations of a ForAll may be mixed.

When it applies: on CPUs, to loops over a queue's buckets of which nobody keeps who ran, whose operator moves nodes by
update_min or update_max alone therefore (analysis/loops/again.py); not to loops that pull, where nodes move themselves.
What it needs and keeps: a checked program behind turn_direction; its meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from irgl.analysis.check import check
from irgl.analysis.effects.effects import root_variable
from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.respawns import over_wl
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import rebuild, walk


def run(checked: Checked) -> Checked:
    """The program with such reads; the same where there are none."""
    decls = tuple(_read_once(d) if isinstance(d, A.Kernel) else d for d in checked.program.decls)
    if all(a is b for a, b in zip(decls, checked.program.decls, strict=True)):
        return checked
    made = check(A.Program(decls, span=checked.program.span), lowered=checked.lowered)
    return replace(made, dedup=checked.dedup, buffer=checked.buffer)


def _read_once(kernel: A.Kernel) -> A.Kernel:
    t = kernel.worklist
    if not isinstance(t, T.Worklist) or t.kind != "buckets" or t.by is None or t.by.ran:
        return kernel
    name = t.by.property

    def visit(n: A.Node) -> A.Node | Sequence[A.Node]:
        if isinstance(n, A.ForAll) and over_wl(n):
            return _in_loop(n, name)
        return rebuild(n, visit)

    found = rebuild(kernel, visit)
    assert isinstance(found, A.Kernel)
    return found


def _in_loop(loop: A.ForAll, name: str) -> A.ForAll:
    first = loop.body[0] if loop.body else None
    if not (isinstance(first, A.VarDecl) and first.init is not None and _is_own(first.init, loop.var, name)):
        return loop
    targets = {n.target for n in walk(loop) if isinstance(n, A.Assign | A.Reduce)}
    stored = {root.id for target in targets if (root := root_variable(target)) is not None}
    if first.name in stored or not any(_is_own(n, loop.var, name) for s in loop.body[1:] for n in walk(s)):
        return loop

    def visit(n: A.Node) -> A.Node | Sequence[A.Node]:
        if n in targets:
            return n
        return A.Name(first.name, span=n.span) if _is_own(n, loop.var, name) else rebuild(n, visit)

    rest = rebuild(A.Block(loop.body[1:], span=loop.span), visit)
    assert isinstance(rest, A.Block)
    return replace(loop, body=(first, *rest.body))


def _is_own(n: A.Node, var: str, name: str) -> bool:
    """Is it the property of the node that the loop is at, perhaps read beside others?"""
    n = n.location if isinstance(n, A.Relaxed) else n
    return isinstance(n, A.Member) and n.name == name and isinstance(n.object, A.Name) and n.object.id == var
