"""Decorated functions and classes, scalars and includes as declarations of a program."""

from __future__ import annotations

import ast
from typing import cast

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.properties import declared
from irgl.frontends.python.expressions import Expressions
from irgl.frontends.python.libraries import library
from irgl.frontends.python.names import Names
from irgl.frontends.python.places import Places
from irgl.frontends.python.statements import Statements
from irgl.notation import DECORATORS, NEEDS
from irgl.source import IrglError

_BEFORE = {"class": "class NAME:", "function": "def NAME(g: Graph):"}


def declaration(node: ast.stmt, names: Names) -> A.Decl | None:
    """What a statement outside all functions declares; None for what is Python's alone."""
    match node:
        case ast.FunctionDef() | ast.ClassDef():
            found = names.decorator(node)
            return None if found is None else _defined(found[0], found[1], node, names)
        case ast.AsyncFunctionDef():
            for d in node.decorator_list:
                if names.word(d.func if isinstance(d, ast.Call) else d) in DECORATORS:
                    raise IrglError("async is not part of the language", names.places.head(node), "write def")
        case (
            ast.Assign(targets=[ast.Name(id=name) as target], value=ast.Call() as call)
            | ast.AnnAssign(target=ast.Name(id=name) as target, value=ast.Call() as call)
        ):
            if names.word(call.func) == "scalar":
                return _scalar(name, target, call, names)
            if names.word(call.func) == "constant":
                return _constant(name, target, call, names)
        case ast.Expr(value=ast.Call() as call):
            if names.word(call.func) == "scalar":
                raise names.places.refused(
                    "a program scalar needs a name", call, "write total = irgl.scalar(irgl.long, 0)"
                )
    return None


def included(node: ast.stmt, names: Names) -> ast.Constant | None:
    """The path that a statement includes; None for another statement."""
    value = node.value if isinstance(node, ast.Expr | ast.Assign | ast.AnnAssign) else None
    if not isinstance(value, ast.Call) or names.word(value.func) != "include":
        return None
    match value.args:
        case [ast.Constant(value=str()) as path]:
            return path
    raise names.places.refused("an include names a file in quotes", value, 'write irgl.include("mesh.irgl")')


def _defined(word: str, decorator: ast.expr, node: ast.FunctionDef | ast.ClassDef, names: Names) -> A.Decl:
    places = names.places
    other = next((d for d in node.decorator_list if d is not decorator), None)
    if other is not None:
        raise places.refused(f"@irgl.{word} stands alone", other, "its body is read, not run: leave this out")
    if word == "library" and isinstance(node, ast.ClassDef):
        return library(node, decorator, names)
    if isinstance(decorator, ast.Call) and (decorator.args or decorator.keywords):
        raise places.refused(f"@irgl.{word} takes nothing", decorator, f"write @irgl.{word}")
    if isinstance(node, ast.ClassDef) != (word in ("graph", "struct", "library")):
        what = "class" if isinstance(node, ast.FunctionDef) else "function"
        raise places.refused(f"@irgl.{word} stands before a {what}", decorator, f"write it before {_BEFORE[what]}")
    if isinstance(node, ast.ClassDef):
        if node.bases or node.keywords:
            raise places.refused(
                "a program's classes inherit nothing",
                (node.bases or [k.value for k in node.keywords])[0],
                "repeat the fields",
            )
        return (_struct if word == "struct" else _graph)(node, names)
    return {"kernel": _kernel, "function": _function, "program": _program}[word](node, names)


def without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), *rest]:
            return rest
    return body


# Data


def _scalar(name: str, target: ast.Name, call: ast.Call, names: Names) -> A.Decl:
    ex = Expressions(names)
    args = ex.positional(call)
    if len(args) not in (1, 2):
        raise names.places.refused(
            "a program scalar has a type and perhaps a value", call, f"write {name} = irgl.scalar(irgl.long, 0)"
        )
    init = ex.expr(args[1]) if len(args) == 2 else None
    return A.Global(ex.type(args[0]), name, init, False, span=names.places.span(target))


def _constant(name: str, target: ast.Name, call: ast.Call, names: Names) -> A.Decl:
    ex = Expressions(names)
    match [ex.expr(a) for a in ex.positional(call)]:
        case [A.IntLit(type=T.INT, value=value)]:
            return A.Constant(name, value, span=names.places.span(target))
    raise names.places.refused("a constant is a plain whole number", call, f"write {name} = irgl.constant(16)")


