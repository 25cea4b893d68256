"""The syntax of types and expressions in a .gt file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from irgl.frontends.trees import below
from irgl.source import Span


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Node:
    span: Span


# Types


@dataclass(frozen=True, slots=True, eq=False)
class NamedType(Node):
    """int, uint, uint_64, float, double, bool, string, or an element."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class SetType(Node):
    element: str


@dataclass(frozen=True, slots=True, eq=False)
class EdgesType(Node):
    element: str
    ends: tuple[str, ...]
    weight: NamedType | None


@dataclass(frozen=True, slots=True, eq=False)
class VectorType(Node):
    """element: whose values they are, one each; '' where it has `size` values."""

    element: str
    size: Expr | None
    of: Type


@dataclass(frozen=True, slots=True, eq=False)
class ListType(Node):
    of: Type


@dataclass(frozen=True, slots=True, eq=False)
class QueueType(Node):
    element: str
    of: Type


Type = NamedType | SetType | EdgesType | VectorType | ListType | QueueType


# Expressions


@dataclass(frozen=True, slots=True, eq=False)
class Name(Node):
    id: str


@dataclass(frozen=True, slots=True, eq=False)
class Number(Node):
    text: str
    whole: bool


@dataclass(frozen=True, slots=True, eq=False)
class Text(Node):
    value: str


@dataclass(frozen=True, slots=True, eq=False)
class Truth(Node):
    value: bool


@dataclass(frozen=True, slots=True, eq=False)
class Several(Node):
    """`{1, 2}`: the values of a vector."""

    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Unary(Node):
    op: str
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Binary(Node):
    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Call(Node):
    """bound: what stands in brackets behind the name of a functor; None: no brackets."""

    function: str
    bound: tuple[Expr, ...] | None
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Bound(Node):
    """`f[visited, 5]` as an argument: a functor with what it is bound to."""

    function: str
    bound: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Method(Node):
    """name_span: where the method's own name stands."""

    object: Expr
    name: str
    args: tuple[Expr, ...]
    name_span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Index(Node):
    object: Expr
    index: Expr


@dataclass(frozen=True, slots=True, eq=False)
class New(Node):
    type: Type
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Load(Node):
    file: Expr


Expr = (Name | Number | Text | Truth | Several | Unary | Binary | Call | Bound | Method | Index | New | Load)


def walk(node: Node) -> Iterator[Node]:
    """A node and all below it, from left to right."""
    return below(node, Node)
