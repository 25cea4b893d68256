"""Vertexsets of the Program: where they come from."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.free_names import LocalNames
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.applied.applies import edge_kernel, says, vertex_kernel
from irgl.frontends.gt.applied.chains import APPLIES, chain_of, edges_of, function_named
from irgl.frontends.gt.applied.operators import Operator
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.body import Body
from irgl.frontends.gt.bodies.roles import Tracked
from irgl.frontends.gt.bodies.unit import Thing, Unit, graph_param, integer, member, name, set_param
from irgl.frontends.gt.bodies.values import fail
from irgl.frontends.gt.lowering.vectors import invoke
from irgl.source import Span

_FILTERS = ("filter", "where")


class Sets(Body):
    """Statements of the Program about vertexsets. top: what is declared before all others. repeats: how many loops are
    around, those of callers too. exchanged: the stores that may exchange two sets."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.top: list[A.Stmt] = []
        self.repeats = 0
        self.exchanged: set[G.Assign] = set()

    # Declarations

    def new_list(self, word: str, kind: T.Type, span: Span) -> str:
        """Declares a list of irgl's; what a loop's body declares stands before all loops."""
        mine = self.names.fresh(word)
        (self.top if self.repeats else self.out).append(A.VarDecl(kind, mine, None, span=span))
        return mine

    def new_set(self, word: str, span: Span, kind: K.Vertices) -> Thing:
        return Thing("set", kind, self.new_list(word, T.Worklist("set", T.NODE), span), span=span)

    # What a set becomes

    def store_set(self, thing: Thing, e: G.Expr, *, fresh: bool, exchange: bool = False) -> None:
        """Fills a set with what an expression gives. fresh: it is empty and nobody has used it."""
        span = e.span
        if isinstance(e, G.Name):
            other = self.set_named(e)
            if other.what == "all":
                self._clear(thing, span, fresh)
                self._fill_all(thing, span)
            elif other.name != thing.name:
                if not exchange:
                    self._clear(thing, span, fresh)
                self.out.append(self._call(thing.name, "swap" if exchange else "update", span, name(other.name, span)))
            return
        if any(isinstance(n, G.Name) and self.lookup(n.id) is not None and self.thing(n.id, span).name == thing.name
               for n in G.walk(e)):  # it is made of itself
            assert isinstance(thing.kind, K.Vertices)
            made = self.new_set(f"{thing.name}_next", span, thing.kind)
            self.store_set(made, e, fresh=False)
            self.out.append(self._call(thing.name, "swap", span, name(made.name, span)))
            return
        match e:
            case G.New(type=G.SetType()):
                self._new(thing, e, fresh)
            case G.Method(object=G.Name(id=word), name="getVertices") if self.thing(word, span).what == "edges":
                self.arity(e, 0)
                self._clear(thing, span, fresh)
                self._fill_all(thing, span)
            case G.Method() if e.name in (*_FILTERS, *APPLIES):
                self._clear(thing, span, fresh)
                self._found(thing, e)
            case G.Method(name="getNgh"):
                self._neighbours(thing, e, fresh)
            case G.Method():
                self.value(e)
                fail(f"'{e.name}' gives no vertexset", e.name_span)
            case G.Call(function=word) if (func := self.unit.funcs.get(word)) is not None and self.gives_set(func):
                self.out.append(self._call(thing.name, "swap", span, name(self._given_set(func, e).name, span)))
            case _:
                self.value(e)
                fail("a vertexset is wanted here", span, "new vertexset{Vertex}(0) is an empty one")

    def gives_set(self, func: G.Func) -> bool:
        return func.result is not None and isinstance(func.result.type, G.SetType)

    def _given_set(self, func: G.Func, e: G.Call) -> Thing:
        """The vertexset that a function gives."""
        assert func.result is not None
        kind = self.unit.resolve(func.result.type)
        assert isinstance(kind, K.Vertices)
        given, made = self.arguments_of(func, e), self.new_set(func.result.name, e.span, kind)
        self._clear(made, e.span, not self.repeats)
        self.inline(func, given | {func.result.name: made})
        return made

    def _neighbours(self, thing: Thing, e: G.Method, fresh: bool) -> None:
        """`edges.getNgh(v)`"""
        edges = edges_of(self, e.object)
        if edges is None:
            fail("'getNgh' is asked of an edgeset", e.name_span)
        self.arity(e, 1)
        self.add_neighbours(thing, self.vertex(e.args[0]), e.span, fresh=fresh, reverse=edges.reverse)

    def add_neighbours(self, thing: Thing, of: A.Expr, span: Span, *, fresh: bool, reverse: bool = False) -> None:
        """Fills a set with the neighbours of a vertex."""
        self._clear(thing, span, fresh)
        unit, (row, far) = self.unit, ("in_edges", "src") if reverse else ("edges", "dst")
        mine, word = LocalNames(unit), unit.names.fresh("add_neighbours")
        v, found, edge = mine.fresh("v"), mine.fresh("found"), mine.fresh("e")
        push = A.MethodCall(name(found, span), "push", (member(name(edge, span), far, span),), span=span)
        loop = A.ForAll(edge, member(name(v, span), row, span), (A.ExprStmt(push, span=span),), span=span)
        params = (graph_param(span), A.Param(T.NODE, v, None, (), span=span), set_param(found, span))
        unit.kernels.append(A.Kernel(word, params, None, (loop,), span=span))
        self.out.append(invoke(word, (of, name(thing.name, span)), span))

    def set_named(self, e: G.Name) -> Thing:
        thing = self.thing(e.id, e.span)
        if thing.what not in ("set", "all"):
            fail(f"a vertexset is wanted here, not {K.a(thing.kind)}", e.span)
        return thing

    def set_of(self, e: G.Expr) -> Thing:
        """The set that an expression gives, in a variable of its own where it is no name."""
        if isinstance(e, G.Name):
            return self.set_named(e)
        made = self.new_set("chosen", e.span, K.Vertices(""))
        self.store_set(made, e, fresh=False)
        return made

    def _found(self, thing: Thing, e: G.Method) -> None:
        """Puts into a set what a filter, or an applyModified, finds."""
        if e.name in _FILTERS:
            over = self.set_of(e.object)
            self.arity(e, 1)
            word, op = vertex_kernel(self, over, e.args[0], e.name, thing, e.span)
            self.out.append(invoke(word, tuple(op.args), e.span))
            return
        if e.name != "applyModified" and not says(self, e):
            fail(f"'{e.name}' gives no vertexset", e.name_span,
                 "applyModified(f, vector) gives those that were changed, apply(f) those of which f says true")
        self.apply_edges(e, thing)

    def apply_edges(self, e: G.Method, output: Thing | None) -> None:
        """`edges.from(...).apply(f)`, or applyModified, whose vertices go to `output`."""
        chain = chain_of(self, e)
        if chain is None:
            fail(f"'{e.name}' is asked of an edgeset", e.name_span,
                 "write edges.from(frontier).applyModified(f, vector)")
        if e.name == "applyUpdatePriority":
            fail("applyUpdatePriority stands in the loop that asks its queue", e.name_span,
                 "while (pq.finished() == false) var bucket : vertexset{Vertex} = pq.dequeue_ready_set(); ... end")
        op = Operator(self.unit, self.labels)
        sources = self.sources(chain.ends.get("from"))
        if isinstance(chain.ends.get("to"), G.Method | G.New):
            fail("'to' wants the name of a vertexset or a function", chain.ends["to"].span, "store it in a var first")
        if isinstance(sources, Thing):
            op.list_named(sources, e.span)
        tracked = None
        if e.name == "applyModified":
            tracked = self._tracked(e, op, output)
        else:
            self.arity(e, 1)
        found = op.list_named(output, e.span) if output is not None and tracked is None else ""
        word = edge_kernel(self, chain, sources, op, tracked, output=found)
        self.out.append(invoke(word, tuple(op.args), e.span))

    def sources(self, e: G.Expr | None) -> Thing | G.Expr | None:
        """Where edges come from: a set, a function, or None for everywhere."""
        if e is None or function_named(self, e) is not None:
            return e
        thing = self.set_of(e)
        return thing if thing.what == "set" else None

    def _tracked(self, e: G.Method, op: Operator, output: Thing | None) -> Tracked | None:
        if len(e.args) not in (2, 3) or (len(e.args) == 3 and not isinstance(e.args[2], G.Truth)):
            fail("applyModified takes a function, a vector and, if nothing comes twice, `true`", e.name_span,
                 "write applyModified(update, parent)")
        at = e.args[1]
        thing = self.thing(at.id, at.span) if isinstance(at, G.Name) else None
        if thing is None or thing.what != "vector":
            fail("applyModified wants the vector whose changes it follows", at.span,
                 "write applyModified(update, parent)")
        if isinstance(thing.kind, K.Vector) and thing.kind.length:
            fail(f"'{thing.name}' has {thing.kind.length} values for each vertex, whose changes can't be followed yet",
                 at.span, "follow a vector of one value each")
        if output is None:
            return None
        return Tracked(thing.name, op.list_named(output, e.span))

    def _new(self, thing: Thing, e: G.New, fresh: bool) -> None:
        """`new vertexset{V}(n)`: empty, or all n vertices."""
        if len(e.args) != 1:
            fail("a new vertexset is given its size", e.span,
                 "new vertexset{Vertex}(0) is empty, (n) has all n vertices")
        self._clear(thing, e.span, fresh)
        size = e.args[0]
        if isinstance(size, G.Number):
            if size.text != "0":
                fail("a new vertexset is empty, or has all vertices", size.span,
                     "write 0, or the number of vertices: vertices.size()")
            return
        count = self.value(size)
        if count.kind == K.SIZE and isinstance(count.expr, A.Member) and count.expr.name == "num_nodes":
            self._fill_all(thing, e.span)
            return
        number, span = self.number_of(count, K.INT), e.span
        outer, self.out = self.out, []
        self._fill_all(thing, span)
        everybody, self.out = tuple(self.out), outer
        wrong = A.Call("stop", (A.StringLit("a new vertexset is empty, or has all vertices", span=span),), span=span)
        test = A.Binary("==", self.number(size, K.INT), self.size_of_all(span), span=span)
        none = A.Binary("!=", number, integer(0, span), span=span)
        self.out.append(A.If(test, everybody, (A.If(none, (A.ExprStmt(wrong, span=span),), (), span=span),), span=span))

    def _fill_all(self, thing: Thing, span: Span) -> None:
        unit = self.unit
        if not unit.everybody:
            unit.everybody, mine = unit.names.fresh("add_all"), LocalNames(unit)
            v, found = mine.fresh("v"), mine.fresh("found")
            push = A.MethodCall(name(found, span), "push", (name(v, span),), span=span)
            loop = A.ForAll(v, member(name("g", span), "nodes", span), (A.ExprStmt(push, span=span),), span=span)
            unit.kernels.append(A.Kernel(unit.everybody, (graph_param(span), set_param(found, span)), None, (loop,),
                                         span=span))
        self.out.append(invoke(unit.everybody, (name(thing.name, span),), span))

    def _clear(self, thing: Thing, span: Span, fresh: bool) -> None:
        if not fresh:
            self.out.append(self._call(thing.name, "clear", span))

    # Methods as statements

    def add_vertex(self, e: G.Method, thing: Thing) -> None:
        self.arity(e, 1)
        self.out.append(self._call(thing.name, "push", e.span, self.vertex(e.args[0])))

    def _call(self, word: str, method: str, span: Span, *args: A.Expr) -> A.Stmt:
        return A.ExprStmt(A.MethodCall(name(word, span), method, args, span=span), span=span)

    def vertex_apply(self, over: Thing, e: G.Method) -> None:
        self.arity(e, 1)
        word, op = vertex_kernel(self, over, e.args[0], "apply", None, e.span)
        self.out.append(invoke(word, tuple(op.args), e.span))