def _fields(node: ast.ClassDef, places: Places, what: str) -> list[tuple[ast.AnnAssign, ast.Name]]:
    found = []
    for s in without_docstring(node.body):
        if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name):
            found.append((s, s.target))
        elif not isinstance(s, ast.Pass):
            raise places.refused(
                f"a class with @irgl.{what} holds declarations only",
                s,
                "write level: irgl.node[int] = irgl.INF" if what == "graph" else "write cost: int",
            )
    return found


def _struct(node: ast.ClassDef, names: Names) -> A.Decl:
    ex = Expressions(names)
    fields = []
    for s, target in _fields(node, names.places, "struct"):
        if s.value is not None:
            raise names.places.refused("a struct holds plain fields", s.value, "without first values")
        fields.append(A.Field(ex.type(s.annotation), target.id, span=names.places.span(target)))
    if not fields:
        raise IrglError(f"struct {node.name} has no fields", names.places.name(node))
    return A.Struct(node.name, tuple(fields), span=names.places.name(node))


def _graph(node: ast.ClassDef, names: Names) -> A.Decl:
    ex = Expressions(names)
    properties = []
    for s, target in _fields(node, names.places, "graph"):
        annotation, given = s.annotation, False
        match annotation:
            case ast.Subscript(value=outer, slice=inner) if ex.word(outer) == "input":
                annotation, given = inner, True
            case _:
                pass
        match annotation:
            case ast.Subscript(value=owner, slice=kind) if ex.word(owner) in ("node", "edge"):
                init = None if s.value is None else ex.expr(s.value)
                properties.append(
                    declared(cast(str, ex.word(owner)), _kind(kind, ex), target.id, init, given,
                             names.places.span(target))
                )
            case _:
                raise names.places.refused(
                    "a property belongs to nodes or to edges",
                    s.annotation,
                    f"write {target.id}: irgl.node[int], or irgl.edge[int]",
                )
    return A.GraphType(node.name, tuple(properties), span=names.places.name(node))


def _kind(node: ast.expr, ex: Expressions) -> T.Type:
    """The type of a property's values: `irgl.node[float, 20]` has 20 of them for each node."""
    match node:
        case ast.Tuple(elts=[of, length]):
            return ex.vector(ex.type(of), length)
        case _:
            return ex.type(node)


# Code


def _function(node: ast.FunctionDef, names: Names) -> A.Decl:
    st = Statements(names, "function")
    params = _params(node, st)
    returns = T.VOID if node.returns is None else st.type(node.returns)
    body = st.body(without_docstring(node.body))
    return A.Function(returns, node.name, params, body, span=names.places.name(node))


def _returns_nothing(node: ast.FunctionDef, names: Names, what: str) -> None:
    if node.returns is not None and not (isinstance(node.returns, ast.Constant) and node.returns.value is None):
        raise names.places.refused(
            f"a {what} returns nothing",
            node.returns,
            {
                "kernel": "write irgl.reduce_and_return(condition), and any(kernel(...)) where it is called",
                "program": "its answer is what its properties and scalars hold",
            }[what],
        )


def _kernel(node: ast.FunctionDef, names: Names) -> A.Decl:
    _returns_nothing(node, names, "kernel")
    st = Statements(names, "kernel")
    own, kind = _own_worklist(node, st)
    st.worklist = own
    params = _params(node, st, own)
    return A.Kernel(node.name, params, kind, st.body(without_docstring(node.body)), span=names.places.name(node))


def _own_worklist(node: ast.FunctionDef, st: Statements) -> tuple[str, T.Type | None]:
    """The parameter that stands for the kernel's worklist, '' for none, and the kind of list where it says one."""
    found: tuple[str, T.Type | None] = ("", None)
    for p in _arguments(node, st):
        kind = p.annotation.value if isinstance(p.annotation, ast.Subscript) else p.annotation
        if kind is not None and st.word(kind) == "worklist":
            if found[0]:
                raise st.places.refused(
                    "a kernel has one worklist of its own", p, "give others their types: found: list[node]"
                )
            found = (p.arg, st.type(p.annotation.slice) if isinstance(p.annotation, ast.Subscript) else None)
    return found


