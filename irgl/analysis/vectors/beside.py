"""Whether the values of vectors may lie side by side in the lanes of a GPU's warp, a few lanes for each iteration.

    ForAll (n In g.nodes) {
        float sum[16] = 0;                                   each of 16 lanes has one
        ForAll (e In n.edges) { sum += e.dst.h; }            and adds one of the 16 that lie beside each other
        n.out = sum;
    }

All lanes of an iteration run the same statements, and so compute the same numbers; loops over a vector's values give
each lane its own. What an iteration stores besides, the first lane stores, so that nobody may read that again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from irgl.analysis.effects.effects import Place, effects_of, stored_in
from irgl.analysis.names.conversions import literal_value
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.analysis.names.vectors import location, of_vector, variable_of
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.dump_expr import expression
from irgl.ast.visit import walk

#: How many lanes a warp has.
WARP = 32
#: What lanes can combine that each have done a part of.
_COMBINED = ("+", "-", "min", "max", "|", "&")
_NOT_TOGETHER = {
    A.Atomic: "it takes a lock", A.Exclusive: "it takes elements for itself", A.Retry: "its items come back",
    A.Respawn: "its items come back", A.CBlock: "nobody can see what a CBlock does",
    A.MethodCall: "it asks or fills a list, a set or an object", A.ReduceAndReturn: "its iterations return something",
    A.SyncRunningThreads: "its threads wait for each other",
}  # fmt: skip


def vector_loops(checked: Checked, loop: A.ForAll) -> dict[A.For, int]:
    """The loops over the values of vectors in an outermost ForAll, each value by itself, and how many there are."""
    return {n: length for n in walk(loop) if isinstance(n, A.For) and (length := _values(n)) is not None
            and _is_by_value(checked, n)}


def lanes_for(checked: Checked, loop: A.ForAll) -> int:
    """How many lanes an iteration of such a ForAll has: as many as its longest vector has values, up to a warp's."""
    longest, lanes = max(vector_loops(checked, loop).values(), default=1), 1
    while lanes < min(longest, WARP):
        lanes *= 2
    return lanes


def has_vectors(checked: Checked, loop: A.ForAll) -> bool:
    """Does it speak of vectors?"""
    return any(of_vector(n, checked) for n in walk(loop))


def why_not_beside(checked: Checked, loop: A.ForAll) -> str | None:
    """Why the values can't lie side by side; None: they can."""
    found = vector_loops(checked, loop)
    if max(found.values(), default=1) < 2:
        return "it has no loop over a vector's values"
    inside = {n for one in found for s in one.body for n in walk(s)}
    stored = {*stored_in([loop])}
    for n in walk(loop):
        reason = _NOT_TOGETHER.get(type(n)) or _why_not_here(checked, n, inside)
        if reason is None and n in checked.concurrent and n not in inside and n not in stored:
            reason = "it reads what others change at the same time, which its lanes could see differently"
        if reason is not None:
            return reason
    return _why_not_read(checked, loop, inside, stored, {checked.symbols[one] for one in found})


def _values(s: A.For) -> int | None:
    """Over how many numbers from 0 on a loop runs, where the text says it."""
    match s.iterator:
        case A.Call(function="range", args=(many,)) | A.Call(function="range", args=(A.IntLit(value=0), many)):
            length = literal_value(many)
            return length if length is not None and 1 <= length <= T.LONGEST else None
    return None


def _is_by_value(checked: Checked, loop: A.For) -> bool:
    """Does each turn leave the values of the others alone, and give no more than a part of a number?"""
    k = checked.symbols[loop]
    outside: dict[Symbol, None] = {}
    for s in loop.body:
        update = s.value if isinstance(s, A.ExprStmt) else s
        if not isinstance(update, A.Assign | A.Reduce) or any(
                isinstance(n, A.Reduce) and n is not update for n in walk(update)):
            return False
        of = location(checked, update.target)
        if of is not update.target:
            if not _is_at(checked, update.target, k) or any(_is(checked, n, k) for n in walk(of)):
                return False
        elif isinstance(update, A.Reduce) and isinstance(of, A.Name) and update.op in _COMBINED:
            outside[checked.symbols[of]] = None
        else:
            return False
    for n in (n for s in loop.body for n in walk(s)):
        if of_vector(n, checked) and isinstance(n.object, A.Name) and not _is_at(checked, n, k):
            return False
    reads = [n for s in loop.body for n in _read(s) if isinstance(n, A.Name)]
    return not any(checked.symbols.get(n) in outside for n in reads)


