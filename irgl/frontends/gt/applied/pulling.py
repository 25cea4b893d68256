"""Applies to all edges whose function does nothing but reduce into the far ends, as loops over those: each vertex is
then changed by its own iteration alone, and nothing is atomic.

    ForAll (src In g.nodes) {                     ForAll (dst In g.nodes) {
        ForAll (e In src.edges) {                     ForAll (e In dst.in_edges) {
            e.dst.next += src.share;        =>            dst.next += e.src.share;
"""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast.visit import rebuild, walk
from irgl.frontends.gt.bodies.roles import Roles, of_node

ENDS = {"src": "dst", "dst": "src"}
_EDGES = {"edges": "in_edges", "in_edges": "edges"}


def pulls(roles: Roles) -> bool:
    """Does a loop over all edges reduce into its edges' far ends, and change nothing else but variables of the
    program?"""
    nodes = [n for s in roles.body for n in walk(s)]
    if any(isinstance(n, A.MethodCall | A.Break | A.Continue | A.While | A.For) for n in nodes):
        return False
    changed = [n.target for n in nodes if isinstance(n, A.Reduce) and of_node(n.target)]
    plain = any((isinstance(n, A.Assign) and of_node(n.target))
                or (isinstance(n, A.Call) and n.function == "cas") for n in nodes)
    return not plain and bool(changed) and all(roles.who(target) == "far" for target in changed)


def pulling(loop: A.ForAll, own: str, far: str, dst: str) -> A.ForAll:
    """A loop over an iteration's edges as one over those of their other ends. own: the variable of the iteration's
    vertex; far: how the edge's other end is called; dst: the variable that holds that."""
    def visit(node: A.Node) -> A.Node:
        match node:
            case A.Member(object=A.Name(id=edge), name=end) if (edge, end) == (loop.var, far):
                return A.Name(dst, span=node.span)
            case A.Name(id=word) if word == own:
                return A.Member(A.Name(loop.var, span=node.span), ENDS[far], span=node.span)
            case _:
                return rebuild(node, visit)

    body = rebuild(A.Block(loop.body), visit)
    assert isinstance(body, A.Block) and isinstance(loop.iterator, A.Member)
    edges = A.Member(A.Name(dst, span=loop.iterator.span), _EDGES[loop.iterator.name], span=loop.iterator.span)
    return A.ForAll(loop.var, edges, body.body, span=loop.span)
