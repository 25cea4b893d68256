"""The grammar: pycparser's recursive descent for C, with IrGL's declarations, statements and updates hooked in.

Hooks hand over `Parsed` nodes, which carry finished nodes of our own syntax; `Lowering` turns everything else that
pycparser made into ours. pycparser's nodes never leave this package.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Set
from contextlib import contextmanager
from typing import Any, NoReturn

from pycparser import c_ast

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.properties import declared
from irgl.ast.visit import deepest
from irgl.frontends.depth import MAX_DEPTH, check_depth, too_deep
from irgl.frontends.raw import blank_comments, set_raw_blocks_aside
from irgl.frontends.text.base import own_types
from irgl.frontends.text.lexer import Lexer, refuse_foreign
from irgl.frontends.text.library import Libraries
from irgl.frontends.text.lower import Parsed
from irgl.frontends.text.spelling import is_word, no_declaration
from irgl.source import IrglError, Span

NEEDS = ("directed", "undirected", "simple", "sorted", "weighted", "transpose")


class Grammar(Libraries):
    def program(self, types: tuple[Set[str], Set[str]] = (frozenset(), frozenset())) -> A.Program:
        """The whole source. Raises IrglError at the first thing that is not part of the language.

        types: those that the rest of its file declares, where the source is a part of one; and those with arguments.
        """
        text, self._raw = set_raw_blocks_aside(self.source, blank_comments(self.source))
        refuse_foreign(self.source, text)
        plain, generic = own_types(text)
        self._known |= plain | types[0]
        assert isinstance(self.clex, Lexer)
        self.clex.generics |= generic | types[1]
        try:
            with _room_to_recurse():
                tree = self.parse(text, self.source.path)
                decls = [item.node for item in tree.ext]
        except RecursionError:
            raise too_deep(self._token_span(self._last)) from None
        program = A.Program(tuple(decls), span=Span(self.source, 1, 1, 1, 1))
        node, depth = deepest(program)
        check_depth(node.span, depth)
        return program

    # Declarations

    def _parse_external_declaration(self) -> list[c_ast.Node]:
        first = self._peek()
        if first is None:
            self._fail_at_end()
        if self._accept("SEMI"):
            return []
        second = self._peek_type(2)
        if first.type in ("ID", "TYPEID"):
            handler = {
                "import": self._import if second == "STRING_LITERAL" else None,
                "graph": self._graph_type if second in ("ID", "TYPEID") else None,
                "library": self._library if second in ("ID", "TYPEID") else None,
                "Kernel": self._kernel if second in ("ID", "TYPEID") else None,
                "Program": self._entry if second in ("ID", "TYPEID") else None,
            }.get(first.value)
            if handler is not None:
                self._advance()
                return [Parsed(handler(first))]
        if first.type == "STRUCT" and self._peek_type(3 if second in ("ID", "TYPEID") else 2) == "LBRACE":
            return [Parsed(self._struct(self._advance()))]
        if first.type == "CONST":
            return [Parsed(self._constant(self._advance()))]
        if not self._starts_type():
            self._no_declaration(first)
        return list(map(Parsed, self._function_or_globals()))

    def _no_declaration(self, first: Any) -> NoReturn:
        second = self._peek_type(2)
        if first.type == "ID" and second in ("ID", "TYPEID") and not is_word(first.value):
            self._unknown_type(first)
        message, hint = no_declaration(first.value, second == "LPAREN")
        raise IrglError(message, self._token_span(first), hint)

    def _import(self, first: Any) -> A.Decl:
        token = self._advance()
        self._expect("SEMI")
        return A.Import(token.value[1:-1], span=self._token_span(first, token))

    def _struct(self, first: Any) -> A.Decl:
        if self._peek_type() == "LBRACE":
            raise IrglError("a struct needs a name", self._token_span(first), "struct NAME { TYPE FIELD; ... };")
        name = self._declare_type("a struct")
        self._expect("LBRACE")
        fields: list[A.Field] = []
        while not self._accept("RBRACE"):
            kind = self._type()
            while True:
                at = self._declarator("a field", kind)
                if self._peek_type() in ("COLON", "EQUALS"):
                    raise IrglError("a struct holds plain fields", self._token_span(self._peek()),
                                    "without bit widths and first values")
                fields.append(A.Field(kind, at.value, span=self._token_span(at)))
                if self._accept("COMMA") is None:
                    break
            self._expect("SEMI")
        span = self._token_span(first, self._last)
        if not fields:
            raise IrglError(f"struct {name} has no fields", span)
        self._expect("SEMI")
        return A.Struct(name, tuple(fields), span=span)

    def _function_or_globals(self) -> list[A.Decl]:
        kind = self._type()
        at = self._declarator("a function or a program scalar", kind)
        if self._peek_type() == "LPAREN":
            return [self._function(kind, at)]
        found: list[A.Decl] = []
        while True:
            found.append(A.Global(kind, at.value, self._initialiser(), False, span=self._token_span(at)))
            if self._accept("COMMA") is None:
                break
            at = self._declarator("a program scalar", kind)
        self._expect("SEMI")
        return found

    def _constant(self, first: Any) -> A.Decl:
        """`const int K = 16;`"""
        whole = self._starts_type() and self._type() == T.INT
        at = self._declarator("a constant", T.INT) if whole else first
        value = self._initialiser() if whole else None
        if not isinstance(value, A.IntLit) or value.type != T.INT:
            raise IrglError("a constant is a plain whole number", self._token_span(first, self._last),
                            "write const int K = 16;")
        self._expect("SEMI")
        return A.Constant(at.value, value.value, span=self._token_span(at))

    def _function(self, kind: T.Type, at: Any) -> A.Decl:
        self._add_identifier(at.value, None)
        if self._peek_type(2) == "VOID" and self._peek_type(3) == "RPAREN":
            for _ in range(3):
                self._advance()
            params: tuple[A.Param, ...] = ()
        else:
            params = self._params(entry=False)
        if self._peek_type() == "SEMI":
            raise IrglError(f"function '{at.value}' has no body", self._token_span(at),
                            "functions may be used before they are written")
        self._scoped(params)
        body = self._stmts()
        self._pop_scope()
        return A.Function(kind, at.value, params, body, span=self._token_span(at))

    def _graph_type(self, first: Any) -> A.Decl:
        name = self._declare_type("a graph type")
        span = self._token_span(first, self._last)
        self._expect("LBRACE")
        properties: list[A.Property] = []
        while not self._accept("RBRACE"):
            given = self._at_word("input")
            if given:
                self._advance()
            if not self._at_word("node", "edge"):
                self._unexpected("'node' or 'edge'", "a property reads: node int level = INF;")
            owner = self._advance().value
            kind = self._type()
            while True:
                at = self._declarator("a property", kind, several=True)
                of = self._lengths(kind)
                init = self._initialiser()
                properties.append(declared(owner, of, at.value, init, given, self._token_span(at)))
                if self._accept("COMMA") is None:
                    break
            self._expect("SEMI")
        self._accept("SEMI")
        return A.GraphType(name, tuple(properties), span=span)

    def _kernel(self, first: Any) -> A.Decl:
        name = self._take_name("a kernel")
        span = self._token_span(first, self._last)
        params = self._params(entry=False)
        worklist = None
        if self._at_word("WL"):
            self._advance()
            worklist = self._type()
        self._scoped(params)
        body = self._stmts()
        self._pop_scope()
        return A.Kernel(name, params, worklist, body, span=span)

    def _entry(self, first: Any) -> A.Decl:
        name = self._take_name("a program")
        span = self._token_span(first, self._last)
        params = self._params(entry=True)
        clauses: list[A.Clause] = []
        while self._peek_type() != "LBRACE":
            clauses.append(self._clause())
        self._scoped(params)
        body = self._stmts()
        self._pop_scope()
        return A.Entry(name, params, tuple(clauses), body, span=span)

    def _scoped(self, params: tuple[A.Param, ...]) -> None:
        self._push_scope()
        for p in params:
            self._add_identifier(p.name, None)

    def _params(self, entry: bool) -> tuple[A.Param, ...]:
        self._expect("LPAREN")
        params: list[A.Param] = []
        while self._peek_type() != "RPAREN":
            if params:
                self._comma(")")
            needs = []
            while entry and self._at_word(*NEEDS) and (self._starts_type(2) or self._peek_type(2) == "ID"):
                needs.append(self._advance().value)
            kind = self._type()
            at = self._declarator("a parameter", kind, several=True)
            kind = self._lengths(kind)
            default = None
            if self._peek_type() == "EQUALS" and not entry:
                raise IrglError("only the Program's parameters have defaults", self._token_span(self._peek()), None)
            if self._accept("EQUALS"):
                default = self._default()
            params.append(A.Param(kind, at.value, default, tuple(needs), span=self._token_span(at)))
        self._expect("RPAREN")
        return tuple(params)

    def _default(self) -> A.Expr:
        first = self._accept("AUTO")
        if first is None:
            return self._expression()
        if not self._accept("LPAREN"):
            raise IrglError("auto needs the value to use until a tuner knows better", self._token_span(first),
                            "write auto(EXPRESSION)")
        value = self._expression()
        self._expect("RPAREN")
        return A.Call("auto", (value,), span=self._token_span(first, self._last))

    def _clause(self) -> A.Clause:
        first = self._take_word("verify", "tolerance", "any_valid", "{")
        if first.value == "any_valid":
            return A.AnyValid(span=self._token_span(first))
        if first.value == "tolerance":
            return A.Tolerance(self._expression(), span=self._token_span(first, self._last))
        verifier = self._take_name("a verifier")
        roles: list[A.Role] = []
        self._expect("LPAREN")
        while not self._accept("RPAREN"):
            if roles:
                self._comma(")")
            at = self._peek()
            role = self._take_name("a role")
            self._expect("EQUALS")
            roles.append(A.Role(role, self._expression(), span=self._token_span(at, self._last)))
        return A.Verify(verifier, tuple(roles), span=self._token_span(first, self._last))


@contextmanager
def _room_to_recurse() -> Iterator[None]:
    """pycparser's descent takes about 20 calls a level: room for MAX_DEPTH of them, whatever calls us."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 100 * MAX_DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
