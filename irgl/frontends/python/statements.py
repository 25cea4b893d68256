"""Statements of Python as statements of the language: variables, stores, branches, loops."""

from __future__ import annotations

import ast
from types import EllipsisType

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.frontends.neighbors import over_edges
from irgl.frontends.python.loops import Loops
from irgl.source import IrglError

_REFUSED: dict[type[ast.stmt], tuple[str, str | None]] = {
    ast.FunctionDef: ("a function inside another is not part of the language", "write it outside, with @irgl.function"),
    ast.AsyncFunctionDef: (
        "a function inside another is not part of the language",
        "write it outside, with @irgl.function",
    ),
    ast.ClassDef: ("a class inside a function is not part of the language", "write it outside, with @irgl.struct"),
    ast.Try: ("programs raise and catch nothing", 'irgl.stop("why") ends a program'),
    ast.TryStar: ("programs raise and catch nothing", 'irgl.stop("why") ends a program'),
    ast.Raise: ("programs raise and catch nothing", 'irgl.stop("why") ends a program'),
    ast.Assert: ("assert is not part of the language", 'write if not ...: irgl.stop("why")'),
    ast.Delete: ("del is not part of the language", "a list is emptied by clear()"),
    ast.Import: ("imports stand outside all functions", None),
    ast.ImportFrom: ("imports stand outside all functions", None),
    ast.Nonlocal: ("nonlocal is not part of the language", "helper functions get what they need as parameters"),
    ast.Match: ("match is not part of the language", "write if and elif"),
    ast.AsyncFor: ("async is not part of the language", "loops over nodes and edges run in parallel by themselves"),
    ast.AsyncWith: ("async is not part of the language", "loops over nodes and edges run in parallel by themselves"),
}


