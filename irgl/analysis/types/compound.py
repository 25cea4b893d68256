"""`X *= v` of a property, a program scalar or an element stands for `X = X * v`, and so do /= %= <<= >>=.

No hardware does these at once for many, as it does += and min=: they are a load and a store, of what the iteration owns
or holds. So is every update of a field of a struct's variable. Variables keep theirs, and so does what stands for more
than a location.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import copied, transform, walk

_OPS = ("*", "/", "%", "<<", ">>")
_OF_FIELDS = (*_OPS, "+", "-", "|", "&", "^")


@dataclass(slots=True)
class Spelled:
    """A program without them; `stores`: the operator of each assignment that stands for one."""

    program: A.Program
    stores: dict[A.Assign, str] = field(default_factory=dict)


def spell_out(program: A.Program) -> Spelled:
    """The program with an assignment in the place of each; `program` itself where it has none."""
    found = Spelled(program)
    scalars = {d.name for d in program.decls if isinstance(d, A.Global)}
    structs = {d.name for d in program.decls if isinstance(d, A.Struct)}
    bodies = (A.Function, A.Kernel, A.Entry)
    decls = tuple(_in(d, scalars, structs, found) if isinstance(d, bodies) else d for d in program.decls)
    if found.stores:
        found.program = A.Program(decls, span=program.span)
    return found


def _variables(decl: A.Decl, structs: set[str]) -> set[str]:
    """The variables that are declared as structs, and nowhere as anything else."""
    types: dict[str, set[bool]] = {}
    for n in walk(decl):
        if isinstance(n, A.VarDecl | A.Param):
            types.setdefault(n.name, set()).add(isinstance(n.type, T.Named) and n.type.name in structs)
        elif isinstance(n, A.For | A.ForAll):
            types.setdefault(n.var, set()).add(False)
    return {name for name, of in types.items() if of == {True}}


def _in(decl: A.Function | A.Kernel | A.Entry, scalars: set[str], structs: set[str], found: Spelled) -> A.Decl:
    records = _variables(decl, structs) if structs else set()

    def spell(n: A.Node) -> A.Node:
        update = n.value if isinstance(n, A.ExprStmt) else None
        if not isinstance(update, A.Reduce) or not _is_spelled(update, scalars, records):
            return n
        value = A.Binary(update.op, copied(update.target), update.value, span=update.span)
        store = A.Assign(update.target, value, "plain", span=n.span)
        found.stores[store] = update.op
        return store

    wanted = any(isinstance(n, A.Reduce) and _is_spelled(n, scalars, records) for n in walk(decl))
    return transform(decl, spell) if wanted else decl


def _is_spelled(update: A.Reduce, scalars: set[str], records: set[str]) -> bool:
    """Is it of a location that is the same one each time that it is computed?"""
    target = update.target
    if isinstance(target, A.Member) and isinstance(target.object, A.Name) and target.object.id in records:
        return update.op in _OF_FIELDS
    if update.op not in _OPS or isinstance(target, A.Name):
        return update.op in _OPS and isinstance(target, A.Name) and target.id in scalars
    acts = (A.Call, A.MethodCall, A.Reduce, A.InvokeResult)
    return isinstance(target, A.Member | A.Index) and not any(isinstance(n, acts) for n in walk(target))
