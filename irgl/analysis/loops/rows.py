"""Whether a loop over a node's edges may take them from a form that keeps a node's edges together, but not as rows do.

Such a form yields, edge after edge, its place and its far end; an edge's number is looked up where a loop asks for it.
A loop that runs over all edges of one node, in whatever order, needs nothing else. What is taken out of a row by
positions, and rows that are variables, stay with rows.
"""

from __future__ import annotations

from dataclasses import dataclass

from irgl.analysis.effects.effects import home_graph
from irgl.analysis.loops.sweeps import ALONG, asks_number, makes_graphs
from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.owners import Owners
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk


@dataclass(frozen=True, slots=True)
class Row:
    """A ForAll over all edges of a node. graph: the variable whose edges they are; incoming: the in-edges."""

    loop: A.ForAll
    graph: str
    incoming: bool


def row_of(checked: Checked, kernel: A.Kernel, loop: A.ForAll, guarded: bool = False) -> Row | str:
    """Over which rows a nested ForAll runs, or why it can't take them from another form. guarded: a pass may have put a
    condition on them."""
    e = loop.iterator
    if guarded and isinstance(e, A.MethodCall) and e.name == "when":
        e = e.object
    if isinstance(e, A.Name):
        return f"it runs over '{e.id}', a variable that holds some node's edges"
    node = checked.types[e.object] if isinstance(e, A.Member) and e.name in ALONG else None
    if not isinstance(e, A.Member) or not isinstance(node, T.NodeT):  # g.edges are those of all nodes
        return "it does not run over all edges of a node"
    graph = node.graph or home_graph(checked, kernel.params)
    if graph not in [p.name for p in kernel.params]:
        return "no parameter of the kernel is the graph of its nodes"
    if makes_graphs(checked):
        return "the Program makes a graph of another, and forms are built before it runs"
    return Row(loop, graph, e.name == "in_edges")


def asks_place(checked: Checked, loop: A.ForAll) -> bool:
    """Does the loop use its edges for more than their far ends, the weights, and a near end that is known anyway?"""
    near = "dst" if _incoming(checked, loop) else "src"
    symbol, owners = checked.symbols[loop], Owners(checked)
    return asks_number(checked, loop) or any(
        isinstance(n, A.Member) and n.name == near and isinstance(n.object, A.Name)
        and checked.symbols.get(n.object) is symbol and owners.known_end(n) is None for s in loop.body for n in walk(s))


def _incoming(checked: Checked, loop: A.ForAll) -> bool:
    t = checked.symbols[loop].type
    return isinstance(t, T.EdgeT) and t.incoming
