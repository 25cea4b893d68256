"""Inputs: properties whose values the caller gives. Those that the program changes begin from a copy."""

from __future__ import annotations

from irgl.analysis.effects.effects import stored_in
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.visit import walk


def changed_inputs(checked: Checked) -> set[str]:
    """The names of the inputs that a kernel, function or the Program stores to."""
    given = {p.name for g in checked.graph_types.values() for p in g.properties if p.given}
    if not given:
        return set()
    code = [d for d in checked.program.decls if isinstance(d, A.Kernel | A.Function | A.Entry)]
    stores = [*stored_in(code), *(e for d in code for n in walk(d) if isinstance(n, A.CBlock) for e in n.writes)]
    return given & {name for name in map(_property, stores) if name is not None}


def _property(location: A.Expr) -> str | None:
    while isinstance(location, A.Relaxed):
        location = location.location
    return location.name if isinstance(location, A.Member) else None
