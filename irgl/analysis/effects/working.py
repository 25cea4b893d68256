"""Which statements of a loop's body do something, as profiles count it."""

from __future__ import annotations

from collections.abc import Collection

from irgl.analysis.effects.effects import effects_of, stored_variable
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.analysis.names.vectors import variable_of
from irgl.ast import nodes as A
from irgl.ast.visit import children, walk

#: Updates of what iterations share that don't tell whether they changed it.
_SILENT = ("*", "/", "%", "<<", ">>")
#: Those that would be dear to ask: what they add is something.
_SUMS = ("+", "-")


def own_variables(checked: Checked, loop: A.For | A.ForAll) -> set[Symbol]:
    """The variables that an iteration of the loop has to itself."""
    return {checked.symbols[n] for n in walk(loop) if isinstance(n, A.VarDecl | A.For | A.ForAll)}


def works(checked: Checked, s: A.Stmt, own: Collection[Symbol]) -> bool:
    """Does it do something whenever it runs, in an iteration that has these variables to itself?

    So do stores, sums, updates of variables around, appends and all other calls that change something, an item that
    comes back, and a loop, whatever that does. Of another update its value tells (`changes_if`).
    """
    match s:
        case A.Retry() | A.Respawn() | A.CBlock():
            return True
        case A.For() | A.ForAll() if s.body:
            return True
        case A.Assign():
            symbol = stored_variable(checked, s.target)
            if symbol is None or symbol not in own:
                return True
        case A.ExprStmt(value=A.Reduce() as e) if not changes_if(checked, e):
            variable = variable_of(checked, e.target)
            if variable is None or checked.symbols[variable] not in own:
                return True
        case _:
            pass
    shown = [c for c in children(s) if isinstance(c, A.Expr)]
    calls = [n for e in shown for n in walk(e)
             if isinstance(n, A.MethodCall) or (isinstance(n, A.Call) and n.function in checked.functions)]
    return any(effects_of(checked, [call]).writes for call in calls)


def changes_if(checked: Checked, e: A.Reduce) -> bool:
    """Does an update do something just where it changes its location, of which it tells?"""
    return variable_of(checked, e.target) is None and e.op not in _SILENT + _SUMS


def adds(checked: Checked, e: A.Reduce) -> bool:
    """Is it a sum into what iterations share, which always does something?"""
    return variable_of(checked, e.target) is None and e.op in _SUMS
