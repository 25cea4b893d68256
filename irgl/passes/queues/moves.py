"""Which way the nodes of a queue move, and that nothing else moves them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from irgl.analysis.effects.effects import kernel_effects
from irgl.analysis.names.conversions import literal_value
from irgl.analysis.names.members import UPDATES
from irgl.analysis.names.symbols import Checked, fail
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk


def falls(word: str, kernels: Collection[A.Kernel]) -> bool:
    """Do the updates of a queue by the property `word` make it smaller? Raises IrglError where some do, and others
    make it larger, or where nobody can tell."""
    ways: dict[bool, A.MethodCall] = {}
    for k in kernels:
        for call in _updates(k):
            ways.setdefault(_falls(call), call)
            if len(ways) > 1:
                fail(f"'{word}' falls here, and rises in other updates of its queue" if _falls(call) else
                     f"'{word}' rises here, and falls in other updates of its queue", call,
                     "nodes of a queue move one way: keep two properties, with a queue for each")
    return next(iter(ways), True)


def _updates(k: A.Kernel) -> Iterator[A.MethodCall]:
    for n in walk(k):
        if isinstance(n, A.MethodCall) and n.name in UPDATES and isinstance(n.object, A.Name) and n.object.id == "WL":
            yield n


def _falls(call: A.MethodCall) -> bool:
    if call.name != "update_sum":
        return call.name == "update_min"
    step = literal_value(call.args[1])
    if step is None or step == 0:
        fail("nobody can tell which way update_sum moves its node", call.args[1],
             "write a number: WL.update_sum(n, -1, limit); or use update_min or update_max")
    return step < 0


def refuse_others(checked: Checked, on: Mapping[str, T.Priority]) -> None:
    """Raises IrglError where a kernel changes what its queue goes by in another way, or where something else does that
    while a loop runs the queue."""
    for name, by in on.items():
        k = checked.kernels[name]
        for s in walk(k):
            target = s.target if isinstance(s, A.Assign | A.Reduce) else _swapped(s)
            if isinstance(target, A.Member) and target.name == by.property and isinstance(
                    checked.types.get(target.object), T.NodeT):
                fail(f"'{by.property}' orders the queue of '{name}', and changes here without it", target,
                     "move nodes by WL.update_min, update_max or update_sum")
    for loop in checked.lists:
        words = {on[n.kernel].property for n in walk(loop) if isinstance(n, A.Invoke | A.Iterate | A.InvokeResult)
                 and n.kernel in on}
        for n in walk(loop):
            if isinstance(n, A.Invoke | A.Iterate | A.InvokeResult) and n.kernel not in on:
                for place in kernel_effects(checked, checked.kernels[n.kernel]).writes:
                    if place.kind == "node" and place.name in words:
                        fail(f"'{n.kernel}' changes '{place.name}', by which a queue is ordered that runs here", n,
                             "give that kernel the same WL, and move nodes by WL.update_min, update_max or update_sum")
            target = n.target if isinstance(n, A.Assign | A.Reduce) else None
            if isinstance(target, A.Member) and target.name in words:
                fail(f"'{target.name}' orders a queue that runs here, and changes without it", target,
                     "set it before the loop, or move nodes in a kernel by WL.update_min, update_max or update_sum")


def _swapped(n: A.Node) -> A.Expr | None:
    """What a cas stores into."""
    return n.args[0] if isinstance(n, A.Call) and n.function == "cas" else None
