"""Neighbours of vertices: how many two of them share, and one by chance."""

from __future__ import annotations

from collections.abc import Iterable

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.calls import SIZES
from irgl.frontends.gt.bodies.functions import Functions
from irgl.frontends.gt.bodies.unit import Thing, integer, member, name
from irgl.frontends.gt.bodies.values import Value, fail
from irgl.source import Span

_USAGE = {"intersection": "write intersection(a, b, a.size(), b.size()), a being edges.getNgh(v)",
          "intersectNeighbor": "write intersectNeighbor(edges, v, w)",
          "getRandomOutNgh": "write getRandomOutNgh(edges, v)", "getRandomInNgh": "write getRandomInNgh(edges, v)"}


class Neighbours(Functions):
    """What the sets of vertices' neighbours are asked."""

    def declare_neighbours(self, word: str, kind: K.Vertices, init: G.Expr, span: Span) -> bool:
        """Declares `edges.getNgh(v)` under a name; False for anything else."""
        if not (isinstance(init, G.Method) and init.name == "getNgh" and isinstance(init.object, G.Name)):
            return False
        edges = self.thing(init.object.id, init.object.span)
        if edges.what != "edges":
            fail("'getNgh' is asked of an edgeset", init.name_span)
        self._as_loaded(edges, init.span)
        self.arity(init, 1)
        vertex = self.vertex(init.args[0])
        if not isinstance(vertex, A.Name | A.Member):  # whatever its number is computed from may change
            mine = self.names.fresh(f"of_{word}")
            self.out.append(A.VarDecl(T.NODE, mine, vertex, span=span))
            self.declare(word, Thing("neighbours", kind, mine, lambda s: A.Name(mine, span=s), span=span), span)
            return True
        of = init.args[0]
        assert isinstance(of, G.Name)  # what is a node of irgl's has a name
        make = self.thing(of.id, of.span).make
        self.declare(word, Thing("neighbours", kind, "", make, span=span), span)
        return True

    def _as_loaded(self, edges: Thing, span: Span) -> None:
        if edges.reverse:
            fail("neighbours along edges that are turned round are not supported yet", span)

    def shared(self, e: G.Call) -> Value:
        """intersection(a, b, sizes ... [, below]), intersectNeighbor(edges, v, w)"""
        usage = _USAGE[e.function]
        if e.function == "intersectNeighbor":
            if len(e.args) != 3:
                fail("intersectNeighbor wants the edges and two vertices", e.span, usage)
            self._as_loaded(edges_named(self, e), e.args[0].span)
            return Value(A.Call("common", tuple(map(self.vertex, e.args[1:])), span=e.span), K.INT)
        if len(e.args) not in (4, 5):
            fail("intersection takes two sets of neighbours, their sizes and, perhaps, a limit", e.span, usage)
        nodes = tuple(self._of(arg, usage) for arg in e.args[:2])
        if len(e.args) == 4:
            return Value(A.Call("common", nodes, span=e.span), K.INT)
        return self._below(nodes, e.args[4], e.span)

    def random_neighbour(self, e: G.Call) -> Value:
        """getRandomOutNgh(edges, v), getRandomInNgh(edges, v): each neighbour is as likely as any other."""
        edges, span = edges_named(self, e), e.span
        outwards = (e.function == "getRandomOutNgh") != edges.reverse
        row, count, far = ("edges", "degree", "dst") if outwards else ("in_edges", "in_degree", "src")
        of, found = self.names.fresh("of"), self.names.fresh("neighbour")
        self.out.append(A.VarDecl(T.NODE, of, self.vertex(e.args[1]), span=span))
        at = self.drawn(member(name(of, span), count, span), span)
        edge = A.Index(member(name(of, span), row, span), at, span=span)
        self.out.append(A.VarDecl(T.NODE, found, member(edge, far, span), span=span))
        return Value(name(found, span), K.Vertex(""), node=True)

    def drawn(self, count: A.Expr, span: Span) -> A.Expr:
        """A number below `count` by chance, the same one in every run, 0 where that is 0."""
        return A.Call("random", (count,), span=span)

    def _of(self, arg: G.Expr, usage: str) -> A.Expr:
        thing = self.thing(arg.id, arg.span) if isinstance(arg, G.Name) else None
        if thing is None or thing.what != "neighbours" or thing.make is None:
            fail("sets of neighbours are intersected, and no others yet", arg.span, usage)
        return thing.make(arg.span)

    def _below(self, nodes: tuple[A.Expr, ...], limit: G.Expr, span: Span) -> Value:
        """How many have a lower number: they come by their numbers."""
        most = self.value(limit)
        if most.node:
            return Value(A.Call("common", (*nodes, most.expr), span=span), K.INT)
        count, found = self.names.fresh("count"), self.names.fresh("shared")
        last = A.Binary(">=", member(name(found, span), "id", span), self.number_of(most, K.INT), span=span)
        body = (A.If(last, (A.Break(span=span),), (), span=span),
                A.ExprStmt(A.Reduce("+", name(count, span), integer(1, span), span=span), span=span))
        self.out += [A.VarDecl(T.INT, count, integer(0, span), span=span),
                     A.For(found, A.Call("common", nodes, span=span), body, span=span)]
        return Value(name(count, span), K.INT)


def edges_named(values: Functions, e: G.Call) -> Thing:
    """The edgeset that a call is given first."""
    found = values.thing(e.args[0].id, e.args[0].span) if isinstance(e.args[0], G.Name) else None
    if found is None or found.what != "edges":
        fail(f"'{e.function}' wants the edges first", e.args[0].span, _USAGE[e.function])
    return found


def used_as_set(s: G.Var, funcs: Iterable[G.Func]) -> bool:
    """Does the function that declares a variable do more with it than to ask for its size and to intersect it?"""
    func = next(f for f in funcs if any(n is s for n in G.walk(f)))
    named = sum(isinstance(n, G.Name) and n.id == s.name for n in G.walk(func))
    for n in G.walk(func):
        asked = (n.object,) if isinstance(n, G.Method) and n.name in SIZES else n.args[:2] if isinstance(
            n, G.Call) and n.function == "intersection" else ()
        named -= sum(isinstance(arg, G.Name) and arg.id == s.name for arg in asked)
    return named > 0
