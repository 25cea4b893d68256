"""Operands whose order matters: C++ leaves it open, the language goes from left to right (docs/language.md)."""

from __future__ import annotations

from collections.abc import Iterator

from irgl.analysis.effects.effects import by_kind, changed_variables, effects_of
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, walk

#: What has operands.
Holder = A.Expr | A.Assign | A.Invoke | A.Iterate


class Clashes:
    """Finds operands of one program that touch what others of the same expression change."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self._acting: dict[A.Node, bool] = {}

    def of(self, e: Holder) -> list[A.Expr]:
        """Those operands of `e`, in their order, that have to be computed in it."""
        values = [x for x in operands(self.checked, e) if self._is_value(x)]
        if len(values) < 2 or not any(map(self.acts, values)):
            return []
        touched = [self._touched(x) for x in values]
        return [x for i, x in enumerate(values) if any(
            not written.isdisjoint(touched[i][0] | touched[i][1]) or not touched[i][1].isdisjoint(read)
            for j, (read, written) in enumerate(touched) if j != i)]

    def acts(self, e: A.Node) -> bool:
        """May computing `e` change anything?"""
        known = self._acting.get(e)
        if known is None:
            known = self._acting[e] = _is_action(self.checked, e) or any(map(self.acts, children(e)))
        return known

    def _is_value(self, e: A.Expr) -> bool:
        t = self.checked.types.get(e)
        return t is not None and (isinstance(t, T.NodeT | T.EdgeT | T.Id | T.Reduced | T.Range) or T.is_scalar(t)
                                  or self.checked.fields(t) is not None)

    def _touched(self, e: A.Expr) -> tuple[set[object], set[object]]:
        """What computing `e` reads, and what it changes."""
        effects = effects_of(self.checked, [e])
        read: set[object] = {*by_kind(effects.reads)}
        read |= {self.checked.symbols[n] for n in walk(e) if isinstance(n, A.Name) and n in self.checked.symbols}
        written: set[object] = {*by_kind(effects.writes), *changed_variables(self.checked, [e])}
        if effects.host:
            written.add("what only the host has")
        return read, written


def operands(checked: Checked, e: Holder) -> Iterator[A.Expr]:
    """What `e` is computed from where C++ leaves the order open, in the language's order."""
    match e:
        case A.Binary() if e.op not in ("&&", "||"):
            yield from (e.left, e.right)
        case A.Reduce():
            yield from _location(checked, e.target)
            yield e.value
        case A.Assign():
            yield e.value
            yield from _location(checked, e.target)
        case A.Call(function="cas"):
            yield from _location(checked, e.args[0])
            yield from e.args[1:]
        case A.MethodCall() if isinstance(checked.types[e.object], T.Range):
            if e.name != "when":  # which says in C++, too, what comes first
                yield from (e.object, *e.args)
        case A.Index() if isinstance(checked.types[e.object], T.Range):
            yield from (e.object, e.index)
        case A.Index(object=A.Member(object=node), index=index) if isinstance(checked.types[e.object], T.Vector):
            yield from (node, index)
        case A.Call() | A.MethodCall() | A.InvokeResult() | A.Invoke() | A.Iterate():
            yield from e.args
        case _:
            pass


def _location(checked: Checked, e: A.Expr) -> Iterator[A.Expr]:
    """What says which location `e` is."""
    if isinstance(e, A.Index):
        yield from _location(checked, e.object)
        yield e.index
    elif isinstance(e, A.Member):
        if checked.fields(checked.types[e.object]) is None:
            yield e.object
        else:
            yield from _location(checked, e.object)


def _is_action(checked: Checked, e: A.Node) -> bool:
    if isinstance(e, A.Call):
        return e.function in ("cas", "random", "clock") or e.function in checked.functions
    return isinstance(e, A.Reduce | A.MethodCall | A.InvokeResult)
