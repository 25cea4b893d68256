"""Whether a program may come to sums of MAX_INT, which stands where no way leads, and an edge's weight.

Such a sum stays below the largest int as long as the weight is at most that less MAX_INT.
"""

from __future__ import annotations

from collections.abc import Sequence

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.frontends.falcon.unit import MAX_INT, Unit


def may_wrap(unit: Unit, nodes: Sequence[A.Node]) -> bool:
    """Is MAX_INT stored in an int, and a weight added to anything? nodes: all that the program is made of."""
    return bool(unit.weight) and any(_is_far(unit, n) for n in nodes) and _adds_weight(unit, nodes)


def _is_far(unit: Unit, n: A.Node) -> bool:
    """A store of MAX_INT to what is an int, or may be one."""
    match n:
        case A.VarDecl(type=t, init=value):
            pass
        case A.Assign(target=A.Member(name=name), value=value):
            t = next((p.type for p in unit.properties if p.name == name), T.INT)
        case A.Assign(value=value):
            t = T.INT
        case A.Global(type=t, init=value):
            pass
        case _:
            return False
    return isinstance(value, A.IntLit) and value.value == MAX_INT and t == T.INT


def _adds_weight(unit: Unit, nodes: Sequence[A.Node]) -> bool:
    """Does a sum have a weight, or a variable that holds one?"""
    held: set[str] = set()

    def has(e: A.Node | None) -> bool:
        return e is not None and any((isinstance(n, A.Member) and n.name == unit.weight)
                                     or (isinstance(n, A.Name) and n.id in held) for n in walk(e))

    before = -1
    while len(held) != before:
        before = len(held)
        held |= {n.name for n in nodes if isinstance(n, A.VarDecl) and has(n.init)}
        stores = [n for n in nodes if isinstance(n, A.Assign) and has(n.value)]
        held |= {n.target.id for n in stores if isinstance(n.target, A.Name)}
    return any(isinstance(n, A.Binary) and n.op in ("+", "-") and has(n) for n in nodes)
