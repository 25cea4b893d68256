"""Loops that note which nodes of a queue move, and file them when these come to their turn (file_lazily.py)."""

from __future__ import annotations

from dataclasses import replace

from irgl.analysis.names.conversions import literal_value
from irgl.analysis.names.members import of_wl
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import copied, rebuild, walk
from irgl.passes.queues.parts import bucket, filed, is_running, narrow, of_node, running
from irgl.passes.queues.sums import Sum, found, summed
from irgl.source import Span

Stmts = tuple[A.Stmt, ...]

#: More than any bucket's number: what is noted is how far before it, or behind, and 0 where nothing is.
_BEYOND = A.IntLit(1 << 40, T.LONG)


class LazyLoop:
    """Of one kernel; `word` is the array in which is noted, counts: how often, else into which bucket."""

    def __init__(self, checked: Checked, kernel: A.Kernel, by: T.Priority, word: str, counts: bool) -> None:
        self.kernel, self.by, self.word, self.counts = kernel, by, word, counts
        self.fresh = Fresh(checked.program, kernel)
        self.fresh.taken.add(word)
        self.narrow = narrow(kernel, by)
        self.sums = {s: one for s in walk(kernel) if isinstance(s, A.While) and (one := found(s)) is not None}
        self.seen = {one.seen for one in self.sums.values()}

    def instead(self, loop: A.ForAll) -> A.Kernel:
        """The kernel in which that loop notes and files."""
        def visit(node: A.Node) -> A.Node | Stmts:
            if node is not loop:
                return rebuild(node, visit)
            new = rebuild(loop, self._noting)
            assert isinstance(new, A.ForAll)
            asked, *rest = new.body
            return replace(new, body=(*self._settled(loop), asked, self._later(asked), *rest))

        return rebuild(self.kernel, visit)

    def _noting(self, node: A.Node) -> A.Node | Stmts:
        """Statements below the loop: what files a node notes it."""
        if self.counts:
            if isinstance(node, A.VarDecl) and node.name in self.seen:
                return ()
            if isinstance(node, A.While) and node in self.sums:
                return (self._counted(self.sums[node]),)
            return rebuild(node, self._noting)
        if isinstance(node, A.ExprStmt) and (call := of_wl(node.value, "push")) is not None:
            return (self._noted(call),)
        return rebuild(node, self._noting)

    def _counted(self, one: Sum) -> A.Stmt:
        at, node = one.step.span, one.place.object
        op = ">" if (literal_value(one.step) or 0) < 0 else "<"
        once = A.Reduce("+", self._of(node, at), A.IntLit(1, T.INT, span=at), span=at)
        test = A.Binary(op, copied(one.place), copied(one.limit), span=at)
        return A.If(test, (self._first(once, node, at),), (), span=at)

    def _noted(self, call: A.MethodCall) -> A.Stmt:
        at, (node, into) = call.span, call.args
        op = "-" if self.by.to_front() else "+"
        far = A.Binary(op, copied(_BEYOND), copied(into), span=at)
        return self._first(A.Reduce("max", self._of(node, at), far, span=at), node, at)

    def _first(self, change: A.Reduce, node: A.Expr, at: Span | None) -> A.Stmt:
        """The node comes into the running bucket with the first thing that is noted of it."""
        none = A.Binary("==", A.Member(change, "old", span=at), A.IntLit(0, T.INT, span=at), span=at)
        return A.If(none, (filed(node, running(at), at),), (), span=at)

    def _of(self, node: A.Expr, at: Span | None) -> A.Expr:
        return of_node(self.word, node, at)

    def _settled(self, loop: A.ForAll) -> Stmts:
        """In front of an iteration: what is noted of its node is done, and nothing else."""
        at, own = loop.iterator.span, A.Name(loop.var, span=loop.iterator.span)
        zero = A.IntLit(0, T.INT, span=at)
        word = self.fresh.bare("count" if self.counts else "noted")
        taken = A.Member(A.Reduce("xchg", self._of(own, at), zero, span=at), "old", span=at)
        leave: Stmts = (A.Continue(span=at),)
        done = (*(self._summed(own, word, at) if self.counts else self._filed(own, word, at)), *leave)
        mine = A.If(A.Binary("!=", A.Name(word, span=at), copied(zero), span=at), done, (), span=at)
        some = A.Binary("!=", A.Relaxed(self._of(own, at), span=at), copied(zero), span=at)
        return (A.If(some, (A.VarDecl(T.LONG, word, taken, span=at), mine), (), span=at),)

    def _filed(self, own: A.Name, word: str, at: Span | None) -> Stmts:
        noted, beyond = A.Name(word, span=at), copied(_BEYOND)
        ends = (beyond, noted) if self.by.to_front() else (noted, beyond)
        return (filed(own, A.Binary("-", *ends, span=at), at),)

    def _summed(self, own: A.Name, word: str, at: Span | None) -> Stmts:
        (one,) = self.sums.values()
        of = self.by.of
        assert of is not None
        made = self._limit(one.limit)
        steps = A.Binary("*", copied(one.step), A.Name(word, span=at), span=at)
        place = A.Member(copied(own), self.by.property, span=at)
        limit = A.Name(made[-1].name, span=at) if made else copied(one.limit)
        before, tries, to = summed(place, of, steps, limit, self.fresh, literal_value(one.step))
        decl, done, again = tries.body
        assert isinstance(done, A.If)
        into = bucket(self.by, A.Name(to, span=at), self.narrow)
        moved = replace(done, body=(filed(own, into, at), *done.body))
        return (*made, *before, replace(tries, body=(decl, moved, again)))

    def _limit(self, limit: A.Expr) -> tuple[A.VarDecl, ...]:
        """The limit anew, where it is a variable further down."""
        made = {n.name: n for n in walk(self.kernel) if isinstance(n, A.VarDecl)}
        if not (isinstance(limit, A.Name) and limit.id in made):
            return ()
        old = made[limit.id]
        assert old.init is not None
        before = self._limit(old.init)
        init = A.Name(before[-1].name, span=old.span) if before else copied(old.init)
        return (*before, A.VarDecl(old.type, self.fresh.bare(limit.id), init, span=old.span))

    def _later(self, asked: A.Stmt) -> A.Stmt:
        """Who has moved on, or comes a second time, isn't here."""
        assert isinstance(asked, A.VarDecl)
        here = bucket(self.by, A.Name(asked.name, span=asked.span), self.narrow)
        later = A.Binary(">", here, running(asked.span), span=asked.span)
        return A.If(later, (A.Continue(span=asked.span),), (), span=asked.span)


def noted(s: A.Node) -> A.Reduce | None:
    """What a statement notes of a node that moves, and by that whether it is the first; None: it notes nothing."""
    match s:
        case A.If(
            test=A.Binary(op="==", left=A.Member(object=A.Reduce(op="max", target=A.Index()) as change, name="old"),
                          right=right),
            body=(A.ExprStmt(value=value),),
        ) if literal_value(right) == 0:
            call = of_wl(value, "push")
            return change if call is not None and is_running(call.args[1]) else None
        case _:
            return None


def settles(s: A.Stmt) -> A.If | None:
    """What stands in front of an iteration and does what is noted of its node; None: it does something else."""
    match s:
        case A.If(test=A.Binary(op="!=", left=A.Relaxed()),
                  body=(A.VarDecl(init=A.Member(object=A.Reduce(op="xchg"), name="old")), A.If())):
            return s
        case _:
            return None
