"""Which way the nodes of a queue move, and that nothing else moves them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from irgl.analysis.effects.effects import home_graph, kernel_effects
from irgl.analysis.names.conversions import literal_value
from irgl.analysis.names.members import UPDATES, of_wl
from irgl.analysis.names.symbols import Checked, fail
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.passes.parts.calls import Call


def falls(word: str, kernels: Collection[A.Kernel], wide: bool) -> bool:
    """Do the updates of a queue by the property `word` make it smaller? Raises IrglError where some do, and others
    make it larger, or where nobody can tell. wide: it has 64 bits."""
    ways: dict[bool, A.MethodCall] = {}
    for k in kernels:
        for call in _updates(k):
            ways.setdefault(_falls(call, wide), call)
            if len(ways) > 1:
                fail(f"'{word}' falls here, and rises in other updates of its queue" if _falls(call, wide) else
                     f"'{word}' rises here, and falls in other updates of its queue", call,
                     "nodes of a queue move one way: keep two properties, with a queue for each")
    return next(iter(ways), True)


def _updates(k: A.Kernel) -> Iterator[A.MethodCall]:
    for n in walk(k):
        if (call := of_wl(n, *UPDATES)) is not None:
            yield call


def _falls(call: A.MethodCall, wide: bool) -> bool:
    if call.name != "update_sum":
        return call.name == "update_min"
    step = literal_value(call.args[1])
    if step is None or step == 0:
        fail("nobody can tell which way update_sum moves its node", call.args[1],
             "write a number: WL.update_sum(n, -1, limit); or use update_min or update_max")
    if abs(step) > 1 << 31 and not wide:
        fail(f"update_sum moves its node by {step}, more than its property holds", call.args[1],
             "use update_min or update_max, by what is left of it then")
    return step < 0


def refuse_others(checked: Checked, on: Mapping[str, T.Priority]) -> None:
    """Raises IrglError where a kernel changes what its queue goes by in another way, or where something else does that
    while a loop runs the queue."""
    for name, by in on.items():
        k = checked.kernels[name]
        for n in walk(k):
            _refuse_helper(checked, n, {by})
        for target in (target for s in walk(k) for target in _targets(s)):
            if isinstance(target, A.Member) and target.name == by.property and _owner(checked, k, target) == by.owner:
                fail(f"'{by.property}' orders the queue of '{name}', and changes here without it", target,
                     "move nodes by WL.update_min, update_max or update_sum")
            _refuse_another_delta(target, by)
    for loop, t in checked.lists.items():
        ours = {on[n.kernel] for n in walk(loop) if isinstance(n, Call) and n.kernel in on}
        _refuse_in(checked, walk(loop), on, ours, t.by, "loop")
    body = checked.entry.body if checked.entry is not None else ()
    for at, s in enumerate(body):
        if isinstance(s, A.VarDecl) and isinstance(held := checked.symbols[s].type, T.Worklist) and held.by is not None:
            end = 1 + max(k for k, other in enumerate(body) if k == at or _uses(other, s.name))
            _refuse_behind(checked, [n for later in body[at + 1:end] for n in walk(later)], on, s.name, held.by)


def _uses(part: A.Stmt, queue: str) -> bool:
    """Does a statement of the Program run a queue, fill it or ask it?"""
    return any((isinstance(n, A.Name) and n.id == queue) or (isinstance(n, A.Invoke) and n.queue == queue)
               for n in walk(part))


def _refuse_behind(checked: Checked, nodes: Collection[A.Node], on: Mapping[str, T.Priority], queue: str,
                   by: T.Priority) -> None:
    """The same of what stands between the declaration of a queue and its last use; another queue may not go by the
    same property."""
    _refuse_in(checked, nodes, on, {by}, by, "queue")
    for n in nodes:
        t = checked.symbols[n].type if isinstance(n, A.VarDecl) else T.VOID
        if isinstance(n, A.VarDecl) and isinstance(t, T.Worklist) and t.by is not None and t.by.key() == by.key():
            fail(f"'{n.name}' goes by '{by.property}', as '{queue}' does, which is still used", n,
                 "keep a property for each queue")
        if isinstance(n, Call) and n.kernel in on and not (isinstance(n, A.Invoke) and n.queue == queue) and (
                on[n.kernel].key() == by.key()):
            fail(f"'{n.kernel}' runs another queue by '{by.property}', which orders '{queue}'", n,
                 "keep a property for each queue")


def _refuse_in(checked: Checked, nodes: Iterable[A.Node], on: Mapping[str, T.Priority], ours: Collection[T.Priority],
               by: T.Priority | None, where: str) -> None:
    """Raises IrglError where something in a part of the Program in which queues run changes what they go by."""
    for n in nodes:
        _refuse_helper(checked, n, ours)
        if isinstance(n, Call):
            _refuse_changes(checked, n, ours, on.get(n.kernel))
        for target in _targets(n):
            if isinstance(target, A.Member) and any(
                    target.name == b.property and _owner(checked, checked.entry, target) == b.owner for b in ours):
                fail(f"'{target.name}' orders a queue that runs here, and changes without it", target,
                     f"set it before the {where}, or move nodes in a kernel by WL.update_min, update_max or update_sum")
            if by is not None:
                _refuse_another_delta(target, by)


def _targets(n: A.Node) -> tuple[A.Expr, ...]:
    """What a statement or expression stores into."""
    match n:
        case A.Assign() | A.Reduce():
            return (n.target,)
        case A.CBlock():
            return n.writes
        case A.Call(function="cas"):
            return n.args[:1]
        case _:
            return ()


def _refuse_another_delta(target: A.Expr | None, by: T.Priority) -> None:
    if isinstance(target, A.Name) and by.delta and target.id == by.delta:
        fail(f"'{by.delta}' divides what orders a queue that runs here, and changes", target,
             "take another variable for what changes")


def _refuse_changes(checked: Checked, call: Call, ours: Collection[T.Priority], own: T.Priority | None) -> None:
    """An invocation of a kernel, which moves the nodes of its own queue alone."""
    k, moved = checked.kernels[call.kernel], {by.key() for by in ours} - ({own.key()} if own is not None else set())
    for place in kernel_effects(checked, k).writes:
        if place.kind == "node" and (_type(checked, k, place.of), place.name) in moved:
            fail(f"'{call.kernel}' changes '{place.name}', by which a queue is ordered that runs here", call,
                 "give that kernel the same WL, and move nodes by WL.update_min, update_max or update_sum")


def _refuse_helper(checked: Checked, n: A.Node, ours: Collection[T.Priority]) -> None:
    """A call of a helper function, which moves no nodes of queues."""
    helper = checked.functions.get(n.function) if isinstance(n, A.Call) else None
    if helper is None:
        return
    for place in kernel_effects(checked, helper).writes:
        if place.kind == "node" and (_type(checked, helper, place.of), place.name) in {by.key() for by in ours}:
            fail(f"'{helper.name}' changes '{place.name}', by which a queue is ordered that runs here", n,
                 "move nodes in a kernel by WL.update_min, update_max or update_sum")


def _owner(checked: Checked, part: A.Kernel | A.Entry | None, target: A.Member) -> str:
    """The graph type of the node whose property it is; '' where that is none's."""
    t = checked.types.get(target.object)
    return _type(checked, part, t.graph) if isinstance(t, T.NodeT) and part is not None else ""


def _type(checked: Checked, part: A.Kernel | A.Function | A.Entry, graph: str) -> str:
    """The type of a graph variable of a kernel or the Program, its first graph where none is named."""
    graph = graph or home_graph(checked, part.params)
    declared = (d for d in walk(part) if isinstance(d, A.Param | A.VarDecl))
    return next((str(d.type) for d in declared if d.name == graph), "")
