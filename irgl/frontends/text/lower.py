"""From pycparser's C statements and expressions to ours, refusing what C allows and the language does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from pycparser import c_ast

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.frontends.literals import character, floating, integer
from irgl.source import IrglError, Span

_UPDATES = {"+", "-", "|", "&", "^", "*", "/", "%", "<<", ">>"}


class Parsed(c_ast.Node):  # type: ignore[misc]
    """A finished node of our syntax, carried through pycparser's lists."""

    __slots__ = ("coord", "node")
    attr_names = ()

    def __init__(self, node: Any) -> None:
        self.node = node
        self.coord = None

    def children(self) -> tuple[()]:
        return ()


def _fail(message: str, span: Span, hint: str | None = None) -> NoReturn:
    raise IrglError(message, span, hint)


class Lowering:
    """Turns C statements and expressions into ours; `span_of` tells where a C node stands."""

    def __init__(self, span_of: Callable[[c_ast.Node], Span]) -> None:
        self._span = span_of

    # Statements

    def body(self, node: Any) -> tuple[A.Stmt, ...]:
        """The statements of a block, or the one statement that stands without braces."""
        if isinstance(node, c_ast.Compound):
            return tuple(s for item in node.block_items or [] for s in self.stmt(item))
        return tuple(self.stmt(node))

    def stmt(self, node: Any) -> list[A.Stmt]:
        span = self._span(node)
        match node:
            case Parsed():
                return [node.node if not isinstance(node.node, A.Expr) else self._effect(node.node)]
            case c_ast.Compound():
                return [A.Block(self.body(node), span=span)]
            case c_ast.If():
                orelse = () if node.iffalse is None else self.body(node.iffalse)
                return [A.If(self.expr(node.cond), self.body(node.iftrue), orelse, span=span)]
            case c_ast.While():
                return [A.While(self.expr(node.cond), self.body(node.stmt), span=span)]
            case c_ast.DoWhile():
                return [A.DoWhile(self.body(node.stmt), self.expr(node.cond), span=span)]
            case c_ast.For():
                test = None if node.cond is None else self.expr(node.cond)
                return [A.CFor(self._list(node.init), test, self._list(node.next), self.body(node.stmt), span=span)]
            case c_ast.Break():
                return [A.Break(span=span)]
            case c_ast.Continue():
                return [A.Continue(span=span)]
            case c_ast.Return():
                return [A.Return(None if node.expr is None else self.expr(node.expr), span=span)]
            case c_ast.Label():
                inner = self.stmt(node.stmt)
                if not inner:
                    _fail(f"label '{node.name}' stands before no statement", span, "declarations take no label")
                return [A.Labeled(node.name, inner[0], span=span)]
            case c_ast.EmptyStatement():
                return []
            case c_ast.Assignment(op="="):
                return [A.Assign(self.expr(node.lvalue), self.expr(node.rvalue), "plain", span=span)]
            case c_ast.UnaryOp(op="p++" | "++" | "p--" | "--"):
                one = A.IntLit(1, T.INT, span=span)
                return [A.ExprStmt(A.Reduce(node.op.strip("p")[0], self.expr(node.expr), one, span=span), span=span)]
            case _:
                return [self._effect(self.expr(node))]

    def _list(self, node: Any) -> tuple[A.Stmt, ...]:
        """What stands before or after the test of C's for: declarations, or expressions with commas between."""
        match node:
            case None:
                return ()
            case c_ast.DeclList():
                return tuple(s for d in node.decls for s in self.stmt(d))
            case c_ast.ExprList():
                return tuple(s for e in node.exprs for s in self.stmt(e))
            case _:
                return tuple(self.stmt(node))

    def _effect(self, value: A.Expr) -> A.Stmt:
        if not any(isinstance(n, A.Call | A.MethodCall | A.Reduce | A.InvokeResult) for n in walk(value)):
            assert value.span is not None
            hint = None
            if isinstance(value, A.Binary) and value.op == "==":
                hint = "a store is written with ="
            elif isinstance(value, A.Member):
                hint = f"a method is called with parentheses: {value.name}(...)"
            elif isinstance(value, A.Name):
                hint = "a function is called with parentheses"
            _fail("this statement does nothing", value.span, hint)
        return A.ExprStmt(value, span=value.span)

    # Expressions

    def expr(self, node: Any) -> A.Expr:
        span = self._span(node)
        match node:
            case Parsed():
                if not isinstance(node.node, A.Expr):
                    _fail("a statement stands where a value is wanted", span)
                return node.node
            case c_ast.Constant():
                return _constant(node, span)
            case c_ast.ID():
                if node.name in ("true", "false"):
                    return A.BoolLit(node.name == "true", span=span)
                return A.Name(node.name, span=span)
            case c_ast.UnaryOp():
                return self._unary(node, span)
            case c_ast.BinaryOp():
                return A.Binary(node.op, self.expr(node.left), self.expr(node.right), span=span)
            case c_ast.TernaryOp():
                return A.Conditional(self.expr(node.cond), self.expr(node.iftrue), self.expr(node.iffalse), span=span)
            case c_ast.FuncCall():
                return self._call(node, span)
            case c_ast.StructRef():
                return A.Member(self.expr(node.name), node.field.name, span=span)
            case c_ast.ArrayRef():
                return A.Index(self.expr(node.name), self.expr(node.subscript), span=span)
            case c_ast.Assignment():
                op = node.op.removesuffix("=")
                if op not in _UPDATES:
                    _fail("an assignment has no value here", span, "make it a statement of its own; compare with ==")
                return A.Reduce(op, self.expr(node.lvalue), self.expr(node.rvalue), span=span)
            case c_ast.ExprList():
                _fail("the comma operator is not part of the language", span, "write two statements")
            case _:
                _fail("this expression is not part of the language", span)

    def _unary(self, node: Any, span: Span) -> A.Expr:
        if node.op in ("p++", "++", "p--", "--"):
            _fail(f"'{node.op.strip('p')}' has no value here", span, "make it a statement of its own")
        line = span.source.line(span.line)
        if node.op == "*" and line[: span.column - 1].endswith("*"):
            _fail("'**' is not part of the language", span, "write pow(x, y), or multiply")
        if node.op in ("*", "&"):
            _fail("pointers are not part of the language", span, "use nodes, edges, properties and arrays")
        if node.op not in ("-", "+", "!", "~"):
            _fail(f"'{node.op}' is not part of the language", span)
        return A.Unary(node.op, self.expr(node.expr), span=span)

    def _call(self, node: Any, span: Span) -> A.Expr:
        args = tuple(self.expr(a) for a in (node.args.exprs if node.args is not None else []))
        match node.name:
            case c_ast.ID():
                return A.Call(node.name.name, args, span=span)
            case c_ast.StructRef(type="."):
                return A.MethodCall(self.expr(node.name.name), node.name.field.name, args, span=span)
            case _:
                _fail("only functions and methods are called", span)


def _constant(node: Any, span: Span) -> A.Expr:
    text: str = node.value
    if node.type == "char":
        return character(text, span)
    if node.type in ("float", "double", "long double"):
        return floating(text, span)
    return integer(text, span)
