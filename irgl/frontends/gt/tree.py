"""The syntax of a .gt file, as its grammar makes it. It never leaves this room: the rooms in it make irgl's of it."""

from __future__ import annotations

from dataclasses import dataclass

from irgl.frontends.gt.terms import (
    Binary,
    Bound,
    Call,
    EdgesType,
    Expr,
    Index,
    ListType,
    Load,
    Method,
    Name,
    NamedType,
    New,
    Node,
    Number,
    QueueType,
    SetType,
    Several,
    Text,
    Truth,
    Type,
    Unary,
    VectorType,
    walk,
)

__all__ = [
    "Assign", "Binary", "Bound", "Break", "Call", "Clause", "Const", "Delete", "DoWhile", "EdgesType", "Element",
    "Expr", "ExprStmt", "File", "For", "Func", "If", "Index", "Labeled", "ListType", "Load", "Method", "Name",
    "NamedType", "New", "Node", "Number", "Param", "Print", "QueueType", "Role", "Schedule", "SetType", "Several",
    "Stmt", "Text", "Tolerance", "Truth", "Type", "Unary", "Var", "VectorType", "Verify", "While", "walk",
]


# Statements


@dataclass(frozen=True, slots=True, eq=False)
class Var(Node):
    name: str
    type: Type
    init: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class Assign(Node):
    """op is =, +=, min=, max=, asyncMin= or asyncMax=."""

    place: Expr
    op: str
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class ExprStmt(Node):
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class If(Node):
    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class While(Node):
    test: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class DoWhile(Node):
    body: tuple[Stmt, ...]
    test: Expr


@dataclass(frozen=True, slots=True, eq=False)
class For(Node):
    """parallel: it is written par_for."""

    var: str
    low: Expr
    high: Expr
    body: tuple[Stmt, ...]
    parallel: bool


@dataclass(frozen=True, slots=True, eq=False)
class Print(Node):
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Delete(Node):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Break(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Labeled(Node):
    label: str
    body: Stmt


Stmt = Var | Assign | ExprStmt | If | While | DoWhile | For | Print | Delete | Break | Labeled


# Declarations


@dataclass(frozen=True, slots=True, eq=False)
class Param(Node):
    name: str
    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Func(Node):
    """bound: what a functor is bound to. An extern function has no body."""

    name: str
    bound: tuple[Param, ...]
    params: tuple[Param, ...]
    result: Param | None
    body: tuple[Stmt, ...]
    is_export: bool
    is_extern: bool


@dataclass(frozen=True, slots=True, eq=False)
class Const(Node):
    name: str
    type: Type
    init: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class Element(Node):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Schedule(Node):
    """The text behind `schedule:`, and at which character of the file it begins."""

    text: str
    start: int


@dataclass(frozen=True, slots=True, eq=False)
class Role(Node):
    """What a verifier is shown under a name of its own."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Verify(Node):
    """Who says whether an answer of main is right, and what it is shown."""

    verifier: str
    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Tolerance(Node):
    """How far floating point results may be off."""

    text: str


Clause = Verify | Tolerance


@dataclass(frozen=True, slots=True, eq=False)
class File(Node):
    """clauses: what comments say to irgl."""

    elements: tuple[Element, ...]
    consts: tuple[Const, ...]
    funcs: tuple[Func, ...]
    schedule: Schedule | None
    clauses: tuple[Clause, ...]
