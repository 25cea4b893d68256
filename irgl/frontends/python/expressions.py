"""Expressions of Python as expressions of the language, refusing what Python has and the language does not."""

from __future__ import annotations

import ast
import math

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.literals import floating, integer
from irgl.frontends.python.calls import Calls
from irgl.frontends.python.names import Names
from irgl.frontends.python.places import Places
from irgl.notation import FUNCTIONS
from irgl.source import Span

BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%", ast.LShift: "<<", ast.RShift: ">>",
    ast.BitOr: "|", ast.BitXor: "^", ast.BitAnd: "&",
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Is: "==", ast.IsNot: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">",
    ast.GtE: ">=",
}  # fmt: skip
_UNARY: dict[type[ast.unaryop], str] = {ast.USub: "-", ast.UAdd: "+", ast.Not: "!", ast.Invert: "~"}
_REFUSED: dict[type[ast.expr], tuple[str, str]] = {
    ast.JoinedStr: ("a program puts no text together", 'print takes texts and numbers side by side: print("n", n)'),
    ast.Lambda: ("a lambda stands in a default only", "write a function with @irgl.function"),
    ast.NamedExpr: ("an assignment has no value here", "make it a statement of its own"),
    ast.ListComp: ("comprehensions are not part of the language", "write a loop that pushes to a list"),
    ast.SetComp: ("comprehensions are not part of the language", "write a loop that pushes to a set"),
    ast.DictComp: ("comprehensions are not part of the language", "write a loop"),
    ast.GeneratorExp: ("comprehensions are not part of the language", "write a loop"),
    ast.List: ("a list has no text of its own here", "write found = list[node](), and push to it"),
    ast.Tuple: ("tuples are not part of the language", "write a class with @irgl.struct, or one statement for each"),
    ast.Set: ("a set has no text of its own here", "write found = set[node](), and push to it"),
    ast.Dict: ("dictionaries are not part of the language",
               "nodes and edges have properties, positions an array, keys a Counts of counts.irgl"),
    ast.Slice: ("slices are not part of the language", "write n.edges.skip(k) to leave the first k out"),
    ast.Await: ("await is not part of the language", "loops over nodes and edges run in parallel by themselves"),
    ast.Yield: ("yield is not part of the language", "push what is found to a list"),
    ast.YieldFrom: ("yield is not part of the language", "push what is found to a list"),
    ast.Starred: ("arguments are given one by one", "leave the * out"),
}


