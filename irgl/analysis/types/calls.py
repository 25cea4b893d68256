"""Calls of helper functions and of what the language provides."""

from __future__ import annotations

from irgl.analysis.names import hints, remedies
from irgl.analysis.names import members as M
from irgl.analysis.names.conversions import PACKED_HINT, arguments, bind, graph_of, packed_bytes, same_graph
from irgl.analysis.names.homes import holds_items
from irgl.analysis.names.symbols import fail
from irgl.analysis.types.updates import Updates
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.source import IrglError


class Calls(Updates):
    """Types calls; items of two graphs are never mixed."""

    def call(self, e: A.Call) -> T.Type:
        f = self.checked.functions.get(e.function)
        if f is not None:
            if len(f.params) != len(e.args):
                fail(
                    f"'{e.function}' takes {arguments(len(f.params))}, not {len(e.args)}",
                    e,
                    f"it reads: {f.returns} {f.name}({', '.join(f'{p.type} {p.name}' for p in f.params)})",
                )
            graphs, home = self.arguments(e.args, f.params)
            self._refuse_worklist(e)
            self.homes[e] = home
            return self.of_graph(bind(f.returns, graphs, home), self.graph)
        if e.function in self.checked.kernels:
            fail(f"'{e.function}' is a kernel", e, f"write Invoke {e.function}(...) in the Program")
        if M.is_device_word(e.function):
            hint = (
                "write an update: X.p += v, min=, max=, xchg=, or cas(X.p, old, new)"
                if e.function.startswith("atomic")
                else "the compiler owns threads, warps and blocks"
            )
            fail(f"'{e.function}' names the machine's threads or atomics", e, hint)
        if e.function == "relaxed":
            fail("relaxed marks one location, without parentheses", e, "keep what it loads: node m = relaxed n.p;")
        if e.function not in M.FUNCTIONS:
            fail(
                f"no function '{e.function}'",
                e,
                remedies.function(e.function, e.args)
                or M.nearest(e.function, [*self.checked.functions, *M.FUNCTIONS]),
            )
        return self._builtin(e)

    def _refuse_worklist(self, e: A.Call) -> None:
        for arg in e.args:
            if isinstance(arg, A.Name) and arg.id == "WL":
                fail(
                    f"WL can't be given to '{e.function}': it is read as one list and pushed to as another",
                    arg,
                    "push in the kernel what the helper returns, or give it a list that is a parameter",
                )

    def arguments(self, args: tuple[A.Expr, ...], params: tuple[A.Param, ...]) -> tuple[dict[str, str], str]:
        """Checks arguments against the parameters of a helper or kernel; which of our graphs each graph is, and whose
        nodes are those that name none: of the first graph, or else of the items that are given."""
        graphs = self.given_graphs(args, params)
        home = next(iter(graphs.values()), "")
        for arg, p in zip(args, params, strict=True):
            self.value(arg, bind(p.type, graphs, home), f"parameter '{p.name}'")
            self.at_home(arg, home)
        return graphs, home or self._one_home(args)

    def given_graphs(self, args: tuple[A.Expr, ...], params: tuple[A.Param, ...]) -> dict[str, str]:
        """Which of our graphs each graph of a helper or kernel is; there may be too few arguments."""
        return {p.name: a.id for a, p in zip(args, params, strict=False) if isinstance(a, A.Name)
                and isinstance(p.type, T.Named) and p.type.name in self.checked.graph_types}

    def _one_home(self, args: tuple[A.Expr, ...]) -> str:
        """The graph of all items that a helper or kernel without a graph is given; '' where it is given none."""
        home = ""
        for a in args:
            t = self.checked.types[a]
            graph = self.home_of(a) if holds_items(self.checked, t) else graph_of(t)
            if not same_graph(graph, home):
                fail(
                    f"these are nodes or edges of two graphs, '{home}' and '{graph}', and no graph is given with them",
                    a,
                    "give it the graphs, too, or numbers of nodes: long, and .id here",
                )
            home = home or graph
        return home

    def _arity(self, e: A.Call, *counts: int) -> None:
        if len(e.args) not in counts:
            wanted = " or ".join(map(str, counts))
            fail(
                f"'{e.function}' takes {wanted} argument{'s' * (counts != (1,))}, not {len(e.args)}",
                e,
                f"it reads: {hints.SIGNATURES[e.function]}",
            )

    def _builtin(self, e: A.Call) -> T.Type:
        name = e.function
        what = f"'{name}'"
        match name:
            case "min" | "max":
                self._arity(e, 2)
                a, b = (self.type(x) for x in e.args)
                a = self._settle_beside(e.args[0], a, b)
                b = self._settle_beside(e.args[1], b, a)
                if T.is_number(a) and T.is_number(b):
                    return T.common(a, b)
                if self._comparable_items(a, b):
                    self._one_graph(e, a, b)
                    return T.EdgeT(graph=graph_of(a)) if isinstance(a, T.EdgeT) else a.of if isinstance(a, T.Id) else a
                culprit = next((x for x, t in zip(e.args, (a, b), strict=True) if not T.is_number(t)), e.args[0])
                raise IrglError(
                    f"{what} wants two numbers, two nodes or two edges, not {T.bare(a)} and {T.bare(b)}",
                    culprit.span,
                    hints.number_from(self.checked, self.checked.types[culprit]),
                )
            case "dot" | "sum":  # of vectors they are computed in front of the statement (vectors/values.py)
                raise IrglError(f"{name} takes {'two vectors' if name == 'dot' else 'a vector'}", e.span,
                                "write dot(a, b), sum(a)")
            case "abs":
                self._arity(e, 1)
                return T.promoted(self.number(e.args[0], what))
            case "pow" | "atan2" | "hypot":
                self._arity(e, 2)
                a, b = (self.number(x, what) for x in e.args)
                return T.FLOAT if a == b == T.FLOAT else T.DOUBLE
            case "isinf" | "isnan":
                self._arity(e, 1)
                self.number(e.args[0], what)
                return T.BOOL
            case "hash" | "popcount":
                self._arity(e, 1)
                if not T.is_integer(t := self.type(e.args[0])):
                    hint = hints.number_from(self.checked, t) or "convert it: (long)(...)"
                    fail(f"{what} wants an integer", e.args[0], hint)
                return T.UINT if name == "hash" else T.INT
            case "cas":
                return self._cas(e)
            case "range":
                self._arity(e, 1, 2)
                for x in e.args:
                    self.value(x, T.LONG, what)
                return T.Range(T.LONG, True)
            case "common":
                return self._common(e)
            case "oriented" | "random" | "clock" | "print" | "stop" | "average_weight" | "max_weight" | "auto":
                return self._host_builtin(e, what)
            case _:
                self._arity(e, 1)
                t = self.number(e.args[0], what)
                return T.FLOAT if t == T.FLOAT else T.DOUBLE

    def _common(self, e: A.Call) -> T.Type:
        """Of two nodes of one graph: the number of their common neighbours, or these where a For runs over them; below
        a third node, where one is given."""
        self._arity(e, 2, 3)
        for x in e.args:
            self.value(x, T.NODE, "'common'")
        given = [self.checked.types[x] for x in e.args]
        home = next((g for g in map(graph_of, given) if g), "")
        for t in given:
            self._one_graph(e, T.NodeT(home), t)
        home = home or self.graph
        self.owner_graph(home, e)
        return T.Range(T.NodeT(home), True) if e is self.iterated else T.INT

    def _host_builtin(self, e: A.Call, what: str) -> T.Type:
        if e.function in ("average_weight", "max_weight", "auto") and self.place != "constant":
            fail(
                f"{what} stands only in the default of a parameter", e, "give the Program a parameter with this default"
            )
        if self.place not in ("entry", "constant"):
            fail(f"{what} belongs to the Program, not to a {self.place}", e, "call it there and pass what it gives")
        if e.function == "print":
            for x in e.args:
                t = self.type(x)
                if not (T.is_scalar(t) or isinstance(t, T.String | T.Id)):
                    fail(f"{what} can't show {M.a(T.bare(t))}", x, hints.number_from(self.checked, t))
            return T.VOID
        if e.function == "clock":
            self._arity(e, 0)
            return T.DOUBLE
        self._arity(e, 1)
        if e.function == "stop":
            if e is not self.statement or not isinstance(self.type(e.args[0]), T.String):
                fail("stop is a statement of its own, and gives a reason", e, f"it reads: {hints.SIGNATURES['stop']};")
            return T.VOID
        if e.function == "random":
            self.value(e.args[0], T.LONG, what)
            return T.LONG
        if e.function == "auto":
            return self.type(e.args[0])
        t = self.type(e.args[0])
        if not (isinstance(t, T.Named) and t.name in self.checked.graph_types):
            fail(f"{what} wants a graph, not {M.a(T.bare(t))}", e.args[0], f"it reads: {hints.SIGNATURES[e.function]}")
        if e.function == "oriented":
            if e is not self.statement:
                fail("a derived graph needs a name", e, "write Graph h = oriented(g); on a line of its own")
            return t
        return T.DOUBLE if e.function == "average_weight" else T.LONG

    def _cas(self, e: A.Call) -> T.Type:
        self._arity(e, 3)
        t = self.type(e.args[0])
        if not self.is_location(e.args[0]):
            fail(
                "'cas' wants a property, a program scalar or an array element",
                e.args[0],
                "a variable of the iteration needs no cas: write if",
            )
        if isinstance(t, T.Lock):
            fail("a lock is taken by Atomic, not by cas", e, "write Atomic (n.lock) { ... } Else { ... }")
        self.refuse_weights(e.args[0], e)
        fields = self.checked.fields(t)
        if fields is not None and packed_bytes(fields) is None:
            fail(f"{t} is no unit of an atomic update", e.args[0], PACKED_HINT)
        for x in e.args[1:]:
            self.value(x, t, "'cas'")
            self.at_home(x, e.args[0])
        return T.BOOL

    def _settle_beside(self, e: A.Expr, t: T.Type, other: T.Type) -> T.Type:
        if isinstance(other, T.Reduced):
            other = other.of
        if isinstance(other, T.Id):
            other = T.LONG if isinstance(t, T.Inf) else other.of
        return self.settle(e, t, other)

    def _comparable_items(self, left: T.Type, right: T.Type) -> bool:
        a = left.of if isinstance(left, T.Id) and not T.is_number(right) else left
        b = right.of if isinstance(right, T.Id) and not T.is_number(left) else right
        return (isinstance(a, T.NodeT) and isinstance(b, T.NodeT)) or (
            isinstance(a, T.EdgeT) and isinstance(b, T.EdgeT)
        )

    def _one_graph(self, e: A.Expr, left: T.Type, right: T.Type) -> None:
        """Refuses to put nodes of two graphs side by side: their numbers say nothing of each other."""
        if not same_graph(graph_of(left), graph_of(right)):
            word = "nodes" if isinstance(left.of if isinstance(left, T.Id) else left, T.NodeT) else "edges"
            fail(
                f"these are {word} of two graphs, '{graph_of(left)}' and '{graph_of(right)}'",
                e,
                "compare their numbers, .id, if that is what you mean",
            )
