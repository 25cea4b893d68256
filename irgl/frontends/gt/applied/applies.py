"""What is applied to edges or vertices: a kernel for each place where that is done."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.applied.chains import Chain, bound_to, condition, function_named, shown, under
from irgl.frontends.gt.applied.operators import Operator, kernel
from irgl.frontends.gt.applied.pulling import ENDS, pulling, pulls
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.body import Body
from irgl.frontends.gt.bodies.marks import settled
from irgl.frontends.gt.bodies.roles import Roles, Tracked
from irgl.frontends.gt.bodies.unit import Thing, Unit, member, name, vertex
from irgl.frontends.gt.bodies.values import Value, fail
from irgl.source import Span


def edge_kernel(host: Body, chain: Chain, sources: Thing | G.Expr | None, op: Operator, tracked: Tracked | None,
                worklist: T.Type | None = None, output: str = "") -> str:
    """The kernel that applies a function to edges; its name. sources: the set, or the bucket of its worklist, that they
    come from, a function that says so of a vertex, or None for all. output: the set of the far ends of which the
    function says yes."""
    unit, span = host.unit, chain.last.span
    if not chain.last.args:
        fail(f"'{chain.last.name}' wants a function", chain.last.name_span)
    func, bound, at = applied(host, chain)
    src = op.names.fresh(func.params[0].name)
    edge = op.names.fresh("e")
    far = "src" if chain.edges.reverse else "dst"
    one = vertex(src, unit.resolve(func.params[0].type))
    other = Thing("vertex", one.kind, edge, lambda s: member(A.Name(edge, span=s), far, s))
    given = bound_to(host, op, func, bound, at) | {func.params[0].name: one, func.params[1].name: other}
    if len(func.params) == 3:
        given[func.params[2].name] = weight_of(unit, chain, func, edge)
    before: list[A.Stmt] = []
    test: A.Expr = A.BoolLit(True, span=span)
    if isinstance(sources, G.Expr):
        test = condition(host, op, sources, one, "from")
        before, op.out = op.out, []
    seen: A.Expr = A.BoolLit(True, span=span)
    if "to" in chain.ends:
        seen = condition(host, op, chain.ends["to"], other, "to")
    first, op.out = op.out, []
    op.iteration = member(name(edge, span), "id", span)
    said = op.inline(func, given)
    if output and said is not None:
        op.out.append(if_said(op, said, other, output, span))
    op.out = [*op.draws, *op.out]
    edges = member(name(src, span), "in_edges" if chain.edges.reverse else "edges", span)
    loop = A.ForAll(edge, edges, (*first, *under(seen, op.out)), span=span)
    roles = Roles((*before, *under(test, [loop])), src, edge, far, _scalars(unit))
    if sources is None and worklist is None and tracked is None and pulls(roles):
        dst = op.names.fresh(func.params[1].name)
        roles = Roles((pulling(loop, src, far, dst),), dst, edge, ENDS[far], _scalars(unit))
        src = dst
    body = settled(roles, tracked)
    if unit.any_valid is None:
        unit.any_valid = roles.chosen
    if isinstance(sources, Thing) and sources.what == "set":
        items = member(name(op.list_named(sources, span), span), "items", span)
    elif isinstance(sources, Thing):
        items = member(name("WL", span), "items", span)
    else:
        items = member(name("g", span), "nodes", span)
    return kernel(host, op, func.name, A.ForAll(src, items, body, span=span), "apply", worklist)


def if_said(body: Body, said: Value, other: Thing, output: str, span: Span) -> A.Stmt:
    """Puts an edge's far end into a set where the function that is applied says yes."""
    assert other.make is not None
    push = A.MethodCall(name(output, span), "push", (other.make(span),), span=span)
    return A.If(body.number_of(said, K.BOOL), (A.ExprStmt(push, span=span),), (), span=span)


def says(host: Body, e: G.Method) -> bool:
    """Does `edges.apply(f)` give the far ends of which f says yes?"""
    named = function_named(host, e.args[0]) if e.name == "apply" and len(e.args) == 1 else None
    return named is not None and named[0].result is not None and host.unit.resolve(named[0].result.type) == K.BOOL


