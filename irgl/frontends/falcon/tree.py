"""The syntax of a .fal file. Made from falcon.asdl by irgl/ast/gen.py: do not edit."""

from __future__ import annotations

from dataclasses import dataclass

from irgl.source import Span


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Node:
    """Any node: compared by identity; `span` is where it stands in the source."""

    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class File(Node):
    globals: tuple[Var, ...]
    funcs: tuple[Func, ...]
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Func(Node):
    kind: str
    name: str
    params: tuple[Param, ...]
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Param(Node):
    kind: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Verify(Node):
    verifier: str
    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Tolerance(Node):
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Role(Node):
    name: str
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Var(Node):
    kind: str
    name: str
    init: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class Local(Node):
    var: Var


@dataclass(frozen=True, slots=True, eq=False)
class Store(Node):
    place: Expr
    op: str
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Do(Node):
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Block(Node):
    body: tuple[Stmt, ...]


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
class CFor(Node):
    init: tuple[Stmt, ...]
    test: Expr | None
    step: tuple[Stmt, ...]
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Foreach(Node):
    var: str
    over: Expr
    iterator: str
    when: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Single(Node):
    item: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Sections(Node):
    parts: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Break(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Continue(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Return(Node):
    value: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class Name(Node):
    id: str


@dataclass(frozen=True, slots=True, eq=False)
class Number(Node):
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Truth(Node):
    value: bool


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
class Choice(Node):
    test: Expr
    then: Expr
    orelse: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Cast(Node):
    kind: str
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Call(Node):
    function: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Method(Node):
    object: Expr
    name: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Member(Node):
    object: Expr
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Index(Node):
    object: Expr
    index: Expr


Clause = Verify | Tolerance
Stmt = (
    Local
    | Store
    | Do
    | Block
    | If
    | While
    | DoWhile
    | CFor
    | Foreach
    | Single
    | Sections
    | Break
    | Continue
    | Return
)
Expr = Name | Number | Truth | Unary | Binary | Choice | Cast | Call | Method | Member | Index
