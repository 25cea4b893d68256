"""What all parts of the grammar share: positions, expectations and their messages, words, types, depth."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NoReturn, TypeVar

from pycparser import c_ast
from pycparser.c_parser import CParser

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.frontends.depth import check_depth
from irgl.frontends.imports import header_of
from irgl.frontends.literals import INT_WORDS, integer_type, parse_type
from irgl.frontends.text.lexer import Lexer
from irgl.frontends.text.lower import Lowering
from irgl.frontends.text.spelling import DECLARATIONS, instead_of
from irgl.source import IrglError, Source, Span

#: What maps are called elsewhere.
_MAPS = ("map", "dict", "Dict", "Counter", "counter", "unordered_map", "hashmap", "HashMap", "multiset", "defaultdict")
_TYPE_TOKENS = {"VOID", "FLOAT", "DOUBLE", "_BOOL", "STRUCT", "TYPEID"} | {w.upper() for w in INT_WORDS}
_SPELLING = {
    "SEMI": "';'", "LPAREN": "'('", "RPAREN": "')'", "LBRACE": "'{'", "RBRACE": "'}'", "LBRACKET": "'['",
    "RBRACKET": "']'", "COMMA": "','", "COLON": "':'", "EQUALS": "'='", "WHILE": "'while'", "ID": "a name",
    "STRING_LITERAL": "a string",
}  # fmt: skip
_OPENING = {"LBRACE": "RBRACE", "LPAREN": "RPAREN", "LBRACKET": "RBRACKET"}

R = TypeVar("R")


class Base(CParser):  # type: ignore[misc]
    """Parses one source. `known` are type names that imports have declared; `generics` their library types."""

    def __init__(self, source: Source, known: set[str], generics: set[str]) -> None:
        super().__init__(lexer=Lexer)
        self.source = source
        self._last: Any = None
        self._open: list[Any] = []
        self._depth = 0
        self._ranges: dict[int, tuple[Any, Any]] = {}
        self._keep: list[Any] = []
        self.lower = Lowering(self._span_of)
        assert isinstance(self.clex, Lexer)
        self.clex.generics |= generics
        self.clex.source = source
        self._declared = known | generics
        self._known = set(T.NAMES) - {"void", "float", "double", "_Bool"} | known

    # Positions

    def _peek(self, k: int = 1) -> Any:
        # The stream underneath fails when asked for what lies behind its end.
        if k > 1 and any(self._tokens.peek(j) is None for j in range(1, k)):
            return None
        return super()._peek(k)

    def _advance(self) -> Any:
        if self._peek() is None:
            self._fail_at_end()
        self._last = super()._advance()
        kind = self._last.type
        if kind in _OPENING:
            self._open.append(self._last)
        elif self._open and kind == _OPENING[self._open[-1].type]:
            self._open.pop()
        return self._last

    def _token_span(self, first: Any, last: Any = None) -> Span:
        last = first if last is None else last
        lines = last.value.split("\n")
        end = last.column + len(last.value) if len(lines) == 1 else len(lines[-1]) + 1
        return Span(self.source, first.lineno, first.column, last.lineno + len(lines) - 1, end)

    def _spanned(self, node: Any, first: Any) -> Any:
        if node is not None and first is not None and self._last is not None:
            self._ranges[id(node)] = (first, self._last)
            self._keep.append(node)
        return node

    def _span_of(self, node: c_ast.Node) -> Span:
        found = self._ranges.get(id(node))
        if found is not None:
            return self._token_span(*found)
        spans = [self._span_of(child) for _, child in node.children()]
        coord = node.coord
        if coord is not None:
            spans.append(Span(self.source, coord.line, coord.column or 1, coord.line, (coord.column or 1) + 1))
        if not spans:
            return Span(self.source, 1, 1, 1, 2)
        first = min(spans, key=lambda s: (s.line, s.column))
        return first.to(max(spans, key=lambda s: (s.end_line, s.end_column)))

    def _deeper(self, parse: Callable[[], R]) -> R:
        """What `parse` gives, one level deeper. IrglError where that is too deep."""
        self._depth += 1
        check_depth(self._token_span(self._peek()) if self._peek() is not None else None, self._depth)
        result = parse()
        self._depth -= 1
        return result

    # Mistakes

    def _parse_error(self, msg: str, coord: Any) -> NoReturn:
        """The few complaints of pycparser that nothing of ours forestalls."""
        token = self._peek()
        if token is None:
            self._fail_at_end()
        line = getattr(coord, "line", None)
        span = self._token_span(token)
        if line is not None:
            span = Span(self.source, line, coord.column or 1, line, (coord.column or 1) + 1)
        raise IrglError(msg[:1].lower() + msg[1:], span, None)

    def _fail_at_end(self) -> NoReturn:
        if self._open:
            token = self._open[-1]
            close = _SPELLING[_OPENING[token.type]]
            raise IrglError(f"the text ends, and this '{token.value}' is still open", self._token_span(token),
                            f"a {close} is missing: its own, or one further in")
        lines = self.source.text.rstrip().split("\n")
        where = Span(self.source, len(lines), len(lines[-1]) + 1, len(lines), len(lines[-1]) + 2)
        raise IrglError("the text ends in the middle of a declaration", where, None)

    def _expect(self, token_type: str) -> Any:
        if self._peek_type() != token_type:
            self._unexpected(_SPELLING.get(token_type, f"'{token_type.lower()}'"))
        return self._advance()

    def _comma(self, close: str) -> None:
        """The comma between two parts of a list that ends with `close`."""
        if self._accept("COMMA") is None:
            self._unexpected(f"',' or '{close}'")

    def _unexpected(self, wanted: str, hint: str | None = None) -> NoReturn:
        token = self._peek()
        if token is None:
            self._fail_at_end()
        last = self._last
        if last is not None and wanted in ("';'", "')'", "']'") and self._token_span(last).end_line < token.lineno:
            end = self._token_span(last)
            where = Span(self.source, end.end_line, end.end_column, end.end_line, end.end_column + 1)
            raise IrglError(f"missing {wanted}", where, hint)
        if hint is None:
            hint = instead_of(token.value, None if last is None else last.value)
        raise IrglError(f"expected {wanted}, found '{token.value}'", self._token_span(token), hint)

    # Words

    def _is_type_in_scope(self, name: str) -> bool:
        if "<" in name or name in self._known:
            return all(scope.get(name, True) for scope in self._scope_stack)
        return bool(super()._is_type_in_scope(name))

    def _at_word(self, *words: str, k: int = 1) -> bool:
        token = self._peek(k)
        return token is not None and token.type in ("ID", "TYPEID") and token.value in words

    def _take_word(self, *words: str, hint: str | None = None) -> Any:
        if not self._at_word(*words):
            quoted = [f"'{w}'" for w in words]
            self._unexpected(" or ".join([", ".join(quoted[:-1]), quoted[-1]] if len(words) > 1 else quoted), hint)
        return self._advance()

    def _take_name(self, what: str, hint: str | None = None) -> str:
        token = self._peek()
        if token is None:
            self._fail_at_end()
        if token.type != "ID":
            if hint is None and token.type in _TYPE_TOKENS:
                hint = f"'{token.value}' is a type"
            elif hint is None and token.value.isidentifier():
                hint = f"'{token.value}' is a word of C"
            raise IrglError(f"expected the name of {what}, found '{token.value}'", self._token_span(token), hint)
        name: str = self._advance().value
        return name

    # Types

    def _starts_type(self, k: int = 1) -> bool:
        return self._peek_type(k) in _TYPE_TOKENS

    def _type(self) -> T.Type:
        first = self._peek()
        if first is None:
            self._fail_at_end()
        if first.type not in _TYPE_TOKENS:
            if first.type == "ID":
                self._unknown_type(first)
            self._unexpected("a type")
        self._advance()
        if first.type == "STRUCT":
            return T.Named(self._advance().value if self._peek_type() == "TYPEID" else self._take_name("a struct"))
        if first.value not in INT_WORDS:
            kind = parse_type(first.value)
            self._refuse_unknown(kind, first)
            return self._ordered(kind, first) if isinstance(kind, T.Worklist) and kind.kind == T.QUEUE else kind
        words = [first.value]
        while self._peek_type() in {w.upper() for w in INT_WORDS} | {"DOUBLE"}:
            words.append(self._advance().value)
        found = integer_type(words)
        if found is None:
            raise IrglError(f"'{' '.join(words)}' is no type", self._token_span(first, self._last),
                            "use double" if "double" in words else None)
        return found

    def _ordered(self, queue: T.Worklist, first: Any) -> T.Type:
        """A priority queue with what it goes by: `priority_queue<node>(higher_first level / delta)`."""
        if self._peek_type() != "LPAREN":
            raise IrglError("by what is the queue ordered?", self._token_span(first),
                            "write the property: priority_queue<node>(distance / delta)")
        self._advance()
        at, words = self._peek(), list[str]()
        while self._peek_type() not in ("RPAREN", None):
            words.append(self._advance().value)
        by = T.Priority.parse(" ".join(words))
        if by is None:
            raise IrglError("a queue is ordered by a property, or by one divided by a parameter",
                            self._token_span(at, self._last), "write priority_queue<node>(higher_first level / delta)")
        self._expect("RPAREN")
        return replace(queue, by=by)

    def _refuse_unknown(self, kind: T.Type, token: Any) -> None:
        inner = kind.args if isinstance(kind, T.Named) else (kind.item,) if isinstance(kind, T.Worklist) else ()
        for t in inner:
            if isinstance(t, T.Named) and not t.args and t.name not in self._known:
                self._unknown_type(token, t.name)
            self._refuse_unknown(t, token)

    def _unknown_type(self, token: Any, name: str | None = None) -> NoReturn:
        word = token.value if name is None else name
        generics = self.clex.generics if isinstance(self.clex, Lexer) else set()
        words = self._known | generics | INT_WORDS | {"float", "double", "void"}
        near = difflib.get_close_matches(word, sorted(words), 1)
        hint = f"did you mean '{near[0]}'?" if near else "types are declared outside all braces, or imported"
        header = header_of(word)
        if header is not None:
            hint = f'import "{header}";'
        if word in _MAPS:
            hint = 'import "counts.irgl"; a Counts<KEY> has a number for each key: add(key, n), get(key), keys'
        if word == "Graph" and not near:
            hint = f"declare it first: {DECLARATIONS['graph'].replace('NAME', word)}"
        raise IrglError(f"unknown type '{word}'", self._token_span(token), hint)

    def _expression(self) -> A.Expr:
        return self.lower.expr(self._parse_assignment_expression())


def own_types(text: str) -> tuple[set[str], set[str]]:
    """The types that a text (without comments) declares, wherever it does, and those of them that take arguments."""
    found = re.findall(r"\b(?:struct|graph|library)\s+([A-Za-z_]\w*)\s*([<{\"])", text)
    return {name for name, mark in found if mark != "<"}, {name for name, mark in found if mark == "<"}
