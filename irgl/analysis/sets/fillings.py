"""When the Program's sets are filled: whether each is empty when a kernel comes to push into it.

    while (now.size > 0) { later.clear(); Invoke step(g, now, later); now.swap(later); }

Follows the control flow with two sets of variables: what may hold nodes, and what may hold some from before a loop's
round. Jumps are taken from wherever they stand to the begin and the end of the loop around them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from irgl.analysis.names.symbols import Checked
from irgl.analysis.sets.groups import Call, Group, key_of
from irgl.ast import nodes as A
from irgl.ast.visit import walk


class State(NamedTuple):
    """The variables that may hold nodes, and those that may hold old ones."""

    filled: frozenset[str]
    old: frozenset[str]

    def joined(self, other: State) -> State:
        return State(self.filled | other.filled, self.old | other.old)


def why_not_empty(checked: Checked, group: Group) -> str | None:
    """Why a set may hold something already when nodes are pushed into it; None: it never does."""
    if checked.entry is None:
        return None
    walker = _Walker(checked, group)
    walker.stmts(checked.entry.body, State(frozenset(), frozenset()))
    return walker.reason


def holds_new_alone(checked: Checked, group: Group, loop: A.While, name: str) -> bool:
    """Has a set of the Program, behind each round of a loop, nothing but what kernels pushed in that round?"""
    walker = _Walker(checked, group)
    everything = frozenset(walker.names)
    after = walker.stmts(loop.body, State(everything, everything))
    for jumped in walker.jumps:
        after = after.joined(jumped)
    return name in walker.names and name not in after.old


class _Walker:
    """jumps: the states from which the loop at hand is left or goes on."""

    def __init__(self, checked: Checked, group: Group) -> None:
        assert checked.entry is not None
        self.checked, self.group, self.entry = checked, group, checked.entry
        self.names = {name for d, name in group.keys if d == checked.entry.name}
        self.reason: str | None = None
        self.jumps: list[State] = []

    def stmts(self, stmts: Iterable[A.Stmt], state: State) -> State:
        for s in stmts:
            state = self.stmt(s, state)
        return state

    def stmt(self, s: A.Stmt, state: State) -> State:
        match s:
            case A.Block() | A.Sections():
                return self.stmts(s.body, state)
            case A.Labeled():
                return self.stmt(s.body, state)
            case A.If():
                state = self.simple(s.test, state)
                return self.stmts(s.body, state).joined(self.stmts(s.orelse, state))
            case A.While() | A.DoWhile() | A.CFor() | A.For() | A.Iterate() | A.Pipe():
                return self._loop(s, state)
            case A.Break() | A.Continue() | A.Return():
                self.jumps.append(state)
                return state
            case _:
                return self.simple(s, state)

    def _loop(self, s: A.While | A.DoWhile | A.CFor | A.For | A.Iterate | A.Pipe, state: State) -> State:
        outside, self.jumps = self.jumps, []
        if isinstance(s, A.CFor):
            state = self.stmts(s.init, state)
        while True:
            after = state
            if isinstance(s, A.Iterate):
                after = self._called(s, after)
            test = None if isinstance(s, A.For | A.Iterate | A.Pipe) else s.test
            if test is not None:
                after = self.simple(test, after)
            after = self.stmts(s.body, after)
            if isinstance(s, A.CFor):
                after = self.stmts(s.step, after)
            for jumped in self.jumps:
                after = after.joined(jumped)
            if after.joined(state) == state:
                self.jumps = outside
                return state
            state = after.joined(state)

    def simple(self, part: A.Node, state: State) -> State:
        """A statement without others in it, or an expression."""
        for n in walk(part):
            match n:
                case A.VarDecl() if n.name in self.names:
                    state = State(state.filled - {n.name}, state.old - {n.name})
                case A.Invoke() | A.InvokeResult():
                    state = self._called(n, state)
                case A.MethodCall(object=A.Name(id=name)) if name in self.names:
                    state = self._method(n, name, state)
                case _:
                    pass
        return state

    def _method(self, call: A.MethodCall, name: str, state: State) -> State:
        match call.name, call.args:
            case "clear", _:
                return State(state.filled - {name}, state.old - {name})
            case "push", _:
                self._fill(name, "the Program", state)
                return State(state.filled | {name}, state.old | {name})
            case "swap", (A.Name(id=other),):
                exchanged = {name: other, other: name}
                return State(*(frozenset(exchanged.get(n, n) for n in names) for names in state))
            case _:
                return state

    def _called(self, call: Call, state: State) -> State:
        kernel = self.checked.kernels[call.kernel]
        pushed = {key_of(kernel, push.object) for k, push in self.group.pushes if k is kernel}
        filled: list[str] = []
        for p, a in zip(kernel.params, call.args, strict=True):
            if (kernel.name, p.name) in pushed and isinstance(a, A.Name):
                self._fill(a.id, kernel.name, state)
                filled.append(a.id)
        return State(state.filled | frozenset(filled), state.old)

    def _fill(self, name: str, who: str, state: State) -> None:
        if name in state.filled and self.reason is None:
            self.reason = f"{who} pushes into '{name}', which may hold nodes already"
