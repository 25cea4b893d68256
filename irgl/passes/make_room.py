"""How much room a list needs before an invocation, in the two numbers that the run time can work with.

A kernel of one ForAll appends at most `per_item` times for each of its items and `per_edge` times for each of their
edges; the run time multiplies the first by the number of items, and sums their degrees for the second. Whatever else
there is nobody knows before (analysis/effects/bounds.py): it is left to the list's spill.
"""

from __future__ import annotations

from dataclasses import dataclass

from irgl.analysis.effects.bounds import AGAIN, Bound, bounds
from irgl.analysis.flow.kernels import only_loop
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T


@dataclass(frozen=True, slots=True)
class Room:
    """`incoming`: the edges are those into the items. Not `known`: the numbers mean nothing."""

    per_item: int
    per_edge: int
    incoming: bool
    known: bool


def room(checked: Checked, kernel: A.Kernel) -> dict[str, Room]:
    """For each list that the kernel appends to, by name; what comes back within an invocation counts with WL."""
    found: dict[str, Room] = {}
    for name, bound in bounds(checked, kernel).items():
        key = "WL" if name == AGAIN else name
        one = _room(checked, kernel, bound)
        other = found.get(key)
        found[key] = one if other is None else Room(
            max(one.per_item, other.per_item), max(one.per_edge, other.per_edge), one.incoming or other.incoming,
            one.known and other.known and (one.incoming == other.incoming or 0 in (one.per_edge, other.per_edge)))
    return found


def _room(checked: Checked, kernel: A.Kernel, bound: Bound) -> Room:
    per_item = per_edge = 0
    incoming: set[bool] = set()
    loop = only_loop(kernel)
    known = True
    for term in bound.terms:
        match term.per:
            case () if loop is None:
                per_item += term.count
            case (outer,) if outer is loop:
                per_item += term.count
            case (outer, inner) if outer is loop and _own_edges(checked, outer, inner):
                per_edge += term.count
                assert isinstance(inner, A.ForAll | A.For)
                t = checked.types[inner.iterator]
                incoming.add(isinstance(t, T.Range) and isinstance(t.item, T.EdgeT) and t.item.incoming)
            case _:
                known = False
    return Room(per_item, per_edge, True in incoming, known and len(incoming) <= 1)


def _own_edges(checked: Checked, outer: A.Stmt, inner: A.Stmt) -> bool:
    """Does a loop run over the edges of the item of the one around it?"""
    if not isinstance(inner, A.ForAll | A.For) or outer in checked.none:  # NONE has no edges to count
        return False
    e = inner.iterator
    while isinstance(e, A.MethodCall) and e.name in ("skip", "when"):
        e = e.object
    if not (isinstance(e, A.Member) and e.name in ("edges", "out_edges", "in_edges") and isinstance(e.object, A.Name)):
        return False
    symbol = checked.symbols.get(e.object)
    return symbol is not None and symbol is checked.symbols.get(outer)
