"""The Program around priority queues: the arrays of what nodes last ran with, and what is asked of a queue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from irgl.analysis.names.members import of_wl
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import copied, rebuild, walk
from irgl.passes.parts.calls import Call
from irgl.passes.queues.node_arrays import NodeArrays, Wanted
from irgl.passes.queues.parts import ARRAY, OnQueue, never, of_node
from irgl.source import Span

Stmts = tuple[A.Stmt, ...]


class Loops:
    """Rewrites a Program: `on` are the kernels on queues, by name. kernels: those that make arrays anew."""

    def __init__(self, checked: Checked, entry: A.Entry, on: Mapping[str, OnQueue]) -> None:
        self.checked, self.entry, self.on = checked, entry, on
        self.fresh = Fresh(checked.program, entry)
        self.anew: dict[tuple[str, str], A.Kernel] = {}  # by graph type and property
        wanted = {name: Wanted(k.graph, f"{k.by.property}_ran", T.LONG) for name, k in on.items() if k.knows}
        self.arrays = NodeArrays(checked, entry, wanted, self.fresh)

    @property
    def kernels(self) -> list[A.Kernel]:
        return list(self.anew.values())

    def run(self) -> A.Entry:
        """The Program that has the arrays, gives them to the kernels, and makes them anew before each loop."""
        block = rebuild(A.Block(self.entry.body), lambda n: self._visit(n, False))
        return self.arrays.given(replace(self.entry, body=block.body))

    def _visit(self, node: A.Node, inside: bool) -> A.Node | tuple[A.Node, ...]:
        """inside: within an outermost Pipe or Iterate."""
        if (asked := of_wl(node, "finished")) is not None:
            return self._finished(asked)
        if isinstance(node, A.Labeled):
            found = self._visit(node.body, inside)
            *before, last = found if isinstance(found, tuple) else (found,)
            return (*before, rebuild(node, lambda _: last))
        outermost = not inside and node in self.checked.lists
        new = rebuild(node, lambda n: self._visit(n, inside or outermost))
        return (*self._begin(node), new) if outermost and isinstance(node, A.Stmt) else new

    def _begin(self, s: A.Stmt) -> Stmts:
        """What comes before a loop: nobody has run, and what divides is positive."""
        call = next((n for n in walk(s) if isinstance(n, Call) and n.kernel in self.on), None)
        if call is None:
            return ()
        k, at = self.on[call.kernel], s.span
        by = self.checked.lists[s].by
        stops = (_positive(by, at),) if by is not None and by.delta else ()
        if not k.knows:
            return stops
        word, graph = self.arrays.of(call)
        if k.key not in self.anew:
            name = self.fresh.bare(f"begin_{k.by.property}_ran")
            self.anew[k.key] = _anew(name, k.by.owner, k.falls, at)
        first = A.Invoke(self.anew[k.key].name, (A.Name(graph, span=at), A.Name(word, span=at)), span=at)
        return (*stops, first)

    def _finished(self, e: A.MethodCall) -> A.Expr:
        """`WL.finished(n)`: it has run, and nobody has moved it since."""
        t = self.checked.types[e.object]
        assert isinstance(t, T.Worklist) and t.by is not None and isinstance(t.item, T.NodeT)
        at, n, by, graph = e.span, e.args[0], t.by, t.item.graph
        falling = next(k.falls for k in self.on.values() if k.key == (by.owner, by.property))

        def ran() -> A.Expr:
            return of_node(self.arrays.words[graph, f"{by.property}_ran"], n, at)

        same = A.Binary("==", ran(), A.Member(copied(n), by.property, span=at), span=at)
        return A.Binary("&&", A.Binary("!=", ran(), never(falling, at), span=at), same, span=at)


def _positive(by: T.Priority, at: Span | None) -> A.Stmt:
    """Nothing runs where the queue would be divided by another number."""
    test = A.Binary("<=", A.Name(by.delta, span=at), A.IntLit(0, T.INT, span=at), span=at)
    told = A.Call("stop", (A.StringLit(by.not_positive(), span=at),), span=at)
    return A.If(test, (A.ExprStmt(told, span=at),), (), span=at)


def _anew(name: str, graph_type: str, falling: bool, at: Span | None) -> A.Kernel:
    """The kernel after which no node has run."""
    store = A.Assign(of_node("ran", A.Name("n", span=at), at), never(falling, at), "plain", span=at)
    loop = A.ForAll("n", A.Member(A.Name("g", span=at), "nodes", span=at), (store,), span=at)
    params = A.Param(T.Named(graph_type), "g", None, (), span=at), A.Param(ARRAY, "ran", None, (), span=at)
    return A.Kernel(name, params, None, (loop,), span=at)
