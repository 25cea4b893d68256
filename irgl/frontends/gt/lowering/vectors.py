"""Vectors: properties of nodes, their first values, and what is asked of all values of one."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.free_names import LocalNames
from irgl.frontends.gt import tree as G
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.body import Body
from irgl.frontends.gt.bodies.unit import Thing, Unit, graph_param, integer, member, name
from irgl.frontends.gt.bodies.values import Value, fail
from irgl.source import Span

_DEGREES = ("getOutDegrees", "getOutDegreesUint")


def declare_vector(host: Body, word: str, kind: K.Vector, init: G.Expr | None, span: Span, *, again: bool) -> Thing:
    """A property, with its first values; `again`: its declaration runs more than once. What can't be a property's own
    first value a kernel stores."""
    unit = host.unit
    mine = unit.property_names.fresh(word)
    if isinstance(init, G.New) and isinstance(init.type, G.VectorType):  # which says no more than the declaration
        init = None
    first = constant(host, init, kind.of) if init is not None else None
    unit.properties.append(A.Property("node", K.irgl(kind), mine, first, False, None, span=span))
    thing = Thing("vector", kind, mine, span=span)
    if init is not None and first is None:
        fill(host, thing, init)
    elif again:
        fill(host, thing, init if init is not None else G.Number("0", True, span=span))
    return thing


def constant(host: Body, init: G.Expr, kind: K.Number) -> A.Expr | None:
    """A first value that is a plain number; None for any other. Those of a new vector are 0."""
    init = zeros(host, init, kind)
    literal = init.operand if isinstance(init, G.Unary) and init.op == "-" else init
    if not isinstance(literal, G.Number | G.Truth):
        return None
    if kind == K.INT and isinstance(init, G.Number) and init.text == str(T.INT.max):
        return name("INF", init.span)
    return host.number(init, kind)


def zeros(host: Body, init: G.Expr, kind: K.Number) -> G.Expr:
    """The value of each vertex in `new vector{V}(type)()`; anything else as it is."""
    if not isinstance(init, G.New) or not isinstance(init.type, G.VectorType) or init.args:
        return init
    of = host.unit.resolve(init.type)
    if not isinstance(of, K.Vector) or of.of != kind:
        fail(f"this is {K.a(of)}, whose values are not of type {kind}", init.span)
    return G.Truth(False, span=init.span) if kind == K.BOOL else G.Number("0", True, span=init.span)


def fill(host: Body, thing: Thing, value: G.Expr) -> None:
    """Stores one value, or their degrees, to all vertices."""
    span = value.span
    assert isinstance(thing.kind, K.Vector)
    value = zeros(host, value, thing.kind.of)
    unit, of = host.unit, thing.kind.of
    mine = LocalNames(unit)
    v = mine.fresh("v")
    target: A.Expr = member(name(v, span), thing.name, span)
    length = thing.kind.length
    if length and isinstance(value, G.Method):
        fail(f"'{value.name}' gives one number for each vertex, not {length}", value.name_span)
    if isinstance(value, G.Method) and value.name in _DEGREES and isinstance(value.object, G.Name):
        edges = host.thing(value.object.id, value.object.span)
        if edges.what != "edges":
            fail(f"'{value.name}' is asked of an edgeset", value.name_span)
        degree = member(name(v, span), "in_degree" if edges.reverse else "degree", span)
        new: A.Expr = degree if K.number(of) in (K.FLOAT, K.DOUBLE) else A.Cast(K.irgl(of), degree, span=span)
        params: tuple[A.Param, ...] = ()
        args: tuple[A.Expr, ...] = ()
    else:
        if isinstance(value, G.Name) and host.thing(value.id, span).what == "vector":
            fail("a vector can't be copied as a whole yet", span, "apply a function that copies each value")
        if isinstance(value, G.Several | G.New):
            fail("a vector of vertices' values begins with one number for all", span)
        word = mine.fresh("value")
        new = name(word, span)
        params = (A.Param(K.irgl(of), word, None, (), span=span),)
        args = (host.number(value, of),)
    word = unit.names.fresh(f"fill_{thing.name}")
    body: A.Stmt = A.Assign(target, new, "plain", span=span)
    if length:
        k = mine.fresh("k")
        store = A.Assign(A.Index(target, name(k, span), span=span), new, "plain", span=span)
        body = A.For(k, A.Call("range", (integer(length, span),), span=span), (store,), span=span)
    loop = A.ForAll(v, member(name("g", span), "nodes", span), (body,), span=span)
    unit.kernels.append(A.Kernel(word, (graph_param(span), *params), None, (loop,), span=span))
    host.out.append(invoke(word, args, span))


def whole(host: Body, e: G.Method, thing: Thing) -> Value:
    """The sum, or the largest, of all values: a kernel combines them in a scalar of the program's."""
    assert isinstance(thing.kind, K.Vector)
    span, unit, kind = e.span, host.unit, K.number(thing.kind.of)
    if thing.kind.length:
        fail(f"'{e.name}' of a vector with {thing.kind.length} values for each vertex is not supported yet",
             e.name_span, "add them up in a loop")
    kind = K.INT if kind == K.BOOL else kind
    total = scalar(unit, f"{e.name}_of_{thing.name}", kind, span)
    op, first = ("+", "0") if e.name == "sum" else ("max", "")
    v = LocalNames(unit).fresh("v")
    of = member(name(v, span), thing.name, span)
    body = A.ExprStmt(A.Reduce(op, name(total, span), of, span=span), span=span)
    word = unit.names.fresh(f"{e.name}_{thing.name}")
    loop = A.ForAll(v, member(name("g", span), "nodes", span), (body,), span=span)
    unit.kernels.append(A.Kernel(word, (graph_param(span),), None, (loop,), span=span))
    inf = name("INF", span)
    start: A.Expr = A.IntLit(0, T.INT, span=span)
    if not first and kind in (K.INT, K.FLOAT, K.DOUBLE):
        start = A.Unary("-", inf, span=span)
    host.out.append(A.Assign(name(total, span), start, "plain", span=span))
    host.out.append(invoke(word, (), span))
    return Value(name(total, span), kind)


def scalar(unit: Unit, word: str, kind: K.Scalar, span: Span) -> str:
    """A scalar of the program's own."""
    mine = unit.names.fresh(word)
    unit.globals.append(A.Global(K.irgl(kind), mine, None, False, span=span))
    return mine


def invoke(kernel: str, args: tuple[A.Expr, ...], span: Span) -> A.Stmt:
    return A.Invoke(kernel, (name("g", span), *args), None, span=span)
