"""Properties and variables of several values: `node float x[20];`, of which `n.x[k]` is one.

What an iteration owns of a node it owns of all its values, so that analyses speak of the property: `location` is the
member, or the variable, that one of its values lies in.
"""

from __future__ import annotations

from typing import TypeGuard

from irgl.analysis.names.conversions import literal_value
from irgl.analysis.names.symbols import Checked, fail
from irgl.ast import nodes as A
from irgl.ast import types as T


def check_named(t: T.Vector, at: A.Node) -> None:
    """Raises IrglError where the length is still that of a constant: there is none of that name."""
    if t.named:
        fail(f"there is no constant '{t.named}'", at, f"declare it: const int {t.named} = 16;")


def check_length(t: T.Vector, at: A.Node) -> None:
    """Raises IrglError for more values than a vector may have, or for none."""
    if not 1 <= t.length <= T.LONGEST:
        fail(f"a vector of {t.length} values", at, f"it has from 1 to {T.LONGEST}")


def of_vector(e: A.Node, checked: Checked) -> TypeGuard[A.Index]:
    """Is it one value of a property or a variable of several?"""
    return isinstance(e, A.Index) and isinstance(checked.types.get(e.object), T.Vector)


def location(checked: Checked, e: A.Expr) -> A.Expr:
    """The property or variable that one of its values belongs to; anything else itself."""
    return e.object if of_vector(e, checked) else e


def variable_of(checked: Checked, e: A.Expr) -> A.Name | None:
    """The variable or program scalar that a location is, or of which it is one of several values."""
    of = location(checked, e)
    return of if isinstance(of, A.Name) else None


def is_inside(checked: Checked, e: A.Index) -> bool:
    """Does the text tell that such a value is there, so that no run has to look?"""
    of = checked.types[e.object]
    assert isinstance(of, T.Vector)
    return _is_below(checked, e.index, of.length)


def is_inside_array(checked: Checked, e: A.Index) -> bool:
    """Does the text tell that an element is there of an array whose shape the program says?"""
    of = checked.types[e.object]
    match of.shape if isinstance(of, T.Named) else (), e.index:
        case [(length,), k]:
            return _is_below(checked, k, length)
        case [(rows, length), A.Binary(op="+", right=k, left=A.Binary(
                op="*", left=row, right=A.IntLit(value=stride)))]:
            return stride == length and _is_below(checked, row, rows) and _is_below(checked, k, length)
        case _:
            return False


def _is_below(checked: Checked, index: A.Expr, length: int) -> bool:
    known = literal_value(index)
    if known is not None:
        return 0 <= known < length
    symbol = checked.symbols.get(index) if isinstance(index, A.Name) else None
    match symbol.loop.iterator if symbol is not None and symbol.kind == "loop" and symbol.loop is not None else None:
        case A.Call(function="range", args=args) if "range" not in checked.functions:
            bounds = [literal_value(a) for a in args]
            first, last = (0, *bounds)[-2:]
            return first is not None and last is not None and first >= 0 and last <= length
        case _:
            return False
