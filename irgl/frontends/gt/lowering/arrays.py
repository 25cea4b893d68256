"""Vectors of a number of values: arrays of the Program."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.unit import Thing, integer, name
from irgl.frontends.gt.bodies.values import Value, fail
from irgl.frontends.gt.lowering.intersections import Intersections
from irgl.source import Span


class Arrays(Intersections):
    """Statements of the Program about vectors of a number of values."""

    def new_array(self, word: str, kind: K.Array, t: G.Type, init: G.Expr | None, span: Span) -> Thing:
        """Declares an array, and stores its first values: one for all, a list of them, or 0."""
        assert isinstance(t, G.VectorType) and t.size is not None
        if isinstance(t.size, G.Number) and (not t.size.whole or int(t.size.text[:20]) == 0):
            fail("a vector has at least one value", t.size.span)
        self.unit.arrays = True
        mine = self.new_list(word, K.irgl(kind), span)
        thing = Thing("array", kind, mine, span=span)
        size = self.number(t.size, K.INT)
        self.out.append(self._call(mine, "resize", span, size))
        match init:
            case G.Several():
                if not isinstance(t.size, G.Number) or int(t.size.text[:20]) != len(init.values):
                    fail(f"these are {len(init.values)} values", init.span, f"write vector[{len(init.values)}](...)")
                for k, value in enumerate(init.values):
                    self._store(thing, integer(k, value.span), self.number(value, kind.of), value.span)
            case None | G.New() if not self.repeats:
                pass
            case _:
                first = G.Number("0", True, span=span) if init is None or isinstance(init, G.New) else init
                i = self.names.fresh("i")
                outer, self.out = self.out, []
                self._store(thing, name(i, span), self.number(first, kind.of), span)
                body, self.out = tuple(self.out), outer
                test = A.Binary("<", name(i, span), A.Member(name(mine, span), "size", span=span), span=span)
                step = A.ExprStmt(A.Reduce("+", name(i, span), integer(1, span), span=span), span=span)
                self.out.append(A.CFor((A.VarDecl(T.INT, i, integer(0, span), span=span),), test, (step,), body,
                                       span=span))
        return thing

    def _store(self, thing: Thing, index: A.Expr, value: A.Expr, span: Span) -> None:
        place = A.Index(name(thing.name, span), index, span=span)
        self.out.append(A.Assign(place, value, "plain", span=span))

    def whole_array(self, e: G.Method, thing: Thing) -> Value:
        """The sum, or the largest, of an array's values."""
        assert isinstance(thing.kind, K.Array)
        span, kind = e.span, K.number(thing.kind.of)
        total, i = self.names.fresh(f"{e.name}_of_{thing.name}"), self.names.fresh("i")
        op, begin = ("+", 0) if e.name == "sum" else ("max", 1)
        first: A.Expr = A.Index(name(thing.name, span), integer(0, span), span=span) if begin else integer(0, span)
        element = A.Index(name(thing.name, span), name(i, span), span=span)
        add = A.ExprStmt(A.Reduce(op, name(total, span), element, span=span), span=span)
        test = A.Binary("<", name(i, span), A.Member(name(thing.name, span), "size", span=span), span=span)
        step = A.ExprStmt(A.Reduce("+", name(i, span), integer(1, span), span=span), span=span)
        self.out += [A.VarDecl(K.irgl(kind), total, first, span=span),
                     A.CFor((A.VarDecl(T.INT, i, integer(begin, span), span=span),), test, (step,), (add,), span=span)]
        return Value(name(total, span), kind)
