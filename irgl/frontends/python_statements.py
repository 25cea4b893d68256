"""Statements of Python as statements of the language: variables, stores, branches, loops."""

from __future__ import annotations

import ast
from types import EllipsisType

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.frontends.python_constructs import Constructs
from irgl.source import IrglError

_REFUSED: dict[type[ast.stmt], tuple[str, str | None]] = {
    ast.FunctionDef: ("a function inside another is not part of the language", "write it outside, with @irgl.function"),
    ast.AsyncFunctionDef: ("a function inside another is not part of the language", "write it outside, with @irgl.function"),
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


class Statements(Constructs):
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
                target = self._target(node.target)
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
                self.places.fail(f"'{name}' is no program scalar", node, f"write {name} = irgl.scalar(irgl.long, 0) outside")
        return []

    # Variables and stores

    def _declaration(self, node: ast.AnnAssign) -> A.Stmt:
        if not isinstance(node.target, ast.Name):
            self.places.fail("only a variable is declared with its type", node.target,
                             "properties get their types in the class with @irgl.graph")
        name, kind = node.target.id, self.type(node.annotation)
        if name == self.worklist:
            self.places.fail(f"'{name}' is the kernel's worklist", node.target, "choose another name")
        if kind == T.AUTO and node.value is None:
            self.places.fail(f"'{name}' has neither type nor value", node, "give it a type, or a first value")
        init = None if node.value is None else self.expr(node.value)
        self.scopes[-1][name] = kind
        return A.VarDecl(kind, name, init, span=self.places.span(node.target))

    def _assign(self, node: ast.Assign) -> A.Stmt:
        if len(node.targets) > 1:
            self.places.fail("one store at a time", node, "write one statement for each")
        access, value = "plain", node.value
        marked = self.called(value, "racy", "relaxed")
        if marked is not None:
            access, value = str(self.word(marked.func)), self.arguments(marked, 1)[0]
        target = node.targets[0]
        if isinstance(target, ast.Name) and self._is_new(target.id):
            if marked is not None:
                self.places.fail(f"{access} marks a store to what others touch, and '{target.id}' is a variable here", node,
                                 "leave it out")
            init = self.expr(value)
            self.scopes[-1][target.id] = None
            return A.VarDecl(T.AUTO, target.id, init, span=self.places.span(target))
        return A.Assign(self._target(target), self.expr(value), access, span=self.places.span(node))

    def _is_new(self, name: str) -> bool:
        return not self.is_local(name) and self.names.kind(name) != "scalar" and name != self.worklist

    def _target(self, node: ast.expr) -> A.Expr:
        match node:
            case ast.Tuple() | ast.List():
                self.places.fail("one store at a time", node, "write one statement for each")
            case ast.Name(id=name) if name == self.worklist or (
                not self.is_local(name) and self.names.kind(name) not in (None, "scalar")
            ):
                self.places.fail(f"'{name}' can't be stored to", node, "it is no variable and no program scalar")
            case ast.Name(id=name) if not self.is_local(name) and name in self.names.constants:
                self.places.fail(f"'{name}' is a number of the Python text, and the same for all time", node,
                                 f"write {name} = irgl.scalar(irgl.long, 0) outside for a program scalar")
        return self.expr(node)

    def _expression(self, node: ast.Expr) -> A.Stmt:
        statement = self.statement_call(node.value)
        if statement is not None:
            return statement
        return self._with_effect(self.expr(node.value), node.value)

    def _with_effect(self, value: A.Expr, node: ast.expr) -> A.Stmt:
        if not any(isinstance(n, A.Call | A.MethodCall | A.Reduce | A.InvokeResult) for n in walk(value)):
            hint = "a store is written with =" if isinstance(node, ast.Compare) else None
            if isinstance(value, A.Member | A.Name):
                hint = "functions, kernels and methods are called with parentheses"
            self.places.fail("this statement does nothing", node, hint)
        return A.ExprStmt(value, span=value.span)

    # Branches and loops

    def _if(self, node: ast.If) -> A.Stmt:
        lock = self.called(node.test, "atomic", "exclusive")
        if lock is not None:
            return self.lock(lock, node, node.body, node.orelse)
        return A.If(self.expr(node.test), self.body(node.body), self.body(node.orelse), span=self.places.head(node, node.test))

    def _while(self, node: ast.While) -> A.Stmt:
        self._no_else(node)
        span = self.places.head(node, node.test)
        last = self.called(node.test, "do_while")
        if last is not None:
            body = self.body(node.body)
            return A.DoWhile(body, self.expr(self.arguments(last, 1)[0]), span=span)
        header = self.called(node.test, "c_while")
        if header is not None:
            return self._c_while(node, header)
        repeated = self.orchestration(node.test, node.body, span)
        return repeated if repeated is not None else A.While(self.expr(node.test), self.body(node.body), span=span)

    def _no_else(self, node: ast.For | ast.While) -> None:
        if node.orelse:
            self.places.fail("a loop has no else", node.orelse[0], "remember in a variable whether it was left")

    def _for(self, node: ast.For) -> A.Stmt:
        self._no_else(node)
        header = self.called(node.iter, "c_for")
        if header is not None:
            return self._c_for(node, header)
        if not isinstance(node.target, ast.Name):
            self.places.fail("a loop has one variable", node.target, "it is a node, an edge, an item or a number")
        one_by_one = self.called(node.iter, "serial")
        iterator = self.iterator(node.iter if one_by_one is None else self.arguments(one_by_one, 1)[0])
        self.scopes.append({node.target.id: None})
        body = self.body(node.body)
        self.scopes.pop()
        kind = A.ForAll if self.role == "kernel" and one_by_one is None else A.For
        if kind is A.ForAll:
            self._no_break(node.body)
        return kind(node.target.id, iterator, body, span=self.places.head(node, node.iter))

    def _no_break(self, nodes: list[ast.stmt]) -> None:
        for n in nodes:
            if isinstance(n, ast.Break):
                self.places.fail("break can't end a parallel loop: its iterations run at once", n,
                                 "write for ... in irgl.serial(...):, or a condition")
            if isinstance(n, ast.If):
                self._no_break(n.body)
                self._no_break(n.orelse)
            elif isinstance(n, ast.With):
                self._no_break(n.body)

    def _c_for(self, node: ast.For, header: ast.Call) -> A.Stmt:
        """`for i in c_for(long, 0, i < n, i + 1)`; several variables of one type as tuples, other steps as a list."""
        kind, start, test, then = self.arguments(header, 4)
        names, starts = _parts(node.target), _parts(start)
        variables = [n for n in names if isinstance(n, ast.Name)]
        if len(variables) != len(names):
            self.places.fail("a loop has variables of its own", node.target)
        if len(starts) != len(names) or (len(_parts(then)) != len(names) and not isinstance(then, ast.List)):
            self.places.fail("each variable needs a start and a next value", header,
                             "write for i, j in irgl.c_for(int, (0, n), i < j, (i + 1, j - 1))")
        of = self.type(kind)
        self.scopes.append({})
        init = []
        for name, first in zip(variables, starts, strict=True):
            unset = isinstance(first, ast.Constant) and first.value is ...
            value = None if unset else self.expr(first)
            self.scopes[-1][name.id] = of
            init.append(A.VarDecl(of, name.id, value, span=self.places.span(name)))
        steps = [self._effect(e) for e in then.elts] if isinstance(then, ast.List) else [
            self._step(name, value) for name, value in zip(variables, _parts(then), strict=True)]
        found = A.CFor(tuple(init), self._test(test), tuple(steps), self.body(node.body),
                       span=self.places.head(node, node.iter))
        self.scopes.pop()
        return found

    def _c_while(self, node: ast.While, header: ast.Call) -> A.Stmt:
        """`while c_while(i < n, first=[irgl.assign(i, 0)], then=[irgl.reduce.add(i, 2)])`"""
        named = self.keywords(header, {"first", "then"})
        if len(header.args) != 1 or not all(isinstance(v, ast.List) for v in named.values()):
            self.places.fail("'c_while' takes a condition, and lists of what is done", header,
                             "write irgl.c_while(i < n, first=[...], then=[irgl.reduce.add(i, 2)])")
        first, then = (tuple(self._effect(e) for e in v.elts) if isinstance(v := named.get(name), ast.List) else ()
                       for name in ("first", "then"))
        return A.CFor(first, self._test(header.args[0]), then, self.body(node.body), span=self.places.head(node, node.test))

    def _test(self, node: ast.expr) -> A.Expr | None:
        return None if isinstance(node, ast.Constant) and node.value is None else self.expr(node)

    def _effect(self, node: ast.expr) -> A.Stmt:
        """A store or an update in the head of C's loop."""
        store = self.called(node, "assign")
        if store is not None:
            target, value = self.arguments(store, 2)
            return A.Assign(self._target(target), self.expr(value), "plain", span=self.places.span(node))
        return self._with_effect(self.expr(node), node)

    def _step(self, name: ast.Name, value: ast.expr) -> A.Stmt:
        """The next value of a loop's variable: an update where it is one."""
        span = self.places.span(value)
        variable = A.Name(name.id, span=self.places.span(name))
        match value:
            case ast.BinOp(left=ast.Name(id=same), op=op, right=right) if same == name.id:
                update = A.Reduce(self.operator(op, value), variable, self.expr(right), span=span)
                return A.ExprStmt(update, span=span)
        return A.Assign(variable, self.expr(value), "plain", span=span)


def _parts(node: ast.expr) -> list[ast.expr]:
    return list(node.elts) if isinstance(node, ast.Tuple) else [node]
