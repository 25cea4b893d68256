"""Which way an expression goes when values that only go one way have gone on.

Where `p` is lowered alone (`x.p min= v`), `n.p + e.w` only falls, and `n.p < n.q + 3` may become true and stays so. A
sum of whole numbers that may wrap around goes one way only as long as it doesn't: it is told apart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from irgl.analysis.idle.own_values import OwnValues
from irgl.analysis.loops.edge_bodies import MIRRORED
from irgl.analysis.names.conversions import literal_value
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.analysis.values.extents import fits
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.dump import dump
from irgl.ast.visit import children

STEADY, FALLS, RISES, GAINS, LOSES = "steady", "falls", "rises", "gains", "loses"
#: More sums one after the other might wrap around to where they began.
_SUMS = 2
#: The way of what one kind of update alone changes.
WAY_OF = {"min": FALLS, "max": RISES, "|": GAINS, "&": LOSES}
_OTHER = {FALLS: RISES, RISES: FALLS}


@dataclass(frozen=True, slots=True)
class Move:
    """The way of an expression; sums: those of whole numbers in it that may wrap around, each of one number that goes
    some way and one that doesn't."""

    way: str
    sums: tuple[A.Binary, ...] = ()


class OneWay:
    """Tells which way expressions of a loop go.

    ways: of the properties and scalars, by kind and name, that are changed: which way, '' for none. inputs: those of
    the loop's own node that all expressions asked for so far are made of.
    """

    def __init__(self, checked: Checked, loop: A.ForAll, ways: Mapping[tuple[str, str], str],
                 varying: Collection[str]) -> None:
        self.checked, self.loop, self.ways, self.varying = checked, loop, ways, varying
        self.inputs: dict[str, None] = {}

    def move(self, e: A.Expr) -> Move | str:
        """Which way an expression goes, or why nobody can tell."""
        own = self.values()
        place = own.own(e) if not isinstance(e, A.Name) else None
        if place is not None and ("node", place.name) in self.ways:
            self.inputs[place.name] = None
            way = self.ways["node", place.name]
            return Move(way) if way else f"it depends on '{place.name}' of its node, which is set, and goes no one way"
        why = own.why_not(e)
        if why is None and not own.inputs:
            return Move(STEADY)
        match e:
            case A.Name() if (symbol := self.checked.symbols.get(e)) is not None and symbol.kind == "local" and (
                    not symbol.assigned and symbol.origin is not None):
                return self._as(symbol.origin, symbol.type)
            case A.Cast():
                return self._as(e.operand, self.checked.types[e])
            case A.Call(function="min" | "max"):
                return self._of_numbers(e, self._together(self._as(a, self.checked.types[e]) for a in e.args))
            case A.Conditional() if self.is_steady(e.test):
                return self._together(self._as(a, self.checked.types[e]) for a in (e.then, e.orelse))
            case A.Binary(op="+" | "-"):
                return self._sum(e)
            case A.Binary(op="/") if (literal_value(e.right) or 0) > 0:
                return self._of_numbers(e, self._as(e.left, self.checked.types[e]))
            case A.Binary(op="|" | "&"):
                found = self._together(self._as(a, self.checked.types[e]) for a in (e.left, e.right))
                return found if isinstance(found, str) or found.way in (GAINS, LOSES) else self._unknown(e)
            case _:
                return why if why is not None else self._unknown(e)

    def is_steady(self, e: A.Expr) -> bool:
        """Is it the same whatever goes on?"""
        own = self.values()
        return own.why_not(e) is None and not own.inputs

    def why_ends(self, test: A.Expr) -> str | None:
        """Why a condition that holds may not hold later; None: it stays true."""
        if self.is_steady(test):
            return None
        match test:
            case A.Binary(op="&&" | "||"):
                return self.why_ends(test.left) or self.why_ends(test.right)
            case A.Binary(op="!=") if (place := beside_inf(test)) is not None:
                return self._why_not_ways(test, place, (FALLS,))
            case A.Binary(op=op) if op in MIRRORED and says_no_wrap(self, test):
                return None
            case A.Binary(op=op) if op in MIRRORED:
                less, more = (test.left, test.right) if op.startswith("<") else (test.right, test.left)
                t = T.common(self.checked.types[less], self.checked.types[more]) if self._numbers(less, more) else None
                return self._why_not_ways(test, less, (FALLS,), t) or self._why_not_ways(test, more, (RISES,), t)
            case A.Unary(op="!"):
                return self._why_not_ways(test, test.operand, (LOSES,))
            case A.Name() | A.Member() | A.Relaxed():
                return self._why_not_ways(test, test, (GAINS,))
            case _:
                found = self.values().why_not(test)
                return found if found is not None else self._may_end(test)

    def values(self) -> OwnValues:
        """What is known of the values of the loop's node."""
        return OwnValues(self.checked, self.loop, self.ways, (), self.varying)

    def _as(self, e: A.Expr, t: T.Type) -> Move | str:
        """The way of an expression once it has another type."""
        found, was = self.move(e), self.checked.types[e]
        same = T.bare(was) == T.bare(t)  # bits are others in another type
        if isinstance(found, str) or found.way == STEADY or same or (found.way in _OTHER and keeps_order(was, t)):
            return found
        return f"which of two numbers is less may be another as {T.bare(t)}: `{dump(e)}`"

    def _sum(self, e: A.Binary) -> Move | str:
        t = self.checked.types[e]
        left, right = self._as(e.left, t), self._as(e.right, t)
        if isinstance(left, str) or isinstance(right, str):
            return left if isinstance(left, str) else right
        if e.op == "-" and right.way != STEADY:
            if right.way not in _OTHER:
                return self._unknown(e)
            right = Move(_OTHER[right.way], right.sums)
        found = self._together((left, right))
        if isinstance(found, str) or found.way in (GAINS, LOSES):
            return self._unknown(e)
        if not isinstance(t, T.Int) or fits(self.checked, e):
            return found
        return self._unknown(e) if STEADY not in (left.way, right.way) else Move(found.way, (*found.sums, e))

    def _of_numbers(self, e: A.Expr, found: Move | str) -> Move | str:
        """What is computed of numbers, and goes no way with their bits."""
        return found if isinstance(found, str) or found.way in (STEADY, *_OTHER) else self._unknown(e)

    def _together(self, moves: Iterable[Move | str]) -> Move | str:
        found: list[Move] = []
        for m in moves:
            if isinstance(m, str):
                return m
            found.append(m)
        ways = {m.way for m in found} - {STEADY}
        if len(ways) > 1:
            return "it is made of values of which some go one way and some the other"
        way = ways.pop() if ways else STEADY
        return Move(way, tuple(s for m in found for s in m.sums))

    def _why_not_ways(self, test: A.Expr, e: A.Expr, ways: tuple[str, ...], t: T.Type | None = None) -> str | None:
        found = self._as(e, t) if t is not None else self.move(e)
        if isinstance(found, str):
            return found
        return None if found.way in (STEADY, *ways) and not found.sums else self._may_end(test)

    def _numbers(self, *of: A.Expr) -> bool:
        return all(isinstance(self.checked.types[e], T.Int | T.Float | T.Bool) for e in of)

    def _may_end(self, test: A.Expr) -> str:
        return f"`{dump(test)}` may hold, and no longer when its node's values have gone on"

    def _unknown(self, e: A.Expr) -> str:
        return f"which way `{dump(e)}` goes when its node's values go one way nobody can tell"


