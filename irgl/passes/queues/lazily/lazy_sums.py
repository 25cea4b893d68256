"""Sums that can be counted before they are done (file_lazily.py)."""

from __future__ import annotations

from collections.abc import Iterator

from irgl.analysis.effects.effects import kernel_effects, stored_variables
from irgl.analysis.names.conversions import literal_value
from irgl.analysis.names.members import of_wl
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.passes.queues.sums import found


def pushes(loop: A.ForAll | A.While) -> Iterator[A.MethodCall]:
    """What files nodes in a kernel's own worklist."""
    return (call for n in walk(loop) if (call := of_wl(n, "push")) is not None)


def why_not_counted(checked: Checked, kernel: A.Kernel, loop: A.ForAll, by: T.Priority) -> str | None:
    """Why what an operator sums can't be counted first."""
    sums = [s for n in walk(loop) if (s := found(n)) is not None]
    if len(sums) != 1:
        return f"it has {len(sums)} update_sums, of which one could be counted" if sums else "it has no update_sum"
    only = sums[0]
    if len(list(pushes(loop))) != 1:
        return "it files nodes by something beside its update_sum"
    if len(only.then) != 1:
        return "it asks whether update_sum has moved its node, which nobody knows yet"
    if not invariant(checked, kernel, only.limit):
        return "the limit of its update_sum isn't the same for all of a round"
    claims = {n for s in loop.body[:1] for n in walk(s)}
    summed = {n for n in walk(loop) if isinstance(n, A.Member) and n.name == by.property and n not in claims}
    theirs = {n for w in walk(loop) if found(w) is not None for n in walk(w)}
    first = {n for n in walk(loop) if isinstance(n, A.VarDecl) and n.name == only.seen}
    theirs |= {n for s in first for n in walk(s)}
    if any(isinstance(n, A.Name) and n.id == only.seen and n not in theirs for n in walk(loop)):
        return "it asks from where update_sum has moved its node, which nobody knows yet"
    if summed - theirs:
        return f"it reads '{by.property}', of which some is only counted yet"
    return None


def limit_of(kernel: A.Kernel, limit: A.Expr) -> A.Expr:
    """What a limit was computed from, where it is a variable of the loop."""
    return [limit, *_declared(kernel, limit)][-1]


def _declared(kernel: A.Kernel, limit: A.Expr) -> Iterator[A.Expr]:
    """What stands for a limit on the way to what it was computed from."""
    made = {n.name: n.init for n in walk(kernel) if isinstance(n, A.VarDecl)}
    while isinstance(limit, A.Name) and (init := made.get(limit.id)) is not None:
        yield init
        limit = init


def invariant(checked: Checked, kernel: A.Kernel, limit: A.Expr) -> bool:
    """Is a limit the same for all nodes of a round?"""
    stored = {v.name for v in stored_variables(checked, [kernel])}
    params = {p.name for p in kernel.params} - stored
    written = {p.name for p in kernel_effects(checked, kernel).writes if p.kind == "scalar"}

    def steady(e: A.Expr) -> bool:
        match e:
            case A.Name(id=word):
                return word in params or (word in checked.globals and word not in written)
            case A.Member(object=A.Name(id="WL"), name="priority"):
                return True
            case A.Unary(operand=inner) | A.Cast(operand=inner):
                return steady(inner)
            case A.Binary(left=left, right=right):
                return steady(left) and steady(right)
            case A.Call(function="min" | "max" | "abs", args=args):
                return all(map(steady, args))
            case _:
                return literal_value(e) is not None

    first = limit_of(kernel, limit)
    through = {n.id for n in (limit, *_declared(kernel, limit)) if isinstance(n, A.Name)}
    return steady(first) and not through & stored