def vertex_kernel(host: Body, over: Thing, e: G.Expr, what: str, output: Thing | None, span: Span,
                  op: Operator | None = None, worklist: T.Type | None = None) -> tuple[str, Operator]:
    """The kernel that applies a function to the vertices of a set, or puts those for which it holds into another."""
    op = op if op is not None else Operator(host.unit, host.labels)
    named = function_named(host, e)
    if named is None:
        fail(f"'{what}' wants a function", e.span, "name it: vertices.apply(reset)")
    func, bound = named
    if len(func.params) != 1 or not isinstance(host.unit.resolve(func.params[0].type), K.Vertex):
        fail(f"'{what}' wants a function of one vertex, and '{func.name}' takes {shown(func)}", e.span,
             f"write func {func.name}(v : Vertex)")
    items = member(name("g", span), "nodes", span)
    if over.what == "set":
        items = member(name(op.list_named(over, span), span), "items", span)
    word = op.names.fresh(func.params[0].name)
    one = vertex(word, host.unit.resolve(func.params[0].type))
    op.iteration = member(name(word, span), "id", span)
    if output is None:
        op.inline(func, bound_to(host, op, func, bound, e) | {func.params[0].name: one})
    else:
        test = condition(host, op, e, one, what)
        push = A.MethodCall(name(op.list_named(output, span), span), "push", (name(word, span),), span=span)
        op.out += under(test, [A.ExprStmt(push, span=span)])
    roles = Roles((*op.draws, *op.out), word, "", "", _scalars(host.unit))
    body = settled(roles)
    if host.unit.any_valid is None:
        host.unit.any_valid = roles.chosen
    return kernel(host, op, func.name, A.ForAll(word, items, body, span=span), "vertices", worklist), op


def applied(host: Body, chain: Chain) -> tuple[G.Func, tuple[G.Expr, ...] | None, G.Expr]:
    """The function that an apply names. Raises IrglError for one of other parameters."""
    at = chain.last.args[0]
    named = function_named(host, at)
    if named is None:
        fail(f"'{chain.last.name}' wants a function", at.span, "name it: edges.apply(update)")
    func, bound = named
    assert isinstance(chain.edges.kind, K.Edges)
    kinds = [host.unit.resolve(p.type) for p in func.params]
    weighted = chain.edges.kind.weight is not None
    fits = len(kinds) in (2, 3) and all(isinstance(k, K.Vertex) for k in kinds[:2])
    if not fits or (len(kinds) == 3 and not isinstance(kinds[2], K.Scalar)):
        usage = "src : Vertex, dst : Vertex" + (", weight : int" if weighted else "")
        fail(f"'{chain.last.name}' wants a function of an edge's two ends, and '{func.name}' takes {shown(func)}",
             at.span,
             f"write func {func.name}({usage})")
    if len(kinds) == 3 and not weighted:
        fail(f"'{func.name}' takes a weight, and the edges have none", at.span,
             "declare them with weights: edgeset{Edge}(Vertex, Vertex, int)")
    return func, bound, at


def weight_of(unit: Unit, chain: Chain, func: G.Func, edge: str) -> Thing:
    """The third parameter: the edge's weight."""
    assert isinstance(chain.edges.kind, K.Edges) and chain.edges.kind.weight is not None
    mine, wanted = chain.edges.kind.weight, unit.resolve(func.params[2].type)
    assert isinstance(wanted, K.Scalar)
    if not unit.weight:
        unit.weight = unit.property_names.fresh("weight")
        unit.properties.append(A.Property("edge", K.irgl(mine), unit.weight, None, False, None,
                                          span=func.params[2].span))
    return Thing("number", wanted, edge, lambda s: K.exactly(member(A.Name(edge, span=s), unit.weight, s), mine,
                                                               wanted),
                 fixed=True)


def _scalars(unit: Unit) -> frozenset[str]:
    return frozenset(g.name for g in unit.globals)
