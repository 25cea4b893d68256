"""What a loop over a node's edges touches at their other ends: memory that the order of the edges does not foretell."""

from __future__ import annotations

from collections.abc import Iterator

from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.owners import Owners
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk

#: Members of a node that its row in the adjacency tells.
ROWS = ("degree", "out_degree", "edges", "out_edges", "in_degree", "in_edges")


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
        if isinstance(n, A.Member) and _in_memory(checked, n) and _is_end(checked, n.object, loop, other):
            yield n


def _in_memory(checked: Checked, e: A.Member) -> bool:
    if not isinstance(checked.types.get(e.object), T.NodeT):
        return False
    return e.name in ROWS or any(
        p.owner == "node" and p.name == e.name and not isinstance(p.type, T.Lock)
        for g in checked.graph_types.values()
        for p in g.properties
    )


def _is_end(checked: Checked, e: A.Expr, loop: A.ForAll, end: str) -> bool:
    """Is `e` that end of the loop's edge, perhaps by way of a variable that names it?"""
    if isinstance(e, A.Name):
        local = checked.symbols.get(e)
        if local is None or local.kind != "local" or local.assigned or local.origin is None:
            return False
        return _is_end(checked, local.origin, loop, end)
    if not (isinstance(e, A.Member) and e.name == end and isinstance(e.object, A.Name)):
        return False
    symbol = checked.symbols.get(e.object)
    return symbol is not None and symbol.loop is loop
