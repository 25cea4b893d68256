"""Does an iteration of a ForAll over all nodes change nothing the second time, if none of its own values has changed?

So it is where all that it does is to lower, raise or join values by what its own values say, each value in one way
alone: what has been offered once is no news later. What it does only where such an update did something isn't done the
second time, whatever that is; but it must not leave the iteration, which would then go on.
"""

from __future__ import annotations

from collections.abc import Iterable

from irgl.analysis.idle.own_values import OwnValues
from irgl.analysis.loops.edge_bodies import accesses, conjuncts
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import equal, walk

#: Updates of which the second changes nothing.
_ONCE = ("min", "max", "|", "&")
_JUMPS = (A.Break, A.Continue, A.Return, A.Retry, A.Respawn, A.CBlock, A.Atomic, A.Exclusive, A.SyncRunningThreads)


def why_not_again(own: OwnValues) -> str | None:
    """Why an iteration may change something the second time; own: with the properties, afterwards, that it asks for."""
    found = _Again(own)
    reason = found.stmts(own.loop.body)
    return reason if reason is not None else found.why_not_one_way()


def update_of(e: A.Expr) -> A.Reduce | None:
    """The update of which an expression says whether it did anything; None: it says something else."""
    e = e.object if isinstance(e, A.Member) and e.name == "changed" else e
    return e if isinstance(e, A.Reduce) else None


class _Again:
    """updates: those that an iteration does each time, by what they change."""

    def __init__(self, own: OwnValues) -> None:
        self.own = own
        self.checked = own.checked
        self.updates: list[A.Reduce] = []

    def stmts(self, stmts: Iterable[A.Stmt]) -> str | None:
        return next((reason for s in stmts if (reason := self.stmt(s)) is not None), None)

    def stmt(self, s: A.Stmt) -> str | None:
        match s:
            case A.VarDecl(init=None):
                return "a variable without a value stands in it"
            case A.VarDecl():
                assert s.init is not None
                return self.own.why_not(s.init)
            case A.Block():
                return self.stmts(s.body)
            case A.Labeled():
                return self.stmt(s.body)
            case A.For() | A.ForAll():
                reason = self.own.why_not(s.iterator)
                return reason if reason is not None else self.stmts(s.body)
            case A.If():
                return self._if(s)
            case A.Break() | A.Continue():
                return None
            case A.ReduceAndReturn(value=A.BoolLit(value=False)):
                return None
            case A.ReduceAndReturn():
                update = update_of(s.value)
                return "ReduceAndReturn tells more than whether something has changed" if update is None else (
                    self._update(update))
            case A.ExprStmt(value=A.Reduce() as update):
                return self._update(update)
            case A.Assign():
                return "it stores something each time"
            case _:
                return "it does more than to lower, raise or join values"

    def _if(self, s: A.If) -> str | None:
        *before, last = conjuncts(s.test)
        update = update_of(last)
        if update is None:
            alone = only_update(s.body) if not s.orelse else None
            for c in (*before, last):
                reason = None if alone is not None and is_overtaken(self.checked, c, alone) else self.own.why_not(c)
                if reason is not None:
                    return reason
            reason = self.stmts(s.body)
            return reason if reason is not None else self.stmts(s.orelse)
        for c in before:
            reason = None if is_overtaken(self.checked, c, update) else self.own.why_not(c)
            if reason is not None:
                return reason
        if s.orelse:
            return "it does something where an update did nothing"
        if any(isinstance(n, _JUMPS) for x in s.body for n in walk(x)):
            return "it leaves off, or takes locks, where an update did something"
        return self._update(update)

    def _update(self, update: A.Reduce) -> str | None:
        target = update.target
        if update.op not in _ONCE:
            return f"{update.op}= changes something each time"
        if not T.is_scalar(self.checked.types[target]):
            return "it updates what is no single number"
        match target:
            case A.Member() if isinstance(self.checked.types[target.object], T.NodeT | T.EdgeT):
                reason = self.own.why_not(target.object)
            case A.Name() if (symbol := self.checked.symbols.get(target)) is not None and symbol.kind == "global":
                reason = None
            case _:
                return "it updates what is no property"
        self.updates.append(update)
        return reason if reason is not None else self.own.why_not(update.value)

    def why_not_one_way(self) -> str | None:
        """Why a value that is updated may come back to what it was; None: each only goes one way."""
        keys = {a.expr: a.key for a in accesses(self.checked, self.own.loop.body) if a.kind != "load"}
        ops = {u.target: u.op for u in walk(self.own.loop) if isinstance(u, A.Reduce)}
        for update in self.updates:
            key = keys.get(update.target)
            assert key is not None
            if (key[1], key[2]) in self.own.outside:
                return f"'{key[2]}' is changed between its rounds"
            if any(ops.get(e) != update.op for e, other in keys.items() if other == key):
                return f"'{key[2]}' is changed in two ways"
        return None


def only_update(stmts: tuple[A.Stmt, ...]) -> A.Reduce | None:
    """The update that is all that statements do by themselves: they may go on where it did something."""
    if len(stmts) != 1:
        return None
    match stmts[0]:
        case A.ExprStmt(value=A.Reduce() as update):
            return update
        case A.ReduceAndReturn() as s:
            return update_of(s.value)
        case A.If(orelse=()) as s:
            tests = list(conjuncts(s.test))
            return update_of(tests[0]) if len(tests) == 1 else None
        case A.Block() as s:
            return only_update(s.body)
        case _:
            return None


def is_overtaken(checked: Checked, c: A.Expr, update: A.Reduce) -> bool:
    """`x < e.dst.p` before `e.dst.p min= x`, which does nothing where the condition is false, and never will."""
    if not isinstance(c, A.Binary) or c.op not in ("<", ">"):
        return False
    low, high = (c.left, c.right) if c.op == "<" else (c.right, c.left)
    near, far = (low, high) if update.op == "min" else (high, low)
    far = far.location if isinstance(far, A.Relaxed) else far
    types = checked.types
    same = T.bare(types[near]) == T.bare(types[far]) == T.bare(types[update.value])
    return update.op in ("min", "max") and same and equal(near, update.value) and equal(far, update.target)
