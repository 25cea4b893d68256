"""The builder's types and expressions (irgl/builder.py).

Where an expression is wanted, a Python number or bool stands for the literal and a text for the name.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.check import verify_node
from irgl.frontends.scalars import plain
from irgl.source import IrglError, Span

__all__ = [
    "AUTO", "BOOL", "DOUBLE", "EDGE", "FLOAT", "INT", "LOCK", "LONG", "NODE", "UINT", "ULONG", "VOID",
    "Value", "all_of", "any_of", "at", "binary", "call", "cast", "checked", "conditional", "edge_of",
    "expression", "expressions", "here", "index", "integer", "literal", "member", "method", "name", "named",
    "node_of", "reduce", "relaxed", "string", "struct_of", "unary", "vector", "worklist",
]  # fmt: skip

AUTO, BOOL, DOUBLE, EDGE, FLOAT, INT = T.AUTO, T.BOOL, T.DOUBLE, T.EDGE, T.FLOAT, T.INT
LOCK, LONG, NODE, UINT, ULONG, VOID = T.LOCK, T.LONG, T.NODE, T.UINT, T.ULONG, T.VOID

#: What an expression may be given as.
Value = A.Expr | int | float | bool | str
N = TypeVar("N", bound=A.Node)
_HERE: ContextVar[Span | None] = ContextVar("irgl_builder_span", default=None)


@contextmanager
def at(span: Span | None) -> Iterator[None]:
    """Inside, what is built stands there: messages about it quote that place of the user's own source."""
    token = _HERE.set(span)
    try:
        yield
    finally:
        _HERE.reset(token)


def here() -> Span | None:
    """The place that `at` has said."""
    return _HERE.get()


def checked(node: N) -> N:
    """`node`, if its fields hold what the language allows there. IrglError says what does not."""
    try:
        verify_node(node)
    except AssertionError as e:
        raise IrglError(str(e).split(" (from ")[0].split(":\n")[0], node.span, "see irgl/ast/irgl.asdl") from None
    return node


# Types


def integer(bits: int, signed: bool = True) -> T.Int:
    """The integer type of 8, 16, 32 or 64 bits. Raises IrglError for another number of bits."""
    if bits not in (8, 16, 32, 64):
        raise IrglError(f"no integer has {bits} bits", here(), "8, 16, 32 or 64")
    return T.Int(bits, signed)


def node_of(graph: str) -> T.NodeT:
    """`node<graph>`, by the graph's variable."""
    return T.NodeT(graph)


def edge_of(graph: str) -> T.EdgeT:
    """`edge<graph>`, by the graph's variable."""
    return T.EdgeT(graph=graph)


def worklist(kind: str, item: T.Type, *, unique: bool = False, by: str = "") -> T.Worklist:
    """`list<item>`, `set<item>` and the other kinds; by: what a priority_queue goes by, "higher_first level / delta".
    Raises IrglError for a kind that there is not, and for a queue that goes by nothing, or another list that does."""
    if kind not in T.KINDS:
        raise IrglError(f"there is no worklist kind '{kind}'", here(), "there are " + ", ".join(T.KINDS))
    order = T.Priority.parse(by) if by else None
    if (order is not None) != (kind == T.QUEUE):
        raise IrglError(f"a {kind} goes by '{by}'" if by else "by what is the queue ordered?", here(),
                        'worklist("priority_queue", node, by="distance / delta")')
    return T.Worklist(kind, item, unique, by=order)


def vector(of: T.Type, length: int | str) -> T.Vector:
    """`length` values of type `of`, of each node where it is the kind of a property; a constant's name may say how
    many. A parameter's kind may be a vector of vectors: its rows."""
    return T.Vector(of, 0, length) if isinstance(length, str) else T.Vector(of, length)


def named(type_name: str, *args: T.Type) -> T.Named:
    """A struct, a graph type, or a library type of some arguments."""
    return T.Named(type_name, args)


# Expressions


