"""Statements: what kernels, helpers and the Program have in common."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.marks import settled
from irgl.frontends.gt.bodies.neighbours import Neighbours
from irgl.frontends.gt.bodies.roles import Roles
from irgl.frontends.gt.bodies.unit import Place, Thing, Unit, graph_param, integer, name, vertex
from irgl.frontends.gt.bodies.values import fail
from irgl.source import Span

_UPDATES = {"+=": "+", "min=": "min", "max=": "max", "asyncMin=": "min", "asyncMax=": "max"}


class Body(Neighbours):
    """Statements, which come into `out`. labels: those around what is lowered; direct: that of the statement itself."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.labels: list[str] = []
        self.direct = ""

    def number_given(self, word: str, kind: K.Number, arg: A.Expr, span: Span) -> Thing:
        """A number that the caller gives."""
        mine = self.names.fresh(word)
        self.out.append(A.VarDecl(K.irgl(kind), mine, arg, span=span))
        return Thing("number", kind, mine, lambda s: A.Name(mine, span=s), span=span, fixed=True)

    def stmts(self, stmts: tuple[G.Stmt, ...]) -> tuple[A.Stmt, ...]:
        """A block, in a scope of its own."""
        outer, self.out = self.out, []
        with self.block():
            for s in stmts:
                self.stmt(s)
        made, self.out = tuple(self.out), outer
        return made

    def stmt(self, s: G.Stmt) -> None:
        span = s.span
        match s:
            case G.Labeled():
                self.labeled(s)
            case G.Var():
                self.variable(s)
            case G.Assign():
                self.assign(s)
            case G.ExprStmt():
                self.effect(s.value)
            case G.If():
                test = self.truth(s.test)
                self.out.append(A.If(test, self.stmts(s.body), self.stmts(s.orelse), span=span))
            case G.While():
                first, test = self.again(s.test)
                body = self.loop(s.body)
                self.out.append(A.While(_true(span), (*first, _unless(test), *body), span=span) if first else
                                A.While(test, body, span=span))
            case G.DoWhile():
                body = self.loop(s.body)
                last, test = self.again(s.test)
                self.out.append(A.While(_true(span), (*body, *last, _unless(test)), span=span) if last else
                                A.DoWhile(body, test, span=span))
            case G.For():
                self.out.append(self.count(s))
            case G.Print():
                self.prints(s)
            case G.Break():
                if not self.loops:
                    fail("'break' leaves no loop", span, "a function that is applied ends with its last statement")
                self.out.append(A.Break(span=span))
            case G.Delete():
                self.thing(s.name, span)

    def labeled(self, s: G.Labeled) -> None:
        """A label here names nothing that a plan can tell how to run."""
        shared = any(isinstance(n, G.Call) and n.function in ("intersection", "intersectNeighbor") for n in G.walk(s))
        kind = "intersection" if shared else "statement"
        self.unit.places.append(Place(":".join((*self.labels, s.label)), kind, "", s.span))
        self.labels.append(s.label)
        self.stmt(s.body)
        self.labels.pop()

    def again(self, e: G.Expr) -> tuple[tuple[A.Stmt, ...], A.Expr]:
        """What is asked in each round of a loop: the statements that this takes, and the condition."""
        outer, self.out = self.out, []
        test = self.truth(e)
        made, self.out = tuple(self.out), outer
        return made, test

    def loop(self, body: tuple[G.Stmt, ...]) -> tuple[A.Stmt, ...]:
        self.loops += 1
        made = self.stmts(body)
        self.loops -= 1
        return made

    def count(self, s: G.For) -> A.CFor:
        """`for i in a:b`, b left out."""
        span = s.span
        low = self.number(s.low, K.INT)
        with self.block():
            word = self.local(s.var, K.INT, span, fixed=True)
            first, test = self.again(G.Binary("<", G.Name(s.var, span=s.high.span), s.high, span=s.high.span))
            step = A.ExprStmt(A.Reduce("+", name(word, span), integer(1, span), span=span), span=span)
            body = self.loop(s.body)
        if first:
            test, body = _true(span), (*first, _unless(test), *body)
        return A.CFor((A.VarDecl(T.INT, word, low, span=span),), test, (step,), body, span=span)

    def variable(self, s: G.Var) -> None:
        kind = self.unit.resolve(s.type)
        if isinstance(kind, K.Vertices) and s.init is not None and self.declare_neighbours(s.name, kind, s.init,
                                                                                           s.span):
            return
        if not isinstance(kind, K.Number) or kind == K.STRING:
            fail(f"{self.where} can't have {K.a(kind)} of its own yet", s.span, "declare it in main, or as a const")
        init = self.number(s.init, kind) if s.init is not None else None
        word = self.local(s.name, kind, s.span)
        self.out.append(A.VarDecl(K.irgl(kind), word, init, span=s.span))

    def assign(self, s: G.Assign) -> None:
        target, kind = self.location(s.place)
        value = self.number(s.value, kind)
        if s.op == "=":
            self.out.append(A.Assign(target, value, "plain", span=s.span))
            return
        op = "|" if kind == K.BOOL and s.op == "+=" else _UPDATES[s.op]
        self.out.append(A.ExprStmt(A.Reduce(op, target, value, span=s.span), span=s.span))

    def location(self, place: G.Expr) -> tuple[A.Expr, K.Number]:
        if isinstance(place, G.Index):
            return self.element(place)
        assert isinstance(place, G.Name)
        thing = self.thing(place.id, place.span)
        if thing.what == "vertex" or (thing.what == "number" and thing.fixed):
            fail(f"'{place.id}' is given, and can't be stored to", place.span, "use a variable of its own")
        if thing.make is None:
            fail(f"'{place.id}' is {K.a(thing.kind)}, and can't be stored to here", place.span)
        assert isinstance(thing.kind, K.Number)
        return thing.make(place.span), thing.kind

    def effect(self, e: G.Expr) -> None:
        """An expression for what it does."""
        match e:
            case G.Call() if e.function in self.unit.funcs:
                func = self.unit.function(e.function, e.span)
                self.inline(func, self.arguments_of(func, e))
            case G.Call(function="writeMin" | "atomicAdd"):
                self.out.append(A.ExprStmt(self.value(e).expr, span=e.span))
            case G.Call():
                self.value(e)
                fail(f"what '{e.function}' gives is not used", e.span, "store it")
            case G.Method():
                self.method_effect(e)
            case _:
                fail("this statement does nothing", e.span, "a store is written with =" if isinstance(e, G.Binary)
                     and e.op == "==" else None)

    def method_effect(self, e: G.Method) -> None:
        """A method as a statement."""
        self.value(e)
        fail(f"what '{e.name}' gives is not used", e.span, "store it")

    def prints(self, s: G.Print) -> None:
        fail(f"{self.where} prints, which is not supported yet", s.span,
             "main prints, and so does a function of apply; one of applyModified, from, to and filter can't")

    def helper_named(self, func: G.Func) -> str:
        return helper_of(self.unit, func)


