"""What a schedule makes of a program's parameters: the default of `delta`, and arguments that it asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.source import Span

#: The parameter of a program that says how wide the buckets of its priority queue are.
DELTA = "delta"
_TYPES: dict[str, T.Type] = {"int": T.INT, "double": T.DOUBLE}


def with_parameters(program: A.Program, delta: str, arguments: Mapping[str, str]) -> A.Program:
    """The program with `delta`, a number or the name of an argument, as the default of that parameter ('' leaves it as
    it is), and with a parameter for each argument that it doesn't have. O(number of declarations)."""
    def entry(e: A.Entry) -> A.Entry:
        there = {p.name for p in e.params}
        known = [p for p in e.params if p.name != DELTA]
        more = [A.Param(_TYPES[of], name, None, (), span=e.span) for name, of in arguments.items() if name not in there]
        last = [replace(p, default=_default(delta, p)) for p in e.params if p.name == DELTA]
        return replace(e, params=(*known, *more, *last))

    return replace(program, decls=tuple(entry(d) if isinstance(d, A.Entry) else d for d in program.decls))


def _default(delta: str, p: A.Param) -> A.Expr | None:
    span: Span | None = p.span
    if not delta:
        return p.default
    return A.IntLit(int(delta), T.INT, span=span) if delta.isdigit() else A.Name(delta, span=span)
