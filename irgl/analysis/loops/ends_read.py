"""Whether a program reads the far ends of edges out of rows. Where it doesn't, its graph's rows need no far ends.

Loops that take their edges from a form find far ends there. What isn't known to do without rows needs them.
"""

from __future__ import annotations

from collections.abc import Collection

from irgl.analysis.loops.edge_bodies import PURE
from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.owners import Owners
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk

#: Functions of the language that ask no row.
_APART = (*PURE, "cas", "range", "random", "clock", "print", "stop", "auto", "average_weight",
          "max_weight")


def ends_read(checked: Checked, placed: Collection[A.ForAll]) -> tuple[bool, bool]:
    """Does it read those of out-edges, and those of in-edges? placed: the loops that take their edges from forms."""
    owners, known = Owners(checked), {checked.symbols[loop] for loop in placed}
    found = {False: False, True: False}
    for n in walk(checked.program):
        match n:
            case A.CBlock():  # nobody can see what it does
                return True, True
            case A.Call() if n.function not in checked.functions and n.function not in _APART:
                return True, True
            case A.MethodCall() if isinstance(checked.types[n.object], T.NodeT):
                return True, True
            case A.For() | A.ForAll() if n not in placed:
                item = checked.symbols[n].type
                if isinstance(item, T.EdgeT):
                    found[item.incoming] = True
            case A.Member(name="src" | "dst"):
                t = checked.types[n.object]
                far = isinstance(t, T.EdgeT) and (n.name == "src") == t.incoming
                at_hand = isinstance(n.object, A.Name) and checked.symbols.get(n.object) in known
                if isinstance(t, T.EdgeT) and far and not at_hand and owners.known_end(n) is None:
                    found[t.incoming] = True
            case _:
                pass
    return found[False], found[True]