class Helper(Body):
    """The body of a function that expressions call."""

    where = "a function that an expression calls"


def _true(span: Span) -> A.Expr:
    return A.BoolLit(True, span=span)


def _unless(test: A.Expr) -> A.Stmt:
    """Leaves the loop where its condition does not hold."""
    return A.If(A.Unary("!", test, span=test.span), (A.Break(span=test.span),), (), span=test.span)


def helper_of(unit: Unit, func: G.Func) -> str:
    """irgl's name of a function that expressions call, which is made the first time."""
    found = next((h.name for h in unit.helpers if h.span == func.span), None)
    if found is not None:
        return found
    body = Helper(unit)
    params = [graph_param(func.span)]
    for p in func.params:
        kind = unit.resolve(p.type)
        if not isinstance(kind, K.Number) or kind == K.STRING:
            fail(f"'{func.name}' is called in an expression, and can't be given {K.a(kind)} there", p.span,
                 "call it as a statement")
        if isinstance(kind, K.Vertex):
            word = body.names.fresh(p.name)
            body.declare(p.name, vertex(word, kind), p.span)
            params.append(A.Param(T.NODE, word, None, (), span=p.span))
        else:
            word = body.local(p.name, kind, p.span)
            params.append(A.Param(K.irgl(kind), word, None, (), span=p.span))
    result = body.inline(func, body.scopes[0])
    assert result is not None
    body.out = list(settled(Roles(tuple(body.out), "", "", "", frozenset(g.name for g in unit.globals))))
    body.out.append(A.Return(result.expr, span=func.span))
    word = unit.names.fresh(func.name)
    unit.helpers.append(A.Function(K.irgl(result.kind), word, tuple(params), tuple(body.out), span=func.span))
    return word
