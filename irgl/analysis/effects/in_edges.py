"""What a program asks of its graphs' in-edges."""

from __future__ import annotations

from irgl.analysis.names.members import is_reverse
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.properties import takes_weights
from irgl.ast.visit import walk


def are_in_edges(t: T.Type | None) -> bool:
    """Is a `t` a node's in-edges, or some of them?"""
    return isinstance(t, T.Range) and isinstance(t.item, T.EdgeT) and t.item.incoming


def in_edges_used(checked: Checked) -> tuple[bool, bool]:
    """Does the program use in-edges, and their ids or properties? The reverse of an edge is one by its id; weights may
    lie in the order of in-edges."""
    used = numbered = False
    known = ("src", "dst", *weights_of_in_edges(checked))
    ends = {e.object for e in walk(checked.program) if isinstance(e, A.Member) and e.name in known}
    for e in walk(checked.program):
        t = checked.types.get(e) if isinstance(e, A.Member | A.Name | A.Index) else None
        used |= are_in_edges(t)
        if isinstance(e, A.Member) and e.name == "in_degree" and isinstance(checked.types.get(e.object), T.NodeT):
            used = True
        if is_reverse(e, checked):
            used = numbered = True
        if isinstance(t, T.EdgeT) and t.incoming and e not in ends:
            numbered = True
        if isinstance(e, A.InitialIterator) and are_in_edges(checked.types.get(e.iterator)):
            numbered = True
    return used, used and numbered


def weights_of_in_edges(checked: Checked) -> frozenset[str]:
    """The weights that the program reads of in-edges, which are given to it in their order, too. None where it makes
    graphs, whose weights it lays out itself; nor those of whose name another graph type has a property that is none."""
    if any(isinstance(n, A.Call) and n.function == "oriented" for n in walk(checked.program)):
        return frozenset()
    of_edges = [p for g in checked.graph_types.values() for p in g.properties if p.owner == "edge"]
    weights = {p.name for p in of_edges if takes_weights(p)} - {p.name for p in of_edges if not takes_weights(p)}
    return frozenset(e.name for e in walk(checked.program) if isinstance(e, A.Member) and e.name in weights
                     and isinstance(t := checked.types.get(e.object), T.EdgeT) and t.incoming)
