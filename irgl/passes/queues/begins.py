"""What a Program does before it uses a queue."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.passes.queues.parts import ARRAY, never, of_node
from irgl.source import Span


def positive(by: T.Priority, at: Span | None) -> A.Stmt:
    """Nothing runs where the queue would be divided by another number."""
    test = A.Binary("<=", A.Name(by.delta, span=at), A.IntLit(0, T.INT, span=at), span=at)
    told = A.Call("stop", (A.StringLit(by.not_positive(), span=at),), span=at)
    return A.If(test, (A.ExprStmt(told, span=at),), (), span=at)


def anew(name: str, graph_type: str, falling: bool, fresh: Fresh, at: Span | None) -> A.Kernel:
    """The kernel after which no node has run. fresh: finds names in it."""
    g, n, ran = map(fresh.bare, ("g", "n", "ran"))
    store = A.Assign(of_node(ran, A.Name(n, span=at), at), never(falling, at), "plain", span=at)
    loop = A.ForAll(n, A.Member(A.Name(g, span=at), "nodes", span=at), (store,), span=at)
    params = A.Param(T.Named(graph_type), g, None, (), span=at), A.Param(ARRAY, ran, None, (), span=at)
    return A.Kernel(name, params, None, (loop,), span=at)
