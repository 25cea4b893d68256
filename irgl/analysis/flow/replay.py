"""May a round be run twice? Where space has run out, the lists can be cut back and the round run again - but only if
the second run does what the first one should have done, which effects must prove.

The operator must not read what it writes: breadth-first search claims a node and then pushes it, and in a second run it
finds the node claimed and loses it. What it stores must be the same the second time: plain stores, and reductions that
taking twice doesn't change (min, max, or, and).
"""

from __future__ import annotations

from irgl.analysis.effects.effects import kernel_effects
from irgl.analysis.flow.kernels import helpers_of
from irgl.analysis.names.symbols import Checked
from irgl.analysis.names.vectors import variable_of
from irgl.analysis.refusal import Refusal
from irgl.ast import nodes as A
from irgl.ast.visit import walk

#: Reductions whose second time changes nothing.
_IDEMPOTENT = ("min", "max", "|", "&")


def why_no_replay(checked: Checked, kernel: A.Kernel) -> Refusal | None:
    """The first reason, in the order of the text, why a round of a kernel can't be run twice; None: it can."""
    effects = kernel_effects(checked, kernel)
    parts: list[A.Kernel | A.Function] = [kernel, *helpers_of(checked, [kernel])]
    for part in parts:
        for n in walk(part):
            found = _refused(checked, n, part)
            if found is not None:
                return found
    # By name alone: two graph variables may hold one graph.
    written = {(p.kind, p.name) for p in effects.ways("store", "update")}
    for (place, way), node in effects.first.items():
        if way == "load" and (place.kind, place.name) in written:
            return Refusal(f"it reads '{place.name}', which it also writes: a second run finds what the first left",
                           "write to another property, and take it over in a second kernel", node)
        if way == "change" or (way == "append" and place.kind != "list"):
            return Refusal(f"it changes '{place.name}': a second run changes it again",
                           "use a list, which is cut back", node)
        if way == "append" and place.name == "WL" and checked.facts[kernel.name].worklist.kind == "buckets":
            return Refusal("what it pushes to the running bucket runs in the same invocation", "use a list", node)
    return None


def _refused(checked: Checked, n: A.Node, part: A.Kernel | A.Function) -> Refusal | None:
    """What by its form tells a second run from the first."""
    match n:
        case A.CBlock():
            return Refusal("nobody can see what a CBlock does when it runs twice", "write it in IrGL", n)
        case A.Exclusive():
            return Refusal("another iteration may get the elements in a second run", "leave Exclusive out", n)
        case A.Atomic() if not n.blocking:
            return Refusal("another iteration may get the lock in a second run", "wait for it: leave Else out", n)
        case A.Call(function="cas"):
            return Refusal("a cas that took place fails in a second run", "use min= or max=", n)
        case A.Reduce() if (of := variable_of(checked, n.target)) is None or _is_scalar(of, part):
            if n.op not in _IDEMPOTENT:
                return Refusal(f"a second run does {n.op}= again", "use min= max= |= or &=", n)
            if not any(isinstance(s, A.ExprStmt) and s.value is n for s in walk(part)):
                return Refusal("it asks whether a reduction changed anything: in a second run it doesn't",
                               "compare before, or store without asking", n)
    return None


def _is_scalar(of: A.Name, part: A.Kernel | A.Function) -> bool:
    """Is it a program scalar? Variables of the iteration are declared in the kernel or helper itself."""
    return not any(isinstance(d, A.VarDecl | A.Param) and d.name == of.id for d in walk(part))
