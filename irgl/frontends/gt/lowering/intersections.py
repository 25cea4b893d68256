"""How many vertices two vertexsets of the Program share."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.frontends.free_names import LocalNames
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.applied.chains import under
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.unit import Thing, graph_param, integer, member, name, set_param
from irgl.frontends.gt.bodies.values import Value
from irgl.frontends.gt.lowering.sets import Sets
from irgl.frontends.gt.lowering.vectors import invoke, scalar


class Intersections(Sets):
    """Statements of the Program that intersect vertexsets."""

    def shared(self, e: G.Call) -> Value:
        """intersection(a, b, sizes ... [, below]) of any vertexsets; two of neighbours are intersected as rows."""
        named = [self.lookup(arg.id) for arg in e.args[:2] if isinstance(arg, G.Name)]
        if e.function != "intersection" or len(e.args) not in (4, 5) or len(named) != 2 or not any(
                t is not None and t.what in ("set", "all") for t in named):
            return super().shared(e)
        unit, span = self.unit, e.span
        one, other = (self._as_set(arg) for arg in e.args[:2])
        limit = self.number(e.args[4], K.INT) if len(e.args) == 5 else None
        mine, count = LocalNames(unit), scalar(unit, "shared", K.INT, span)
        v, below = mine.fresh("v"), mine.fresh("below")
        lists = {t.name: mine.fresh(t.name) for t in (one, other) if t.what == "set"}
        body: list[A.Stmt] = [A.ExprStmt(A.Reduce("+", name(count, span), integer(1, span), span=span), span=span)]
        if limit is not None:
            body = under(A.Binary("<", member(name(v, span), "id", span), name(below, span), span=span), body)
        if other.what == "set" and other.name != one.name:
            inside = A.MethodCall(name(lists[other.name], span), "contains", (name(v, span),), span=span)
            body = under(inside, body)
        items = member(name("g", span), "nodes", span)
        if one.what == "set":
            items = member(name(lists[one.name], span), "items", span)
        params = [graph_param(span), *(set_param(word, span) for word in lists.values())]
        params += [A.Param(K.irgl(K.INT), below, None, (), span=span)] if limit is not None else []
        word, loop = unit.names.fresh("intersect"), A.ForAll(v, items, tuple(body), span=span)
        unit.kernels.append(A.Kernel(word, tuple(params), None, (loop,), span=span))
        self.out.append(A.Assign(name(count, span), integer(0, span), "plain", span=span))
        args = (*(name(of, span) for of in lists), *((limit,) if limit is not None else ()))
        self.out.append(invoke(word, args, span))
        return Value(name(count, span), K.INT)

    def _as_set(self, e: G.Expr) -> Thing:
        assert isinstance(e, G.Name)
        thing = self.thing(e.id, e.span)
        if thing.what != "neighbours" or thing.make is None:
            return self.set_named(e)
        made = self.new_set(e.id, e.span, K.Vertices(""))
        self.add_neighbours(made, thing.make(e.span), e.span, fresh=not self.repeats)
        return made
