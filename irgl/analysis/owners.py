"""Which iteration a node, an edge or an index belongs to: the ground that ownership.py stands on."""

from __future__ import annotations

from irgl.analysis.own import is_own
from irgl.analysis.symbols import Checked, Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T

_EDGE_RANGES = ("edges", "out_edges", "in_edges")


class Owners:
    """Tells the depth of the ForAll whose iteration owns a node, an edge or an index; 0 for none."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked

    def owner(self, e: A.Expr) -> int:
        match e:
            case A.Name():
                symbol = self.checked.symbols.get(e)
                return 0 if symbol is None else self._symbol(symbol)
            case A.Member(name="id"):
                return self.owner(e.object)
            case A.Member(name="src" | "dst"):
                return self._end(e)
            case A.MethodCall(name="pop"):
                t = self.checked.types[e.object]
                return self.owner(e.args[0]) if isinstance(t, T.Worklist) and t.unique else 0
            case A.MethodCall(name="node" | "nodes" | "edge"):
                return self.owner(e.args[0])
            case A.Index() if isinstance(self.checked.types[e.object], T.Range):
                base = self._base(e.object)
                return self.owner(base) if base is not None else 0
            case A.Conditional(orelse=A.Name(id="NONE")):  # of which nothing is touched
                return self.owner(e.then)
            case _:
                return 0

    def of_element(self, e: A.Index) -> int:
        """The same for an element of an object, which may be an iteration's own."""
        return max(self.owner(e.index), self.checked.symbols[e.object].depth if is_own(self.checked, e.object) else 0)

    def base_of_edge(self, e: A.Expr) -> tuple[A.Expr, bool] | None:
        """The node whose range an edge variable runs over, and whether that range is of incoming edges."""
        if not isinstance(e, A.Name):
            return None
        symbol = self.checked.symbols.get(e)
        return None if symbol is None or symbol.loop is None else self.base_of_loop(symbol.loop)

    def base_of_loop(self, loop: A.For | A.ForAll) -> tuple[A.Expr, bool] | None:
        """The node over whose edges a loop runs, and whether they are incoming."""
        base = self._base(self._through(loop.iterator))
        t = self.checked.types[loop.iterator]
        incoming = isinstance(t, T.Range) and isinstance(t.item, T.EdgeT) and t.item.incoming
        return None if base is None else (base, incoming)

    def _end(self, e: A.Member) -> int:
        found = self.base_of_edge(e.object)
        if found is None:
            return 0
        base, incoming = found
        return self.owner(base) if (e.name == "dst") == incoming else 0

    def _through(self, e: A.Expr) -> A.Expr:
        """The iterator that a never-reassigned local names."""
        if isinstance(e, A.Name):
            symbol = self.checked.symbols.get(e)
            if symbol is not None and symbol.kind == "local" and not symbol.assigned and symbol.origin is not None:
                return self._through(symbol.origin)
        return e

    def _base(self, iterator: A.Expr) -> A.Expr | None:
        iterator = self._through(iterator)
        if isinstance(iterator, A.MethodCall) and iterator.name in ("skip", "when"):
            return self._base(iterator.object)
        if isinstance(iterator, A.Member) and iterator.name in _EDGE_RANGES:
            t = self.checked.types[iterator.object]
            return iterator.object if isinstance(t, T.NodeT) else None
        return None

    def _symbol(self, symbol: Symbol) -> int:
        if symbol.kind == "local":
            return 0 if symbol.assigned or symbol.origin is None else self.owner(symbol.origin)
        if symbol.loop is None:
            return 0
        parallel = isinstance(symbol.loop, A.ForAll)
        base = self._base(symbol.loop.iterator)
        if base is not None:
            of_base = self.owner(base)
            # A ForAll between the base's owner and this one has iterations that all reach the same edges.
            return symbol.depth if of_base and parallel and of_base == symbol.depth - 1 else of_base
        t = self.checked.types[symbol.loop.iterator]
        distinct = not isinstance(t, T.Range) or t.distinct
        return 1 if parallel and distinct and symbol.depth == 1 else 0
