"""The text of a round of a queue's bucket that pulls: each node moves itself, and files itself where it has moved to.

What a pulling loop is otherwise Pulling writes. Here its inner loop is one iteration's alone, what moved a node by an
atomic moves it plainly, and what filed it, or noted it, tells so; behind its edges the node is filed once (Zhang et
al., Optimizing Ordered Graph Algorithms with GraphIt, CGO 2020, figure 9b). A node that a sum has moved to its limit,
if that is the same for all of a round, looks at no more edges.
"""

from __future__ import annotations

from dataclasses import replace

from irgl.analysis.loops.direction import Turn
from irgl.analysis.loops.edge_bodies import EdgeBody
from irgl.analysis.names.conversions import literal_value
from irgl.analysis.names.members import of_wl
from irgl.analysis.names.symbols import Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import copied, rebuild, walk
from irgl.passes.parts.pulling import How, Pulling
from irgl.passes.queues.lazily.lazy_loops import noted, settles
from irgl.passes.queues.lazily.lazy_sums import invariant
from irgl.passes.queues.parts import bucket, filed, narrow
from irgl.passes.queues.sums import Sum, found

Stmts = tuple[A.Stmt, ...]


class PullingRounds(Pulling):
    """Writes the loops of one kernel, on a queue's buckets."""

    def _before(self, turn: Turn, stmts: Stmts, end: Stmts, quiet: bool = False) -> Stmts:
        """Who comes to be filed, and no further, isn't counted."""
        first = settles(stmts[0]) if quiet and stmts is turn.loop.body else None
        if first is None:
            return super()._before(turn, stmts, end, quiet)
        leave = A.If(copied(first.test), (A.Continue(span=self.at),), (), span=self.at)
        return (leave, *super()._before(turn, stmts[1:], end, quiet))

    def _by_target(self, turn: Turn, how: How, front: A.Name | None, kept: dict[Symbol, str]) -> A.ForAll:
        whole = super()._by_target(turn, how, front, kept)
        by, me = self.facts.worklist.by, self._name(whole.var)
        assert by is not None
        edges = next(n for n in walk(whole) if isinstance(n, A.For | A.ForAll) and n is not whole)
        (asked,), (first,) = edges.body, whole.body
        assert isinstance(asked, A.If)
        test = first.test if isinstance(first, A.If) else self._short_of(turn, me)
        tell = self._fresh("found")
        mark = A.Assign(self._name(tell), A.BoolLit(True, span=self.at), "plain", span=self.at)
        body = self._owned(asked.body, whole.var, by, mark)
        if test is not None and not isinstance(first, A.If):
            done = A.Unary("!", copied(test), span=self.at)
            body = (*body, A.If(done, (A.Break(span=self.at),), (), span=self.at))
        into = bucket(by, A.Member(copied(me), by.property, span=self.at), narrow(self.kernel, by))
        stmts: Stmts = (
            A.VarDecl(T.BOOL, tell, A.BoolLit(False, span=self.at), span=self.at),
            A.For(edges.var, edges.iterator, (replace(asked, body=body),), span=edges.span),
            A.If(self._name(tell), (filed(me, into, self.at),), (), span=self.at))
        return replace(whole, body=(A.If(test, stmts, (), span=self.at),) if test is not None else stmts)

    def _short_of(self, turn: Turn, me: A.Expr) -> A.Expr | None:
        """The condition under which alone an edge does anything to its target, where that is a sum up to one limit."""
        sums = [(s, one) for s in walk(turn.inner) if (one := found(s)) is not None]
        if len(sums) != 1 or self._does_more(turn, sums[0][0]):
            return None
        limit = self._same_for_all(sums[0][1])
        if limit is None:
            return None
        op = ">" if (literal_value(sums[0][1].step) or 0) < 0 else "<"
        return A.Binary(op, A.Member(copied(me), sums[0][1].place.name, span=self.at), limit, span=self.at)

    def _does_more(self, turn: Turn, only: A.Node) -> bool:
        """Does an edge do, or ask, anything beside that statement that can't be left out?"""
        body, inside = EdgeBody(self.checked, turn.loop, turn.inner), set(walk(only))
        for n in (n for s in turn.inner.body for n in walk(s) if n not in inside):
            asked = n.init if isinstance(n, A.VarDecl) else n.test if isinstance(n, A.If) else None
            if asked is not None and not (body.is_quiet(asked) and body.is_harmless(asked)):
                return True
            if isinstance(n, A.Stmt) and not isinstance(n, A.VarDecl | A.If | A.Block):
                return True
        return False

    def _same_for_all(self, one: Sum) -> A.Expr | None:
        """The limit of a sum by what all nodes know; None: there is none that is the same for all of them."""
        if not invariant(self.checked, self.kernel, one.limit):
            return None
        made = {n.name: n for n in walk(self.kernel) if isinstance(n, A.VarDecl)}
        if not (isinstance(one.limit, A.Name) and one.limit.id in made):
            return copied(one.limit)
        decl = made[one.limit.id]
        if decl.init is None or (isinstance(decl.init, A.Name) and decl.init.id in made):
            return None
        whole = isinstance(decl.init, A.Cast) and decl.init.type == decl.type
        return copied(decl.init) if whole else A.Cast(decl.type, copied(decl.init), span=self.at)

    def _owned(self, stmts: Stmts, target: str, by: T.Priority, mark: A.Stmt) -> Stmts:
        """What an edge does to its target, by the target's own iteration; what files the target marks that instead."""
        parts = [n for s in stmts for n in walk(s)]
        mine = {target}
        for n in parts:
            if isinstance(n, A.VarDecl) and isinstance(n.init, A.Name) and n.init.id in mine:
                mine.add(n.name)

        def is_mine(e: A.Node) -> bool:
            return isinstance(e, A.Name) and e.id in mine

        read = any((isinstance(n, A.Member) and n.name == by.property and not is_mine(n.object))
                   or (isinstance(n, A.Call) and n.function in self.checked.functions) for n in parts)
        access = "relaxed" if read else "plain"  # others may look while a target moves itself

        def visit(node: A.Node) -> A.Node | Stmts:
            call = of_wl(node.value, "push") if isinstance(node, A.ExprStmt) else None
            if noted(node) is not None or (call is not None and is_mine(call.args[0])):
                return copied(mark)
            match node:
                case A.If(test=A.Reduce(op="min" | "max", target=A.Member() as place) as change) if (
                        place.name == by.property and is_mine(place.object)):
                    return rebuild(_asked_first(node, change, place, by, access), visit)
                case A.While() if (one := found(node)) is not None:
                    decl, *_ = node.body
                    store = A.Assign(copied(one.place), A.Name(one.to, span=decl.span), access, span=decl.span)
                    return rebuild(A.If(node.test, (decl, store, *one.then), (), span=node.span), visit)
                case _:
                    return rebuild(node, visit)

        done = rebuild(A.Block(stmts), visit)
        assert isinstance(done, A.Block)
        return done.body


def _asked_first(s: A.If, change: A.Reduce, place: A.Member, by: T.Priority, access: str) -> A.If:
    """A statement under an update that only its own iteration does."""
    at, to = s.test.span, change.value
    if not isinstance(to, A.Name):
        assert by.of is not None
        to = A.Cast(by.of, to, span=at)
    test = A.Binary("<" if change.op == "min" else ">", to, place, span=at)
    return A.If(test, (A.Assign(copied(place), copied(to), access, span=at), *s.body), s.orelse, span=s.span)