def expression(value: Value) -> A.Expr:
    """An expression from what may stand for one. Raises IrglError for what may not."""
    value = plain(value)
    match value:
        case str():
            return name(value)
        case bool() | int() | float():
            return literal(value)
        case _ if isinstance(value, A.Expr):
            return value
    raise IrglError(f"{value!r} is no expression", here(), "give a node, a number, or the name of a variable as a text")


def expressions(values: Iterable[Value]) -> tuple[A.Expr, ...]:
    """`expression` of each."""
    return tuple(expression(v) for v in values)


def name(identifier: str) -> A.Name:
    """A variable, parameter or scalar, or one of INF, NONE, WL, first."""
    return checked(A.Name(identifier, span=here()))


def literal(value: int | float | bool, kind: T.Type | None = None) -> A.Expr:
    """A number: int becomes int or, where it does not fit, long; float becomes double; `kind` says otherwise.

    Raises IrglError for infinity and NaN, and for a number that its type can't hold.
    """
    value = plain(value)
    if not isinstance(value, bool | int | float):
        raise IrglError(f"{value!r} is no number", here())
    if isinstance(value, bool):
        return A.BoolLit(value, span=here())
    if value < 0:
        return unary("-", literal(-value, kind))
    if isinstance(value, int) and not isinstance(kind, T.Float):
        fitting = T.INT if value <= T.INT.max else T.LONG if value <= T.LONG.max else T.ULONG
        return checked(A.IntLit(value, kind if kind is not None else fitting, span=here()))
    if not math.isfinite(value):
        raise IrglError(f"{value} has no literal", here(), 'write name("INF") for infinity')
    return checked(A.FloatLit(repr(float(value)), kind if kind is not None else T.DOUBLE, span=here()))


def string(text: str) -> A.StringLit:
    """A text, as print and stop take it."""
    return checked(A.StringLit(text, span=here()))


def unary(op: str, operand: Value) -> A.Unary:
    """op: - + ! ~"""
    return checked(A.Unary(op, expression(operand), span=here()))


def binary(op: str, left: Value, right: Value) -> A.Binary:
    """op: C's, && and || included"""
    return checked(A.Binary(op, expression(left), expression(right), span=here()))


def conditional(test: Value, then: Value, orelse: Value) -> A.Conditional:
    """`test ? then : orelse`"""
    return A.Conditional(expression(test), expression(then), expression(orelse), span=here())


def cast(kind: T.Type, operand: Value) -> A.Cast:
    """`(kind)operand`"""
    return checked(A.Cast(kind, expression(operand), span=here()))


def struct_of(kind: T.Type, *values: Value) -> A.StructLit:
    """`(kind){values}`"""
    return checked(A.StructLit(kind, expressions(values), span=here()))


def call(function: str, *args: Value) -> A.Call:
    """A helper function, or one of the language's."""
    return checked(A.Call(function, expressions(args), span=here()))


def method(of: Value, called: str, *args: Value) -> A.MethodCall:
    """`of.called(args)`"""
    return checked(A.MethodCall(expression(of), called, expressions(args), span=here()))


def member(of: Value, which: str) -> A.Member:
    """`of.which`"""
    return checked(A.Member(expression(of), which, span=here()))


def index(of: Value, position: Value) -> A.Index:
    """`of[position]`"""
    return A.Index(expression(of), expression(position), span=here())


def relaxed(location: Value) -> A.Relaxed:
    """A load that takes any value that some iteration wrote."""
    return A.Relaxed(expression(location), span=here())


def reduce(op: str, target: Value, value: Value) -> A.Reduce:
    """`target op= value`, whose value has .old and .changed; op: + - | & ^ min max xchg * / % << >>"""
    return checked(A.Reduce(op, expression(target), expression(value), span=here()))


def any_of(kernel: str, *args: Value) -> A.InvokeResult:
    """`Any Invoke kernel(args)`"""
    return checked(A.InvokeResult("any", kernel, expressions(args), span=here()))


def all_of(kernel: str, *args: Value) -> A.InvokeResult:
    """`All Invoke kernel(args)`"""
    return checked(A.InvokeResult("all", kernel, expressions(args), span=here()))
