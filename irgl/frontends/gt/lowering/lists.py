"""Lists of the Program: of vertexsets, layers of a list of irgl's; of numbers, the first elements of an array."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import copied
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.unit import Thing, Unit, integer, member, name
from irgl.frontends.gt.bodies.values import Value, fail
from irgl.frontends.gt.lowering.arrays import Arrays
from irgl.source import Span

#: Methods that change a list.
CHANGE_LISTS = ("append", "pop", "insert", "retrieve")
_LAYERS = T.Worklist("list", T.NODE)


class Lists(Arrays):
    """Statements of the Program about lists, each step of which takes O(1), or O(size) of the vertexset that comes or
    goes. tops: by the names of lists of vertexsets, the lists that the uppermost layers come from."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.tops: dict[str, str] = {}

    def declare_list(self, word: str, kind: K.List, init: G.Expr | None, span: Span) -> Thing:
        """An empty list."""
        self._refuse_copy(kind, init)
        sets = isinstance(kind.of, K.Vertices)
        mine = self.new_list(word, _LAYERS if sets else K.irgl(kind), span)
        if sets:
            self.tops[mine] = self.new_list(f"{word}_top", _LAYERS, span)
        else:
            self.unit.arrays = True
        count = self.unit.list_sizes[mine] = self.names.fresh(f"{word}_size")
        (self.top if self.repeats else self.out).append(A.VarDecl(T.INT, count, None, span=span))
        made = Thing("list", kind, mine, span=span)
        if self.repeats:
            self._empty(made, span)
        return made

    def begin_list(self, thing: Thing, init: G.Expr, span: Span) -> None:
        """Stores `new list{type}()` to a list."""
        assert isinstance(thing.kind, K.List)
        self._refuse_copy(thing.kind, init)
        self._empty(thing, span)

    def _refuse_copy(self, kind: K.List, init: G.Expr | None) -> None:
        if init is not None and not (isinstance(init, G.New) and self.unit.resolve(init.type) == kind):
            fail("a list begins empty, and can't be copied as a whole yet", init.span, f"write new {kind}()")

    def _empty(self, thing: Thing, span: Span) -> None:
        if thing.name in self.tops:
            self.out.append(self._call(thing.name, "clear", span))
        self.out.append(A.Assign(self.list_size(thing, span), integer(0, span), "plain", span=span))

    def append(self, thing: Thing, e: G.Method) -> None:
        """append(x), which is insert(x), too"""
        self.arity(e, 1)
        span = e.span
        assert isinstance(thing.kind, K.List)
        if not isinstance(thing.kind.of, K.Vertices):
            value, count = self.number(e.args[0], thing.kind.of), self.list_size(thing, span)
            has = member(name(thing.name, span), "size", span)
            place = A.Index(name(thing.name, span), count, span=span)
            store = A.Assign(place, value, "plain", span=span)
            self.out.append(A.If(A.Binary("<", copied(count), has, span=span), (store,),
                                 (self._call(thing.name, "append", span, copied(value)),), span=span))
        else:
            given = self.set_of(e.args[0])
            if given.what == "all":
                given = self.new_set("everybody", span, K.Vertices(""))
                self.store_set(given, e.args[0], fresh=False)
            top = self.tops[thing.name]
            self.out += [self._call(top, "clear", span), self._call(top, "update", span, name(given.name, span)),
                         self._call(thing.name, "stack", span, name(top, span))]
        self._step(thing, "+", span)

    def take(self, thing: Thing, e: G.Method) -> None:
        """pop() as a statement, and retrieve(into)"""
        if e.name == "pop":
            self.arity(e, 0)
        else:
            self.arity(e, 1)
        if thing.name not in self.tops:
            last = self.popped(e, thing)
            if e.name == "retrieve":
                target, kind = self.location(e.args[0])
                self.out.append(A.Assign(target, self.number_of(last, kind), "plain", span=e.span))
        else:
            self._unstack(thing, self.set_of(e.args[0]) if e.name == "retrieve" else None, e.span)

    def popped(self, e: G.Method, thing: Thing) -> Value:
        """The number that pop() takes off."""
        assert isinstance(thing.kind, K.List)
        span, kind = e.span, thing.kind.of
        if isinstance(kind, K.Vertices):
            fail(f"'{e.name}' gives a vertexset here, and no number", e.name_span, "store it in a vertexset")
        self._refuse_empty(thing, span)
        self._step(thing, "-", span)
        last = self.names.fresh(f"last_of_{thing.name}")
        place = A.Index(name(thing.name, span), self.list_size(thing, span), span=span)
        self.out.append(A.VarDecl(K.irgl(kind), last, place, span=span))
        return Value(name(last, span), kind)

    def store_set(self, thing: Thing, e: G.Expr, *, fresh: bool, exchange: bool = False) -> None:
        match e:
            case G.Method(object=G.Name(id=word), name="pop") if (of := self.thing(word, e.span)).what == "list":
                self.arity(e, 0)
                if of.name not in self.tops:
                    fail(f"'{word}' is {K.a(of.kind)}, and gives no vertexset", e.name_span)
                self._unstack(of, thing, e.span)
            case _:
                super().store_set(thing, e, fresh=fresh, exchange=exchange)

    def _unstack(self, thing: Thing, into: Thing | None, span: Span) -> None:
        top = self.tops[thing.name]
        self._refuse_empty(thing, span)
        self.out.append(self._call(thing.name, "unstack", span, name(top, span)))
        if into is not None:
            self.out += [self._call(into.name, "clear", span),
                         self._call(into.name, "update", span, name(top, span))]
        self._step(thing, "-", span)

    def _refuse_empty(self, thing: Thing, span: Span) -> None:
        wrong = A.Call("stop", (A.StringLit(f"pop of '{thing.name}', a list that is empty", span=span),), span=span)
        test = A.Binary("==", self.list_size(thing, span), integer(0, span), span=span)
        self.out.append(A.If(test, (A.ExprStmt(wrong, span=span),), (), span=span))

    def _step(self, thing: Thing, op: str, span: Span) -> None:
        self.out.append(A.ExprStmt(A.Reduce(op, self.list_size(thing, span), integer(1, span), span=span), span=span))