def _read(s: A.Stmt) -> Iterator[A.Node]:
    """What stands in a statement, but for the name of the number that it updates."""
    update = s.value if isinstance(s, A.ExprStmt) else s
    target = update.target if isinstance(update, A.Reduce | A.Assign) else None
    return (n for n in walk(s) if n is not target)


def _is_at(checked: Checked, e: A.Expr, k: Symbol) -> bool:
    return isinstance(e, A.Index) and _is(checked, e.index, k)


def _is(checked: Checked, n: A.Node, k: Symbol) -> bool:
    return isinstance(n, A.Name) and checked.symbols.get(n) is k


def _why_not_here(checked: Checked, n: A.Node, inside: set[A.Node]) -> str | None:
    """Why all lanes of an iteration can't run a part of it together."""
    if isinstance(n, A.Call):
        if n.function in ("cas", "print", "stop", "random", "clock"):
            return f"it calls {n.function}, which one thread does"
        if n.function in checked.functions:
            found = effects_of(checked, checked.functions[n.function].body)
            if found.writes or found.host:
                return f"'{n.function}' changes something, which it calls"
    if isinstance(n, A.Member) and isinstance(checked.types.get(n.object), T.Reduced):
        return "it asks what an update has changed"
    if n in inside:
        return None
    if isinstance(n, A.Assign | A.Reduce) and of_vector(n.target, checked) and isinstance(
            variable_of(checked, n.target), A.Name):
        return "it changes single values of a vector"
    return None


def _why_not_read(checked: Checked, loop: A.ForAll, inside: set[A.Node], stored: set[A.Expr],
                  ks: set[Symbol]) -> str | None:
    """What one lane stores must not be read by others; `ks` count the values that each lane has for itself."""
    places = {e: of for e in stored if isinstance(of := location(checked, e), A.Member)}
    by_one = {of.name for e, of in places.items() if e not in inside}
    by_value = {of.name for e, of in places.items() if e in inside}
    if both := sorted(by_one & by_value):
        return f"it stores '{both[0]}' value by value, and single values besides"
    elements = any(_is_element(checked, e) for e in stored)
    changed = {_loosely(place) for place in effects_of(checked, [loop]).writes}
    written = {*stored, *places.values()}
    for n in walk(loop):
        if isinstance(n, A.Call) and n.function in checked.functions:
            read = effects_of(checked, checked.functions[n.function].body).reads
            if found := next((place for place in read if _loosely(place) in changed), None):
                return f"it calls '{n.function}', which reads '{found.name}'"
        if n in written or not isinstance(n, A.Member | A.Index):
            continue
        of = location(checked, n)
        if isinstance(of, A.Member) and (of.name in by_one or (
                of.name in by_value and of_vector(n, checked) and not any(_is_at(checked, n, k) for k in ks))):
            return f"it reads '{of.name}', which another of its lanes has stored"
        if elements and _is_element(checked, n):
            return f"it reads an element of '{expression(n.object)}', which another of its lanes has stored"
    return None


def _is_element(checked: Checked, e: A.Node) -> TypeGuard[A.Index]:
    """Is it one of an array's elements? Two names may be of one array."""
    return isinstance(e, A.Index) and not of_vector(e, checked)


def _loosely(place: Place) -> tuple[str, str]:
    """A place by its kind, and by its name where only one thing has that."""
    return place.kind, place.name if place.kind in ("node", "edge", "scalar") else ""
