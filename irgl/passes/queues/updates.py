"""The updates of a priority queue inside a kernel, as reductions and pushes to buckets (file_updates.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from irgl.analysis.names.conversions import literal_value
from irgl.analysis.names.members import UPDATES, of_wl, update_of
from irgl.analysis.names.symbols import Checked, fail
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import children, copied
from irgl.passes.queues.parts import OnQueue, bucket, coarsened, filed, narrow, never, of_node, running
from irgl.passes.queues.sums import summed

Stmts = tuple[A.Stmt, ...]
Body = Callable[[Sequence[A.Stmt]], Stmts]


def _update(e: A.Expr) -> A.MethodCall | None:
    """The update whose value, or whether it changed anything, an expression is."""
    return update_of(e, *UPDATES)


class Updates:
    """Of one kernel; `ran` is the array of what nodes last ran with, '' where there is none."""

    def __init__(self, checked: Checked, on: OnQueue, ran: str, fresh: Fresh) -> None:
        self.checked, self.by, self.ran, self.falling, self.fresh = checked, on.by, ran, on.falls, fresh
        self.narrow = narrow(on.kernel, on.by)
        assert self.by.of is not None
        self.of = self.by.of

    def instead(self, s: A.Stmt, body: Body) -> Stmts | None:
        """What stands in the place of a statement that updates or pushes; None: it does neither. body: rewrites the
        statements that it holds."""
        match s:
            case A.ExprStmt(value=value) if of_wl(value, "push") is not None:
                return self._pushed(value)
            case A.ExprStmt(value=value) if (call := _update(value)) is not None:
                return self._moved(call, (), ())
            case A.If(test=test) if (split := self._last(test)) is not None:
                before, call = split
                if before is None:
                    return self._moved(call, body(s.body), body(s.orelse))
                self._refuse_elsewhere(A.ExprStmt(before))
                if s.orelse:
                    fail("an update behind && in the condition of an `if` with an `else`", call,
                         "make a variable first: bool moved = WL.update_min(...);")
                return (A.If(before, self._moved(call, body(s.body), ()), (), span=s.span),)
            case A.VarDecl(type=T.Bool(), init=init) if init is not None and (call := _update(init)) is not None:
                word = s.name
                told = A.Assign(A.Name(word, span=s.span), A.BoolLit(True, span=s.span), "plain", span=s.span)
                return (A.VarDecl(T.BOOL, word, A.BoolLit(False, span=s.span), span=s.span),
                        *self._moved(call, (told,), ()))
            case A.VarDecl(init=A.Member(object=init, name="old")) if (call := of_wl(init, *UPDATES)) is not None:
                return self._moved_from(s, call)
            case _:
                self._refuse_elsewhere(s)
                return None

    def asked(self, e: A.Node) -> A.Node:
        """`WL.priority` in terms of the property, before it was divided; any other node as it is."""
        if not (isinstance(e, A.Member) and e.name == "priority" and isinstance(e.object, A.Name)
                and e.object.id == "WL"):
            return e
        return coarsened(self.by, running(e.span))

    # Which statements update

    def _last(self, test: A.Expr) -> tuple[A.Expr | None, A.MethodCall] | None:
        """A condition as what stands before its last part, and the update that this is."""
        call = _update(test)
        if call is not None:
            return None, call
        if isinstance(test, A.Binary) and test.op == "&&" and (call := _update(test.right)) is not None:
            return test.left, call
        return None

    def _refuse_elsewhere(self, s: A.Node) -> None:
        """An update below a statement or call, in the middle of an expression: what is filed behind it has no place."""
        def search(node: A.Node) -> None:
            for child in children(node):
                if isinstance(child, A.Stmt):
                    continue
                if isinstance(child, A.MethodCall) and of_wl(child, *UPDATES) is not None:
                    fail("an update stands in the middle of an expression", child,
                         "make a variable first: bool moved = WL.update_min(...);")
                search(child)

        search(s)

    # What they become

    def _pushed(self, call: A.Expr) -> Stmts:
        assert isinstance(call, A.MethodCall)
        self._refuse_elsewhere(call)
        made, node = self._once(call.args[0], T.NODE, "node")
        at = call.span
        now = A.Member(copied(node), self.by.property, span=at)
        again = (A.Assign(of_node(self.ran, node, at), never(self.falling, at), "racy", span=at),) if self.ran else ()
        return (*made, *again, self._filed(node, now))

    def _filed(self, node: A.Expr, value: A.Expr) -> A.Stmt:
        return filed(node, bucket(self.by, value, self.narrow), value.span)

    def _once(self, e: A.Expr, t: T.Type, stem: str) -> tuple[Stmts, A.Expr]:
        """A value that is asked several times, and what computes it before."""
        plain = e
        while isinstance(plain, A.Member) and plain.name in ("dst", "src"):
            plain = plain.object
        known = isinstance(plain, A.Name) and T.bare(self.checked.types.get(e, T.VOID)) == t
        if known or literal_value(e) is not None:
            return (), e
        word = self.fresh.bare(stem)
        return (A.VarDecl(t, word, e, span=e.span),), A.Name(word, span=e.span)

    def _moved(self, call: A.MethodCall, then: Stmts, otherwise: Stmts) -> Stmts:
        self._refuse_elsewhere(call)
        made, node = self._once(call.args[0], T.NODE, "node")
        if call.name == "update_sum":
            return (*made, *self._summed(call, node, then, otherwise))
        more, to = self._once(call.args[1], self.of, "to")
        place = A.Member(copied(node), self.by.property, span=call.span)
        change = A.Reduce(call.name.removeprefix("update_"), place, copied(to), span=call.span)
        return (*made, *more, A.If(change, (self._filed(node, copied(to)), *then), otherwise, span=call.span))

    def _moved_from(self, s: A.VarDecl, call: A.MethodCall) -> Stmts:
        """The same as a variable that holds the value from which the node moved, or at which it stays."""
        self._refuse_elsewhere(call)
        made, node = self._once(call.args[0], T.NODE, "node")
        if call.name == "update_sum":
            return (*made, *self._summed(call, node, (), (), s))
        more, to = self._once(call.args[1], self.of, "to")
        place = A.Member(copied(node), self.by.property, span=call.span)
        change = A.Reduce(call.name.removeprefix("update_"), place, copied(to), span=call.span)
        old, told = A.Member(change, "old", span=call.span), tuple[A.Stmt, ...]()
        word = s.name
        if s.type != self.of:  # which may not tell all values apart
            word = self.fresh.bare("was")
            told = (replace(s, init=A.Name(word, span=s.span)),)
        before = A.VarDecl(self.of, word, old, span=s.span)
        way = "<" if call.name == "update_min" else ">"
        moved = A.Binary(way, copied(to), A.Name(word, span=s.span), span=s.span)
        return (*made, *more, before, *told, A.If(moved, (self._filed(node, copied(to)),), (), span=s.span))

    def _summed(self, call: A.MethodCall, node: A.Expr, then: Stmts, otherwise: Stmts,
                old: A.VarDecl | None = None) -> Stmts:
        """old: a variable that holds what the node moved from."""
        at = call.span
        more, limit = self._once(call.args[2], self.of, "limit")
        place = A.Member(copied(node), self.by.property, span=at)
        before, loop, to = summed(place, self.of, call.args[1], limit, self.fresh)
        flag, told, behind = tuple[A.Stmt, ...](), tuple[A.Stmt, ...](), tuple[A.Stmt, ...]()
        if old is not None:
            seen, = before
            behind = (replace(old, init=A.Name(seen.name, span=at)),)
        if then or otherwise:
            word = self.fresh.bare("moved")
            flag = (A.VarDecl(T.BOOL, word, A.BoolLit(False, span=at), span=at),)
            told = (A.Assign(A.Name(word, span=at), A.BoolLit(True, span=at), "plain", span=at),)
            behind = (A.If(A.Name(word, span=at), then, otherwise, span=at),)
        made, done, again = loop.body
        assert isinstance(done, A.If)
        done = replace(done, body=(self._filed(node, A.Name(to, span=at)), *told, *done.body))
        return (*more, *flag, *before, replace(loop, body=(made, done, again)), *behind)
