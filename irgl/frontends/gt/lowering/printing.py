"""What prints; and applies whose function prints or changes a list, which the Program runs one by one."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.applied.applies import applied, if_said, weight_of
from irgl.frontends.gt.applied.chains import chain_of, condition, function_named, under
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.functions import refuse_bound
from irgl.frontends.gt.bodies.unit import Thing, integer, member, name, node_of, vertex
from irgl.frontends.gt.bodies.values import fail
from irgl.frontends.gt.lowering.lists import CHANGE_LISTS
from irgl.frontends.gt.lowering.queue_variables import QueueVariables
from irgl.source import Span


class Printing(QueueVariables):
    """Statements of the Program that print, and what is applied one by one."""

    def prints(self, s: G.Print) -> None:
        shown: A.Expr
        if isinstance(s.value, G.Text):
            shown = A.StringLit(s.value.value, span=s.value.span)
        else:
            v = self.value(s.value)
            shown = self.number_of(v, K.INT) if v.node else v.expr
            if v.kind == K.BOOL:  # std::cout writes 0 and 1
                shown = A.Cast(T.INT, shown, span=s.span)
        self.out.append(A.ExprStmt(A.Call("print", (shown,), span=s.span), span=s.span))

    def apply_vertices(self, over: Thing, e: G.Method) -> None:
        """An apply to vertices: by a kernel, or one by one where the function goes in turn."""
        self.arity(e, 1)
        named = function_named(self, e.args[0])
        if named is None or not self._goes_in_turn(named[0]):
            self.vertex_apply(over, e)
            return
        func, bound = named
        if len(func.params) != 1:
            fail(f"'apply' wants a function of one vertex, and '{func.name}' takes other things", e.args[0].span)
        given = self._bound(func, bound, e.args[0])
        word, outer = self.names.fresh(func.params[0].name), self.out
        self.out = []
        self.repeats += 1
        self.inline(func, given | {func.params[0].name: vertex(word, self.unit.resolve(func.params[0].type))})
        self.repeats -= 1
        body, self.out = self.out, outer
        self._each(over, word, body, e.span)

    def apply_edges(self, e: G.Method, output: Thing | None) -> None:
        """As of sets; one edge after the other, by their sources' numbers, where the function goes in turn."""
        chain = chain_of(self, e) if e.name == "apply" and len(e.args) == 1 else None
        named = function_named(self, e.args[0]) if chain is not None else None
        if chain is None or named is None or not self._goes_in_turn(named[0]):
            super().apply_edges(e, output)
            return
        func, bound, at = applied(self, chain)
        given, span = self._bound(func, bound, at), e.span
        sources = self.sources(chain.ends.get("from"))
        src, edge = self.names.fresh(func.params[0].name), self.names.fresh("e")
        far = "src" if chain.edges.reverse else "dst"
        one = vertex(src, self.unit.resolve(func.params[0].type))
        other = Thing("vertex", one.kind, edge, lambda s: member(A.Name(edge, span=s), far, s))
        given |= {func.params[0].name: one, func.params[1].name: other}
        if len(func.params) == 3:
            given[func.params[2].name] = weight_of(self.unit, chain, func, edge)
        outer, always = self.out, A.BoolLit(True, span=span)
        self.repeats += 1
        self.out = []
        seen = condition(self, self, chain.ends["to"], other, "to") if "to" in chain.ends else always
        first, self.out = self.out, []
        said = self.inline(func, given)
        if output is not None and said is not None:
            self.out.append(if_said(self, said, other, output.name, span))
        edges = member(name(src, span), "in_edges" if chain.edges.reverse else "edges", span)
        loop = A.For(edge, edges, (*first, *under(seen, self.out)), span=span)
        self.out = []
        test = condition(self, self, sources, one, "from") if isinstance(sources, G.Expr) else always
        body = [*self.out, *under(test, [loop])]
        self.repeats -= 1
        self.out = outer
        self._each(sources if isinstance(sources, Thing) else None, src, body, span)

    def _bound(self, func: G.Func, bound: tuple[G.Expr, ...] | None, e: G.Expr) -> dict[str, Thing]:
        """What a functor's own names stand for, in all rounds the same."""
        refuse_bound(func, bound, e)
        return {p.name: self.given(func, p, arg) for p, arg in zip(func.bound, bound or (), strict=True)}

    def _each(self, over: Thing | None, word: str, body: list[A.Stmt], span: Span) -> None:
        """Statements for each vertex of a set, or of the graph, by their numbers: the order in which a set has its
        vertices is not the same under every plan."""
        if over is not None and over.what == "set":
            inside = A.MethodCall(name(over.name, span), "contains", (name(word, span),), span=span)
            body = [A.If(inside, tuple(body), (), span=span)]
        i = self.names.fresh("i")
        at = A.VarDecl(T.NODE, word, node_of(name(i, span), span), span=span)
        test = A.Binary("<", name(i, span), self.size_of_all(span), span=span)
        step = A.ExprStmt(A.Reduce("+", name(i, span), integer(1, span), span=span), span=span)
        first = A.VarDecl(T.INT, i, integer(0, span), span=span)
        self.out.append(A.CFor((first,), test, (step,), (at, *body), span=span))

    def _goes_in_turn(self, func: G.Func) -> bool:
        """Does a function print or change a list, or one that it calls?"""
        return any(isinstance(n, G.Print) or (isinstance(n, G.Method) and n.name in CHANGE_LISTS)
                   or (isinstance(n, G.Call) and n.function in self.unit.funcs
                       and self._goes_in_turn(self.unit.funcs[n.function])) for n in G.walk(func))
