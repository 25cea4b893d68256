"""Loops over all edges that ask for an edge's source become loops over nodes and their edges.

What it does: the compressed rows of a graph tell an edge's target at once, its source only by a search. A ForAll over
all edges whose body uses the source is grouped by source, which is then at hand.

    ForAll (e In g.edges) {                 ForAll (e_src In g.nodes) {
        ... e.src ...               =>          ForAll (e In e_src.edges) {
    }                                               ... e_src ...

When it applies: an outermost ForAll over `g.edges` of a graph variable, whose body mentions `e.src`. Others stay, and
those of a kernel that an `Iterate Until` runs: it asks whether there was an edge, not whether there was a node; and
those that hold an Exclusive, which all threads of a GPU's block reach together, at the top of an outermost loop.
What it needs and keeps: a checked program; meaning and labels. The order of iterations was free before.
"""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import rebuild, transform, walk


def run(program: A.Program) -> A.Program:
    """The program with its edge loops grouped."""
    types = {d.name for d in program.decls if isinstance(d, A.GraphType)}
    counted = {n.kernel for n in walk(program) if isinstance(n, A.Iterate) and n.mode == "until"}

    def grouped(decl: A.Node) -> A.Node:
        if not isinstance(decl, A.Kernel) or decl.name in counted:
            return decl
        return _kernel(program, decl, types)

    return rebuild(program, grouped)


def _kernel(program: A.Program, kernel: A.Kernel, types: set[str]) -> A.Node:
    graphs = {p.name for p in kernel.params if isinstance(p.type, T.Named) and p.type.name in types}
    taken = Fresh(program, kernel).taken

    def outermost(node: A.Node) -> A.Node:
        if isinstance(node, A.ForAll):
            return _grouped(node, graphs, taken)
        return rebuild(node, outermost)

    return rebuild(kernel, outermost)


def _grouped(loop: A.ForAll, graphs: set[str], taken: set[str]) -> A.ForAll:
    edges = loop.iterator
    if not (isinstance(edges, A.Member) and edges.name == "edges" and isinstance(edges.object, A.Name)):
        return loop
    if edges.object.id not in graphs:
        return loop  # a node's edges
    inside = [n for s in loop.body for n in walk(s)]
    if not any(_is_source(n, loop.var) for n in inside) or any(isinstance(n, A.Exclusive) for n in inside):
        return loop
    source = f"{loop.var}_src"
    while source in taken:
        source += "_"
    name = A.Name(source, span=loop.span)

    def at_hand(node: A.Node) -> A.Node:
        return A.Name(source, span=node.span) if _is_source(node, loop.var) else node

    body = tuple(transform(s, at_hand) for s in loop.body)
    inner = A.ForAll(loop.var, A.Member(name, "edges", span=edges.span), body, span=loop.span)
    nodes = A.Member(edges.object, "nodes", span=edges.span)
    return A.ForAll(source, nodes, (inner,), span=loop.span)


def _is_source(node: A.Node, edge: str) -> bool:
    return (
        isinstance(node, A.Member) and node.name == "src" and isinstance(node.object, A.Name) and node.object.id == edge
    )
