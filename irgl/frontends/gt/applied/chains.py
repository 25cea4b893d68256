"""What stands before an apply, `edges.from(F).to(T)`, and the functions that it names."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from irgl.ast import nodes as A
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.body import Body
from irgl.frontends.gt.bodies.functions import refuse_bound
from irgl.frontends.gt.bodies.unit import Thing, name
from irgl.frontends.gt.bodies.values import fail

APPLIES = ("apply", "applyModified", "applyUpdatePriority")
_AS_A_WHOLE = ("transpose", "relabel")
_ENDS = {"from": "from", "srcFilter": "from", "to": "to", "dstFilter": "to"}


@dataclass(slots=True)
class Chain:
    """`edges.from(F).to(T).apply(f)`; ends: F and T by `from` and `to`; last: the apply."""

    edges: Thing
    last: G.Method
    ends: dict[str, G.Expr] = field(default_factory=dict)


def chain_of(values: Body, e: G.Method) -> Chain | None:
    """The apply of an edgeset that a chain of methods is; None where it is something else's."""
    steps: list[G.Method] = []
    at: G.Expr = e
    while isinstance(at, G.Method):
        steps.append(at)
        at = at.object
    if not isinstance(at, G.Name):
        fail("methods are called on what has a name", at.span)
    thing = values.thing(at.id, at.span)
    if thing.what != "edges" or e.name not in APPLIES:
        return None
    chain = Chain(thing, e)
    for step in reversed(steps[1:]):
        if step.name in _AS_A_WHOLE and not chain.ends:
            chain.edges = _changed(values, chain.edges, step)
            continue
        end = _ENDS.get(step.name)
        if end is None:
            fail(f"'{step.name}' can't stand before '{e.name}'", step.name_span,
                 "from, srcFilter, to and dstFilter can: edges.from(frontier).to(unseen).apply(f)")
        values.arity(step, 1)
        if end in chain.ends:
            fail(f"a second '{end}'", step.name_span, "keep one, or join two conditions in one function")
        chain.ends[end] = step.args[0]
    return chain


def edges_of(values: Body, e: G.Expr) -> Thing | None:
    """The edgeset that a name is, or what `transpose` and `relabel` make of it; None for anything else."""
    match e:
        case G.Name(id=word) if (found := values.lookup(word)) is not None and found.what == "edges":
            return found
        case G.Method(object=inner, name=how) if how in _AS_A_WHOLE and (of := edges_of(values, inner)) is not None:
            return _changed(values, of, e)
        case _:
            return None


def _changed(values: Body, edges: Thing, step: G.Method) -> Thing:
    values.arity(step, 0)
    if step.name == "relabel":
        values.unit.notes.append((step.name_span, "vertices keep the numbers of the file here: --plan order=degree "
                                  "lays them out by degree, where numbers don't reach the answer"))
        return edges
    return replace(edges, reverse=not edges.reverse)


def function_named(values: Body, e: G.Expr) -> tuple[G.Func, tuple[G.Expr, ...] | None] | None:
    """The function, and what it is bound to, that an argument names; None for anything else."""
    match e:
        case G.Name(id=word) if values.lookup(word) is None:
            return values.unit.function(word, e.span), None
        case G.Index(object=G.Name(id=word), index=index) if word in values.unit.funcs and values.lookup(word) is None:
            return values.unit.function(word, e.span), (index,)
        case G.Bound(function=word):
            return values.unit.function(word, e.span), e.bound
        case _:
            return None


def bound_to(host: Body, op: Body, func: G.Func, bound: tuple[G.Expr, ...] | None, e: G.Expr) -> dict[str, Thing]:
    """What a functor's own names stand for in the kernel that applies it."""
    refuse_bound(func, bound, e)
    found: dict[str, Thing] = {}
    for p, arg in zip(func.bound, bound or (), strict=True):
        kind = host.unit.resolve(p.type)
        if isinstance(kind, K.Number):
            found[p.name] = op.number_given(p.name, kind, host.number(arg, kind), arg.span)
        else:
            thing = host.given(func, p, arg)
            if thing.what == "set":
                fail("a functor can't be bound to a vertexset yet", arg.span, "bind it to vectors and numbers")
            found[p.name] = thing
    return found


def condition(host: Body, op: Body, e: G.Expr, at: Thing, what: str) -> A.Expr:
    """The condition that a function says of a vertex, or that it is in a set."""
    named = function_named(host, e)
    if named is None:
        if not isinstance(e, G.Name):
            fail(f"'{what}' wants the name of a vertexset or a function", e.span, "store it in a var first")
        thing = host.thing(e.id, e.span)
        if thing.what == "all":
            return A.BoolLit(True, span=e.span)
        if thing.what != "set":
            fail(f"'{what}' wants a vertexset or a function, not {K.a(thing.kind)}", e.span)
        assert at.make is not None
        return A.MethodCall(name(op.list_named(thing, e.span), e.span), "contains", (at.make(e.span),), span=e.span)
    func, bound = named
    if len(func.params) != 1 or not isinstance(host.unit.resolve(func.params[0].type), K.Vertex):
        fail(f"'{what}' wants a function of one vertex, and '{func.name}' takes {shown(func)}", e.span,
             f"write func {func.name}(v : Vertex) -> output : bool")
    if func.result is None:
        fail(f"'{what}' wants a function that says yes or no, and '{func.name}' gives nothing", e.span,
             f"write func {func.name}(v : Vertex) -> output : bool")
    given = bound_to(host, op, func, bound, e) | {func.params[0].name: at}
    found = op.as_expression(func, given)
    if found is None:
        found = op.inline(func, given)
        assert found is not None
    return op.number_of(found, K.BOOL)


def under(test: A.Expr, body: list[A.Stmt]) -> list[A.Stmt]:
    """Statements under a condition, and none where that always holds."""
    if isinstance(test, A.BoolLit) and test.value:
        return body
    return [A.If(test, tuple(body), (), span=test.span)]


def shown(func: G.Func) -> str:
    count = len(func.params)
    return "nothing" if not count else f"{count} parameter{'s' * (count != 1)}"
