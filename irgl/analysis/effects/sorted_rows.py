"""What a program looks up in rows that ascend, so that its graphs must have such rows."""

from __future__ import annotations

from irgl.analysis.names.members import is_common
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk


def looks_up(checked: Checked, e: A.Node) -> bool:
    """Is it a search in rows that ascend: `common(n, m)`, or `n.edge_to(m)`?"""
    if is_common(e, checked.functions):
        return True
    return isinstance(e, A.MethodCall) and e.name == "edge_to" and isinstance(checked.types[e.object], T.NodeT)


def wants_sorted_rows(checked: Checked) -> bool:
    """Does anything in the program look up an edge in a row?"""
    return any(looks_up(checked, e) for e in walk(checked.program))
