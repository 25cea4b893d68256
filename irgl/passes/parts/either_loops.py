"""The text of a loop that runs over its list while that is short, and over bytes of nodes else (take_either.py)."""

from __future__ import annotations

from collections.abc import Iterator

from irgl.analysis.effects.effects import home_graph
from irgl.analysis.names.members import adder
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import copied
from irgl.passes.parts.shares import Shares, where_enough, with_edges
from irgl.switches import EDGES, Switch

DENSE = "dense"


def list_of(checked: Checked, kernel: A.Kernel, loop: A.ForAll) -> T.Worklist | None:
    """The type of the list whose items a loop runs over; None: it runs over something else."""
    match loop.iterator:
        case A.Member(name="items", object=A.Name(id=word) as name):
            t = checked.facts[kernel.name].worklist if word == "WL" else checked.types.get(name)
            return t if isinstance(t, T.Worklist) else None
        case _:
            return None


def graph_of(checked: Checked, kernel: A.Kernel, t: T.Worklist) -> str:
    """The parameter of a kernel whose nodes are in a list; empty: none is."""
    assert isinstance(t.item, T.NodeT)
    return t.item.graph or home_graph(checked, kernel.params)


def both(loop: A.ForAll, label: str, graph: str, switch: Switch, on_gpu: bool, fresh: Fresh,
         shares: Shares) -> Iterator[A.Stmt]:
    """Both loops, with the condition that chooses; on_gpu: edges are counted only where there may be as many."""
    at = loop.span
    size = A.Member(_list(loop), "size", span=at)
    least, work = shares.least(graph, switch, at), fresh.bare("work")
    yield A.VarDecl(T.LONG, work, size if switch.of != EDGES else A.IntLit(0, T.INT, span=at), span=at)
    if switch.of == EDGES:
        yield _counted(loop, graph, work, fresh.bare(f"{label}_work"), copied(least) if on_gpu else None)
    dense = tuple(_over_bytes(loop, graph, fresh.bare("members"), fresh.bare(f"{label}_fill"), f"{label}_{DENSE}"))
    yield A.If(A.Binary(">", A.Name(work, span=at), least, span=at), dense, (A.Labeled(label, loop, span=at),), span=at)


def _list(loop: A.ForAll) -> A.Expr:
    """The list that a loop runs over."""
    assert isinstance(loop.iterator, A.Member)
    return copied(loop.iterator.object)


def _counted(loop: A.ForAll, graph: str, work: str, label: str, least: A.Expr | None) -> A.Stmt:
    """Counts the nodes of a list with their edges; `least`: only where there may be more."""
    at = loop.span
    add = A.ExprStmt(A.Reduce("+", A.Name(work, span=at), with_edges(loop.var, at), span=at), span=at)
    counting = A.Labeled(label, A.ForAll(loop.var, copied(loop.iterator), (add,), span=at), span=at)
    size = A.Member(_list(loop), "size", span=at)
    return counting if least is None else where_enough(counting, size, graph, EDGES, least)


def _over_bytes(loop: A.ForAll, graph: str, members: str, fill: str, label: str) -> Iterator[A.Stmt]:
    """The set, the loop that fills it, and the one over it."""
    at = loop.span
    kind = T.Worklist("bytemap", T.NodeT(graph))
    put = A.MethodCall(A.Name(members, span=at), adder(kind), (A.Name(loop.var, span=at),), span=at)
    yield A.VarDecl(kind, members, None, span=at)
    yield A.Labeled(fill, A.ForAll(loop.var, copied(loop.iterator), (A.ExprStmt(put, span=at),), span=at), span=at)
    items = A.Member(A.Name(members, span=at), "items", span=at)
    yield A.Labeled(label, A.ForAll(loop.var, items, tuple(map(copied, loop.body)), span=at), span=at)
