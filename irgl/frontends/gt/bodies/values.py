"""Expressions: numbers, vertices and vectors' values, with the types that C++ would give them."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import NoReturn

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.free_names import LocalNames
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.unit import Thing, Unit, member, node_of
from irgl.frontends.literals import floating, integer
from irgl.source import IrglError, Span

_COMPARES = ("==", "!=", "<", ">", "<=", ">=")
_LOGIC = {"and": "&&", "or": "||"}


@dataclass(frozen=True, slots=True)
class Value:
    """An expression and its type; node: it is a node of irgl's, a vertex."""

    expr: A.Expr
    kind: K.Number
    node: bool = False


def fail(message: str, span: Span, hint: str | None = None) -> NoReturn:
    raise IrglError(message, span, hint)


class Values:
    """Expressions of one kernel, helper or the Program. scope: what the names mean that are no globals."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.scopes: list[dict[str, Thing]] = [{}]
        self.names = LocalNames(unit)

    # Names

    def lookup(self, word: str) -> Thing | None:
        return next((s[word] for s in reversed(self.scopes) if word in s), self.unit.things.get(word))

    def thing(self, word: str, span: Span) -> Thing:
        found = self.lookup(word)
        if found is None:
            known = {w for s in self.scopes for w in s} | set(self.unit.things)
            near = difflib.get_close_matches(word, known, 1)
            if word in self.unit.funcs:
                fail(f"'{word}' is a function", span, f"call it: {word}(...)")
            if word == "argv":
                fail("argv has texts", span, "write atoi(argv[2]) for a number, load(argv[1]) for a graph")
            fail(f"there is no '{word}'", span, f"did you mean '{near[0]}'?" if near else "declare it by var or const")
        return found

    def declare(self, word: str, thing: Thing, span: Span) -> None:
        if word in self.scopes[-1]:
            fail(f"'{word}' is declared twice", span, "choose another name")
        self.scopes[-1][word] = thing

    def local(self, word: str, kind: K.Number, span: Span, *, fixed: bool = False) -> str:
        """Declares a variable; its name in irgl."""
        mine = self.names.fresh(word)
        self.declare(word, Thing("number", kind, mine, lambda s: A.Name(mine, span=s), span=span, fixed=fixed), span)
        return mine

    # Values

    def value(self, e: G.Expr) -> Value:
        match e:
            case G.Name():
                return self._name(e)
            case G.Number() if e.whole:
                literal = integer(str(int(e.text)) if len(e.text) <= 20 else e.text, e.span)
                return Value(literal, K.INT if literal.type == T.INT else K.ULONG)
            case G.Number():
                return Value(floating(e.text, e.span), K.DOUBLE)
            case G.Truth():
                return Value(A.BoolLit(e.value, span=e.span), K.BOOL)
            case G.Unary(op="not"):
                return Value(A.Unary("!", self.truth(e.operand), span=e.span), K.BOOL)
            case G.Unary():
                inner = self.value(e.operand)
                both = K.common(inner.kind, K.BOOL)
                return Value(A.Unary("-", self.number_of(inner, both), span=e.span), both)
            case G.Binary():
                return self._binary(e)
            case G.Index():
                expr, kind = self.element(e)
                return Value(expr, kind)
            case G.Call():
                return self.call(e)
            case G.Method():
                return self.method(e)
            case G.Text():
                fail("a text is no number", e.span, "texts are printed, and name files")
            case G.Several():
                fail("a list of values stands only where a vector is declared", e.span)
            case G.New():
                fail("`new` stands only where a variable is declared or stored", e.span)
            case G.Load():
                fail("a graph is loaded by a const", e.span,
                     "const edges : edgeset{Edge}(Vertex, Vertex) = load(argv[1]);")
            case G.Bound():
                fail(f"'{e.function}[...]' is a function, not a number", e.span, "give it to an apply, or call it")

    def _name(self, e: G.Name) -> Value:
        thing = self.thing(e.id, e.span)
        if thing.make is None or thing.what == "neighbours":
            if thing.what == "all":
                return Value(self.size_of_all(e.span), K.SIZE)
            fail(f"'{e.id}' is {K.a(thing.kind)}, not a number", e.span)
        assert isinstance(thing.kind, K.Number)
        return Value(thing.make(e.span), thing.kind, thing.what == "vertex")

    def size_of_all(self, span: Span) -> A.Expr:
        return member(A.Name("g", span=span), "num_nodes", span)

    def _binary(self, e: G.Binary) -> Value:
        if e.op in _LOGIC:
            return Value(self.logic(e, _LOGIC[e.op]), K.BOOL)
        left, right = self.operands(e)
        if e.op == "xor":
            sides = [self.number_of(left, K.BOOL), self.number_of(right, K.BOOL)]
            return Value(A.Binary("!=", *sides, span=e.span), K.BOOL)
        for side, of in ((left, e.left), (right, e.right)):
            if side.kind in (K.STRING, K.VOID):
                fail(f"'{e.op}' wants numbers, not {side.kind}", of.span)
        if e.op in _COMPARES:
            if left.node and right.node and e.op in ("==", "!=", "<", ">"):
                one, other = (right, left) if e.op == ">" else (left, right)
                op = "<" if e.op == ">" else e.op
                return Value(A.Binary(op, one.expr, other.expr, span=e.span), K.BOOL)
            if K.SIZE in (left.kind, right.kind):  # counts are never too large to be compared
                sides = [v.expr if v.kind == K.SIZE else self.number_of(v, v.kind) for v in (left, right)]
                return Value(A.Binary(e.op, *sides, span=e.span), K.BOOL)
            if K.BOOL == left.kind == right.kind:
                return Value(self._same_bools(e, left.expr, right.expr), K.BOOL)
            alike = K.common(left.kind, right.kind)
            return Value(A.Binary(e.op, self.number_of(left, alike), self.number_of(right, alike), span=e.span), K.BOOL)
        both = K.common(left.kind, right.kind)
        sides = [self.number_of(left, both), self.number_of(right, both)]
        return Value(A.Binary(e.op, *sides, span=e.span), both)

    def logic(self, e: G.Binary, op: str) -> A.Expr:
        """`and`, `or`"""
        return A.Binary(op, self.truth(e.left), self.truth(e.right), span=e.span)

    def operands(self, e: G.Binary) -> tuple[Value, Value]:
        return self.value(e.left), self.value(e.right)

    def _same_bools(self, e: G.Binary, left: A.Expr, right: A.Expr) -> A.Expr:
        """`x == false` reads `!x`."""
        if e.op in ("==", "!="):
            for one, other in ((left, right), (right, left)):
                if isinstance(one, A.BoolLit):
                    return other if one.value == (e.op == "==") else A.Unary("!", other, span=e.span)
        return A.Binary(e.op, left, right, span=e.span)

    def number_of(self, v: Value, want: K.Number) -> A.Expr:
        """A value as a number of a type."""
        span = v.expr.span
        assert span is not None
        if v.node:
            wide = K.number(want) in (K.FLOAT, K.DOUBLE)
            id_ = member(v.expr, "id", span)
            return id_ if wide else A.Cast(K.irgl(K.number(want)), id_, span=span)
        if v.kind in (K.VOID, K.STRING):
            fail(f"a number is wanted here, not {v.kind}", span)
        return K.converted(v.expr, v.kind, want)

    def number(self, e: G.Expr, want: K.Number) -> A.Expr:
        """An expression as a number of a type, converted as C++ does."""
        return self.number_of(self.value(e), want)

    def truth(self, e: G.Expr) -> A.Expr:
        return self.number(e, K.BOOL)

    def vertex(self, e: G.Expr) -> A.Expr:
        """An expression as a node of irgl's: numbers are vertices."""
        v = self.value(e)
        if v.node:
            return v.expr
        if v.kind in (K.FLOAT, K.DOUBLE, K.BOOL, K.STRING, K.VOID):
            fail(f"a vertex is wanted here, not {K.a(v.kind)}", e.span)
        if isinstance(v.expr, A.Unary) and v.expr.op == "-" and isinstance(v.expr.operand, A.IntLit):
            fail("no vertex has a number below 0", e.span, "vertices are numbered from 0")
        wide = v.kind in (K.INT, K.SIZE, K.UINT) or isinstance(v.kind, K.Vertex)
        return node_of(v.expr if wide else A.Cast(T.LONG, v.expr, span=e.span), e.span)

    def element(self, e: G.Index) -> tuple[A.Expr, K.Number]:
        """`vector[v]`: the property of a node."""
        match e.object:
            case G.Index(object=G.Name(id=word)) if (rows := self.lookup(word)) and isinstance(rows.kind, K.Vector):
                return self._one_of(rows, rows.kind, e.object, e)
            case _:
                pass
        if not isinstance(e.object, G.Name):
            fail("only a vector's name is indexed", e.object.span)
        if e.object.id == "argv" and self.lookup("argv") is None:
            fail("argv has texts", e.span, "write atoi(argv[2]) for a number, load(argv[1]) for a graph")
        thing = self.thing(e.object.id, e.object.span)
        if isinstance(thing.kind, K.Array):
            at = self.number(e.index, K.SIZE)
            return A.Index(A.Name(self.array_named(thing, e.span), span=e.span), at, span=e.span), thing.kind.of
        if thing.what != "vector":
            fail(f"'{e.object.id}' is {K.a(thing.kind)}, and has no elements", e.object.span,
                 "vectors are indexed by vertices")
        assert isinstance(thing.kind, K.Vector)
        if thing.kind.length:
            fail(f"'{e.object.id}' has {thing.kind.length} values for each vertex", e.span,
                 f"name one: {e.object.id}[v][0]")
        return member(self.vertex(e.index), thing.name, e.span), thing.kind.of

    def _one_of(self, thing: Thing, kind: K.Vector, row: G.Index, e: G.Index) -> tuple[A.Expr, K.Number]:
        """`vector[v][k]`: one of a vertex's values."""
        assert isinstance(row.object, G.Name)
        word = row.object.id
        if not kind.length:
            fail(f"'{word}' has one value for each vertex", e.span, f"write {word}[v]")
        if isinstance(e.index, G.Number) and e.index.whole and int(e.index.text[:9]) >= kind.length:
            fail(f"'{word}' has {kind.length} values for each vertex, and none at {e.index.text}", e.index.span,
                 f"they are counted from 0 to {kind.length - 1}")
        at = member(self.vertex(row.index), thing.name, row.span)
        return A.Index(at, self.number(e.index, K.SIZE), span=e.span), kind.of

    def array_named(self, thing: Thing, span: Span) -> str:  # noqa: ARG002
        """The name of an array here."""
        return thing.name

    def list_named(self, thing: Thing, span: Span) -> str:  # noqa: ARG002
        """The name here of a vertexset of the caller's."""
        return thing.name

    def list_size(self, thing: Thing, span: Span) -> A.Expr:
        """How many elements a list has."""
        return A.Name(self.unit.list_sizes[thing.name], span=span)

    # What calls.py adds

    def call(self, e: G.Call) -> Value:
        raise NotImplementedError

    def method(self, e: G.Method) -> Value:
        raise NotImplementedError
