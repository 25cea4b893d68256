"""Expressions of Python as expressions of the language, refusing what Python has and the language does not."""

from __future__ import annotations

import ast
import math
from typing import NoReturn

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.literals import character, floating, integer
from irgl.frontends.python_names import Names
from irgl.frontends.python_places import Places
from irgl.frontends.python_types import Types
from irgl.notation import FUNCTIONS, REDUCTIONS
from irgl.source import Span

BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%", ast.LShift: "<<", ast.RShift: ">>",
    ast.BitOr: "|", ast.BitXor: "^", ast.BitAnd: "&",
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Is: "==", ast.IsNot: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_UNARY: dict[type[ast.unaryop], str] = {ast.USub: "-", ast.UAdd: "+", ast.Not: "!", ast.Invert: "~"}
_REFUSED: dict[type[ast.expr], tuple[str, str]] = {
    ast.JoinedStr: ("a program puts no text together", "print takes texts and numbers side by side: print(\"n\", n)"),
    ast.Lambda: ("a lambda stands in a default only", "write a function with @irgl.function"),
    ast.NamedExpr: ("an assignment has no value here", "make it a statement of its own"),
    ast.ListComp: ("comprehensions are not part of the language", "write a loop that pushes to a list"),
    ast.SetComp: ("comprehensions are not part of the language", "write a loop that pushes to a set"),
    ast.DictComp: ("comprehensions are not part of the language", "write a loop"),
    ast.GeneratorExp: ("comprehensions are not part of the language", "write a loop"),
    ast.List: ("a list has no text of its own here", "declare found: list[node], and push to it"),
    ast.Tuple: ("tuples are not part of the language", "write a class with @irgl.struct, or one statement for each"),
    ast.Set: ("a set has no text of its own here", "declare found: set[node], and push to it"),
    ast.Dict: ("dictionaries are not part of the language", "nodes and edges have properties, positions an array"),
    ast.Slice: ("slices are not part of the language", "write n.edges.skip(k) to leave the first k out"),
    ast.Await: ("await is not part of the language", "loops over nodes and edges run in parallel by themselves"),
    ast.Yield: ("yield is not part of the language", "push what is found to a list"),
    ast.YieldFrom: ("yield is not part of the language", "push what is found to a list"),
    ast.Starred: ("arguments are given one by one", "leave the * out"),
}


