"""Queues of which nobody sees who runs again, nor how many buckets there are."""

from __future__ import annotations

from irgl.analysis.loops.again import why_noticed
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.passes.parts.calls import Call


def unseen(checked: Checked, k: A.Kernel, by: T.Priority, falling: bool) -> bool:
    """Can nothing tell whether the kernel, the only one on its queue, runs a node again, or a bucket of nobody?

    So it is where nodes move to the front alone, each loop that runs the kernel is an Iterate without a body, nobody
    asks who is finished, and why_noticed knows of nothing. O(size of the program).
    """
    if falling == by.higher or checked.entry is None or why_noticed(checked, k, by, falling) is not None:
        return False
    if any(isinstance(n, A.MethodCall) and n.name == "finished" for n in walk(checked.entry)):
        return False
    alone = {s for s in walk(checked.entry) if isinstance(s, A.Iterate) and s.mode == "worklist" and not s.body}
    return all(n in alone for n in walk(checked.entry) if isinstance(n, Call) and n.kernel == k.name)
