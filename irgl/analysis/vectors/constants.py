"""Constants of a program, `const int K = 16;`: their values stand for them, and say how long vectors are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from irgl.analysis.names import members as M
from irgl.analysis.names.symbols import fail
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import rebuild, walk


def with_values(program: A.Program) -> A.Program:
    """The program with the values of its constants in their places; `program` itself where it has none.

    Raises IrglError where something else has the name of a constant.
    """
    values = {d.name: d.value for d in program.decls if isinstance(d, A.Constant)}
    if not values:
        return program
    _refuse_twice(program.decls)

    def put(n: A.Node) -> A.Node:
        if isinstance(n, A.Name) and n.id in values:
            return A.IntLit(values[n.id], T.INT, span=n.span)
        name = n.name if isinstance(n, A.VarDecl | A.Param) else n.var if isinstance(n, A.For | A.ForAll) else ""
        if name in values:
            fail(f"'{name}' is a constant of the program", n, "choose another name")
        if isinstance(n, A.VarDecl | A.Param | A.Property) and isinstance(n.type, T.Vector):
            n = replace(n, type=_sized(n.type, values))
        return rebuild(n, put)

    decls = (put(d) for d in program.decls if not isinstance(d, A.Constant))
    return replace(program, decls=tuple(d for d in decls if isinstance(d, A.Decl)))


def _sized(t: T.Type, values: Mapping[str, int]) -> T.Type:
    """A vector whose length is a constant's value; what names no constant is refused where types are looked up."""
    if not isinstance(t, T.Vector):
        return t
    known = t.named in values
    return T.Vector(_sized(t.of, values), values[t.named] if known else t.length, "" if known else t.named)


def _refuse_twice(decls: Iterable[A.Decl]) -> None:
    seen: dict[str, A.Decl] = {}
    for d in decls:
        if isinstance(d, A.Import):
            continue
        before = seen.setdefault(d.name, d)
        if before is not d and (isinstance(d, A.Constant) or isinstance(before, A.Constant)):
            fail(f"'{d.name}' is declared twice", d, "choose another name")
        if isinstance(d, A.Constant) and d.name in M.WORDS:
            fail(f"'{d.name}' has a meaning of its own", d, "choose another name")


def mentions(program: A.Program) -> bool:
    """Does a program say anything of several values at once?"""
    return any(isinstance(n, A.VarDecl | A.Param | A.Property) and isinstance(n.type, T.Vector) for n in walk(program))
