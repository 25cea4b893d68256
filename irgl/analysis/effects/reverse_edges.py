"""The edges of the other direction: only what is undirected has them, and the Program says which of its graphs are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from irgl.analysis.effects.effects import home_graph
from irgl.analysis.names.members import is_reverse
from irgl.analysis.names.symbols import Checked, fail
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk

#: By the name of a graph's variable: where the reverse of one of its edges is asked for.
_Asked = dict[str, A.Member]


def check_reverses(checked: Checked) -> None:
    """Raises IrglError for `e.reverse` where the Program does not say that the graph is undirected."""
    if checked.entry is None or not any(is_reverse(e, checked) for e in walk(checked.program)):
        return
    asked = _asked(checked, checked.entry, {})
    for p in checked.entry.params:
        if p.name in asked and "undirected" not in p.needs:
            how = "is directed" if "directed" in p.needs else "may be directed"
            fail(f"the graph '{p.name}' of the Program {how}: its edges have no reverse", asked.pop(p.name),
                 f"write undirected {p.type} {p.name} in the Program's head, or loop over n.in_edges")
    for p in checked.entry.params:
        asked.pop(p.name, None)
    for graph, where in asked.items():
        fail(f"'{graph}' is made by oriented(), which keeps each edge in one direction: it has no reverse", where,
             "take the undirected graph that it is made of")


def _asked(checked: Checked, of: A.Kernel | A.Function | A.Entry, known: dict[str, _Asked]) -> _Asked:
    """The graph variables of a kernel, helper or Program whose edges' reverses it asks for, by itself or by calls."""
    if of.name in known:
        return known[of.name]
    found: _Asked = known.setdefault(of.name, {})
    home = home_graph(checked, of.params)
    for n in (n for s in of.body for n in walk(s)):
        if is_reverse(n, checked):
            t = checked.types[n]
            found.setdefault((t.graph if isinstance(t, T.EdgeT) else "") or home, n)
        for called, args in _called(checked, n):
            given = {p.name: a.id for p, a in zip(called.params, args, strict=True) if isinstance(a, A.Name)}
            for graph, where in _asked(checked, called, known).items():
                found.setdefault(given.get(graph, home), where)
    return found


def _called(checked: Checked, n: A.Node) -> Iterator[tuple[A.Kernel | A.Function, Iterable[A.Expr]]]:
    if isinstance(n, A.Invoke | A.InvokeResult | A.Iterate):
        yield checked.kernels[n.kernel], n.args
    elif isinstance(n, A.Call) and n.function in checked.functions:
        yield checked.functions[n.function], n.args
