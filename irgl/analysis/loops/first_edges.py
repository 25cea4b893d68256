"""Loops over all nodes that take a node's first edges by number: what they will touch is known some nodes ahead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from irgl.analysis.names.symbols import Checked, Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk

_DIRECTIONS = {"edges": False, "out_edges": False, "in_edges": True}
#: So many edges of a node are asked for ahead of their turn, at most: they mostly lie in one line of a cache.
_MOST = 4


@dataclass(frozen=True, slots=True)
class FirstEdges:
    """The first `count` edges of each node, and the properties read at their other ends, in the order of the text."""

    incoming: bool
    count: int
    properties: tuple[str, ...]


def first_edges(checked: Checked, loop: A.ForAll) -> FirstEdges | None:
    """The edges along which a loop over all nodes goes by a small number, or one that counts up from such; or None.

    Of a helper that is called with such an edge's other end, what it reads of that parameter counts as read.
    """
    item = checked.symbols[loop]
    over = checked.types[loop.iterator]
    if not (isinstance(item.type, T.NodeT) and isinstance(over, T.Range)
            and isinstance(loop.iterator, A.Member) and loop.iterator.name == "nodes"):
        return None
    numbers = dict(_counters(checked, loop))
    taken: dict[A.Index, int] = {}
    for n in walk(loop):
        if isinstance(n, A.Index) and _edges_of(checked, n.object, item):
            k = _number(checked, n.index, numbers)
            if k is not None:
                taken[n] = k
    if not taken:
        return None
    ways = {_DIRECTIONS[n.object.name] for n in taken if isinstance(n.object, A.Member)}
    if len(ways) != 1:
        return None
    incoming = ways.pop()
    end = "src" if incoming else "dst"
    gone_along = frozenset(
        n.object for n in walk(loop) if isinstance(n, A.Member) and n.name == end and n.object in taken)
    if not gone_along:
        return None
    count = min(_MOST, max(taken[e] for e in gone_along if isinstance(e, A.Index)) + 1)
    return FirstEdges(incoming, count, tuple(dict.fromkeys(_read_there(checked, loop, gone_along, end))))


def _edges_of(checked: Checked, e: A.Expr, item: Symbol) -> bool:
    return (isinstance(e, A.Member) and e.name in _DIRECTIONS and isinstance(e.object, A.Name)
            and checked.symbols.get(e.object) is item)


def _counters(checked: Checked, loop: A.ForAll) -> Iterator[tuple[Symbol, int]]:
    """The variables of C's for that count up from a number: with the second value that they have."""
    for n in walk(loop):
        if isinstance(n, A.CFor):
            for d in n.init:
                if isinstance(d, A.VarDecl) and isinstance(d.init, A.IntLit) and d in checked.symbols:
                    yield checked.symbols[d], d.init.value + 1


def _number(checked: Checked, e: A.Expr, counters: dict[Symbol, int]) -> int | None:
    if isinstance(e, A.IntLit):
        return e.value if 0 <= e.value < _MOST else None
    symbol = checked.symbols.get(e) if isinstance(e, A.Name) else None
    k = counters.get(symbol) if symbol is not None else None
    return k if k is not None and 0 <= k < _MOST else None


def _read_there(checked: Checked, loop: A.ForAll, taken: frozenset[A.Expr], end: str) -> Iterator[str]:
    for n in walk(loop):
        if isinstance(n, A.Member) and _is_end(checked, n.object, taken, end):
            yield from _property(checked, n)
        elif isinstance(n, A.Call) and (helper := checked.functions.get(n.function)) is not None:
            for argument, param in zip(n.args, helper.params, strict=True):
                if _is_end(checked, argument, taken, end):
                    yield from _read_of(checked, helper, param)


def _read_of(checked: Checked, helper: A.Function, param: A.Param) -> Iterator[str]:
    symbol = checked.symbols[param]
    for n in walk(helper):
        if isinstance(n, A.Member) and isinstance(n.object, A.Name) and checked.symbols[n.object] is symbol:
            yield from _property(checked, n)


def _property(checked: Checked, e: A.Member) -> Iterator[str]:
    t = checked.types.get(e.object)
    if isinstance(t, T.NodeT) and not isinstance(checked.types[e], T.Vector):
        for g in checked.graph_types.values():
            if any(p.owner == "node" and p.name == e.name and not isinstance(p.type, T.Lock) for p in g.properties):
                yield e.name
                return


def _is_end(checked: Checked, e: A.Expr, taken: frozenset[A.Expr], end: str) -> bool:
    """Is `e` the other end of an edge that is taken, perhaps by way of variables that name it?"""
    if isinstance(e, A.Name):
        local = checked.symbols.get(e)
        if local is None or local.kind != "local" or local.assigned or local.origin is None:
            return False
        return _is_end(checked, local.origin, taken, end)
    return isinstance(e, A.Member) and e.name == end and e.object in taken
