"""C's loop in Python: `for i in irgl.c_range(int, 0, n):`, and with any condition and any steps."""

from __future__ import annotations

import ast
from abc import abstractmethod

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.python.constructs import Constructs

_READS = "write irgl.c_for(int, (0, n), lambda i, j: i < j, lambda i, j: (i + 1, j - 1))"


class Loops(Constructs):
    @abstractmethod
    def target(self, node: ast.expr) -> A.Expr: ...

    @abstractmethod
    def with_effect(self, value: A.Expr, node: ast.expr) -> A.Stmt: ...

    def c_for(self, node: ast.For, header: ast.Call) -> A.Stmt:
        """`for i in c_for(long, 0, lambda i: i < n, lambda i: i + 1)`, for which c_range(long, 0, n) is short.

        Several variables of one type stand as tuples; steps that are no next values as a list.
        """
        variables = [n for n in _parts(node.target) if isinstance(n, ast.Name)]
        if len(variables) != len(_parts(node.target)):
            raise self.places.refused("a loop has variables of its own", node.target)
        short = self.word(header.func) == "c_range"
        kind, start = self._of_range(header, variables) if short else self.arguments(header, 4)[:2]
        of, starts = self.type(kind), _parts(start)
        if len(starts) != len(variables):
            raise self.places.refused("each variable needs a start", start, _READS)
        self.scopes.append({})
        init = []
        for name, first in zip(variables, starts, strict=True):
            unset = isinstance(first, ast.Constant) and first.value is ...
            value = None if unset else self.expr(first)
            self.scopes[-1][name.id] = of
            init.append(A.VarDecl(of, name.id, value, span=self.places.span(name)))
        test, steps = (self._range if short else self._head)(header, variables)
        found = A.CFor(tuple(init), test, steps, self.body(node.body), span=self.places.head(node, node.iter))
        self.scopes.pop()
        return found

    def _of_range(self, header: ast.Call, variables: list[ast.Name]) -> list[ast.expr]:
        if len(header.args) not in (3, 4) or header.keywords or len(variables) != 1:
            raise self.places.refused(
                "'c_range' takes a type, a start and an end, perhaps a step",
                header,
                "write for i in irgl.c_range(int, 0, n):",
            )
        return header.args[:2]

    def _range(self, header: ast.Call, variables: list[ast.Name]) -> tuple[A.Expr | None, tuple[A.Stmt, ...]]:
        span, end = self.places.span(header), header.args[2]
        name = variables[0].id
        test = A.Binary("<", A.Name(name, span=span), self.expr(end), span=self.places.span(end))
        by = self.expr(header.args[3]) if len(header.args) == 4 else A.IntLit(1, T.INT, span=span)
        return test, (A.ExprStmt(A.Reduce("+", A.Name(name, span=span), by, span=span), span=span),)

    def _head(self, header: ast.Call, variables: list[ast.Name]) -> tuple[A.Expr | None, tuple[A.Stmt, ...]]:
        names = [v.id for v in variables]
        condition = self._of(header.args[2], names)
        test = None if condition is None else self.expr(condition)
        then = self._of(header.args[3], names)
        if isinstance(then, ast.List):
            return test, tuple(self._effect(e) for e in then.elts)
        if then is None or len(_parts(then)) != len(variables):
            raise self.places.refused("each variable needs a next value", header.args[3], _READS)
        return test, tuple(self._step(n, v) for n, v in zip(variables, _parts(then), strict=True))

    def _of(self, node: ast.expr, names: list[str]) -> ast.expr | None:
        """What a lambda of the loop's variables computes; None for None."""
        match node:
            case ast.Constant(value=None):
                return None
            case ast.Lambda() if [a.arg for a in node.args.args] == names:
                return node.body
        raise self.places.refused(f"this stands as a lambda of {', '.join(names)}", node, _READS)

    def c_while(self, node: ast.While, header: ast.Call) -> A.Stmt:
        """`while c_while(i < n, first=[irgl.assign(i, 0)], then=[irgl.reduce.add(i, 2)])`: no variables of its own."""
        named = self.keywords(header, {"first", "then"})
        if len(header.args) != 1 or not all(isinstance(v, ast.List) for v in named.values()):
            raise self.places.refused(
                "'c_while' takes a condition, and lists of what is done",
                header,
                "write irgl.c_while(i < n, first=[...], then=[irgl.reduce.add(i, 2)])",
            )
        first, then = (
            tuple(self._effect(e) for e in v.elts) if isinstance(v := named.get(name), ast.List) else ()
            for name in ("first", "then")
        )
        endless = isinstance(header.args[0], ast.Constant) and header.args[0].value is None
        test = None if endless else self.expr(header.args[0])
        return A.CFor(first, test, then, self.body(node.body), span=self.places.head(node, node.test))

    def _effect(self, node: ast.expr) -> A.Stmt:
        """A store or an update in the head of C's loop."""
        store = self.called(node, "assign")
        if store is not None:
            target, value = self.arguments(store, 2)
            return A.Assign(self.target(target), self.expr(value), "plain", span=self.places.span(node))
        return self.with_effect(self.expr(node), node)

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
