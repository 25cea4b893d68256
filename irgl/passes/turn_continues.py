"""Iterations that end early get their rest under a condition, so that all threads reach what follows.

What it does: in the body of a ForAll, statements behind a `continue` (or a Retry, which ends the iteration, too) move
under the condition that it was not reached. A Retry becomes a Respawn: both run the item again within the invocation.

    ForAll (n In WL.items) {                ForAll (n In WL.items) {
        if (n.p < 0) { continue; }   =>         if (n.p < 0) { } else {
        ...                                         ...
                                                }

When it applies: to every ForAll of a kernel; a `continue` of a sequential loop inside stays.
What it needs and keeps: a checked program; the meaning, and the order of all other statements.
"""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import children, rebuild, walk


def run(program: A.Program) -> A.Program:
    """The program whose iterations all reach the end of their ForAll's body."""
    return rebuild(program, lambda decl: turned(program, decl) if isinstance(decl, A.Kernel) else decl)


def turned(program: A.Program, kernel: A.Kernel) -> A.Kernel:
    """One kernel of the program."""
    return rebuild(kernel, _Turner(Fresh(program, kernel)).visit)


class _Turner:
    def __init__(self, fresh: Fresh) -> None:
        self.fresh = fresh

    def visit(self, node: A.Node) -> A.Node:
        node = rebuild(node, self.visit)
        if isinstance(node, A.ForAll):
            body = self._body(node.body)
            return node if body is node.body else A.ForAll(node.var, node.iterator, body, span=node.span)
        return node

    def _body(self, stmts: tuple[A.Stmt, ...]) -> tuple[A.Stmt, ...]:
        """`stmts` without a continue of their own ForAll."""
        for i, s in enumerate(stmts):
            if isinstance(s, A.Continue):
                return stmts[:i]
            if isinstance(s, A.Retry):
                return (*stmts[:i], A.Respawn(s.item, span=s.span))
            if _ends(s):
                return (*stmts[:i], *self._split(s, stmts[i + 1 :]))
        return stmts

    def _split(self, s: A.Stmt, rest: tuple[A.Stmt, ...]) -> tuple[A.Stmt, ...]:
        """`s`, in which an iteration may end, and what comes behind it."""
        match s:
            case A.Block():
                if not any(isinstance(n, A.VarDecl) for n in s.body):
                    return self._body((*s.body, *rest))
            case A.If() if _always(s.body):
                return (A.If(s.test, self._body(s.body), self._body((*s.orelse, *rest)), span=s.span),)
            case A.If() if s.orelse and _always(s.orelse):
                return (A.If(s.test, self._body((*s.body, *rest)), self._body(s.orelse), span=s.span),)
            case _:
                pass
        if not rest and not _retries_in_loop(s):
            return (self._noted(s, None),)
        done = self.fresh.numbered("done")
        flag = A.VarDecl(T.BOOL, done, A.BoolLit(False, span=s.span), span=s.span)
        test = A.Unary("!", A.Name(done, span=s.span), span=s.span)
        turned = (flag, self._noted(s, done))
        return (*turned, A.If(test, self._body(rest), (), span=s.span)) if rest else turned

    def _noted(self, s: A.Stmt, done: str | None) -> A.Stmt:
        """`s` with every continue turned: `done` is set where the iteration ended."""
        note: tuple[A.Stmt, ...] = ()
        if done is not None:
            note = (A.Assign(A.Name(done, span=s.span), A.BoolLit(True, span=s.span), "plain", span=s.span),)

        def inside(stmts: tuple[A.Stmt, ...]) -> tuple[A.Stmt, ...]:
            for i, x in enumerate(stmts):
                if isinstance(x, A.Continue):
                    return (*stmts[:i], *note)
                if isinstance(x, A.Retry):
                    return (*stmts[:i], A.Respawn(x.item, span=x.span), *note)
                if _ends(x):
                    rest = stmts[i + 1 :]
                    turned = self._noted(x, done)
                    if not rest:
                        return (*stmts[:i], turned)
                    if done is None:
                        return (*stmts[:i], *self._split(x, rest))
                    test = A.Unary("!", A.Name(done, span=x.span), span=x.span)
                    return (*stmts[:i], turned, A.If(test, inside(rest), (), span=x.span))
            return stmts

        match s:
            case A.If():
                return A.If(s.test, inside(s.body), inside(s.orelse), span=s.span)
            case A.Block():
                return A.Block(inside(s.body), span=s.span)
            case A.Atomic():
                return A.Atomic(s.lock, inside(s.body), inside(s.orelse), s.blocking, span=s.span)
            case A.Exclusive():
                return A.Exclusive(s.object, s.elements, inside(s.body), inside(s.orelse), span=s.span)
            case A.For() | A.While() | A.DoWhile() | A.CFor():
                assert done is not None
                return self._left(s, done)
            case _:
                raise AssertionError(s)

    def _left(self, loop: A.Stmt, done: str) -> A.Stmt:
        """A sequential loop that is left where an item is retried."""
        note = A.Assign(A.Name(done, span=loop.span), A.BoolLit(True, span=loop.span), "plain", span=loop.span)

        def turn(node: A.Node) -> A.Node | tuple[A.Stmt, ...]:
            if isinstance(node, A.Retry):
                return (A.Respawn(node.item, span=node.span), note, A.Break(span=node.span))
            if isinstance(node, A.For | A.While | A.DoWhile | A.CFor) and _retries_in_loop(node):
                leave = A.If(A.Name(done, span=node.span), (A.Break(span=node.span),), (), span=node.span)
                return (rebuild(node, turn), leave)
            return node if isinstance(node, A.ForAll) else rebuild(node, turn)

        return rebuild(loop, turn)


def _always(stmts: tuple[A.Stmt, ...]) -> bool:
    """Does every way through `stmts` end the iteration, and only at the end?"""
    if not stmts or any(_ends(s) for s in stmts[:-1]):
        return False
    last = stmts[-1]
    return isinstance(last, A.Continue | A.Retry) or (
        isinstance(last, A.If) and _always(last.body) and _always(last.orelse)
    )


def _ends(s: A.Node) -> bool:
    """May `s` end the iteration of the ForAll around it?"""
    match s:
        case A.Continue() | A.Retry():
            return True
        case A.For() | A.While() | A.DoWhile() | A.CFor():
            return _retries_in_loop(s)
        case A.ForAll():
            return False
        case _:
            return any(_ends(c) for c in children(s))


def _retries_in_loop(s: A.Node) -> bool:
    """Does a sequential loop in `s` retry an item? (A ForAll has no Retry but for its own iterations.)"""
    loops = (n for n in walk(s) if isinstance(n, A.For | A.While | A.DoWhile | A.CFor))
    return any(isinstance(n, A.Retry) for loop in loops for n in walk(loop))
