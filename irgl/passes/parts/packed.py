"""Which properties of nodes lie side by side in memory, as a plan's `pack` says, and why others can't."""

from __future__ import annotations

import re
from collections.abc import Mapping

from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.plan import Plan
from irgl.source import IrglError

_OPTION = "pack"


def packed(checked: Checked, plan: Plan) -> Mapping[str, tuple[str, ...]]:
    """By graph type, the properties that lie side by side: those that the plan names, of each type that has them all.

    Raises IrglError for names of which no type has all, and for a property that has to lie by itself.
    """
    said = next((value for key, value in plan.settings if key == _OPTION), None)
    if said is None or said == plan.plain(_OPTION):
        return {}
    names = tuple(said.split("+"))
    owners = {name: [g for g in checked.graph_types.values() if any(p.name == name for p in g.properties)]
              for name in names}
    for name, found in owners.items():
        if not found:
            raise IrglError(f"`{_OPTION}={said}`: no graph of the program has a property `{name}`", hint=_hint(checked))
    types = [g for g in owners[names[0]] if all(g in found for found in owners.values())]
    if not types:
        first, other = names[0], next(n for n in names if owners[names[0]][0] not in owners[n])
        raise IrglError(f"`{_OPTION}={said}`: `{other}` is a property of {owners[other][0].name}, `{first}` one of "
                        f"{owners[first][0].name}", _named(owners[other][0], other).span,
                        "name properties of the same graph")
    for p in (_named(g, name) for g in types for name in names):
        reason = _why_not(checked, p)
        if reason is not None:
            raise IrglError(f"`{_OPTION}={said}`: {reason}", p.span, _hint(checked))
    return {g.name: names for g in types}


def packable(checked: Checked, g: A.GraphType) -> list[str]:
    """The properties of a graph type that can lie side by side."""
    return [p.name for p in g.properties if _why_not(checked, p) is None]


def _named(g: A.GraphType, name: str) -> A.Property:
    return next(p for p in g.properties if p.name == name)


def _hint(checked: Checked) -> str:
    found = [f"{', '.join(names)} of {g.name}" for g in checked.graph_types.values()
             if len(names := packable(checked, g)) > 1]
    return f"what can lie side by side: {'; '.join(found) or 'nothing'}"


def _why_not(checked: Checked, p: A.Property) -> str | None:
    if p.owner != "node":
        return f"`{p.name}` is a property of edges"
    if isinstance(p.type, T.Lock):
        return f"`{p.name}` is a lock"
    if isinstance(p.type, T.Vector):
        return f"`{p.name}` has {p.type.length} values for each node, which lie side by side already"
    if not isinstance(p.type, T.Bool | T.Int | T.Float | T.NodeT | T.EdgeT) and checked.fields(p.type) is None:
        return f"`{p.name}` has no fixed size"
    blocks = (n for n in walk(checked.program) if isinstance(n, A.CBlock))
    if any(re.search(rf"\b{p.name}\b", block.text) for block in blocks):
        return f"a CBlock names `{p.name}`, and may want its values one behind the other"
    return None