def _arguments(node: ast.FunctionDef, st: Statements) -> list[ast.arg]:
    a = node.args
    extra = a.vararg or a.kwarg or (next(iter(a.kwonlyargs), None) if st.role != "program" else None)
    if extra is not None:
        raise st.places.refused("parameters are given one by one, by position", extra, "leave the * out")
    return [*a.posonlyargs, *a.args, *a.kwonlyargs]


def _params(node: ast.FunctionDef, st: Statements, own: str = "", entry: bool = False) -> tuple[A.Param, ...]:
    """The parameters, which are in scope from then on."""
    arguments = _arguments(node, st)
    a = node.args
    defaults: list[ast.expr | None] = [None] * (len(a.posonlyargs) + len(a.args) - len(a.defaults))
    st.scopes.append({})
    found = []
    for p, default in zip(arguments, [*defaults, *a.defaults, *a.kw_defaults], strict=True):
        if p.annotation is None:
            raise st.places.refused(
                f"parameter '{p.arg}' has no type", p, f"write {p.arg}: Graph, {p.arg}: int, {p.arg}: irgl.node"
            )
        if default is not None and not entry:
            raise st.places.refused(
                "only the program's parameters have defaults", default, "give the value where this is called"
            )
        if p.arg == own:
            st.scopes[-1][own] = None
            continue
        kind, needs = _type_and_needs(p.annotation, st)
        if needs and not entry:
            raise st.places.refused("only a program's graph has needs", p.annotation, "write the graph's class alone")
        value = None if default is None else _default(default, st, {q.arg for q in arguments[: arguments.index(p)]})
        st.scopes[-1][p.arg] = kind
        found.append(A.Param(kind, p.arg, value, needs, span=st.places.span(p)))
    return tuple(found)


def _type_and_needs(node: ast.expr, st: Statements) -> tuple[T.Type, tuple[str, ...]]:
    """`Graph[undirected, weighted]`: the type and what is asked of the graph."""
    if isinstance(node, ast.Subscript):
        parts = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        words = [p.value if isinstance(p, ast.Constant) else st.word(p) for p in parts]
        if all(w in NEEDS for w in words):
            return st.type(node.value), tuple(str(w) for w in words)
    return st.type(node), ()


def _default(node: ast.expr, st: Statements, earlier: set[str]) -> A.Expr:
    call = st.called(node, "auto")
    if call is not None:
        inner = _default(st.arguments(call, 1)[0], st, earlier)
        return A.Call("auto", (inner,), span=st.places.span(node))
    if not isinstance(node, ast.Lambda):
        return st.expr(node)
    for p in node.args.args:
        if p.arg not in earlier:
            raise st.places.refused(
                f"'{p.arg}' is no earlier parameter", p, "a default is computed from those before it"
            )
    return st.expr(node.body)


# The program


def _program(node: ast.FunctionDef, names: Names) -> A.Decl:
    _returns_nothing(node, names, "program")
    st = Statements(names, "program")
    params = _params(node, st, entry=True)
    clauses, rest = [], without_docstring(node.body)
    while rest and isinstance(rest[0], ast.Global):
        st.body(rest[:1])
        rest = rest[1:]
    while rest and (clause := _clause(rest[0], st)) is not None:
        clauses.append(clause)
        rest = rest[1:]
    return A.Entry(node.name, params, tuple(clauses), st.body(rest), span=names.places.name(node))


def _clause(node: ast.stmt, st: Statements) -> A.Clause | None:
    call = node.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
    word = None if call is None else st.word(call.func)
    if call is None or word not in ("verify", "tolerance", "any_valid"):
        return None
    span = st.places.span(call)
    if word == "any_valid":
        st.arguments(call, 0)
        return A.AnyValid(span=span)
    if word == "tolerance":
        return A.Tolerance(st.expr(st.arguments(call, 1)[0]), span=span)
    match call.args:
        case [ast.Constant(value=str(verifier))] if verifier.isidentifier() and all(k.arg for k in call.keywords):
            roles = tuple(A.Role(str(k.arg), st.expr(k.value), span=st.places.span(k)) for k in call.keywords)
            return A.Verify(verifier, roles, span=span)
    raise st.places.refused(
        "a verifier is named in quotes, then what it is shown",
        call,
        'write irgl.verify("verifier", role=Graph.property)',
    )
