"""Whose nodes and edges a struct holds: all of one struct are of one graph, its home, which its type does not name.

The home of a literal is the graph of its values, that of a property's struct the graph of the node or edge that has it.
A variable takes the home of the first value that has one. All others (parameters, lists, elements of arrays) hold items
of the first graph of their function, kernel or Program, like nodes that name no graph.
"""

from __future__ import annotations

from irgl.analysis.names.conversions import graph_of, same_graph
from irgl.analysis.names.scope import Scope
from irgl.analysis.names.symbols import Checked, Symbol, fail
from irgl.ast import nodes as A
from irgl.ast import types as T


def holds_items(checked: Checked, t: T.Type) -> bool:
    """Is a `t` a struct with nodes or edges, or a list or an object of a library that holds such structs?"""
    match t:
        case T.Reduced():
            return holds_items(checked, t.of)
        case T.Worklist() | T.Range():
            return holds_items(checked, t.item)
        case T.Named() if t.name in checked.libraries:
            return any(holds_items(checked, a) for a in t.args)
        case _:
            return any(isinstance(f, T.NodeT | T.EdgeT) for f in (checked.fields(t) or {}).values())


class Homes(Scope):
    """Tells the homes of structs, and refuses one where another is wanted. '' is the home of what holds no item."""

    def home_of(self, e: A.Expr) -> str:
        match e:
            case A.StructLit():
                return next((graph for v in e.values if (graph := graph_of(self.checked.types[v]))), "")
            case A.Conditional():
                return self.home_of(e.then) or self.home_of(e.orelse)
            case A.Reduce():
                return self.home_of(e.target)
            case A.Relaxed():
                return self.home_of(e.location)
            case A.Call():
                return self.homes.get(e, "")
            case A.Member():
                t = self.checked.types[e.object]
                return t.graph or self.graph if isinstance(t, T.NodeT | T.EdgeT) else self.home_of(e.object)
            case A.Index() | A.MethodCall():
                return self.home_of(e.object)
            case A.Name():
                return self._home_of_variable(self.checked.symbols.get(e))
            case _:
                return self.graph

    def _home_of_variable(self, symbol: Symbol | None) -> str:
        if symbol is None:
            return self.graph
        if symbol.kind == "loop" and symbol.origin is not None:
            return self.home_of(symbol.origin)
        if symbol.kind == "local" and isinstance(symbol.type, T.Range) and symbol.origin is not None:
            return self.home_of(symbol.origin)
        if not symbol.home:
            symbol.home = self.graph  # and so it stays
        return symbol.home

    def settle_home(self, target: A.Expr, value: A.Expr) -> None:
        """Before the variable `target`, or a field of it, is given a value: whose items it holds from now on."""
        variable = target.object if isinstance(target, A.Member) else target
        symbol = self.lookup(variable.id) if isinstance(variable, A.Name) else None
        if symbol is None or symbol.kind != "local" or symbol.home or self.checked.fields(symbol.type) is None:
            return
        t = self.type(value)
        symbol.home = self.home_of(value) if holds_items(self.checked, t) else graph_of(t)

    def at_home(self, e: A.Expr, wanted: A.Expr | str) -> None:
        """Refuses a struct with items of another graph than `wanted`, which is one, or has a home."""
        t = self.checked.types[e]
        if not holds_items(self.checked, t):
            return
        found, home = self.home_of(e), wanted if isinstance(wanted, str) else self.home_of(wanted)
        if not same_graph(found, home):
            fail(
                f"this {T.bare(t)} holds nodes or edges of '{found}', and those of '{home}' are wanted",
                e,
                f"keep what is of '{found}' outside the struct: node<{found}>, list<node<{found}>>",
            )
