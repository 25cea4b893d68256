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
from irgl.passes.queues.begins import anew, positive
from irgl.passes.queues.node_arrays import NodeArrays, Wanted
from irgl.passes.queues.parts import OnQueue, bucket, coarsened, never, of_node, running
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
        if (t := self._variable_of(node)) is not None:
            return self._asked(node, t)
        if isinstance(node, A.ExprStmt) and (t := self._variable_of(node.value)) is not None:
            return self._pushed(node.value, t)
        if isinstance(node, A.VarDecl) and (t := _queue(self.checked.symbols[node].type)) is not None:
            return self._declared(node, t)
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
        stops = (positive(by, at),) if by is not None and by.delta else ()
        return (*stops, *(self._nobody_ran(k, self.arrays.of(call)[1], at) if k.knows else ()))

    def _nobody_ran(self, k: OnQueue, graph: str, at: Span | None) -> Stmts:
        """The array of a queue, for the nodes of a graph variable, is made anew."""
        if k.by.key() not in self.anew:
            name = self.fresh.bare(f"begin_{k.by.property}_ran")
            inside = Fresh(self.checked.program, A.Block(()))
            self.anew[k.by.key()] = anew(name, k.by.owner, k.falls, inside, at)
        given = A.Name(graph, span=at), A.Name(self._array(graph, k.by), span=at)
        return (A.Invoke(self.anew[k.by.key()].name, given, None, span=at),)

    def _array(self, graph: str, by: T.Priority) -> str:
        return self.arrays.words[graph, f"{by.property}_ran"]

    def _kernel_of(self, by: T.Priority) -> OnQueue:
        """A kernel on a queue: all of them move nodes one way."""
        return next(k for k in self.on.values() if k.by.key() == by.key())

    def _finished(self, e: A.MethodCall) -> A.Expr:
        """`WL.finished(n)`: it has run, and nobody has moved it since."""
        t = self.checked.types[e.object]
        assert isinstance(t, T.Worklist) and t.by is not None and isinstance(t.item, T.NodeT)
        at, n, by, graph = e.span, e.args[0], t.by, t.item.graph
        kernel = self._kernel_of(by)
        if not kernel.knows:
            return self._has_drained(n, by, kernel.never, at)
        falling = kernel.falls

        def ran() -> A.Expr:
            return of_node(self._array(graph, by), n, at)

        same = A.Binary("==", ran(), A.Member(copied(n), by.property, span=at), span=at)
        return A.Binary("&&", A.Binary("!=", ran(), never(falling, at), span=at), same, span=at)

    def _has_drained(self, n: A.Expr, by: T.Priority, never: A.Expr | None, at: Span | None) -> A.Expr:
        """The same, where it was in the queue if it has another value than at first."""
        assert never is not None
        now = A.Member(copied(n), by.property, span=at)
        passed = A.Binary("<=", bucket(by, copied(now), False), running(at), span=at)
        return A.Binary("&&", A.Binary("!=", now, copied(never), span=at), passed, span=at)

    # Queues that are variables

    def _variable_of(self, node: A.Node) -> T.Worklist | None:
        """The queue, a variable, of which something is asked or in which something is filed."""
        of = node.object if isinstance(node, A.Member | A.MethodCall) else None
        return _queue(self.checked.types.get(of)) if isinstance(of, A.Name) and of.id != "WL" else None

    def _declared(self, s: A.VarDecl, t: T.Worklist) -> Stmts:
        """Buckets in its place; nobody has run."""
        assert t.by is not None and isinstance(t.item, T.NodeT)
        k, at = self._kernel_of(t.by), s.span
        by = replace(t.by, ran=self._array(t.item.graph, t.by) if k.knows else "", falls=k.falls)
        kept = replace(s, type=replace(t, kind="buckets", by=by))
        stops = (positive(by, at),) if by.delta else ()
        return (*stops, *(self._nobody_ran(k, t.item.graph, at) if k.knows else ()), kept)

    def _asked(self, node: A.Node, t: T.Worklist) -> A.Expr:
        assert t.by is not None
        if isinstance(node, A.MethodCall):
            return self._finished(node)
        assert isinstance(node, A.Member)
        return coarsened(t.by, node) if node.name == "priority" else node

    def _pushed(self, call: A.Expr, t: T.Worklist) -> Stmts:
        """A node is in the queue, whatever it last ran with."""
        assert isinstance(call, A.MethodCall) and t.by is not None and isinstance(t.item, T.NodeT)
        at, by, node, made = call.span, t.by, call.args[0], tuple[A.Stmt, ...]()
        if not isinstance(node, A.Name):
            word = self.fresh.bare("node")
            made, node = (A.VarDecl(T.NodeT(t.item.graph), word, node, span=at),), A.Name(word, span=at)
        k, again = self._kernel_of(by), list[A.Stmt]()
        if k.knows:
            ran = of_node(self._array(t.item.graph, by), node, at)
            again.append(A.Assign(ran, never(k.falls, at), "plain", span=at))
        into = bucket(by, A.Member(copied(node), by.property, span=at), False)
        filed = A.ExprStmt(replace(call, args=(copied(node), into)), span=at)
        return (*made, *again, filed)


def _queue(t: T.Type | None) -> T.Worklist | None:
    return t if isinstance(t, T.Worklist) and t.kind == T.QUEUE else None
