"""Vertexsets that come from outside and go there: a bool of each vertex says whether it is in."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.gt.bodies import types as K
from irgl.frontends.gt.bodies.unit import Thing, graph_param, member, name, set_param
from irgl.frontends.gt.lowering.sets import Sets
from irgl.frontends.gt.lowering.vectors import invoke
from irgl.source import Span


def take(host: Sets, word: str, inside: str, kind: K.Vertices, span: Span, *, first: bool = False) -> Thing:
    """A set of the vertices whose property `inside`, an input, is true. first: what it is unless it is given."""
    host.unit.properties.append(A.Property("node", T.BOOL, inside, A.BoolLit(first, span=span), True, None, span=span))
    thing = host.new_set(word, span, kind)
    push = A.MethodCall(name("found", span), "push", (name("v", span),), span=span)
    test = A.If(member(name("v", span), inside, span), (A.ExprStmt(push, span=span),), (), span=span)
    _kernel(host, f"take_{word}", test, thing, span)
    return thing


def leave(host: Sets, thing: Thing, inside: str, span: Span) -> None:
    """Stores to the property which vertices are in a set."""
    holds = A.MethodCall(name("found", span), "contains", (name("v", span),), span=span)
    store = A.Assign(member(name("v", span), inside, span), holds, "plain", span=span)
    _kernel(host, f"leave_{thing.name}", store, thing, span)


def _kernel(host: Sets, called: str, body: A.Stmt, thing: Thing, span: Span) -> None:
    """Runs a statement for each vertex, and a set that it calls `found`."""
    word = host.unit.names.fresh(called)
    loop = A.ForAll("v", member(name("g", span), "nodes", span), (body,), span=span)
    host.unit.kernels.append(A.Kernel(word, (graph_param(span), set_param("found", span)), None, (loop,), span=span))
    host.out.append(invoke(word, (name(thing.name, span),), span))
