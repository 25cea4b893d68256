"""The grammar of expressions: C's, with updates that have a value, relaxed loads and kernels' results."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from irgl.ast import nodes as A
from irgl.frontends.depth import check_depth
from irgl.frontends.literals import unescaped
from irgl.frontends.text.base import Base
from irgl.frontends.text.lower import Parsed
from irgl.source import IrglError

_REDUCTIONS = ("min", "max", "xchg")
_LEVELS = (("LOR",), ("LAND",), ("OR",), ("XOR",), ("AND",), ("EQ", "NE"), ("GT", "GE", "LT", "LE"),
           ("RSHIFT", "LSHIFT"), ("PLUS", "MINUS"), ("TIMES", "DIVIDE", "MOD"))  # fmt: skip
_PRECEDENCE = {token: level for level, tokens in enumerate(_LEVELS) for token in tokens}


class Expressions(Base):
    def _parse_assignment_expression(self) -> c_ast.Node:
        first = self._peek()
        left = self._parse_conditional_expression()
        if self._at_word(*_REDUCTIONS) and self._peek_type(2) == "EQUALS":
            op = self._advance().value
            self._advance()
            right = self._deeper(self._parse_assignment_expression)
            node = A.Reduce(op, self.lower.expr(left), self.lower.expr(right), span=self._token_span(first, self._last))
            return self._spanned(Parsed(node), first)
        if self._is_assignment_op():
            op = self._advance().value
            right = self._deeper(self._parse_assignment_expression)
            return self._spanned(c_ast.Assignment(op, left, right, left.coord), first)
        return self._spanned(left, first)

    def _parse_conditional_expression(self) -> c_ast.Node:
        first = self._peek()
        return self._spanned(self._deeper(super()._parse_conditional_expression), first)

    def _parse_binary_expression(self, min_prec: int = 0, lhs: c_ast.Node | None = None) -> c_ast.Node:
        """Precedence climbing (Richards, 1979), which counts how deep a chain of operators makes the tree."""
        assert lhs is None
        first = self._peek()
        left = self._parse_cast_expression()
        links = 0
        while (level := _PRECEDENCE.get(self._peek_type() or "", -1)) >= min_prec:
            token = self._advance()
            links += 1
            check_depth(self._token_span(token), links)
            right = self._parse_binary_expression(level + 1)
            left = self._spanned(c_ast.BinaryOp(token.value, left, right, left.coord), first)
        return left

    def _parse_cast_expression(self) -> c_ast.Node:
        if self._peek_type() != "LPAREN" or not self._starts_type(2):
            return self._deeper(self._parse_unary_expression)
        first = self._peek()
        kind = self._type_in_parens()
        if self._peek_type() == "LBRACE":
            return self._suffixes(self._struct_literal(kind, first), first)
        operand = self.lower.expr(self._deeper(self._parse_cast_expression))
        return self._spanned(Parsed(A.Cast(kind, operand, span=self._token_span(first, self._last))), first)

    def _type_in_parens(self) -> Any:
        self._expect("LPAREN")
        kind = self._type()
        if self._peek_type() == "TIMES":
            raise IrglError("pointers are not part of the language", self._token_span(self._peek()),
                            "use nodes, edges, properties and arrays")
        self._expect("RPAREN")
        return kind

    def _struct_literal(self, kind: Any, first: Any) -> c_ast.Node:
        self._expect("LBRACE")
        values: list[A.Expr] = []
        while not self._accept("RBRACE"):
            if values:
                self._comma("}")
            if self._peek_type() == "PERIOD":
                raise IrglError("fields are given in order, without names", self._token_span(self._peek()), None)
            values.append(self._expression())
        return self._spanned(Parsed(A.StructLit(kind, tuple(values), span=self._token_span(first, self._last))), first)

    def _parse_unary_expression(self) -> c_ast.Node:
        first = self._peek()
        if self._at_word("Any", "All"):
            wrapped = self._peek_type(2) == "LPAREN" and self._at_word("Invoke", k=3)
            if wrapped or (self._at_word("Invoke", k=2) and self._peek_type(3) in ("ID", "TYPEID")):
                return self._invoke_result(wrapped)
        if self._at_word("relaxed") and self._peek_type(2) == "ID":
            self._advance()
            inner = self._deeper(self._parse_unary_expression)
            node = A.Relaxed(self.lower.expr(inner), span=self._token_span(first, self._last))
            return self._spanned(Parsed(node), first)
        if self._peek_type() in ("PLUSPLUS", "MINUSMINUS"):
            op = self._advance().value
            operand = self._deeper(self._parse_unary_expression)
            return self._spanned(c_ast.UnaryOp(op, operand, operand.coord), first)
        return self._spanned(super()._parse_unary_expression(), first)

    def _invoke_result(self, wrapped: bool) -> c_ast.Node:
        first = self._advance()
        if wrapped:
            self._advance()
        self._advance()
        kernel, args = self._kernel_call()
        if wrapped:
            self._expect("RPAREN")
        span = self._token_span(first, self._last)
        return self._spanned(Parsed(A.InvokeResult(first.value.lower(), kernel, args, span=span)), first)

    def _kernel_call(self) -> tuple[str, tuple[A.Expr, ...]]:
        kernel = self._take_name("a kernel")
        self._expect("LPAREN")
        args: list[A.Expr] = []
        while self._peek_type() != "RPAREN":
            if args:
                self._comma(")")
            args.append(self._expression())
        self._expect("RPAREN")
        return kernel, tuple(args)

    def _parse_postfix_expression(self) -> c_ast.Node:
        first = self._peek()
        return self._suffixes(self._parse_primary_expression(), first)

    def _suffixes(self, inner: c_ast.Node, first: Any) -> c_ast.Node:
        node = self._spanned(inner, first)
        links = 0
        while self._peek_type() in ("LBRACKET", "LPAREN", "PERIOD", "ARROW", "PLUSPLUS", "MINUSMINUS"):
            token = self._advance()
            links += 1
            check_depth(self._token_span(token), links)
            node = self._spanned(self._suffix(node, token), first)
        return node

    def _suffix(self, node: c_ast.Node, token: Any) -> c_ast.Node:
        match token.type:
            case "LBRACKET":
                index = self._parse_expression()
                self._expect("RBRACKET")
                return c_ast.ArrayRef(node, index, node.coord)
            case "LPAREN":
                args = None if self._peek_type() == "RPAREN" else self._parse_argument_expression_list()
                if args is not None and self._peek_type() != "RPAREN":
                    self._comma(")")
                self._expect("RPAREN")
                return c_ast.FuncCall(node, args, node.coord)
            case "PERIOD":
                at = self._peek()
                if at is None:
                    self._fail_at_end()
                if at.type not in ("ID", "TYPEID") or not at.value.isidentifier():
                    self._unexpected("a name after '.'")
                self._advance()
                return c_ast.StructRef(node, ".", c_ast.ID(at.value, self._tok_coord(at)), node.coord)
            case "ARROW":
                raise IrglError("'->' is not part of the language", self._token_span(token), "use '.'")
            case _:
                return c_ast.UnaryOp("p" + token.value, node, node.coord)

    def _parse_primary_expression(self) -> c_ast.Node:
        first = self._peek()
        if first is None:
            self._fail_at_end()
        if first.type == "STRING_LITERAL":
            return self._strings()
        if first.type == "LPAREN" and self._peek_type(2) != "LBRACE":
            self._advance()
            inner = self._parse_expression()
            self._expect("RPAREN")
            return self._spanned(inner, first)
        if first.type in ("LPAREN", "LBRACE"):
            brace = self._peek(1 if first.type == "LBRACE" else 2)
            raise IrglError("a bare { list } has no type", self._token_span(brace), "write (Type){ values }")
        if not (first.type == "ID" or first.type.endswith("_CONST") or first.type.startswith("INT_CONST")):
            self._unexpected("a value", f"'{first.value}' is a type" if self._starts_type() else None)
        return self._spanned(super()._parse_primary_expression(), first)

    def _strings(self) -> c_ast.Node:
        """One string, or several that stand side by side."""
        first = self._peek()
        text = ""
        while self._peek_type() == "STRING_LITERAL":
            token = self._advance()
            text += unescaped(token.value[1:-1], self._token_span(token))
        return self._spanned(Parsed(A.StringLit(text, span=self._token_span(first, self._last))), first)
