"""Loops over worklist positions become loops over the items.

What it does: where a ForAll or For runs over a worklist and its body only pops at the loop's position, the loop
runs over the list's items, named as the user's variable that took the popped one.

    ForAll (i In WL) {                      ForAll (n In WL.items) {
        node n = WL.pop(i);         =>          ...
        ...

When it applies: the loop's first statement declares a variable from `LIST.pop(i)`, the variable is not assigned, and
`i` occurs nowhere else. Other loops stay as they are.
What it needs and keeps: a checked program; the meaning, every label, and the order of all other statements.
"""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import transform, walk


def run(program: A.Program) -> A.Program:
    """The program with item loops."""
    return transform(program, _rewrite)


def _rewrite(node: A.Node) -> A.Node:
    if not isinstance(node, A.ForAll | A.For) or not isinstance(node.iterator, A.Name) or not node.body:
        return node
    first = node.body[0]
    if not (isinstance(first, A.VarDecl) and isinstance(first.init, A.MethodCall) and first.init.name == "pop"):
        return node
    if not isinstance(first.type, T.NodeT | T.EdgeT | T.Auto | T.Named):
        return node  # the variable may widen the item
    taken = first.init.object
    position = first.init.args[0] if first.init.args else None
    if not (isinstance(taken, A.Name) and taken.id == node.iterator.id):
        return node
    if not (isinstance(position, A.Name) and position.id == node.var):
        return node
    rest = [n for s in node.body[1:] for n in walk(s)]
    if any(isinstance(n, A.Name) and n.id == node.var for n in rest) or _assigned(first.name, rest):
        return node
    items = A.Member(node.iterator, "items", span=node.iterator.span)
    return type(node)(first.name, items, node.body[1:], span=node.span)


def _assigned(name: str, nodes: list[A.Node]) -> bool:
    for n in nodes:
        target = n.target if isinstance(n, A.Assign | A.Reduce) else None
        if isinstance(target, A.Name) and target.id == name:
            return True
        if isinstance(n, A.VarDecl | A.ForAll | A.For) and name == (n.name if isinstance(n, A.VarDecl) else n.var):
            return True
    return False
