"""The nodes of the abstract syntax. Made from irgl.asdl by irgl/ast/gen.py: do not edit."""

from __future__ import annotations

from dataclasses import dataclass, field

from irgl.ast import types as T
from irgl.source import Span


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """Any node: compared by identity, never changed; `span` is where it stands in the source."""

    span: Span | None = field(default=None, kw_only=True, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Program(Node):
    decls: tuple[Decl, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Import(Node):
    path: str


@dataclass(frozen=True, slots=True, eq=False)
class Struct(Node):
    name: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True, eq=False)
class GraphType(Node):
    name: str
    properties: tuple[Property, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Library(Node):
    name: str
    params: tuple[str, ...]
    header: str
    features: tuple[Feature, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Global(Node):
    type: T.Type
    name: str
    init: Expr | None
    hidden: bool


@dataclass(frozen=True, slots=True, eq=False)
class Constant(Node):
    name: str
    value: int


@dataclass(frozen=True, slots=True, eq=False)
class Function(Node):
    returns: T.Type
    name: str
    params: tuple[Param, ...]
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Kernel(Node):
    name: str
    params: tuple[Param, ...]
    worklist: T.Type | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Entry(Node):
    name: str
    params: tuple[Param, ...]
    clauses: tuple[Clause, ...]
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Field(Node):
    type: T.Type
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Property(Node):
    owner: str
    type: T.Type
    name: str
    init: Expr | None
    given: bool
    axis: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Param(Node):
    type: T.Type
    name: str
    default: Expr | None
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Attribute(Node):
    type: T.Type
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Method(Node):
    returns: T.Type
    name: str
    params: tuple[Param, ...]
    effect: str
    forms: tuple[Cooperative, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Iterator(Node):
    item: T.Type
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Elements(Node):
    item: T.Type
    exclusive: bool


@dataclass(frozen=True, slots=True, eq=False)
class Own(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Stays(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Cooperative(Node):
    level: str
    function: str


@dataclass(frozen=True, slots=True, eq=False)
class Verify(Node):
    verifier: str
    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Tolerance(Node):
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class AnyValid(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Role(Node):
    name: str
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class VarDecl(Node):
    type: T.Type
    name: str
    init: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class Assign(Node):
    target: Expr
    value: Expr
    access: str


@dataclass(frozen=True, slots=True, eq=False)
class ExprStmt(Node):
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
class For(Node):
    var: str
    iterator: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ForAll(Node):
    var: str
    iterator: Expr
    body: tuple[Stmt, ...]


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
class Labeled(Node):
    label: str
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class Atomic(Node):
    lock: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]
    blocking: bool


@dataclass(frozen=True, slots=True, eq=False)
class Exclusive(Node):
    object: Expr
    elements: tuple[Expr, ...]
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SyncRunningThreads(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class ReduceAndReturn(Node):
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Retry(Node):
    item: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Respawn(Node):
    item: Expr


@dataclass(frozen=True, slots=True, eq=False)
class CBlock(Node):
    reads: tuple[Expr, ...]
    writes: tuple[Expr, ...]
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Invoke(Node):
    kernel: str
    args: tuple[Expr, ...]
    queue: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Iterate(Node):
    mode: str
    reduction: str
    kernel: str
    args: tuple[Expr, ...]
    initial: Initial | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Pipe(Node):
    once: bool
    initial: Initial | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Sections(Node):
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class InitialItems(Node):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class InitialIterator(Node):
    iterator: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Name(Node):
    id: str


@dataclass(frozen=True, slots=True, eq=False)
class IntLit(Node):
    value: int
    type: T.Type


@dataclass(frozen=True, slots=True, eq=False)
class FloatLit(Node):
    text: str
    type: T.Type


@dataclass(frozen=True, slots=True, eq=False)
class BoolLit(Node):
    value: bool


@dataclass(frozen=True, slots=True, eq=False)
class StringLit(Node):
    value: str


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
class Conditional(Node):
    test: Expr
    then: Expr
    orelse: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Cast(Node):
    type: T.Type
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class StructLit(Node):
    type: T.Type
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Call(Node):
    function: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class MethodCall(Node):
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


@dataclass(frozen=True, slots=True, eq=False)
class Relaxed(Node):
    location: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Reduce(Node):
    op: str
    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class InvokeResult(Node):
    reduction: str
    kernel: str
    args: tuple[Expr, ...]


Decl = Import | Struct | GraphType | Library | Global | Constant | Function | Kernel | Entry
Feature = Attribute | Method | Iterator | Elements | Own | Stays
Clause = Verify | Tolerance | AnyValid
Stmt = (
    VarDecl
    | Assign
    | ExprStmt
    | Block
    | If
    | While
    | DoWhile
    | CFor
    | For
    | ForAll
    | Break
    | Continue
    | Return
    | Labeled
    | Atomic
    | Exclusive
    | SyncRunningThreads
    | ReduceAndReturn
    | Retry
    | Respawn
    | CBlock
    | Invoke
    | Iterate
    | Pipe
    | Sections
)
Initial = InitialItems | InitialIterator
Expr = (
    Name
    | IntLit
    | FloatLit
    | BoolLit
    | StringLit
    | Unary
    | Binary
    | Conditional
    | Cast
    | StructLit
    | Call
    | MethodCall
    | Member
    | Index
    | Relaxed
    | Reduce
    | InvokeResult
)
