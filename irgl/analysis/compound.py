"""`X *= v` of a property, a program scalar or an element stands for `X = X * v`, and so do /= %= <<= >>=.

No hardware does these at once for many, as it does += and min=: they are a load and a store, of what the iteration owns
or holds. Variables keep theirs, and so does what stands for more than a location.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from irgl.ast import nodes as A
from irgl.ast.visit import copied, transform, walk

_OPS = ("*", "/", "%", "<<", ">>")


@dataclass(slots=True)
class Spelled:
    """A program without them; `stores`: the operator of each assignment that stands for one."""

    program: A.Program
    stores: dict[A.Assign, str] = field(default_factory=dict)


def spell_out(program: A.Program) -> Spelled:
    """The program with an assignment in the place of each; `program` itself where it has none."""
    found = Spelled(program)
    scalars = {d.name for d in program.decls if isinstance(d, A.Global)}
    decls = tuple(_in(d, scalars, found) if isinstance(d, A.Function | A.Kernel | A.Entry) else d
                  for d in program.decls)
    if found.stores:
        found.program = A.Program(decls, span=program.span)
    return found


def _in(decl: A.Function | A.Kernel | A.Entry, scalars: set[str], found: Spelled) -> A.Decl:
    if not any(isinstance(n, A.Reduce) and n.op in _OPS for n in walk(decl)):
        return decl

    def spell(n: A.Node) -> A.Node:
        update = n.value if isinstance(n, A.ExprStmt) else None
        if not (isinstance(update, A.Reduce) and update.op in _OPS and _is_place(update.target, scalars)):
            return n
        value = A.Binary(update.op, copied(update.target), update.value, span=update.span)
        store = A.Assign(update.target, value, "plain", span=n.span)
        found.stores[store] = update.op
        return store

    return transform(decl, spell)


def _is_place(target: A.Expr, scalars: set[str]) -> bool:
    """Is it a location, and is it the same one each time that it is computed?"""
    if isinstance(target, A.Name):
        return target.id in scalars
    acts = (A.Call, A.MethodCall, A.Reduce, A.InvokeResult)
    return isinstance(target, A.Member | A.Index) and not any(isinstance(n, acts) for n in walk(target))
