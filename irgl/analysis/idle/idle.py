"""When an iteration of a ForAll over all nodes does nothing, round after round, until somebody changes its node.

Two ways lead there. A condition of the node's own values stands around all that it does, and what it does first makes
that false; or a number that grows by one in each round makes it true in one round alone:

    if (n.p < n.q) { n.q = n.p; ... }        if (n.p == step) { ... }

Or it only lowers, raises or joins values, by what its own values say: a second time that changes nothing, unless these
are others.

    ForAll (e In n.edges) { if (e.dst.p min= n.p + e.w) { ... } }

In all of them a node at which nobody has changed what its iteration asks for can be left out of a round: it would
change nothing, and its part of an Any would be false.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from irgl.analysis.idle.again import why_not_again
from irgl.analysis.idle.own_values import OwnValues
from irgl.analysis.loops.edge_bodies import PURE, accesses, conjuncts
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import equal, walk


@dataclass(frozen=True, slots=True)
class Counted:
    """A comparison `node.own == bound` with a bound that the Program may make another number in each round."""

    own: A.Member
    bound: A.Expr


@dataclass(frozen=True, slots=True)
class Idle:
    """What can give an iteration something to do.

    inputs: the properties of its node, of which one has to change. test: the statement that alone does anything, if
    there is one. ends: the store in it that makes its condition false. counted: what makes it true in one round, if
    the number is another in the next.
    """

    inputs: frozenset[str]
    test: A.If | None = None
    ends: A.Assign | None = None
    counted: Counted | None = None


def idle_of(own: OwnValues, counters: Collection[str]) -> Idle | str:
    """When iterations of a ForAll over all nodes do nothing, or why nobody can tell.

    counters: what may be another number in each round, and stays in it.
    """
    reason = why_not_again(own)
    if reason is not None:
        own = _anew(own)
        guarded = _guarded(own, counters)
        if not isinstance(guarded, Idle):
            return reason if guarded is None else guarded
    else:
        guarded = Idle(frozenset(own.inputs))
    elsewhere = sorted(name for name in guarded.inputs if ("node", name) in own.outside)
    return guarded if not elsewhere else f"'{elsewhere[0]}' is changed between its rounds"


def _anew(own: OwnValues) -> OwnValues:
    return OwnValues(own.checked, own.loop, own.changed, own.outside, own.varying)


def _guarded(own: OwnValues, counters: Collection[str]) -> Idle | str | None:
    """The same of a loop all of whose work stands under one condition; None: it doesn't."""
    *before, test = own.loop.body if own.loop.body else (None,)
    if not isinstance(test, A.If) or test.orelse or not all(_is_quiet(own, s) for s in before):
        return None
    moves: Counted | None = None
    for c in conjuncts(test.test):
        reason = own.why_not(c)
        if reason is not None:
            found = _counted(own, c, counters) if moves is None else None
            if found is None:
                return f"in its condition {reason}" if reason.startswith("'") else f"its condition: {reason}"
            moves = found
            own.inputs[found.own.name] = None
    if moves is not None:
        return Idle(frozenset(own.inputs), test, None, moves)
    ends = _ends(own, test)
    if ends is None:
        return "nothing tells that a node that has run has nothing more to do: its condition may stay true"
    return Idle(frozenset(own.inputs), test, ends)


def _is_quiet(own: OwnValues, s: A.Stmt | None) -> bool:
    """Does a statement declare a variable, and nothing more? What others may change must not stop the program."""
    if not isinstance(s, A.VarDecl) or s.init is None or not T.is_scalar(own.checked.symbols[s].type):
        return False
    called = any(isinstance(n, A.MethodCall | A.InvokeResult) or (isinstance(n, A.Call) and n.function not in PURE)
                 for n in walk(s.init))
    if called or any(a.kind != "load" for a in accesses(own.checked, (s,))):
        return False
    return _anew(own).why_not(s.init) is None or not any(
        n in own.checked.none or isinstance(n, A.Index) or (isinstance(n, A.Binary) and n.op in ("/", "%"))
        for n in walk(s.init))


def _counted(own: OwnValues, c: A.Expr, counters: Collection[str]) -> Counted | None:
    """`n.p == E` or `E == n.p`, with a counter in E."""
    if not isinstance(c, A.Binary) or c.op != "==":
        return None
    types = own.checked.types
    for mine, bound in ((c.left, c.right), (c.right, c.left)):
        place = own.own(mine)
        if place is None or ("node", place.name) not in own.changed or not _counts(own, bound, counters):
            continue
        kinds = {T.bare(types[e]) for e in (place, mine, bound)}
        if len(kinds) == 1 and isinstance(kind := kinds.pop(), T.Int) and kind.bits >= 32:
            return Counted(place, bound)
    return None


def _counts(own: OwnValues, e: A.Expr, counters: Collection[str]) -> bool:
    """A counter, or that and a number."""
    match e:
        case A.Name(id=word):
            symbol = own.checked.symbols.get(e)
            return symbol is not None and symbol.kind in ("param", "global") and not (
                symbol.kind == "param" and symbol.assigned) and word in counters
        case A.Binary(op="+" | "-", left=A.Name() as name, right=A.IntLit()) | A.Binary(
                op="+", left=A.IntLit(), right=A.Name() as name):
            return T.bare(own.checked.types[name]) == T.bare(own.checked.types[e]) and _counts(own, name, counters)
        case _:
            return False


def _ends(own: OwnValues, test: A.If) -> A.Assign | None:
    """A store to the node itself, which runs wherever the condition holds and makes that false."""
    for s in test.body:
        s = s.body if isinstance(s, A.Labeled) else s
        if isinstance(s, A.Assign) and (place := own.own(s.target)) is not None and place is s.target:
            same = T.bare(own.checked.types[place]) == T.bare(own.checked.types[s.value])
            if same and place.name in own.inputs and any(
                    _is_false(own, c, place.name, s.value) for c in conjuncts(test.test)):
                return s
        if any(isinstance(n, A.Continue | A.Break | A.Return) for n in walk(s)):
            return None
    return None


def _is_false(own: OwnValues, c: A.Expr, name: str, value: A.Expr) -> bool:
    """Is a condition false with that value in the place of the node's property?"""
    def is_place(e: A.Expr) -> bool:
        place = own.own(e)
        return place is not None and place.name == name

    match c:
        case A.Binary(op="<" | ">" | "!=" as op):
            for mine, other in ((c.left, c.right), (c.right, c.left)):
                exact = op != "!=" or not isinstance(T.bare(own.checked.types[mine]), T.Float)
                if is_place(mine) and exact and equal(other, value) and not _asks(own, other, name):
                    return T.bare(own.checked.types[other]) == T.bare(own.checked.types[mine])
            return False
        case A.Unary(op="!"):
            return is_place(c.operand) and isinstance(value, A.BoolLit) and value.value
        case A.Name() | A.Member():
            return is_place(c) and isinstance(value, A.BoolLit) and not value.value
        case _:
            return False


def _asks(own: OwnValues, e: A.Expr, name: str) -> bool:
    """Is an expression made of that property, too?"""
    alone = _anew(own)
    return alone.why_not(e) is not None or name in alone.inputs
