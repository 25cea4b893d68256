"""What stands in for a priority queue: buckets, and an array of what each node last ran with."""

from __future__ import annotations

from dataclasses import dataclass

from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import copied
from irgl.source import Span

ARRAY = T.Named("array", (T.LONG,))


@dataclass(frozen=True, slots=True)
class OnQueue:
    """A kernel on a queue. graph: its parameter whose nodes that holds; falls: updates make the property smaller.

    never: the value of nodes that were never in the queue, where the bucket that ran tells who is finished (told.py).
    knows: an array has what nodes last ran with.
    """

    kernel: A.Kernel
    by: T.Priority
    graph: str
    falls: bool
    never: A.Expr | None = None
    knows: bool = True


def has_buckets(checked: Checked) -> bool:
    """Is any worklist of a program's kernels, or any of its variables, buckets? Queues have become some."""
    lists = (*(f.worklist for f in checked.facts.values()), *(s.type for s in checked.symbols.values()))
    return any(isinstance(t, T.Worklist) and t.kind == "buckets" for t in lists)


def narrow(k: A.Kernel, by: T.Priority) -> bool:
    """Are the property that a kernel's queue goes by, and what divides it, numbers with a sign that fit into an int?"""
    divides = next((p.type for p in k.params if p.name == by.delta), None)
    return divides == T.INT and isinstance(by.of, T.Int) and by.of.signed and by.of.bits <= 32


def running(at: Span | None) -> A.Expr:
    """The bucket that runs."""
    return A.Member(A.Name("WL", span=at), "priority", span=at)


def is_running(e: A.Expr) -> bool:
    """Is it the bucket that runs?"""
    return isinstance(e, A.Member) and e.name == "priority" and isinstance(e.object, A.Name) and e.object.id == "WL"


def coarsened(by: T.Priority, running: A.Expr) -> A.Expr:
    """The priority of the bucket with that number: in terms of the property, before it was divided."""
    assert by.of is not None
    at = running.span
    running = A.Unary("-", running, span=at) if by.higher else running
    if by.delta:
        running = A.Binary("*", running, A.Cast(T.LONG, A.Name(by.delta, span=at), span=at), span=at)
    return A.Cast(by.of, running, span=at)


def filed(node: A.Expr, into: A.Expr, at: Span | None) -> A.Stmt:
    """A node comes into a bucket."""
    call = A.MethodCall(A.Name("WL", span=at), "push", (copied(node), into), span=at)
    return A.ExprStmt(call, span=at)


def of_node(array: str, node: A.Expr, at: Span | None) -> A.Expr:
    """What an array has for a node."""
    return A.Index(A.Name(array, span=at), A.Member(copied(node), "id", span=at), span=at)


def never(falling: bool, at: Span | None) -> A.Expr:
    """What no node has run with: beyond all that it may fall from, or rise from."""
    end = A.Name("INF", span=at)
    return end if falling else A.Unary("-", end, span=at)


def at_an_end(value: A.Expr) -> A.Expr:
    """Is a value of 64 bits one that no node of a queue has?"""
    at = value.span
    end = A.Unary("-", A.Name("INF", span=at), span=at)
    return A.Binary("||", A.Binary("==", value, A.Name("INF", span=at), span=at),
                    A.Binary("<=", copied(value), end, span=at), span=at)


def bucket(by: T.Priority, value: A.Expr, plain: bool) -> A.Expr:
    """The bucket of a property's value: where higher values go first, they have smaller numbers. plain: as `narrow`
    says."""
    at = value.span
    whole = value if by.delta and plain else A.Cast(T.LONG, value, span=at)
    over: A.Expr = A.Name(by.delta, span=at)
    over = over if plain else A.Cast(T.LONG, over, span=at)
    coarse = A.Binary("/", whole, over, span=at) if by.delta else whole
    return A.Unary("-", A.Cast(T.LONG, coarse, span=at), span=at) if by.higher else coarse
