"""What comments of a .gt file say to irgl, as clauses of its Program: who verifies an answer, and how exactly."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.calls import argument
from irgl.frontends.gt.bodies.unit import Thing, name
from irgl.frontends.gt.bodies.values import fail
from irgl.frontends.gt.lowering.host import Host
from irgl.frontends.literals import floating
from irgl.source import IrglError

_HINT = "a role is a vector of vertices, a const, atoi(argv[2]), or a number"


def clauses(host: Host, main: G.Func) -> tuple[A.Clause, ...]:
    """The clauses of a file, once main is lowered. Raises IrglError for a role that shows nothing that is left."""
    made: list[A.Clause] = []
    for clause in host.unit.file.clauses:
        match clause:
            case G.Tolerance():
                made.append(A.Tolerance(floating(clause.text, clause.span), span=clause.span))
            case G.Verify():
                roles = tuple(A.Role(r.name, _role(host, main, r.value), span=r.span) for r in clause.roles)
                made.append(A.Verify(clause.verifier, roles, span=clause.span))
    return tuple(made)


def _role(host: Host, main: G.Func, e: G.Expr) -> A.Expr:
    """A vector by its name in the program, or a number. Variables of main stand for the argument that they hold."""
    if isinstance(e, G.Name) and (thing := host.lookup(e.id)) is not None:
        if thing.what == "vector":
            return name(thing.name, e.span)
        if thing.what != "number":
            fail(f"a verifier can't be shown {K.a(thing.kind)}", e.span, _HINT)
    asked, before = frozenset(host.unit.arguments), len(host.out)
    with host.block():
        for n in G.walk(e):
            if isinstance(n, G.Name) and host.lookup(n.id) is None and (k := _held(main, n)) is not None:
                word = host.unit.argument(k)
                host.declare(n.id, Thing("number", K.INT, word, lambda s, w=word: name(w, s)), n.span)  # type: ignore[misc]
        value = host.value(e)
    more = sorted(host.unit.arguments.keys() - asked)
    if more:
        fail(f"the program reads no argv[{more[0]}]", e.span, "show an argument that it reads")
    if len(host.out) != before:
        fail("this takes more than a value can, and is asked when the program has ended", e.span, _HINT)
    return value.expr


def _held(main: G.Func, e: G.Name) -> int | None:
    """The k of the argv[k] that a variable of main holds all along; None for a name of no variable."""
    values = [n.init for n in G.walk(main) if isinstance(n, G.Var) and n.name == e.id]
    if not values:
        return None
    values = [v for v in values if v is not None]
    values += [n.value for n in G.walk(main) if isinstance(n, G.Assign) and isinstance(n.place, G.Name)
               and n.place.id == e.id]
    match values:
        case [G.Call(function="atoi", args=(of,))] if (k := argument(of)) is not None:
            return k
    raise IrglError(f"'{e.id}' is a variable of main, of which nothing is left when the program has ended", e.span,
                    _HINT)
