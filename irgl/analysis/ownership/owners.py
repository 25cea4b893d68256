"""Which iteration a node, an edge or an index belongs to: the ground that ownership.py stands on."""

from __future__ import annotations

from typing import NamedTuple

from irgl.analysis.names.members import gives_position, is_reverse
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.analysis.ownership.own import is_own
from irgl.ast import nodes as A
from irgl.ast import types as T

_EDGE_RANGES = ("edges", "out_edges", "in_edges")


class Owned(NamedTuple):
    """The depth of the ForAll whose iteration owns something, 0 for none, and by which way its item leads there.

    A way is what lies between the item's number and that of what it leads to: nothing, its edges, its in-edges, edges
    of the node that has an edge's number, the edge that has it as its position among some node's. By one way no two
    iterations reach the same; by different ones they may.
    """

    depth: int
    way: str = ""


NOBODY = Owned(0)
WHOLE = "whole"  # the way to all elements of an iteration's own object
APPENDED = "appended"  # the way to an element that the iteration appends itself


class Owners:
    """Tells who owns a node, an edge or an index."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked

    def owner(self, e: A.Expr) -> int:
        """The depth of the ForAll whose iteration owns `e`; 0 for none."""
        return self.owned(e).depth

    def owned(self, e: A.Expr) -> Owned:
        match e:
            case A.Name():
                symbol = self.checked.symbols.get(e)
                return NOBODY if symbol is None else self._symbol(symbol)
            case A.Member(name="id"):
                return self.owned(e.object)
            case A.Member(name="src" | "dst"):
                base = self._near_end(e)
                return NOBODY if base is None else self.owned(base)
            case A.Member() if is_reverse(e, self.checked):  # no two edges have one reverse
                edge = self.owned(e.object)
                return Owned(edge.depth, edge.way + "/reverse") if edge.depth else NOBODY
            case A.MethodCall(name="pop"):
                t = self.checked.types[e.object]
                return self.owned(e.args[0]) if isinstance(t, T.Worklist) and t.unique else NOBODY
            case A.MethodCall(name="node" | "nodes" | "edge"):
                return self.owned(e.args[0])
            case A.Index() if isinstance(self.checked.types[e.object], T.Range):
                edges = self._of_edges(e.object)
                return edges if edges.depth else self._of_position(e)
            case A.Conditional(orelse=A.Name(id="NONE")):  # of which nothing is touched
                return self.owned(e.then)
            case _:
                return NOBODY

    def of_element(self, e: A.Index) -> int:
        """The depth of the ForAll whose iteration owns an element of an object; 0 for none."""
        return self.owned_element(e).depth

    def owned_element(self, e: A.Index, here: int = 0) -> Owned:
        """The same, with the way. All of an object may be an iteration's own; `here`: how many ForAlls are around."""
        index = self.owned(e.index)
        if not index.depth:
            index = self._of_append(e, here)
        depth = self.checked.symbols[e.object].depth if is_own(self.checked, e.object) else 0
        return Owned(depth, WHOLE) if depth and depth >= index.depth else index

    def _of_append(self, e: A.Index, depth: int) -> Owned:
        """Who appends the element: where it is nobody else may know meanwhile (appended.py)."""
        at, symbols = e.index, self.checked.symbols
        while isinstance(at, A.Name):
            symbol = symbols.get(at)
            if symbol is None or symbol.kind != "local" or symbol.assigned or symbol.origin is None:
                return NOBODY
            at, depth = symbol.origin, symbol.depth
        match at:  # a pass says: nowhere, unless it is appended
            case A.Cast(type=T.LONG, operand=A.Conditional(
                    then=A.Cast(type=T.LONG, operand=then),
                    orelse=A.Cast(operand=A.Unary(op="-", operand=A.IntLit(value=1))))):
                at = then
            case _:
                pass
        if not gives_position(at) or not isinstance(e.object, A.Name):
            return NOBODY
        return Owned(depth, APPENDED) if depth and symbols.get(at.object) is symbols.get(e.object) else NOBODY

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

    def known_end(self, e: A.Member) -> A.Expr | None:
        """What names the end of an edge that its loop's node is, where that is the same as when the loop began."""
        base = self._near_end(e)
        return base if base is not None and self.is_constant(base) else None

    def _near_end(self, e: A.Member) -> A.Expr | None:
        """The expression of which an edge's end was the value when the loop over its edges began."""
        found = self.base_of_edge(e.object)
        return found[0] if found is not None and (e.name == "dst") == found[1] else None

    def is_constant(self, e: A.Expr) -> bool:
        """Is it a variable that never changes, or an edge's end by way of such a one?"""
        if isinstance(e, A.Member) and e.name in ("src", "dst"):
            return isinstance(self.checked.types[e.object], T.EdgeT) and self.is_constant(e.object)
        symbol = self.checked.symbols.get(e) if isinstance(e, A.Name) else None
        return symbol is not None and symbol.kind != "global" and not symbol.assigned

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

    def _of_edges(self, iterator: A.Expr) -> Owned:
        """Who owns the edges of a node."""
        base = self._base(iterator)
        step = self._step(iterator)
        owned = self.owned(base) if base is not None and step else NOBODY
        return Owned(owned.depth, owned.way + step) if owned.depth else NOBODY

    def _of_position(self, e: A.Index) -> Owned:
        """Who owns the edge at a position among a node's: no other edge has that position, whatever node it is of."""
        edges = self._through(e.object)
        while isinstance(edges, A.MethodCall) and edges.name == "when":
            edges = self._through(edges.object)
        if not isinstance(edges, A.Member):  # behind a skip the positions are others
            return NOBODY
        owned, step = self.owned(e.index), self._step(e.object)
        return Owned(owned.depth, f"{owned.way}{step}[]") if owned.depth and step else NOBODY

    def _step(self, iterator: A.Expr) -> str:
        """The part of a way that leads from a node to its edges; '' where the range is of something else."""
        t = self.checked.types[iterator]
        if self._base(iterator) is None or not isinstance(t, T.Range) or not isinstance(t.item, T.EdgeT):
            return ""
        return f"/{'in_' * t.item.incoming}edges<{t.item.graph}>"

    def _symbol(self, symbol: Symbol) -> Owned:
        if symbol.kind == "local":
            return NOBODY if symbol.assigned or symbol.origin is None else self.owned(symbol.origin)
        if symbol.loop is None:
            return NOBODY
        parallel = isinstance(symbol.loop, A.ForAll)
        edges = self._of_edges(symbol.loop.iterator)
        if edges.depth:
            # A ForAll between the base's owner and this one has iterations that all reach the same edges.
            return Owned(symbol.depth, edges.way) if parallel and edges.depth == symbol.depth - 1 else edges
        t = self.checked.types[symbol.loop.iterator]
        distinct = not isinstance(t, T.Range) or t.distinct
        return Owned(1) if parallel and distinct and symbol.depth == 1 else NOBODY
