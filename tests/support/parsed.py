"""Trees written short, and trees of parts of a program, for tests of the parser."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import difference
from irgl.frontends.text.load import parse

GRAPH = "graph Graph { node int level = INF; edge int weight; }\nstruct Pair { int first; node second; };\n"


def name(text: str) -> A.Expr:
    """`a.b.c` as a tree."""
    first, *rest = text.split(".")
    e: A.Expr = A.Name(first)
    for field in rest:
        e = A.Member(e, field)
    return e


def number(value: int) -> A.IntLit:
    return A.IntLit(value, T.INT)


def call(function: str, *args: A.Expr) -> A.Stmt:
    return A.ExprStmt(A.Call(function, args))


def method(target: str, *args: A.Expr) -> A.MethodCall:
    owner, _, word = target.rpartition(".")
    return A.MethodCall(name(owner), word, args)


def body(text: str) -> tuple[A.Stmt, ...]:
    """The statements of a kernel with this text between its braces."""
    kernel = parse(GRAPH + f'import "array.irgl";\nKernel k(Graph g) {{ {text} }}').decls[-1]
    assert isinstance(kernel, A.Kernel)
    return kernel.body


def statement(text: str) -> A.Stmt:
    (only,) = body(text)
    return only


def expression(text: str) -> A.Expr:
    store = statement(f"u = {text};")
    assert isinstance(store, A.Assign)
    return store.value


def declaration(text: str) -> A.Decl:
    return parse(GRAPH + text).decls[-1]


def same(found: A.Node, wanted: A.Node) -> None:
    assert difference(found, wanted) is None
