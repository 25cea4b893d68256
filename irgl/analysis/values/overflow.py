"""Which arithmetic on signed numbers may overflow; elsewhere C++'s own operators do what the language says.

    x % 3 + 1                            a sum of small numbers
    for (int i = 0; i < n; i += 1)       the test has just bounded i
"""

from __future__ import annotations

from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk

#: No graph in memory has more nodes or edges.
_IDS = 2**48


def can_overflow(checked: Checked, e: A.Binary | A.Unary) -> bool:
    """May a sum, difference, product or negative leave its signed type?"""
    t = T.promoted(checked.types[e])
    return isinstance(t, T.Int) and t.signed and _magnitude(checked, e) >= 2 ** (t.bits - 1)


def _magnitude(checked: Checked, e: A.Expr) -> int:
    """What an expression's value is never beyond, on either side of zero, as if its operators did not overflow."""
    t = checked.types[e]
    match e:
        case A.IntLit():
            return abs(e.value)
        case A.Unary(op="-"):
            return _magnitude(checked, e.operand)
        case A.Binary(op="%", right=A.IntLit(value=by)) if by > 0:
            return by - 1
        case A.Binary(op="+" | "-" | "*") if isinstance(t, T.Int) and t.signed:
            a, b = (min(_magnitude(checked, x), 2 ** (t.bits - 1)) for x in (e.left, e.right))
            return int(a * b if e.op == "*" else a + b)
        case A.Cast() if isinstance(t, T.Int) and t.signed:
            return min(_most(t), _magnitude(checked, e.operand))
        case _:
            return _most(t)


def _most(t: T.Type) -> int:
    match t:
        case T.Bool():
            return 1
        case T.Int():
            return int(2 ** (t.bits - 1) if t.signed else 2**t.bits - 1)
        case T.Id():
            return _IDS
        case _:
            return 2**64


def counting(checked: Checked, loop: A.CFor) -> set[A.Reduce]:
    """The step of a loop, if it moves a signed counter by a number, no more than the loop's test leaves room for.

    The test compares the counter with a number that its type holds, in that type; the body leaves it as it is.
    """
    match loop:
        case A.CFor(
            test=A.Binary(op=op, left=A.Name() as counter, right=bound),
            step=(
                A.ExprStmt(value=A.Reduce(op="+" | "-" as way, target=A.Name() as moved, value=A.IntLit() as by) as s),
            ),
        ):
            pass
        case _:
            return set()
    symbol = checked.symbols[moved]
    t = checked.types[moved]
    other = checked.types[bound]
    if checked.symbols[counter] is not symbol or symbol.kind == "global" or not isinstance(t, T.Int) or t.bits < 32:
        return set()
    if not (t.signed and isinstance(other, T.Int) and T.common(t, other) == t and _left_alone(checked, loop, moved)):
        return set()
    beyond = {("<", "+"): by.value - 1, (">", "-"): by.value - 1, ("<=", "+"): by.value, (">=", "-"): by.value}
    far = beyond.get((op, way))
    if far is None or by.value < 0:
        return set()
    most = 2 ** (t.bits - 1) - 1
    room = most - abs(bound.value) if isinstance(bound, A.IntLit) else 0
    return {s} if far <= room else set()


def _left_alone(checked: Checked, loop: A.CFor, counter: A.Name) -> bool:
    changes = (n.target for s in loop.body for n in walk(s) if isinstance(n, A.Assign | A.Reduce))
    symbol = checked.symbols[counter]
    return not any(isinstance(x, A.Name) and checked.symbols[x] is symbol for x in changes)
