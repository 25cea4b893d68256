"""Queues of which nobody sees who runs again, nor how many buckets there are."""

from __future__ import annotations

from irgl.analysis.effects.effects import kernel_effects
from irgl.analysis.loops.again import why_noticed
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.passes.parts.calls import Call


def unseen(checked: Checked, k: A.Kernel, by: T.Priority, falling: bool) -> bool:
    """Can nothing tell whether the kernel, the only one on its queue, runs a node again, or a bucket of nobody?

    So it is where nodes move to the front alone, each loop that runs the kernel is an Iterate without a body whose
    arguments stay as they are, nobody asks who is finished, and why_noticed knows of nothing. O(size of the program).
    """
    if falling == by.higher or checked.entry is None or why_noticed(checked, k, by, falling) is not None:
        return False
    if any(isinstance(n, A.MethodCall) and n.name == "finished" for n in walk(checked.entry)):
        return False
    alone = {s for s in walk(checked.entry) if isinstance(s, A.Iterate) and s.mode == "worklist" and not s.body
             and all(_stays(checked, k, a) for a in s.args)}
    return all(n in alone for n in walk(checked.entry) if isinstance(n, Call) and n.kernel == k.name)


def _stays(checked: Checked, k: A.Kernel, argument: A.Expr) -> bool:
    """Is an argument the same in each round of a loop that runs nothing but the kernel?"""
    written = {p.name for p in kernel_effects(checked, k).writes}
    return not any(
        isinstance(n, A.MethodCall | A.Call | A.Index | A.Reduce | A.InvokeResult)
        or (isinstance(n, A.Name) and n.id in checked.globals and n.id in written)
        or (isinstance(n, A.Member) and isinstance(checked.types.get(n.object), T.NodeT | T.EdgeT))
        for n in walk(argument))
