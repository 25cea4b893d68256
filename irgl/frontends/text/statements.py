"""The grammar of statements: which one comes next, declarations of variables, and what was meant instead."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.text.constructs import Constructs
from irgl.frontends.text.lower import Parsed
from irgl.frontends.text.spelling import DECLARATIONS, USAGE, right_word
from irgl.source import IrglError


class Statements(Constructs):
    # Declarations of variables

    def _parse_declaration(self) -> list[c_ast.Node]:
        first = self._peek()
        if self._accept("AUTO") is not None:
            return [self._auto_variable()]
        kind = self._type()
        found: list[c_ast.Node] = []
        while True:
            at = self._declarator("a variable", kind, several=True)
            of = self._lengths(kind)
            if self._peek_type() == "LPAREN":
                raise IrglError(f"function '{at.value}' is declared inside a block", self._token_span(at),
                                "functions stand outside all braces")
            init = self._initialiser()
            found.append(self._spanned(Parsed(A.VarDecl(of, at.value, init, span=self._token_span(at))), first))
            self._add_identifier(at.value, None)
            if self._accept("COMMA") is None:
                break
        self._expect("SEMI")
        return found

    def _auto_variable(self) -> c_ast.Node:
        at = self._peek()
        name = self._take_name("a variable")
        if self._peek_type() != "EQUALS":
            raise IrglError(f"'{name}' has neither type nor value", self._token_span(at),
                            "give it a type, or a first value")
        init = self._initialiser()
        self._expect("SEMI")
        self._add_identifier(name, None)
        return self._spanned(Parsed(A.VarDecl(T.AUTO, name, init, span=self._token_span(at))), at)

    def _declarator(self, what: str, kind: T.Type, *, several: bool = False) -> Any:
        """The token of the name that a declaration of type `kind` gives; several: of values, it may say how many."""
        token = self._peek()
        if token is not None and token.type in ("TIMES", "AND"):
            raise IrglError("pointers are not part of the language", self._token_span(token),
                            "use nodes, edges, properties and arrays")
        if token is not None and token.type == "LT" and isinstance(kind, T.Named):
            raise IrglError(f"'{kind}' takes no types in < >", self._token_span(token), None)
        self._take_name(what)
        if self._peek_type() == "LBRACKET" and not several:
            raise IrglError("C arrays are not part of the language", self._token_span(self._peek()),
                            'import "array.irgl" and use array<T>')
        return token

    def _lengths(self, kind: T.Type) -> T.Type:
        """Behind the name of a property, a variable or a parameter: `[20]` or `[K]`, so many values of type `kind`; of
        a parameter `[20][K]`, so many rows of as many."""
        if self._accept("LBRACKET") is None:
            return kind
        at = self._peek()
        length = self._expression()
        span = self._token_span(at, self._last)
        self._expect("RBRACKET")
        of = self._lengths(kind)
        match length:
            case A.IntLit():
                return T.Vector(of, length.value)
            case A.Name(id=word):
                return T.Vector(of, 0, word)
        raise IrglError("how many values there are is a plain number, or a constant", span,
                        "declare one: const int K = 20;")

    def _initialiser(self) -> A.Expr | None:
        return self._expression() if self._accept("EQUALS") is not None else None

    # Statements

    def _starts_declaration(self, tok: Any = None) -> bool:
        """Does a declaration come next? A type called as a statement is, `Iterate`, begins none where that is meant."""
        first = tok or self._peek()
        if first is None or not super()._starts_declaration(first):
            return False
        variable = self._peek_type(3) in ("SEMI", "EQUALS", "COMMA")
        return variable or first.type != "TYPEID" or self._statement_hook(first) is None

    def _parse_statement(self) -> c_ast.Node:
        return self._deeper(self._statement)

    def _statement(self) -> c_ast.Node:
        first = self._peek()
        if first is None:
            self._fail_at_end()
        if first.type in ("ID", "TYPEID"):
            handler = self._statement_hook(first)
            if handler is not None:
                self._advance()
                return self._spanned(Parsed(handler(first)), first)
            self._refuse_misspelt(first)
        elif first.type == "FOR":
            self._refuse_iterator(first)
        elif first.type == "ELSE":
            raise IrglError("'else' without its if", self._token_span(first), None)
        elif self._starts_declaration(first):
            raise IrglError("a declaration can't be the only statement of a branch or loop", self._token_span(first),
                            "put it in braces")
        elif not (self._starts_statement() or self._starts_expression(first)):
            self._unexpected("a statement")
        node = super()._parse_statement()
        # An expression keeps its own span, without the `;` behind it.
        return node if id(node) in self._ranges else self._spanned(node, first)

    def _refuse_iterator(self, first: Any) -> None:
        """Raises IrglError where C's for gets an iterator: `for (n In g.nodes)`, `for (node n : g.nodes)`."""
        k = 4 if self._starts_type(3) else 3
        if self._peek_type(k) == "ID" and (self._at_word("In", "in", k=k + 1) or self._peek_type(k + 1) == "COLON"):
            name = self._peek(k).value
            raise IrglError("C's for takes no iterator", self._token_span(first),
                            f"write For ({name} In ...), or ForAll for iterations in any order")

    def _refuse_misspelt(self, first: Any) -> None:
        """Raises IrglError where a statement is none of the language's, but means to be one."""
        second, third = self._peek(2), self._peek(3)
        after = second.type if second is not None else ""
        if first.value in DECLARATIONS and after in ("ID", "TYPEID", "STRING_LITERAL"):
            raise IrglError(f"'{first.value}' stands outside all braces", self._token_span(first),
                            "is a '}' missing above?")
        word = right_word(first.value)
        if word is not None and self._reads_as_statement(word, after):
            hint = f"it is spelt {word}: {USAGE[word]}" if word != first.value else f"it reads: {USAGE[word]}"
            raise IrglError(f"'{first.value}' does not begin a statement like this", self._token_span(first), hint)
        if self._peek_type() == "ID" and third is not None:
            if after == "ID" and third.type in ("SEMI", "EQUALS", "COMMA") and not (
                third.type == "EQUALS" and second.value in ("min", "max", "xchg")
            ):
                self._unknown_type(first)
            if after == "LT" and self._starts_type(3):
                self._unknown_type(first)

    def _reads_as_statement(self, word: str, after: str) -> bool:
        if after in ("LBRACE", "TYPEID", "STRING_LITERAL") or (after == "ID" and self._peek_type(3) != "EQUALS"):
            return True
        if after == "SEMI":
            return word in ("Pipe", "Iterate", "Invoke", "Retry", "Respawn", "SyncRunningThreads", "ForAll")
        return after == "LPAREN" and (
            (self._peek_type(3) in ("ID", "TYPEID") and self._peek_type(4) in ("ID", "TYPEID", "COLON"))
            or self._call_then_brace()
        )

    def _call_then_brace(self) -> bool:
        """Does `name(...)` come next, and then a `{`?"""
        depth, k = 0, 2
        while (kind := self._peek_type(k)) is not None and kind != "SEMI" and k < 200:
            depth += {"LPAREN": 1, "RPAREN": -1}.get(kind, 0)
            if depth == 0:
                return bool(self._peek_type(k + 1) == "LBRACE")
            k += 1
        return False

    def _statement_hook(self, first: Any) -> Any:
        after = self._peek_type(2) or ""
        call, name = after == "LPAREN", after in ("ID", "TYPEID") and self._peek_type(3) != "EQUALS"
        match first.value:
            case "ForAll" | "For" if call:
                return self._loop
            case "ReduceAndReturn" if call:
                return self._reduce_and_return
            case "Atomic" if call:
                return self._atomic
            case "Exclusive" if call:
                return self._exclusive
            case "SyncRunningThreads" if call or name or after in ("SEMI", "RBRACE"):
                return self._sync
            case "Retry" | "Respawn" if name or call:
                return self._retry
            case "Invoke" if name:
                return self._invoke
            case "Iterate" if name:
                return self._iterate
            case "Pipe" if name or after == "LBRACE":
                return self._pipe
            case "Sections" if name or after == "LBRACE":
                return self._sections
            case "CBlock" if name or after == "LBRACE":
                return self._cblock
            case "racy" | "relaxed" if after in ("ID", "TYPEID"):
                return self._access
            case _:
                return None
