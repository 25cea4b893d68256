"""Functions that nobody calls or applies: they are lowered for their mistakes alone, and nothing is kept of them."""

from __future__ import annotations

from irgl.frontends.gt import tree as G
from irgl.frontends.gt.applied.operators import Operator
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.body import Body
from irgl.frontends.gt.bodies.unit import Thing, vertex
from irgl.frontends.gt.bodies.values import fail
from irgl.frontends.gt.lowering.host import Host
from irgl.source import IrglError

#: What main asks queues for.
_ASK = ("finished", "finishedNode", "dequeue_ready_set")
_WHAT = {K.Vector: "vector", K.Array: "array", K.Vertices: "set", K.Edges: "edges", K.Queue: "queue",
         K.List: "list"}


def check_unreached(host: Host) -> None:
    """Raises IrglError for a mistake in a function that neither main nor an exported function reaches. Its use isn't
    known: it is read as one that is applied and, where it can't be, as one that main calls. What is no mistake, but
    not supported, isn't told. host: when the program is finished, or of a library, with its consts declared."""
    funcs = host.unit.funcs
    reached: set[str] = set()
    waiting = [f for f in funcs.values() if f.name == "main" or f.is_export]
    while waiting:
        func = waiting.pop()
        reached.add(func.name)
        words = {n.function if isinstance(n, G.Call | G.Bound) else n.id for n in G.walk(func)
                 if isinstance(n, G.Call | G.Bound | G.Name)}
        waiting += [funcs[w] for w in words & funcs.keys() if w not in reached]
    for func in funcs.values():
        if func.name not in reached and not func.is_extern:
            _check(host, func)


def _check(host: Host, func: G.Func) -> None:
    queue = next((t for n in G.walk(func) if isinstance(n, G.Name) and (t := host.unit.things.get(n.id)) is not None
                  and t.what == "queue"), None)
    applied = _mistake(Operator(host.unit, [], queue), func)
    if queue is not None and "main" not in host.unit.funcs:  # which function makes the queue isn't known
        return
    if queue is not None and any(isinstance(n, G.Method) and n.name in _ASK for n in G.walk(func)):
        return  # a loop that no other function asks about may run it
    called = _mistake(host, func) if applied is not None else None
    if applied is not None and called is not None and not (_is_gap(applied) or _is_gap(called)):
        raise called if host.acts(func) else applied


def _is_gap(e: IrglError) -> bool:
    """Is it told of what is not supported, or hangs on a caller, who may make a queue first, and no mistake?"""
    return "yet" in e.message.split() or e.message.endswith(("can't be linked", "is not made before it is asked"))


def _mistake(body: Body, func: G.Func) -> IrglError | None:
    """What is wrong with a function as a part of this one; None: nothing."""
    outer, scopes, loops = body.out, body.scopes, body.loops
    body.out, body.scopes, body.loops = [], [{}], 0
    try:
        result = (func.result,) if func.result is not None and isinstance(func.result.type, G.SetType) else ()
        body.inline(func, {p.name: _given(body, p) for p in (*func.bound, *func.params, *result)})
    except IrglError as e:
        return e
    finally:
        body.out, body.scopes, body.loops = outer, scopes, loops
    return None


def _given(body: Body, p: G.Param) -> Thing:
    """What stands for a parameter of which nobody says what it is."""
    kind = body.unit.resolve(p.type)
    if isinstance(kind, K.Vertex):
        return vertex(body.names.fresh(p.name), kind)
    if isinstance(kind, K.Scalar):
        body.local(p.name, kind, p.span)
        return body.thing(p.name, p.span)
    if isinstance(kind, K.List) and isinstance(body, Host):
        return body.declare_list(p.name, kind, None, p.span)
    if type(kind) not in _WHAT:
        fail(f"{K.a(kind)} as a parameter is not supported yet", p.span)
    return Thing(_WHAT[type(kind)], kind, body.names.fresh(p.name), span=p.span)
