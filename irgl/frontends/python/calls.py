"""Calls of Python as expressions: functions, structs, casts, reductions, kernels' values."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.literals import character, floating, integer
from irgl.frontends.python.types import Types
from irgl.notation import FREE, FUNCTIONS, REDUCTIONS
from irgl.source import IrglError, Span


class Calls(Types, ABC):
    @abstractmethod
    def expr(self, node: ast.expr) -> A.Expr: ...

    @abstractmethod
    def word(self, node: ast.expr) -> str | None: ...

    @abstractmethod
    def is_local(self, name: str) -> bool: ...

    def exprs(self, nodes: list[ast.expr]) -> tuple[A.Expr, ...]:
        return tuple(self.expr(n) for n in nodes)

    def call(self, node: ast.Call, span: Span) -> A.Expr:
        word = self.word(node.func)
        if word is not None:
            return self._word_call(word, node, span)
        match node.func:
            case ast.Attribute(value=inner, attr=op) if self.word(inner) == "reduce":
                return self._reduce(op, node, span)
            case ast.Attribute(value=inner, attr="load") if self.word(inner) == "relaxed":
                return A.Relaxed(self.expr(self.arguments(node, 1)[0]), span=span)
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if (
                not self.is_local(name) and name in self.names.includes
            ):
                return self._named_call(attr, node, span)
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if (
                not self.is_local(name) and name in self.names.foreign and attr in FUNCTIONS
            ):
                what = self.names.foreign[name]
                raise self.places.refused(
                    f"'{name}' is {what}: a program can't use it", node, f"write irgl.{attr}(...)"
                )
            case ast.Attribute():
                method, args = node.func.attr, self.exprs(self.positional(node))
                return A.MethodCall(self.expr(node.func.value), method, args, span=span)
            case ast.Name(id=name):
                if name in self.names.foreign and not self.is_local(name):
                    self.expr(node.func)  # which says why not
                return self._named_call(name, node, span)
        raise self.places.refused("only functions and methods are called", node.func)

    def _named_call(self, name: str, node: ast.Call, span: Span) -> A.Expr:
        real = self.names.real(name)
        match self.names.kind(name) if not self.is_local(name) else None:
            case "kernel":
                raise self.places.refused(
                    f"kernel '{name}' has no value by itself", node, f"write any({name}(...)) or all({name}(...))"
                )
            case "struct":
                return A.StructLit(T.Named(real), self.exprs(self.positional(node)), span=span)
            case "program":
                raise self.places.refused(f"'{name}' is a program, which Python calls", node.func, "call its kernels")
            case "graph" | "scalar" | "library":
                raise self.places.refused(f"'{name}' is no function", node.func)
        return A.Call(real, self.exprs(self.positional(node)), span=span)

    def _word_call(self, word: str, node: ast.Call, span: Span) -> A.Expr:
        if word in ("any", "all"):
            return A.InvokeResult(word, *self.kernel_call(self.arguments(node, 1)[0], word), span=span)
        if word == "cast":
            kind, value = self.arguments(node, 2)
            return A.Cast(self.type(kind), self.expr(value), span=span)
        if word == "literal":
            return self._literal(self.arguments(node, 1)[0])
        if word in FREE and self.names.kind(word) == "function":
            raise self.places.refused(f"'{word}' is a function of this file, and irgl's own, too", node,
                                      "give the one of this file another name")
        if word in FUNCTIONS:
            return A.Call(word, self.exprs(self.positional(node)), span=span)
        kind_of = self.plain(node.func)
        if kind_of is not None and kind_of != T.AUTO:
            return A.Cast(kind_of, self.expr(self.arguments(node, 1)[0]), span=span)
        if word == "auto":
            return A.Call("auto", (self.expr(self.arguments(node, 1)[0]),), span=span)
        raise self._misplaced(word, node)

    def _misplaced(self, word: str, node: ast.Call) -> IrglError:
        hints = {
            "racy": "write X.p = irgl.racy(value)",
            "relaxed": "write X.p = irgl.relaxed(value) to store, irgl.relaxed.load(X.p) to read",
            "serial": "write for x in irgl.serial(n.edges):",
            "atomic": "write with irgl.atomic(n.lock):, or if irgl.atomic(n.lock): ... else: ...",
            "exclusive": "write with irgl.exclusive(g, [n, m]):, or if ... else: ...",
            "reduce": "write irgl.reduce.min(X.p, value)",
        }
        return self.places.refused(
            f"'{word}' stands where a value is wanted",
            node,
            hints.get(word, f"write irgl.{word}(...) as a statement of its own"),
        )

    def kernel_call(self, node: ast.expr, word: str) -> tuple[str, tuple[A.Expr, ...]]:
        """A kernel and its arguments, from a call of it."""
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name | ast.Attribute)
            and self.word(node.func) is None
        ):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            if self.names.kind(name) == "kernel":
                return self.names.real(name), self.exprs(self.positional(node))
        raise self.places.refused(f"'{word}' takes the call of a kernel", node, f"write {word}(kernel(g, ...))")

    def positional(self, node: ast.Call) -> list[ast.expr]:
        """Arguments without names."""
        if node.keywords:
            first = node.keywords[0]
            raise self.places.refused("arguments are given by position", first, f"leave out '{first.arg or '**'}='")
        return node.args

    def arguments(self, node: ast.Call, count: int) -> list[ast.expr]:
        """That many arguments."""
        args = self.positional(node)
        if len(args) != count or any(isinstance(a, ast.Starred) for a in args):
            raise self.places.refused(
                f"'{ast.unparse(node.func)}' takes {count} argument{'s' * (count != 1)}, not {len(args)}", node
            )
        return args

    def _reduce(self, op: str, node: ast.Call, span: Span) -> A.Expr:
        if op not in REDUCTIONS:
            raise self.places.refused(f"there is no reduction '{op}'", node.func, "there are " + ", ".join(REDUCTIONS))
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
        raise self.places.refused("this is no number in C's spelling", node, 'write irgl.literal("5uL")')