class Expressions(Calls):
    """Reads expressions at one place. `scopes` are the variables that a body has declared, innermost last, each with
    its type where the text says it; `gone` those of blocks that have ended."""

    def __init__(self, names: Names, params: tuple[str, ...] = ()) -> None:
        super().__init__(names, params)
        self.places: Places = names.places
        self.scopes: list[dict[str, T.Type | None]] = []
        self.gone: set[str] = set()
        self.worklist = ""
        self.role = ""

    # Names

    def is_local(self, name: str) -> bool:
        return any(name in scope for scope in self.scopes)

    def local_type(self, name: str) -> T.Type | None:
        return next((s[name] for s in reversed(self.scopes) if name in s), None)

    def word(self, node: ast.expr) -> str | None:
        """The word of the notation that an expression is; a variable is none, whatever it is called."""
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            root = root.value
        return None if isinstance(root, ast.Name) and self.is_local(root.id) else self.names.word(node)

    def called(self, node: ast.expr, *words: str) -> ast.Call | None:
        """`node` where it is a call of one of these words of the notation."""
        return node if isinstance(node, ast.Call) and self.word(node.func) in words else None

    def _name(self, node: ast.Name) -> A.Expr:
        span, name = self.places.span(node), node.id
        if name == self.worklist:
            return A.Name("WL", span=span)
        if self.is_local(name):
            return A.Name(name, span=span)
        if name == "wl" and self.role == "program":  # of the loop around, as kernels mostly call it
            return A.Name("WL", span=span)
        word = self.names.word(node)
        if word is not None:
            return A.Name(word, span=span)
        if name in self.names.constants:
            return constant(self.names.constants[name], span)
        if name in self.names.foreign:
            what = self.names.foreign[name]
            hint = "write @irgl.function before it" if "function" in what else "give what it needs as a parameter"
            hint = f"write irgl.{name}" if name in FUNCTIONS else hint
            raise self.places.refused(f"'{name}' is {what}: a program can't use it", node, hint)
        if name in self.gone:
            raise self.places.refused(
                f"'{name}' is known only in the block where it got its first value",
                node,
                f"declare it before that block: {name}: int = 0",
            )
        return A.Name(self.names.real(name), span=span)

    # Expressions

    def expr(self, node: ast.expr) -> A.Expr:
        """An expression. IrglError for what the language does not have."""
        span = self.places.span(node)
        match node:
            case ast.Constant():
                return self._constant(node, span)
            case ast.Name():
                return self._name(node)
            case ast.Attribute():
                return self._attribute(node, span)
            case ast.Subscript():
                return A.Index(self.expr(node.value), self.expr(node.slice), span=span)
            case ast.UnaryOp():
                return A.Unary(_UNARY[type(node.op)], self.expr(node.operand), span=span)
            case ast.BinOp():
                return A.Binary(self.operator(node.op, node), self.expr(node.left), self.expr(node.right), span=span)
            case ast.BoolOp():
                return self._bool(node)
            case ast.Compare():
                return self._compare(node, span)
            case ast.IfExp():
                return A.Conditional(self.expr(node.test), self.expr(node.body), self.expr(node.orelse), span=span)
            case ast.Call():
                return self.call(node, span)
        message, hint = _REFUSED.get(type(node), ("this expression is not part of the language", None))
        raise self.places.refused(message, node, hint)

    def operator(self, op: ast.operator, node: ast.AST) -> str:
        """The language's operator. IrglError for one of Python's own."""
        if type(op) not in BINARY:
            message, hint = {
                ast.FloorDiv: (
                    "'//' rounds down, which the language does not",
                    "write /: of integers it leaves the fraction out",
                ),
                ast.Pow: ("'**' is not part of the language", "write irgl.pow(x, y), or multiply"),
            }.get(type(op), ("this operator is not part of the language", "write it out with the others"))
            raise self.places.refused(message, node, hint)
        return BINARY[type(op)]

    def _constant(self, node: ast.Constant, span: Span) -> A.Expr:
        match node.value:
            case None:
                return A.Name("NONE", span=span)
            case bool():
                return A.BoolLit(node.value, span=span)
            case int():
                if node.value > T.ULONG.max:
                    raise self.places.refused("this number does not fit in 64 bits", node)
                return integer(str(node.value), span)
            case float():
                return floating(self.places.text(node).replace("_", ""), span)
            case str():
                return A.StringLit(node.value, span=span)
        raise self.places.refused(
            "this constant is not part of the language", node, "there are numbers, True, False, None and texts"
        )

    def _attribute(self, node: ast.Attribute, span: Span) -> A.Expr:
        word = self.word(node)
        if word is not None:
            return A.Name(word, span=span)
        match node.value:
            case ast.Name(id=name) if not self.is_local(name) and self.names.kind(name) == "graph":
                return A.Name(node.attr, span=span)  # a property by itself, as verifiers are told of it
            case ast.Name(id=name) if not self.is_local(name) and name in self.names.includes:
                return A.Name(node.attr, span=span)
        return A.Member(self.expr(node.value), node.attr, span=span)

    def _bool(self, node: ast.BoolOp) -> A.Expr:
        op = "&&" if isinstance(node.op, ast.And) else "||"
        first = self.expr(node.values[0])
        for value in node.values[1:]:
            span = self.places.span(node.values[0]).to(self.places.span(value))
            first = A.Binary(op, first, self.expr(value), span=span)
        return first

    def _compare(self, node: ast.Compare, span: Span) -> A.Expr:
        if len(node.ops) > 1:
            raise self.places.refused("comparisons don't chain", node, "write a < b and b < c")
        op, left, right = node.ops[0], node.left, node.comparators[0]
        if isinstance(op, ast.In | ast.NotIn):
            found = A.MethodCall(self.expr(right), "contains", (self.expr(left),), span=span)
            return found if isinstance(op, ast.In) else A.Unary("!", found, span=span)
        if isinstance(op, ast.Is | ast.IsNot) and not (isinstance(right, ast.Constant) and right.value is None):
            raise self.places.refused("'is' asks for None only", node, "write ==")
        return A.Binary(_COMPARE[type(op)], self.expr(left), self.expr(right), span=span)


def constant(value: int | float | bool, span: Span) -> A.Expr:
    """A number of Python's as a literal."""
    if isinstance(value, bool):
        return A.BoolLit(value, span=span)
    if value < 0:
        return A.Unary("-", constant(-value, span), span=span)
    if isinstance(value, float):
        return A.Name("INF", span=span) if math.isinf(value) else A.FloatLit(repr(value), T.DOUBLE, span=span)
    return integer(str(value), span)
