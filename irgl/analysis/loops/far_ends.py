"""What loops touch at the other ends of edges: memory that the order of the edges does not foretell.

Of a loop over a node's edges, and of one over all nodes that takes the first edges of each by number: what these will
touch is known some edges or nodes ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from irgl.analysis.names.symbols import Checked, Symbol
from irgl.analysis.ownership.owners import Owners
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk

#: Members of a node that its row in the adjacency tells.
ROWS = ("degree", "out_degree", "edges", "out_edges", "in_degree", "in_edges")
_DIRECTIONS = {"edges": False, "out_edges": False, "in_edges": True}
#: So many edges of a node are asked for ahead of their turn, at most: they mostly lie in one line of a cache.
_MOST = 4


@dataclass(frozen=True, slots=True)
class FirstEdges:
    """The first `count` edges of each node, and the properties read at their other ends, in the order of the text."""

    incoming: bool
    count: int
    properties: tuple[str, ...]


def far_ends(checked: Checked, loop: A.ForAll) -> dict[str, bool]:
    """By name, the properties (and ROWS) of the other end that the loop uses; the value: it is only overwritten.

    Empty where the loop runs over no node's edges, or uses nothing there. What helpers touch is not looked for.
    """
    stored: dict[A.Expr, bool] = {}
    for n in (n for s in loop.body for n in walk(s)):
        if isinstance(n, A.Assign | A.Reduce):
            stored[n.target] = not (isinstance(n, A.Reduce) and n.op in ("min", "max"))  # which often change nothing
    names: dict[str, bool] = {}
    for e in members_there(checked, loop):
        names[e.name] = names.get(e.name, True) and stored.get(e, False)
    return names


def members_there(checked: Checked, loop: A.ForAll) -> Iterator[A.Member]:
    """Where the loop uses properties (and ROWS) of the other end, in the order of the text."""
    found = Owners(checked).base_of_loop(loop)
    if found is None:
        return
    other = "src" if found[1] else "dst"
    for n in (n for s in loop.body for n in walk(s)):
        if (isinstance(n, A.Member) and _in_memory(checked, n)
                and _is_end(checked, n.object, other, lambda e: _is_item(checked, e, loop))):
            yield n


def _in_memory(checked: Checked, e: A.Member) -> bool:
    if not isinstance(checked.types.get(e.object), T.NodeT):
        return False
    return e.name in ROWS or any(
        p.owner == "node" and p.name == e.name and not isinstance(p.type, T.Lock)
        for g in checked.graph_types.values()
        for p in g.properties
    )


def _is_end(checked: Checked, e: A.Expr, end: str, edge: Callable[[A.Expr], bool]) -> bool:
    """Is `e` that end of such an edge, perhaps by way of variables that name it?"""
    if isinstance(e, A.Name):
        local = checked.symbols.get(e)
        if local is None or local.kind != "local" or local.assigned or local.origin is None:
            return False
        return _is_end(checked, local.origin, end, edge)
    return isinstance(e, A.Member) and e.name == end and edge(e.object)


def _is_item(checked: Checked, e: A.Expr, loop: A.ForAll) -> bool:
    symbol = checked.symbols.get(e) if isinstance(e, A.Name) else None
    return symbol is not None and symbol.loop is loop


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
        if isinstance(n, A.Member) and _is_end(checked, n.object, end, taken.__contains__):
            yield from _property(checked, n)
        elif isinstance(n, A.Call) and (helper := checked.functions.get(n.function)) is not None:
            for argument, param in zip(n.args, helper.params, strict=True):
                if _is_end(checked, argument, end, taken.__contains__):
                    yield from _read_of(checked, helper, param)


def _read_of(checked: Checked, helper: A.Function, param: A.Param) -> Iterator[str]:
    symbol = checked.symbols[param]
    for n in walk(helper):
        if isinstance(n, A.Member) and isinstance(n.object, A.Name) and checked.symbols[n.object] is symbol:
            yield from _property(checked, n)


def _property(checked: Checked, e: A.Member) -> Iterator[str]:
    if _in_memory(checked, e) and e.name not in ROWS and not isinstance(checked.types[e], T.Vector):
        yield e.name