def beside_inf(test: A.Binary) -> A.Expr | None:
    """What is compared with INF."""
    for inf, other in ((test.left, test.right), (test.right, test.left)):
        if isinstance(inf, A.Name) and inf.id == "INF":
            return other
    return None


def says_no_wrap(values: OneWay, test: A.Binary) -> bool:
    """`there >= here`, where `here` is a value of the loop's node and `there`, of that and what is added, falls with
    it: no sum of `there` has wrapped around then, nor does one later, when `here` has fallen.

    `here` has to be a variable: the node's own value may be another when it is asked again.
    """
    for here, there, op in ((test.right, test.left, test.op), (test.left, test.right, MIRRORED[test.op])):
        found = values.move(there)
        if isinstance(found, str) or not 0 < len(found.sums) <= _SUMS or found.way not in _OTHER:
            continue
        own, types = values.values(), values.checked.types
        place = own.own(here) if isinstance(here, A.Name) else None
        kinds = {T.bare(types[e]) for e in (here, there, *found.sums)}
        if (place is not None and op.startswith(">" if found.way == FALLS else "<") and len(kinds) == 1
                and values.ways.get(("node", place.name)) == found.way
                and _adds_to(values, there, values.checked.symbols[here])):
            return True
    return False


def _adds_to(values: OneWay, e: A.Expr, variable: Symbol) -> bool:
    """Is an expression that variable, and what is added to it or taken from it?"""
    symbol = values.checked.symbols.get(e) if isinstance(e, A.Name) else None
    match e:
        case A.Name() if symbol is variable:
            return True
        case A.Name() if symbol is not None and symbol.kind == "local" and symbol.origin is not None:
            return _adds_to(values, symbol.origin, variable)
        case A.Binary(op="+") if values.is_steady(e.left):
            return _adds_to(values, e.right, variable)
        case A.Binary(op="+" | "-"):
            return values.is_steady(e.right) and _adds_to(values, e.left, variable)
        case _:
            return False


def readings(values: OneWay, e: A.Expr) -> Iterator[Symbol | A.Expr]:
    """Where an expression has values of the loop's node from that change: variables that hold them, or the node."""
    own = values.values()
    place = own.own(e)
    symbol = values.checked.symbols.get(e) if isinstance(e, A.Name) else None
    if place is not None and ("node", place.name) in values.ways:
        yield symbol if symbol is not None else e
    elif symbol is not None and symbol.kind == "local" and symbol.origin is not None:
        yield from readings(values, symbol.origin)
    else:
        for x in children(e):
            if isinstance(x, A.Expr):
                yield from readings(values, x)


def keeps_order(was: T.Type, t: T.Type) -> bool:
    """Is the lesser of two numbers of a type never the larger one as another type?"""
    was, t = T.bare(was), T.bare(t)
    match was, t:
        case _ if was == t:
            return True
        case T.Bool(), T.Int() | T.Float():
            return True
        case T.Int(), T.Int():
            return t.bits > was.bits and (t.signed or not was.signed)
        case T.Int() | T.Float(), T.Float():
            return True
        case _:
            return False