class Statements(Loops):
    """Reads bodies. role: what they are part of, kernel, function or program."""

    def body(self, nodes: list[ast.stmt]) -> tuple[A.Stmt, ...]:
        """A body, whose variables end with it."""
        self.scopes.append({})
        found = tuple(s for n in nodes for s in self._stmt(n))
        self.gone |= self.scopes.pop().keys()
        return found

    def _stmt(self, node: ast.stmt) -> list[A.Stmt]:
        span = self.places.span(node)
        match node:
            case ast.Pass() | ast.Expr(value=ast.Constant(value=EllipsisType())):
                return []
            case ast.Global():
                return self._global(node)
            case ast.AnnAssign():
                return [self._declaration(node)]
            case ast.Assign():
                return [self._assign(node)]
            case ast.AugAssign():
                op = self.operator(node.op, node)
                target = self.target(node.target)
                value = A.Reduce(op, target, self.expr(node.value), span=span)
                return [A.ExprStmt(value, span=span)]
            case ast.Expr():
                return [self._expression(node)]
            case ast.If():
                return [self._if(node)]
            case ast.While():
                return [self._while(node)]
            case ast.For():
                return [self._for(node)]
            case ast.With():
                return [self.with_block(node)]
            case ast.Break():
                return [A.Break(span=span)]
            case ast.Continue():
                return [A.Continue(span=span)]
            case ast.Return():
                return [A.Return(None if node.value is None else self.expr(node.value), span=span)]
        message, hint = _REFUSED.get(type(node), ("this statement is not part of the language", None))
        raise IrglError(message, self.places.head(node), hint)

    def _global(self, node: ast.Global) -> list[A.Stmt]:
        for name in node.names:
            if self.names.kind(name) != "scalar":
                raise self.places.refused(
                    f"'{name}' is no program scalar", node, f"write {name} = irgl.scalar(irgl.long, 0) outside"
                )
        self.stored |= set(node.names)
        return []

    # Variables and stores

    def _declaration(self, node: ast.AnnAssign) -> A.Stmt:
        if not isinstance(node.target, ast.Name):
            raise self.places.refused(
                "only a variable is declared with its type",
                node.target,
                "properties get their types in the class with @irgl.graph",
            )
        name, kind = node.target.id, self.type(node.annotation)
        if name == self.worklist:
            raise self.places.refused(f"'{name}' is the kernel's worklist", node.target, "choose another name")
        if kind == T.AUTO and node.value is None:
            raise self.places.refused(f"'{name}' has neither type nor value", node, "give it a type, or a first value")
        init = None if node.value is None else self.expr(node.value)
        self.scopes[-1][name] = kind
        return A.VarDecl(kind, name, init, span=self.places.span(node.target))

    def _assign(self, node: ast.Assign) -> A.Stmt:
        if len(node.targets) > 1:
            raise self.places.refused("one store at a time", node, "write one statement for each")
        access, value = "plain", node.value
        marked = self.called(value, "racy", "relaxed")
        if marked is not None:
            access, value = str(self.word(marked.func)), self.arguments(marked, 1)[0]
        target = node.targets[0]
        made = self._object(value)
        if made is not None and isinstance(target, ast.Name) and not self.is_local(target.id):
            self.scopes[-1][target.id] = made
            return A.VarDecl(made, target.id, None, span=self.places.span(target))
        if isinstance(target, ast.Name) and self._is_new(target.id):
            if marked is not None:
                raise self.places.refused(
                    f"{access} marks a store to what others touch, and '{target.id}' is a variable here",
                    node,
                    "leave it out",
                )
            init = self.expr(value)
            self.scopes[-1][target.id] = None
            return A.VarDecl(T.AUTO, target.id, init, span=self.places.span(target))
        return A.Assign(self.target(target), self.expr(value), access, span=self.places.span(node))

    def _object(self, node: ast.expr) -> T.Type | None:
        """The type of a new list or library object: `list[node]()`, `mesh.Mesh()`."""
        match node:
            case ast.Call(
                func=ast.Subscript(value=ast.Name(id=name) | ast.Attribute(value=ast.Name(id=name))) as of,
                args=[],
                keywords=[],
            ) if not self.is_local(name):
                return self.type(of)
            case ast.Call(
                func=ast.Name(id=name) | ast.Attribute(value=ast.Name(), attr=name) as of, args=[], keywords=[]
            ) if self.names.kind(name) == "library" and not self.is_local(name):
                return self.type(of)
        return None

    def _is_new(self, name: str) -> bool:
        return not self.is_local(name) and self.names.kind(name) != "scalar" and name != self.worklist

    def _refuse_undeclared(self, node: ast.Name) -> None:
        if not self.is_local(node.id) and self.names.kind(node.id) == "scalar" and node.id not in self.stored:
            raise self.places.refused(
                f"'{node.id}' is a program scalar, and Python would take this for a variable",
                node,
                f"write global {node.id} first, or declare a variable: {node.id}: int = ...",
            )

    def target(self, node: ast.expr) -> A.Expr:
        match node:
            case ast.Tuple() | ast.List():
                raise self.places.refused("one store at a time", node, "write one statement for each")
            case ast.Name(id=name) if name == self.worklist or (
                not self.is_local(name) and self.names.kind(name) not in (None, "scalar")
            ):
                raise self.places.refused(
                    f"'{name}' can't be stored to", node, "it is no variable and no program scalar"
                )
            case ast.Name(id=name) if not self.is_local(name) and name in self.names.constants:
                raise self.places.refused(
                    f"'{name}' is a number of the Python text, and the same for all time",
                    node,
                    f"write {name} = irgl.scalar(irgl.long, 0) outside for a program scalar",
                )
        if isinstance(node, ast.Name):
            self._refuse_undeclared(node)
        return self.expr(node)

    def _expression(self, node: ast.Expr) -> A.Stmt:
        statement = self.statement_call(node.value)
        if statement is not None:
            return statement
        return self.with_effect(self.expr(node.value), node.value)

    def with_effect(self, value: A.Expr, node: ast.expr) -> A.Stmt:
        if not any(isinstance(n, A.Call | A.MethodCall | A.Reduce | A.InvokeResult) for n in walk(value)):
            hint = "a store is written with =" if isinstance(node, ast.Compare) else None
            if isinstance(value, A.Member | A.Name):
                hint = "functions, kernels and methods are called with parentheses"
            raise self.places.refused("this statement does nothing", node, hint)
        return A.ExprStmt(value, span=value.span)

    # Branches and loops

    def _if(self, node: ast.If) -> A.Stmt:
        lock = self.called(node.test, "atomic", "exclusive")
        if lock is not None:
            return self.lock(lock, node, node.body, node.orelse)
        return A.If(
            self.expr(node.test), self.body(node.body), self.body(node.orelse), span=self.places.head(node, node.test)
        )

    def _while(self, node: ast.While) -> A.Stmt:
        self._no_else(node)
        span = self.places.head(node, node.test)
        last = self.called(node.test, "do_while")
        if last is not None:
            body = self.body(node.body)
            return A.DoWhile(body, self.expr(self.arguments(last, 1)[0]), span=span)
        header = self.called(node.test, "c_while")
        if header is not None:
            return self.c_while(node, header)
        repeated = self.orchestration(node.test, node.body, span)
        return repeated if repeated is not None else A.While(self.expr(node.test), self.body(node.body), span=span)

    def _no_else(self, node: ast.For | ast.While) -> None:
        if node.orelse:
            raise self.places.refused(
                "a loop has no else", node.orelse[0], "remember in a variable whether it was left"
            )

    def _for(self, node: ast.For) -> A.Stmt:
        self._no_else(node)
        header = self.called(node.iter, "c_for", "c_range")
        if header is not None:
            return self.c_for(node, header)
        if not isinstance(node.target, ast.Name):
            raise self.places.refused(
                "a loop has one variable", node.target, "it is a node, an edge, an item or a number"
            )
        one_by_one = self.called(node.iter, "serial")
        iterator = self.iterator(node.iter if one_by_one is None else self.arguments(one_by_one, 1)[0])
        self.scopes.append({node.target.id: None})
        body = self.body(node.body)
        self.scopes.pop()
        kind = A.ForAll if self.role == "kernel" and one_by_one is None else A.For
        if kind is A.ForAll:
            self._no_break(node.body)
        return over_edges(kind(node.target.id, iterator, body, span=self.places.head(node, node.iter)))

    def _no_break(self, nodes: list[ast.stmt]) -> None:
        for n in nodes:
            if isinstance(n, ast.Break):
                raise self.places.refused(
                    "break can't end a parallel loop: its iterations run at once",
                    n,
                    "write for ... in irgl.serial(...):, or a condition",
                )
            if isinstance(n, ast.If):
                self._no_break(n.body)
                self._no_break(n.orelse)
            elif isinstance(n, ast.With):
                self._no_break(n.body)
