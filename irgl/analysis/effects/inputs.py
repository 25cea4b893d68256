"""Inputs: properties whose values the caller gives. Those that the program changes begin from a copy.

Lists and arrays that are parameters of the Program stay as they are given.
"""

from __future__ import annotations

from irgl.analysis.effects.effects import effects_of, home_graph, stored_in
from irgl.analysis.names.given import given_item
from irgl.analysis.names.symbols import Checked, fail
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk


def changed_inputs(checked: Checked) -> set[str]:
    """The names of the inputs that a kernel, function or the Program stores to."""
    given = {p.name for g in checked.graph_types.values() for p in g.properties if p.given}
    if not given:
        return set()
    code = [d for d in checked.program.decls if isinstance(d, A.Kernel | A.Function | A.Entry)]
    stores = [*stored_in(code), *(e for d in code for n in walk(d) if isinstance(n, A.CBlock) for e in n.writes)]
    return given & {name for name in map(_property, stores) if name is not None}


def check_given(checked: Checked, entry: A.Entry) -> None:
    """Refuses what would change a list or an array that the caller gives: its place in the Program is told."""
    given = {p.name: p.type for p in entry.params if given_item(checked, p.type) is not None}
    hidden = {n.name for n in walk(entry) if isinstance(n, A.VarDecl)}  # names are unique after the first passes
    if not given.keys() - hidden:
        return
    for (place, way), node in effects_of(checked, entry.body, home_graph(checked, entry.params)).first.items():
        if way == "load" or place.kind not in ("list", "object", "element") or place.name not in given.keys() - hidden:
            continue
        own = T.bare(given[place.name])
        if isinstance(own, T.Named) and given[place.name].shape:  # type: ignore[union-attr]
            fail(f"'{place.name}' is what the caller gives, and can't be changed", node,
                 "keep what changes in properties, or in an array<T> of the Program's own")
        by = node.kernel if isinstance(node, A.Invoke | A.Iterate | A.InvokeResult) else ""
        how = f"mine.update({place.name});" if place.kind == "list" else f"mine.resize({place.name}.size);"
        fail(f"'{by}' changes '{place.name}', which the caller gives" if by else
             f"'{place.name}' is what the caller gives, and can't be changed", node,
             f"change a copy, the Program's own: {own} mine; {how}")


def _property(location: A.Expr) -> str | None:
    while isinstance(location, A.Relaxed | A.Index):
        location = location.location if isinstance(location, A.Relaxed) else location.object
    return location.name if isinstance(location, A.Member) else None
