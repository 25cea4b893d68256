"""GraphIt's types as lowering knows them, what irgl has in their place, and conversions, which are C++'s."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.gt import tree as G
from irgl.source import IrglError, Span


@dataclass(frozen=True, slots=True)
class Scalar:
    """`rank`: of two numbers the one with the higher rank is what both become."""

    name: str
    irgl: T.Type
    rank: int

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Vertex:
    """A vertex is a number, and numbers are vertices."""

    element: str

    def __str__(self) -> str:
        return self.element


@dataclass(frozen=True, slots=True)
class Vertices:
    element: str

    def __str__(self) -> str:
        return f"vertexset{{{self.element}}}"


@dataclass(frozen=True, slots=True)
class Edges:
    """weight: None where edges have none."""

    weight: Scalar | None

    def __str__(self) -> str:
        return "edgeset"


@dataclass(frozen=True, slots=True)
class Vector:
    """A value for each vertex of an element; length: how many of them, where each has several, else 0."""

    element: str
    of: Scalar | Vertex
    length: int = 0

    def __str__(self) -> str:
        return f"vector{{{self.element}}}({f'vector[{self.length}]({self.of})' if self.length else self.of})"


@dataclass(frozen=True, slots=True)
class Array:
    """A number of values."""

    of: Scalar | Vertex

    def __str__(self) -> str:
        return f"vector of {self.of} values"


@dataclass(frozen=True, slots=True)
class List:
    """A list of numbers, vertices or vertexsets."""

    of: Scalar | Vertex | Vertices

    def __str__(self) -> str:
        return f"list{{{self.of}}}"


@dataclass(frozen=True, slots=True)
class Queue:
    element: str
    of: Scalar

    def __str__(self) -> str:
        return f"priority_queue{{{self.element}}}({self.of})"


Kind = Scalar | Vertex | Vertices | Edges | Vector | Array | List | Queue
Number = Scalar | Vertex

BOOL = Scalar("bool", T.BOOL, 0)
INT = Scalar("int", T.INT, 1)
UINT = Scalar("uint", T.UINT, 2)
SIZE = Scalar("int", T.LONG, 1)  # how many: an int to GraphIt, which irgl counts in 64 bits
ULONG = Scalar("uint_64", T.ULONG, 4)
FLOAT = Scalar("float", T.FLOAT, 5)
DOUBLE = Scalar("double", T.DOUBLE, 6)
STRING = Scalar("string", T.STRING, -1)
VOID = Scalar("nothing", T.VOID, -1)
SCALARS = {s.name: s for s in (BOOL, INT, UINT, ULONG, FLOAT, DOUBLE, STRING)}


def resolve(t: G.Type, elements: Collection[str], numbers: Mapping[str, int]) -> Kind:
    """What a type that is written means. numbers: the consts that nobody changes. Raises IrglError for an unknown name,
    and for what isn't built."""
    match t:
        case G.NamedType(name=name):
            return SCALARS[name] if name in SCALARS else Vertex(_element(name, t.span, elements, "type"))
        case G.SetType(element=name):
            return Vertices(_element(name, t.span, elements))
        case G.EdgesType():
            _element(t.element, t.span, elements)
            for end in t.ends:
                _element(end, t.span, elements)
            if len(set(t.ends)) > 1:
                raise IrglError("edges between two kinds of vertices are not supported", t.span,
                                "give both ends the same element")
            return Edges(SCALARS[t.weight.name] if t.weight is not None else None)
        case G.VectorType(element=""):
            of = resolve(t.of, elements, numbers)
            if not isinstance(of, Number) or of == STRING:
                raise IrglError(f"a vector can't have {a(of)} as its value yet", t.of.span,
                                "values are numbers, bools and vertices")
            return Array(of)
        case G.VectorType():
            if isinstance(t.of, G.VectorType) and not t.of.element:
                return _several(t, t.of, elements, numbers)
            of = resolve(t.of, elements, numbers)
            if not isinstance(of, Number) or of == STRING:
                raise IrglError(f"a vertex can't have {a(of)} as its value yet", t.of.span,
                                "values of vertices are numbers, bools and vertices")
            return Vector(_element(t.element, t.span, elements), of)
        case G.ListType():
            of = resolve(t.of, elements, numbers)
            if not isinstance(of, Number | Vertices) or of == STRING:
                raise IrglError(f"a list can't have {a(of)} as its element yet", t.of.span,
                                "elements are numbers, bools, vertices and vertexsets")
            return List(of)
        case G.QueueType():
            of = resolve(t.of, elements, numbers)
            if of not in (INT, UINT) or not isinstance(of, Scalar):
                raise IrglError("priorities are of type int or uint", t.of.span, "write priority_queue{Vertex}(int)")
            return Queue(_element(t.element, t.span, elements), of)


