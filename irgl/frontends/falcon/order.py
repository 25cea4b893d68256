"""Which foreach within another one keeps its order.

Falcon runs it in turn. It is run at once, too, where nobody can tell: not where it stores to what the iteration around
it has for its own, reads there what it updates, has a flag that tells which iteration changed something, adds to a
Collection of the iteration's own, asks a Set beside uniting, breaks off, or has to do with `single`.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from irgl.ast import nodes as A
from irgl.ast.visit import children, equal, rebuild, walk
from irgl.source import IrglError

#: What `single` becomes.
UNDER = (A.Atomic, A.Exclusive)


@dataclass(frozen=True, slots=True)
class InOrder:
    """globals: and Collections of main's. item: the iteration's own. variables: those that hold Points and Edges.
    own: the iteration's Collections."""

    globals: Set[str]
    item: str
    variables: Set[str]
    own: Set[str]

    def run(self, loop: A.ForAll) -> A.ForAll:
        """The loop, with every inner one that has to be sequential."""
        return rebuild(loop, lambda n: self._in_order(n, False))

    def _in_order(self, s: A.Node, locked: bool) -> A.Node:
        locked = locked or isinstance(s, UNDER)
        s = rebuild(s, lambda n: self._in_order(n, locked))
        if isinstance(s, A.ForAll) and (locked or items_of(s) in self.own or self._wants_order(s)):
            return A.For(s.var, s.iterator, s.body, span=s.span)
        return s

    def _wants_order(self, loop: A.ForAll) -> bool:
        nodes = [*walk(loop)]
        local = self.globals | {n.name for n in nodes if isinstance(n, A.VarDecl)}
        changes = [n for n in nodes if isinstance(n, A.Assign | A.Reduce)]
        targets = [n.target for n in changes]
        updated = {t.name for t in targets if isinstance(t, A.Member) and self._may_be_own(t)}
        read = {n.name for n in nodes if isinstance(n, A.Member) and n not in targets and self._may_be_own(n)}
        ways = {(t.name, n.op) for n, t in zip(changes, targets, strict=True) if isinstance(n, A.Reduce)
                and isinstance(t, A.Member) and self._may_be_own(t)}
        calls = [n for n in nodes if isinstance(n, A.MethodCall)]
        asks = [n for n in calls if n.name in ("unite", "find", "same")]
        idle = [n.value for n in nodes if isinstance(n, A.ExprStmt)]
        return (
            any(isinstance(n.target, A.Name) and n.target.id not in local for n in changes)
            or any(isinstance(n, A.Assign) and self._may_be_own(n.target) for n in changes)
            or bool(read & updated)
            or any(map(self._tells_order, nodes))
            or any(isinstance(n, UNDER) for n in nodes)  # its iterations would keep each other out
            or len(ways) > len(updated & {name for name, _ in ways}) or "*" in {op for _, op in ways}
            or any(n.name == "append" and isinstance(n.object, A.Name) and n.object.id not in local for n in calls)
            or (any(n.name == "unite" for n in asks) and any(n not in idle for n in asks))  # who joins is seen
            or any(_breaks(s) for s in loop.body)
        )

    def _tells_order(self, n: A.Node) -> bool:
        """Does a flag tell which iterations changed something? Not a global, nor a property of what they change."""
        if not (isinstance(n, A.If) and isinstance(n.test, A.Reduce) and isinstance(n.body[0], A.Assign)):
            return False
        flag, place = n.body[0].target, n.test.target
        if isinstance(flag, A.Name):
            return flag.id not in self.globals
        return not (isinstance(flag, A.Member) and isinstance(place, A.Member) and equal(flag.object, place.object))

    def _may_be_own(self, place: A.Node) -> bool:
        return is_own(place, self.item) or (isinstance(place, A.Member) and isinstance(place.object, A.Name)
                                       and place.object.id in self.variables)


def is_own(place: A.Node, item: str) -> bool:
    """Is it a property of the iteration's own Point or Edge?"""
    return isinstance(place, A.Member) and isinstance(place.object, A.Name) and place.object.id == item != ""


def items_of(loop: A.For | A.ForAll) -> str:
    """The Collection that a loop runs over, '' where that is something else."""
    match loop.iterator:
        case A.Member(object=A.Name(id=name), name="items"):
            return name
    return ""


def refuse_growth(around: A.For | A.ForAll | A.Exclusive, name: str) -> None:
    """Raises IrglError where a Collection of the iteration's own grows under what runs over it, or takes its Points."""
    for n in walk(around):
        match n:
            case A.MethodCall(object=A.Name(id=grown), name="append") if grown == name:
                word = "single" if isinstance(around, A.Exclusive) else "foreach"
                assert around.span is not None
                raise IrglError(f"'{name}' grows under the {word} in line {around.span.line} that it is given to",
                                n.span, "add to another Collection")


def _breaks(s: A.Node) -> bool:
    """Does a statement break off the loop in whose body it stands?"""
    if isinstance(s, A.Break):
        return True
    return not isinstance(s, A.While | A.DoWhile | A.CFor | A.For | A.ForAll) and any(map(_breaks, children(s)))
