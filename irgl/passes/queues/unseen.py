"""Queues of which nobody sees who runs again, nor how many buckets there are."""

from __future__ import annotations

from irgl.analysis.effects.effects import kernel_effects
from irgl.analysis.loops.again import why_noticed
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.passes.parts.calls import Call
from irgl.passes.queues.told import asked_of, never_filed


def needs_no_record(checked: Checked, k: A.Kernel, by: T.Priority, falls: bool) -> bool:
    """Is all that a program can tell of a queue, on which the kernel is the only one, told without a record of who ran?

    So it is where nodes move to the front alone, so that a node waits until the bucket of its property has run, where
    nothing can tell whether one runs again in the same bucket, and where nobody asks who is finished, or the bucket
    that ran tells that. Of a property of 64 bits nobody waits at the ends: buckets of such nodes alone must not be
    seen. falls: updates make the property smaller. O(size of the program).
    """
    if falls == by.higher or checked.entry is None or why_noticed(checked, k, by, falls) is not None:
        return False
    told = not asked_of(checked, by) or never_filed(checked, k, by, falls) is not None
    return told and (not by.is_wide() or unseen(checked, k, by))


def unseen(checked: Checked, k: A.Kernel, by: T.Priority) -> bool:
    """Does nobody see how many buckets the kernel's queue had, nor where it was left?

    So it is where each loop that runs the kernel is an Iterate without a body whose arguments stay as they are.
    """
    assert checked.entry is not None
    alone = {s for s in walk(checked.entry) if isinstance(s, A.Iterate) and s.mode == "worklist" and not s.body
             and all(_stays(checked, k, a) for a in s.args)}
    return not asked_of(checked, by) and all(
        n in alone for n in walk(checked.entry) if isinstance(n, Call) and n.kernel == k.name)


def _stays(checked: Checked, k: A.Kernel, argument: A.Expr) -> bool:
    """Is an argument the same in each round of a loop that runs nothing but the kernel?"""
    written = {p.name for p in kernel_effects(checked, k).writes}
    return not any(
        isinstance(n, A.MethodCall | A.Call | A.Index | A.Reduce | A.InvokeResult)
        or (isinstance(n, A.Name) and n.id in checked.globals and n.id in written)
        or (isinstance(n, A.Member) and isinstance(checked.types.get(n.object), T.NodeT | T.EdgeT))
        for n in walk(argument))
