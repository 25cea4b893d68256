"""Names in their scopes, and the type that an expression has where a certain type is wanted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from irgl.analysis.names import hints
from irgl.analysis.names import members as M
from irgl.analysis.names.conversions import graph_of, is_real_literal, literal_value, same_graph
from irgl.analysis.names.symbols import Checked, KernelFacts, Symbol, fail
from irgl.ast import nodes as A
from irgl.ast import types as T


class Scope(ABC):
    """The state of checking one function, kernel or entry; fills the tables of `checked`.

    place is `kernel`, `function`, `entry` or `constant`; depth counts the ForAlls around the current point.
    """

    def __init__(self, checked: Checked, place: str, facts: KernelFacts | None) -> None:
        self.checked = checked
        self.place = place
        self.facts = facts
        self.depth = 0
        self.scopes: list[dict[str, Symbol]] = [{}]
        self.ended: dict[str, Symbol] = {}  # variables of loops that are over
        self.queue: T.Worklist | None = None  # the priority queue of the Pipe or Iterate around, in the Program
        self.graph = ""
        self.graphs: list[str] = []
        self.invoke: Callable[[A.InvokeResult], None] | None = None
        self.reducing: dict[Symbol, A.Expr] = {}
        self.statement: A.Expr | None = None
        self.iterated: A.Expr | None = None  # what a For runs over
        self.homes: dict[A.Call, str] = {}

    # Names

    def declare(self, symbol: Symbol, node: A.Node) -> Symbol:
        if symbol.name in self.scopes[-1]:
            fail(f"'{symbol.name}' is declared twice in this block", node, "choose another name")
        if symbol.kind != "global" and symbol.name in self.checked.globals:
            fail(f"'{symbol.name}' is a program scalar already", node, "choose another name")
        outer = self.lookup(symbol.name)
        if outer is not None and isinstance(outer.type, T.Named) and outer.type.name in self.checked.graph_types:
            fail(f"'{symbol.name}' is the graph whose nodes are meant here", node, "choose another name")
        if symbol.name in self.checked.functions:
            fail(f"'{symbol.name}' is a function already", node, "choose another name")
        if self.place == "entry" and symbol.name in self.checked.kernels:
            fail(f"'{symbol.name}' is a kernel already", node, "choose another name")
        if symbol.name in M.WORDS:
            fail(f"'{symbol.name}' has a meaning of its own", node, "choose another name")
        self.scopes[-1][symbol.name] = symbol
        self.checked.symbols[node] = symbol
        return symbol

    def lookup(self, name: str) -> Symbol | None:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        if name in self.checked.globals:
            g = self.checked.globals[name]
            found = self.checked.symbols.get(g)
            return found if found is not None else Symbol(name, g.type, "global", 0, g.span)
        return None

    def visible(self) -> list[str]:
        return [n for scope in self.scopes for n in scope] + list(self.checked.globals)

    # Types that are wanted

    @abstractmethod
    def _type(self, e: A.Expr) -> T.Type:
        """The type of `e` by itself; of INF and NONE, that it is open."""

    def type(self, e: A.Expr, expected: T.Type | None = None) -> T.Type:
        """The type of `e`; INF, NONE and bare literals take `expected`."""
        t = self._type(e)
        if expected is not None:
            t = self.settle(e, t, expected)
        self.checked.types[e] = t
        return t

    def settle(self, e: A.Expr, t: T.Type, expected: T.Type) -> T.Type:
        """Gives INF and NONE inside `e` the type their context wants."""
        fits = (
            (isinstance(t, T.Inf) and isinstance(expected, T.Int | T.Float))
            or (isinstance(t, T.Nothing) and isinstance(expected, T.NodeT | T.EdgeT))
            or (
                isinstance(e, A.Name) and e.id == "first" and self.place == "constant" and isinstance(expected, T.NodeT)
            )
        )
        if not fits:
            return t
        if isinstance(expected, T.EdgeT):
            expected = T.EdgeT(graph=expected.graph)  # NONE has no place among in-edges
        match e:
            case A.Unary():
                parts: tuple[A.Expr, ...] = (e.operand,)
            case A.Call():
                parts = e.args
            case A.Conditional():
                parts = (e.then, e.orelse)
            case A.Binary():
                parts = (e.left, e.right)
            case _:
                parts = ()
        for part in parts:
            settled = self.settle(part, self.checked.types[part], expected)
            if isinstance(t, T.Inf) and settled != expected:  # a literal beside INF, or what has one
                expected = T.common(expected, settled)
        self.checked.types[e] = expected
        return expected

    def value(self, e: A.Expr, expected: T.Type, what: str) -> None:
        """Checks that `e` can stand where an `expected` is wanted; `what` names that place."""
        t = self.type(e, expected)
        if self.fits(e, t, expected):
            return
        constant = literal_value(e)
        if isinstance(expected, T.Int) and constant is not None and isinstance(t, T.Int):
            fail(
                f"{what} wants {expected}, and {constant} does not fit",
                e,
                f"{expected} holds {expected.min} to {expected.max}",
            )
        fail(
            f"{what} wants {T.beside(expected, t)}, not {T.beside(t, expected)}",
            e,
            hints.conversion(self.checked, self.graph, t, expected),
        )

    def fits(self, e: A.Expr, t: T.Type, expected: T.Type) -> bool:
        """Does `t` convert to `expected` without a cast?"""
        match expected:
            case T.Bool():
                return T.is_number(t) or isinstance(t, T.Reduced)
            case T.Int():
                if not T.is_integer(t):
                    return False
                constant = literal_value(e)
                if constant is not None:
                    return expected.min <= constant <= expected.max or (
                        isinstance(t, T.Int) and t.bits <= expected.bits
                    )
                width = 64 if isinstance(t, T.Id) else 1 if isinstance(t, T.Bool) else t.bits  # type: ignore[union-attr]
                return width <= expected.bits
            case T.Float():
                return T.is_number(t) and (
                    not isinstance(t, T.Float) or t.bits <= expected.bits or is_real_literal(e)
                )
            case T.NodeT() | T.EdgeT():
                inner = t.of if isinstance(t, T.Id) else t
                if isinstance(expected, T.NodeT) != isinstance(inner, T.NodeT):
                    return False
                return isinstance(inner, T.NodeT | T.EdgeT) and same_graph(inner.graph, expected.graph)
            case T.Worklist():
                return (
                    isinstance(t, T.Worklist)
                    and t.kind == expected.kind
                    and T.bare(t.item) == T.bare(expected.item)
                    and same_graph(graph_of(t), graph_of(expected))
                    and (t.unique or not expected.unique)
                )
            case T.Named():
                mine, wanted = (t.args, expected.args) if isinstance(t, T.Named) else ((), ())
                return T.bare(t) == T.bare(expected) and all(
                    same_graph(graph_of(a), graph_of(b)) for a, b in zip(mine, wanted, strict=True)
                )
            case T.Position():
                return isinstance(t, T.Position)
            case _:
                return t == expected

    def truth(self, e: A.Expr, what: str) -> None:
        """Checks that `e` can be a condition."""
        t = self.type(e)
        if not (T.is_number(t) or isinstance(t, T.Reduced)) or isinstance(t, T.Id):
            item = isinstance(t, T.NodeT | T.EdgeT | T.Id)
            hint = "compare it with NONE" if item else hints.number_from(self.checked, t)
            fail(f"{what} wants a truth value, not {M.a(T.bare(t))}", e, hint)

    def number(self, e: A.Expr, what: str) -> T.Type:
        t = self.type(e)
        if not T.is_number(t):
            fail(f"{what} wants a number, not {M.a(T.bare(t))}", e, hints.number_from(self.checked, t))
        return t