def _several(t: G.VectorType, of: G.VectorType, elements: Collection[str], numbers: Mapping[str, int]) -> Vector:
    """A number of values for each vertex."""
    value = resolve(of.of, elements, numbers)
    if not isinstance(value, Number) or value == STRING:
        raise IrglError(f"a vertex can't have several values that are {value}", of.of.span,
                        "they are numbers, bools and vertices")
    match of.size:
        case G.Number(whole=True, text=text):
            length = int(text[:9])
        case G.Name(id=word) if word in numbers:
            length = numbers[word]
        case size:
            assert size is not None
            raise IrglError("how many values each vertex has is known before the program runs", size.span,
                            "write a number, or a const that is one and that no function changes")
    if not 1 <= length <= T.LONGEST:
        raise IrglError(f"a vertex can't have {length} values", of.size.span, f"from 1 to {T.LONGEST} are possible")
    return Vector(_element(t.element, t.span, elements), value, length)


def a(kind: Kind) -> str:
    """A type with its article."""
    word = str(kind)
    return f"{'an' if word[0] in 'aeiouAEIOU' else 'a'} {word}"


def _element(name: str, span: Span, elements: Collection[str], what: str = "element") -> str:
    if name not in elements:
        near = difflib.get_close_matches(name, [*elements, *(SCALARS if what == "type" else ())], 1)
        raise IrglError(f"there is no {what} '{name}'", span,
                        f"did you mean '{near[0]}'?" if near else f"declare it: element {name} end")
    return name


def irgl(kind: Kind) -> T.Type:
    """The type of a variable or property."""
    match kind:
        case Scalar():
            return T.INT if kind == SIZE else kind.irgl
        case Vertex():
            return T.INT
        case Vertices():
            return T.Worklist("set", T.NODE)
        case Vector():
            return T.Vector(irgl(kind.of), kind.length) if kind.length else irgl(kind.of)
        case Array() | List():
            return T.Named("array", (irgl(kind.of),))
        case _:
            raise AssertionError(kind)


def number(kind: Number) -> Scalar:
    return kind if isinstance(kind, Scalar) else INT


def common(one: Number, other: Number) -> Scalar:
    """What both operands of an operator become: C++'s usual arithmetic conversions."""
    found = max(number(one), number(other), key=lambda s: s.rank)
    return INT if found in (BOOL, SIZE) else found


def converted(e: A.Expr, have: Number, want: Number) -> A.Expr:
    """An expression of one type as another, by a cast where something may be lost."""
    mine, wanted = number(have), number(want)
    span = e.span
    if mine == wanted:
        return e
    if wanted == BOOL:
        return A.Binary("!=", e, A.IntLit(0, T.INT, span=span), span=span)
    literal = e.operand if isinstance(e, A.Unary) and e.op == "-" else e
    if isinstance(literal, A.IntLit):
        small = literal.value <= 2**31 - 1
        if wanted in (FLOAT, DOUBLE) or (small and (literal is e or wanted in (INT, SIZE))):
            return e
    if isinstance(literal, A.FloatLit) and wanted == FLOAT and float(literal.text) < 3e38:
        return e if literal is e else A.Unary("-", A.FloatLit(literal.text, T.FLOAT, span=literal.span), span=span)
    implicit = {BOOL: (INT, UINT, ULONG, FLOAT, DOUBLE, SIZE), INT: (FLOAT, DOUBLE, SIZE), UINT: (ULONG, FLOAT, DOUBLE),
                SIZE: (FLOAT, DOUBLE), ULONG: (FLOAT, DOUBLE), FLOAT: (DOUBLE,)}
    if wanted in implicit.get(mine, ()):
        return e
    return A.Cast(irgl(wanted), e, span=span)


def exactly(e: A.Expr, have: Number, want: Number) -> A.Expr:
    """The same, of the very type in irgl, too: what is computed with it is computed in that type."""
    made = converted(e, have, want)
    return A.Cast(irgl(want), e, span=e.span) if made is e and number(have) != number(want) else made
