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

    Raises IrglError where something else has the name of a constant; but what another file declares, which may know
    nothing of it, is meant there.
    """
    constants = {d.name: d for d in program.decls if isinstance(d, A.Constant)}
    if not constants:
        return program
    _refuse_twice(program.decls)
    decls = tuple(_in(d, constants) for d in program.decls if not isinstance(d, A.Constant))
    return replace(program, decls=decls)


def _in(decl: A.Decl, constants: Mapping[str, A.Constant]) -> A.Decl:
    values = {name: d.value for name, d in constants.items()}
    for n in walk(decl):
        name = n.name if isinstance(n, A.VarDecl | A.Param) else n.var if isinstance(n, A.For | A.ForAll) else ""
        if name in values and not _of_one_file(decl, constants[name]):
            del values[name]
        elif name in values:
            fail(f"'{name}' is a constant of the program", n, "choose another name")

    def put(n: A.Node) -> A.Node:
        if isinstance(n, A.Name) and n.id in values:
            return A.IntLit(values[n.id], T.INT, span=n.span)
        if isinstance(n, A.VarDecl | A.Param | A.Property) and isinstance(n.type, T.Vector):
            n = replace(n, type=_sized(n.type, values))
        made = rebuild(n, put)
        return made if made is n or not isinstance(made, A.Binary) else _folded(made)

    return rebuild(decl, put)


def _folded(e: A.Binary) -> A.Expr:
    """`K - 1` and its like as one number."""
    match e:
        case A.Binary(op="+" | "-" | "*" as op, left=A.IntLit(a, T.INT), right=A.IntLit(b, T.INT)):
            value = {"+": a + b, "-": a - b, "*": a * b}[op]
            return A.IntLit(value, T.INT, span=e.span) if 0 <= value <= T.INT.max else e
    return e


def _of_one_file(a: A.Node, b: A.Node) -> bool:
    return a.span is None or b.span is None or a.span.source.path == b.span.source.path


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

