"""The body of an applied function, with each store as it is meant, and with what follows from a vertex's change."""

from __future__ import annotations

from dataclasses import replace

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import copied, rebuild, walk
from irgl.frontends.gt.bodies.roles import Roles, Tracked, name_of
from irgl.source import IrglError


def settled(roles: Roles, tracked: Tracked | None = None) -> tuple[A.Stmt, ...]:
    """The body with its stores marked as they are meant. Raises IrglError for a change that can't be followed."""
    roles.judge()
    return Marks(roles, tracked).marked(roles.body)


class Marks:
    """Rewrites a body whose roles are known. tracked: the property whose changes are followed."""

    def __init__(self, roles: Roles, tracked: Tracked | None) -> None:
        self.roles = roles
        self.tracked = tracked

    def marked(self, stmts: tuple[A.Stmt, ...]) -> tuple[A.Stmt, ...]:
        return tuple(made for s in stmts for made in self._stmt(s))

    def _stmt(self, s: A.Stmt) -> list[A.Stmt]:
        match s:
            case A.Assign() if isinstance(s.target, A.Member | A.Index) or (isinstance(s.target, A.Name) and
                                                                  s.target.id in self.roles.scalars):
                return self._store(s)
            case A.ExprStmt(value=A.Reduce() as update) if self._follows(update.target):
                before, at, done = self._fixed(self._loads(update))
                return [*before, A.If(done, (self._push(at),), (), span=s.span)]
            case A.VarDecl(init=A.Reduce() as update) if self._follows(update.target):
                before, at, done = self._fixed(self._loads(update))
                then = A.If(A.Name(s.name, span=s.span), (self._push(at),), (), span=s.span)
                return [*before, replace(s, init=done), then]
            case A.If(test=A.Reduce() as update) if self._follows(update.target):
                before, at, done = self._fixed(self._loads(update))
                return [*before, replace(s, test=done, body=(self._push(at), *self.marked(s.body)),
                                         orelse=self.marked(s.orelse))]
            case A.If():
                self._refuse_hidden(s.test)
                return [replace(s, test=self._loads(s.test), body=self.marked(s.body), orelse=self.marked(s.orelse))]
            case A.ForAll() if self.roles.in_turn:
                return [A.For(s.var, s.iterator, self.marked(s.body), span=s.span)]
            case A.For():
                return [replace(s, iterator=self._loads(s.iterator), body=self.marked(s.body))]
            case A.Block() | A.ForAll():
                return [replace(s, body=self.marked(s.body))]
            case A.While() | A.DoWhile():
                self._refuse_hidden(s.test)
                return [replace(s, test=self._loads(s.test), body=self.marked(s.body))]
            case A.CFor():
                assert s.test is not None
                return [replace(s, init=tuple(rebuild(i, self._load) for i in s.init), test=self._loads(s.test),
                                body=self.marked(s.body))]
            case _:
                self._refuse_hidden(s)
                return [rebuild(s, self._load)]

    def _store(self, s: A.Assign) -> list[A.Stmt]:
        name, how = name_of(s.target), self.roles.access.get(s, "plain")
        target, value = self._place(s.target), self._loads(s.value)
        self._refuse_hidden(s.value)
        if not self._follows(s.target):
            if isinstance(how, A.Expr):
                return [A.ExprStmt(A.Call("cas", (target, how, value), span=s.span), span=s.span)]
            how = "relaxed" if how == "plain" and name in self.roles.relaxed else how
            return [replace(s, target=target, value=value, access=how)]
        before, at, target = self._fixed(target)
        if isinstance(how, A.Expr):
            return [*before, A.If(A.Call("cas", (target, how, value), span=s.span), (self._push(at),), (), span=s.span)]
        how = "relaxed" if how == "plain" and name in self.roles.relaxed else how
        seen = copied(target)
        was: A.Expr = A.Relaxed(seen, span=s.span) if name in self.roles.relaxed else seen
        test = A.Binary("!=", was, copied(value), span=s.span)
        return [*before, A.If(test, (replace(s, target=target, value=value, access=how), self._push(at)), (),
                              span=s.span)]

    def _follows(self, target: A.Expr) -> bool:
        return self.tracked is not None and isinstance(target, A.Member) and target.name == self.tracked.property

    def _refuse_hidden(self, node: A.Node) -> None:
        for n in walk(node):
            if isinstance(n, A.Reduce) and self._follows(n.target):
                assert self.tracked is not None
                raise IrglError(f"whether '{self.tracked.property}' is changed can't be followed here", n.span,
                                "store what the update gives in a variable of its own: var changed : bool = ...;")

    def _fixed(self, e: A.Expr) -> tuple[list[A.Stmt], A.Expr, A.Expr]:
        """A location or update with its vertex in a variable, where that is to be computed once: what stands before,
        the vertex, and the expression."""
        target = e.target if isinstance(e, A.Reduce) else e
        assert isinstance(target, A.Member)
        if not isinstance(target.object, A.MethodCall):
            return [], copied(target.object), e
        assert self.tracked is not None
        word = "vertex"
        used = {n.id for s in self.roles.body for n in walk(s) if isinstance(n, A.Name)} | self.roles.scalars
        while word in used or word in self.roles.defined or word in (self.roles.own, self.tracked.output):
            word += "_"
        self.roles.defined[word] = []
        before = A.VarDecl(T.NODE, word, target.object, span=e.span)
        place = replace(target, object=A.Name(word, span=e.span))
        return [before], A.Name(word, span=e.span), replace(e, target=place) if isinstance(e, A.Reduce) else place

    def _push(self, at: A.Expr) -> A.Stmt:
        assert self.tracked is not None
        output = A.Name(self.tracked.output, span=at.span)
        return A.ExprStmt(A.MethodCall(output, "push", (at,), span=at.span), span=at.span)

    def _loads(self, e: A.Expr) -> A.Expr:
        made = self._load(e)
        assert isinstance(made, A.Expr)
        return made

    def _load(self, n: A.Node) -> A.Node:
        """A part of an expression, with loads that meet others' stores marked."""
        match n:
            case A.Reduce():
                return replace(n, target=self._place(n.target), value=self._loads(n.value))
            case A.Call(function="cas"):
                return replace(n, args=(self._place(n.args[0]), *map(self._loads, n.args[1:])))
            case A.Assign():
                return replace(n, target=self._place(n.target), value=self._loads(n.value))
            case A.Name():
                return A.Relaxed(n, span=n.span) if n.id in self.roles.scalars and n.id in self.roles.stores else n
            case A.Member() | A.Index() if name_of(n) in self.roles.stores:
                name = name_of(n)
                races = name in self.roles.relaxed or (name in self.roles.owned and self.roles.who(n) != "own")
                made = self._place(n)
                return A.Relaxed(made, span=n.span) if races else made
            case A.Index():
                return self._place(n)
            case _:
                return rebuild(n, self._load)

    def _place(self, e: A.Expr) -> A.Expr:
        """A location, which is not loaded itself, but what leads to it."""
        match e:
            case A.Index():
                return replace(e, object=self._place(e.object), index=self._loads(e.index))
            case A.Member():
                return replace(e, object=self._loads(e.object))
            case _:
                return e
