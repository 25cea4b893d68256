"""Classes with @irgl.library: what a type of a C++ header offers, and how."""

from __future__ import annotations

import ast

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.python.expressions import Expressions
from irgl.frontends.python.names import Names

_EFFECTS = ("reads", "writes", "appends")
_LEVELS = ("thread", "warp", "threadblock", "task")


def library(node: ast.ClassDef, decorator: ast.expr, names: Names) -> A.Decl:
    """`@irgl.library("header.hpp", "T")` before a class: attributes and iterators are annotated, methods have `...`."""
    places = names.places
    words = decorator.args if isinstance(decorator, ast.Call) else []
    texts = [w.value for w in words if isinstance(w, ast.Constant) and isinstance(w.value, str)]
    if not texts or len(texts) != len(words) or not all(t.isidentifier() for t in texts[1:]):
        raise places.refused(
            "a library names its header, then its types in quotes", decorator, 'write @irgl.library("array.hpp", "T")'
        )
    ex = Expressions(names, tuple(texts[1:]))
    features = [f for s in node.body if (f := _feature(s, ex)) is not None]
    return A.Library(node.name, tuple(texts[1:]), texts[0], tuple(features), span=places.name(node))


def _feature(node: ast.stmt, ex: Expressions) -> A.Feature | None:
    span = ex.places.span(node)
    match node:
        case ast.Pass() | ast.Expr(value=ast.Constant(value=str())):
            return None
        case ast.AnnAssign(target=ast.Name(id=name), annotation=kind, value=None):
            if isinstance(kind, ast.Subscript) and ex.word(kind.value) == "iterator":
                return A.Iterator(ex.type(kind.slice), name, span=span)
            if isinstance(kind, ast.Subscript) and ex.word(kind.value) == "elements":
                match kind.slice:
                    case ast.Tuple(elts=[item, ast.Constant(value="exclusive")]):
                        return A.Elements(ex.type(item), True, span=span)
                    case item:
                        return A.Elements(ex.type(item), False, span=span)
            if ex.word(kind) in ("own", "stays"):
                return A.Own(span=span) if ex.word(kind) == "own" else A.Stays(span=span)
            return A.Attribute(ex.type(kind), name, span=span)
        case ast.FunctionDef():
            return _method(node, ex)
    raise ex.places.refused(
        "a library holds attributes and methods", node, "write size: irgl.long, or def append(self, item: T): ..."
    )


def _method(node: ast.FunctionDef, ex: Expressions) -> A.Feature:
    effect, forms = "reads", []
    for d in node.decorator_list:
        word = ex.word(d.func if isinstance(d, ast.Call) else d)
        if word not in _EFFECTS:
            raise ex.places.refused("a method reads, writes or appends", d, "write @irgl.appends")
        effect = str(word)
        for k in d.keywords if isinstance(d, ast.Call) else []:
            match k.value:
                case ast.Constant(value=str(function)) if k.arg in _LEVELS and function.isidentifier():
                    forms.append(A.Cooperative(str(k.arg), function, span=ex.places.span(k.value)))
                case _:
                    raise ex.places.refused(
                        "an aggregated form is named in quotes, by its level",
                        k.value,
                        "the levels are " + ", ".join(_LEVELS),
                    )
    params = []
    for p in node.args.args[1:]:
        if p.annotation is None:
            raise ex.places.refused(f"parameter '{p.arg}' has no type", p, f"write {p.arg}: irgl.long")
        params.append(A.Param(ex.type(p.annotation), p.arg, None, (), span=ex.places.span(p)))
    returns = T.VOID if node.returns is None else ex.type(node.returns)
    return A.Method(returns, node.name, tuple(params), effect, tuple(forms), span=ex.places.name(node))