class Expressions(Types):
    """Reads expressions at one place. `scopes` are the variables that a body has declared, innermost last, each with
    its type where the text says it; `gone` those of blocks that have ended."""

    def __init__(self, names: Names, params: tuple[str, ...] = ()) -> None:
        super().__init__(names, params)
        self.places: Places = names.places
        self.scopes: list[dict[str, T.Type | None]] = []
        self.gone: set[str] = set()
        self.worklist = ""

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
        word = self.names.word(node)
        if word is not None:
            return A.Name(word, span=span)
        if name in self.names.constants:
            return constant(self.names.constants[name], span)
        if name in self.names.foreign:
            self.places.fail(f"'{name}' is {self.names.foreign[name]}: a program can't use it", node,
                             "give what it needs as a parameter")
        if name in self.gone:
            self.places.fail(f"'{name}' is known only in the block where it got its first value", node,
                             f"declare it before that block: {name}: int = 0")
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
                return self._call(node, span)
        message, hint = _REFUSED.get(type(node), ("this expression is not part of the language", None))
        self.places.fail(message, node, hint)

    def exprs(self, nodes: list[ast.expr]) -> tuple[A.Expr, ...]:
        return tuple(self.expr(n) for n in nodes)

    def operator(self, op: ast.operator, node: ast.AST) -> str:
        """The language's operator. IrglError for one of Python's own."""
        if type(op) not in BINARY:
            message, hint = {
                ast.FloorDiv: ("'//' rounds down, which the language does not",
                               "write /: of integers it leaves the fraction out"),
                ast.Pow: ("'**' is not part of the language", "write irgl.pow(x, y), or multiply"),
            }.get(type(op), ("this operator is not part of the language", "write it out with the others"))
            self.places.fail(message, node, hint)
        return BINARY[type(op)]

    def _constant(self, node: ast.Constant, span: Span) -> A.Expr:
        match node.value:
            case None:
                return A.Name("NONE", span=span)
            case bool():
                return A.BoolLit(node.value, span=span)
            case int():
                if node.value > T.ULONG.max:
                    self.places.fail("this number does not fit in 64 bits", node)
                return integer(str(node.value), span)
            case float():
                return floating(self.places.text(node).replace("_", ""), span)
            case str():
                return A.StringLit(node.value, span=span)
        self.places.fail("this constant is not part of the language", node, "there are numbers, True, False, None and texts")

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
            self.places.fail("comparisons don't chain", node, "write a < b and b < c")
        op, left, right = node.ops[0], node.left, node.comparators[0]
        if isinstance(op, ast.In | ast.NotIn):
            found = A.MethodCall(self.expr(right), "contains", (self.expr(left),), span=span)
            return found if isinstance(op, ast.In) else A.Unary("!", found, span=span)
        if isinstance(op, ast.Is | ast.IsNot) and not (isinstance(right, ast.Constant) and right.value is None):
            self.places.fail("'is' asks for None only", node, "write ==")
        return A.Binary(_COMPARE[type(op)], self.expr(left), self.expr(right), span=span)

    # Calls

    def _call(self, node: ast.Call, span: Span) -> A.Expr:
        word = self.word(node.func)
        if word is not None:
            return self._word_call(word, node, span)
        match node.func:
            case ast.Attribute(value=inner, attr=op) if self.word(inner) == "reduce":
                return self._reduce(op, node, span)
            case ast.Attribute(value=inner, attr="load") if self.word(inner) == "relaxed":
                return A.Relaxed(self.expr(self.arguments(node, 1)[0]), span=span)
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if (not self.is_local(name)
                                                                       and name in self.names.includes):
                return self._named_call(attr, node, span)
            case ast.Attribute():
                method, args = node.func.attr, self.exprs(self.positional(node))
                return A.MethodCall(self.expr(node.func.value), method, args, span=span)
            case ast.Name(id=name):
                if name in self.names.foreign and not self.is_local(name):
                    self._name(node.func)
                return self._named_call(name, node, span)
        self.places.fail("only functions and methods are called", node.func)

    def _named_call(self, name: str, node: ast.Call, span: Span) -> A.Expr:
        real = self.names.real(name)
        match self.names.kind(name) if not self.is_local(name) else None:
            case "kernel":
                self.places.fail(f"kernel '{name}' has no value by itself", node,
                                 f"write any({name}(...)) or all({name}(...))")
            case "struct":
                return A.StructLit(T.Named(real), self.exprs(self.positional(node)), span=span)
            case "graph" | "scalar" | "library":
                self.places.fail(f"'{name}' is no function", node.func)
        return A.Call(real, self.exprs(self.positional(node)), span=span)

    def _word_call(self, word: str, node: ast.Call, span: Span) -> A.Expr:
        if word in ("any", "all"):
            return A.InvokeResult(word, *self.kernel_call(self.arguments(node, 1)[0], word), span=span)
        if word == "cast":
            kind, value = self.arguments(node, 2)
            return A.Cast(self.type(kind), self.expr(value), span=span)
        if word == "literal":
            return self._literal(self.arguments(node, 1)[0])
        if word in FUNCTIONS:
            return A.Call(word, self.exprs(self.positional(node)), span=span)
        kind_of = self.plain(node.func)
        if kind_of is not None and kind_of != T.AUTO:
            return A.Cast(kind_of, self.expr(self.arguments(node, 1)[0]), span=span)
        if word == "auto":
            return A.Call("auto", (self.expr(self.arguments(node, 1)[0]),), span=span)
        self._misplaced(word, node)

    def _misplaced(self, word: str, node: ast.Call) -> NoReturn:
        hints = {"racy": "write X.p = irgl.racy(value)",
                 "relaxed": "write X.p = irgl.relaxed(value) to store, irgl.relaxed.load(X.p) to read",
                 "serial": "write for x in irgl.serial(n.edges):",
                 "atomic": "write with irgl.atomic(n.lock):, or if irgl.atomic(n.lock): ... else: ...",
                 "exclusive": "write with irgl.exclusive(g, [n, m]):, or if ... else: ...",
                 "reduce": "write irgl.reduce.min(X.p, value)"}
        self.places.fail(f"'{word}' stands where a value is wanted", node,
                         hints.get(word, f"write irgl.{word}(...) as a statement of its own"))

    def kernel_call(self, node: ast.expr, word: str) -> tuple[str, tuple[A.Expr, ...]]:
        """A kernel and its arguments, from a call of it."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute) and self.word(node.func) is None:
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            if self.names.kind(name) == "kernel":
                return self.names.real(name), self.exprs(self.positional(node))
        self.places.fail(f"'{word}' takes the call of a kernel", node, f"write {word}(kernel(g, ...))")

    def positional(self, node: ast.Call) -> list[ast.expr]:
        """Arguments without names."""
        if node.keywords:
            where = node.keywords[0].value
            self.places.fail("arguments are given by position", where, f"leave out '{node.keywords[0].arg or '**'}='")
        return node.args

    def arguments(self, node: ast.Call, count: int) -> list[ast.expr]:
        """That many arguments."""
        args = self.positional(node)
        if len(args) != count or any(isinstance(a, ast.Starred) for a in args):
            self.places.fail(f"'{ast.unparse(node.func)}' takes {count} argument{'s' * (count != 1)}, not {len(args)}", node)
        return args

    def _reduce(self, op: str, node: ast.Call, span: Span) -> A.Expr:
        if op not in REDUCTIONS:
            self.places.fail(f"there is no reduction '{op}'", node.func, "there are " + ", ".join(REDUCTIONS))
        target, value = self.arguments(node, 2)
        return A.Reduce(REDUCTIONS[op], self.expr(target), self.expr(value), span=span)

    def _literal(self, node: ast.expr) -> A.Expr:
        span = self.places.span(node)
        match node:
            case ast.Constant(value=str(text)) if text:
                if text.startswith("'"):
                    return character(text, span)
                try:
                    hexadecimal = text[:2] in ("0x", "0X")
                    if not hexadecimal and any(c in text for c in ".eEfF"):
                        return floating(text, span)
                    return integer(text, span)
                except ValueError:
                    pass
        self.places.fail("this is no number in C's spelling", node, 'write irgl.literal("5uL")')


def constant(value: int | float | bool, span: Span) -> A.Expr:
    """A number of Python's as a literal."""
    if isinstance(value, bool):
        return A.BoolLit(value, span=span)
    if value < 0:
        return A.Unary("-", constant(-value, span), span=span)
    if isinstance(value, float):
        return A.Name("INF", span=span) if math.isinf(value) else A.FloatLit(repr(value), T.DOUBLE, span=span)
    return integer(str(value), span)
