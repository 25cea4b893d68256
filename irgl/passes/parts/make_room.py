"""How much room a list needs before an invocation, in the two numbers that the run time can work with.

A ForAll appends at most `per_item` times for each of its items and `per_edge` times for each of their edges; the run
time multiplies the first by the number of items, and sums their degrees for the second. Whatever else there is nobody
knows before (analysis/effects/bounds.py): it is left to the list's spill.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from irgl.analysis.effects.bounds import AGAIN, Bound, bounds
from irgl.analysis.effects.effects import kernel_effects
from irgl.analysis.flow.kernels import only_loop
from irgl.analysis.names.members import DENSE
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children


@dataclass(frozen=True, slots=True)
class Room:
    """`incoming`: the edges are those into the items. Not `known`: the numbers mean nothing. `loop`: whose items they
    are, None where all is appended once. `everywhere`: that loop runs over all nodes, and appends at their edges alone.
    `within`: the list never holds more than this graph has nodes; '': nobody knows that.
    """

    per_item: int
    per_edge: int
    incoming: bool
    known: bool
    loop: A.ForAll | None = None
    everywhere: bool = False
    within: str = ""


def room(checked: Checked, kernel: A.Kernel) -> dict[str, tuple[Room, ...]]:
    """For each list that the kernel appends to, by name; what comes back within an invocation counts with WL. Sets that
    have a place for each node need no room.

    Several for one list are those of loops of which an invocation runs one.
    """
    found: dict[str, tuple[Room, ...]] = {}
    for name, bound in bounds(checked, kernel).items():
        key = "WL" if name == AGAIN else name
        if bound.limit is not None and _type(checked, kernel, key).kind in DENSE:
            continue
        rooms = _rooms(checked, kernel, bound)
        if bound.limit is not None and _type(checked, kernel, key).kind == "list":
            rooms = tuple(replace(r, within=bound.limit.removesuffix(".num_nodes")) for r in rooms)
        found[key] = (_larger(found[key][0], rooms[0]),) if key in found else rooms
    return found


def _type(checked: Checked, kernel: A.Kernel, name: str) -> T.Worklist:
    t = checked.facts[kernel.name].worklist if name == "WL" else next(
        checked.symbols[p].type for p in kernel.params if p.name == name)
    assert isinstance(t, T.Worklist)
    return t


def _larger(one: Room, other: Room) -> Room:
    return Room(
        max(one.per_item, other.per_item), max(one.per_edge, other.per_edge), one.incoming or other.incoming,
        one.known and other.known and (one.incoming == other.incoming or 0 in (one.per_edge, other.per_edge)), one.loop)


def _rooms(checked: Checked, kernel: A.Kernel, bound: Bound) -> tuple[Room, ...]:
    """One room where one loop appends, or one for each of several loops on different ways through the kernel."""
    only = only_loop(kernel)
    loops = list(dict.fromkeys(t.per[0] if t.per else None for t in bound.terms))
    ways = _ways(kernel)
    several = [loop for loop in loops if isinstance(loop, A.ForAll) and ways.get(loop) is not None
               and _is_settled(checked, kernel, loop)]
    if only is not None or len(several) != len(loops) or not all(
            _exclude(ways[a], ways[b]) for a in several for b in several if a is not b):
        return (_room(checked, bound, only),)
    return tuple(_room(checked, Bound(bound.kind, tuple(t for t in bound.terms if t.per[0] is loop)), loop)
                 for loop in several)


def _room(checked: Checked, bound: Bound, loop: A.ForAll | None) -> Room:
    per_item = per_edge = 0
    incoming: set[bool] = set()
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
    whole = loop is not None and isinstance(loop.iterator, A.Member) and loop.iterator.name == "nodes"
    return Room(per_item, per_edge, True in incoming, known and len(incoming) <= 1, loop, whole and per_item == 0)


#: The conditions around a loop of a kernel, with the branch on which it stands; None: it stands in more than these.
_Way = dict[A.If, bool] | None


def _ways(kernel: A.Kernel) -> dict[A.ForAll, _Way]:
    """How the kernel comes to each of its outermost loops."""
    found: dict[A.ForAll, _Way] = {}

    def visit(node: A.Node, way: _Way) -> None:
        match node:
            case A.ForAll():
                found[node] = way
            case A.If():
                for s in node.body:
                    visit(s, None if way is None else {**way, node: True})
                for s in node.orelse:
                    visit(s, None if way is None else {**way, node: False})
            case A.Kernel() | A.Block() | A.Labeled():
                for child in children(node):
                    visit(child, way)
            case _:
                for child in children(node):
                    visit(child, None)

    visit(kernel, {})
    return found


def _exclude(one: _Way, other: _Way) -> bool:
    return one is not None and other is not None and any(other.get(test, on) != on for test, on in one.items())


def _is_settled(checked: Checked, kernel: A.Kernel, loop: A.ForAll) -> bool:
    """Does the loop run over what its kernel doesn't change before?"""
    e = loop.iterator
    if not (isinstance(e, A.Member) and isinstance(e.object, A.Name)):
        return isinstance(e, A.Name) and e.id == "WL"
    if e.name == "items" and e.object.id != "WL":
        return not any(p.kind == "list" and p.name == e.object.id for p in kernel_effects(checked, kernel).writes)
    return e.name in ("nodes", "items")


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
