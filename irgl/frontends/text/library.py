"""The grammar of library headers: what a type of a C++ header offers, and how."""

from __future__ import annotations

from typing import Any

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.text.statements import Statements
from irgl.source import IrglError


class Libraries(Statements):
    def _declare_type(self, what: str) -> str:
        token = self._peek()
        if token is not None and (token.value in self._declared or token.value in T.NAMES):
            raise IrglError(f"'{token.value}' is a type already", self._token_span(token), "choose another name")
        name: str = self._advance().value if self._at_word(*self._known) else self._take_name(what)
        self._declared.add(name)
        self._known.add(name)
        return name

    def _params(self, entry: bool) -> tuple[A.Param, ...]:
        raise NotImplementedError

    def _library(self, first: Any) -> A.Decl:
        generic = self._advance().value
        name, _, rest = generic.partition("<")
        params = tuple(p for p in rest.rstrip(">").split(", ") if p)
        if name in self._declared:
            raise IrglError(f"'{name}' is a type already", self._token_span(self._last), "choose another name")
        self._declared.add(name)
        span = self._token_span(first, self._last)
        header = self._expect("STRING_LITERAL").value[1:-1]
        before = set(self._known)
        self._known |= {name, *params}
        self._expect("LBRACE")
        features: list[A.Feature] = []
        while not self._accept("RBRACE"):
            features.append(self._feature())
        self._accept("SEMI")
        self._known = before if params else before | {name}
        return A.Library(name, params, header, tuple(features), span=span)

    def _feature(self) -> A.Feature:
        first = self._peek()
        if self._at_word("own", "stays"):
            feature = A.Own if self._advance().value == "own" else A.Stays
            self._expect("SEMI")
            return feature(span=self._token_span(first, self._last))
        if self._at_word("iterator", "elements", "exclusive"):
            word = self._advance().value
            exclusive = word == "exclusive"
            word = self._take_word("elements").value if exclusive else word
            item = self._type()
            if word == "elements":
                self._expect("SEMI")
                return A.Elements(item, exclusive, span=self._token_span(first, self._last))
            name = self._take_name("an iterator")
            self._expect("SEMI")
            return A.Iterator(item, name, span=self._token_span(first, self._last))
        effect = self._advance() if self._at_word("reads", "writes", "appends") else None
        kind = self._type()
        name = self._take_name("a feature")
        if self._accept("SEMI"):
            if effect is not None:
                raise IrglError(f"'{name}' is an attribute: only methods have effects", self._token_span(effect),
                                f"leave out '{effect.value}', or write {name}()")
            return A.Attribute(kind, name, span=self._token_span(first, self._last))
        params = self._params(entry=False)
        forms = []
        while not self._accept("SEMI"):
            level = self._take_word("thread", "warp", "threadblock", "task", ";")
            self._expect("LPAREN")
            function = self._take_name("an aggregated form")
            self._expect("RPAREN")
            forms.append(A.Cooperative(level.value, function, span=self._token_span(level, self._last)))
        word = "reads" if effect is None else effect.value
        return A.Method(kind, name, params, word, tuple(forms), span=self._token_span(first, self._last))
