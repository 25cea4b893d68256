"""Which declaration each name of a text means: what references and renaming stand on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from irgl.analysis.names.symbols import Checked, Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.frontends.raw import blank_comments, set_raw_blocks_aside
from irgl.source import Source, Span

_WORD_OR_STRING = re.compile(r'"(?:\\.|[^"\\\n])*"|[^\W\d]\w*')
#: Line and column, from 1.
Place = tuple[int, int]


class Meaning(NamedTuple):
    """A declaration: of what kind, in which file, by which name, and for variables and fields of what."""

    kind: str
    path: str
    name: str
    of: str = ""


class Bindings:
    """The names of one file of a program, each with the declaration that it means.

    words: all of them, by place, those of comments, strings and raw blocks left out. meaning: of those that mean
    something that a text declares. raw: the words of raw blocks, which mean what C++ or CUDA says.
    """

    def __init__(self, checked: Checked, source: Source) -> None:
        self.checked, self.source, self.path = checked, source, source.path
        plain, raw = set_raw_blocks_aside(source, blank_comments(source))
        self.words: dict[Place, str] = {}
        self._lines = plain.split("\n")
        for number, line in enumerate(self._lines, 1):
            for m in _WORD_OR_STRING.finditer(line):
                if not m.group().startswith('"'):
                    self.words[number, m.start() + 1] = m.group()
        self.raw = {m.group() for body in raw.values() for m in _WORD_OR_STRING.finditer(body)}
        self.meaning: dict[Place, Meaning] = {}
        self._apart: set[Place] = set()  # names of roles and labels, which mean nothing that is declared
        self._variables: dict[Symbol, Meaning] = {}
        own = [d for d in checked.program.decls if d.span is not None and d.span.source.path == self.path]
        nodes = [n for d in own for n in walk(d)]
        for n in nodes:
            if n.span is not None:
                self._declared(n, n.span)
        for n in nodes:
            if n.span is not None:
                self._used(n, n.span)
        self._by_name(own)

    def at(self, line: int, column: int) -> Meaning | None:
        """What the name at a line (from 1) and column (from 0) means."""
        place = self.place_of(line, column)
        return self.meaning.get(place) if place is not None else None

    def place_of(self, line: int, column: int) -> Place | None:
        """Where the name begins that a line (from 1) and column (from 0) touches."""
        return next(((at, c) for (at, c), word in self.words.items()
                     if at == line and c <= column + 1 <= c + len(word)), None)

    def places(self, meaning: Meaning) -> list[Place]:
        """Where names of this file mean that, in the order of the text."""
        return sorted(place for place, found in self.meaning.items() if found == meaning)

    def _note(self, place: Place, word: str, meaning: Meaning) -> None:
        if self.words.get(place) == word:
            self.meaning.setdefault(place, meaning)

    def _declared(self, n: A.Node, span: Span) -> None:
        symbol = self.checked.symbols.get(n)
        if symbol is not None and isinstance(n, A.VarDecl | A.Param | A.For | A.ForAll):
            place = (span.line, span.column)
            if isinstance(n, A.For | A.ForAll):
                place = next((p for p in sorted(self.words) if p > place and self.words[p] == n.var), place)
            self._variables[symbol] = Meaning("variable", self.path, symbol.name, f"{place[0]}:{place[1]}")
            self._note(place, symbol.name, self._variables[symbol])
        elif isinstance(n, A.Role | A.Labeled):
            self._apart.add((span.line, span.column))
        elif isinstance(n, A.Struct):
            for f in n.fields:
                if f.span is not None:
                    self._note((f.span.line, f.span.column), f.name, _field(n, f.name))
        elif isinstance(n, A.GraphType):
            for p in n.properties:
                if p.span is not None:
                    self._note((p.span.line, p.span.column), p.name, _property(n, p))

    def _used(self, n: A.Node, span: Span) -> None:
        match n:
            case A.Name():
                symbol = self.checked.symbols.get(n)
                if symbol in self._variables:
                    self._note((span.line, span.column), n.id, self._variables[symbol])
            case A.Member():
                found = self._member(n)
                if found is not None:
                    self._note((span.end_line, span.end_column - len(n.name)), n.name, found)
            case _:
                pass

    def _member(self, e: A.Member) -> Meaning | None:
        t = self.checked.types.get(e.object)
        if isinstance(t, T.NodeT | T.EdgeT):
            owner = "node" if isinstance(t, T.NodeT) else "edge"
            return next((_property(g, p) for g, p in self._properties() if (p.owner, p.name) == (owner, e.name)), None)
        if isinstance(t, T.Named) and t.name in self.checked.structs:
            return _field(self.checked.structs[t.name], e.name)
        return None

    def _properties(self) -> Iterator[tuple[A.GraphType, A.Property]]:
        for g in self.checked.graph_types.values():
            for p in g.properties:
                yield g, p

    def _by_name(self, own: list[A.Decl]) -> None:
        """Names that are no expressions: of kernels, helpers, types and queues, in queues' orders and what is verified.

        Of a variable where the kernel, helper or Program has one of that name.
        """
        declared = {p.name: _property(g, p) for g, p in self._properties()}
        for d in self.checked.program.decls:
            if not isinstance(d, A.Import) and d.span is not None:
                declared[d.name] = Meaning("declaration", _file(d), d.name)
        begins = sorted((d.span.line, d.span.column, k) for k, d in enumerate(own) if d.span is not None)
        within = [{self._place_of_variable(n) for n in walk(d)} for d in own]
        for place, word in sorted(self.words.items()):
            if place in self.meaning or place in self._apart or self._behind_dot(place):
                continue
            k = next((k for line, column, k in reversed(begins) if (line, column) <= place), None)
            inside = [] if k is None else [v for v in self._variables.values() if v.name == word and v.of in within[k]]
            if len(inside) == 1:
                self.meaning[place] = inside[0]
            elif word in declared:
                self.meaning[place] = declared[word]

    def _place_of_variable(self, n: A.Node) -> str:
        symbol = self.checked.symbols.get(n)
        return self._variables[symbol].of if symbol in self._variables else ""

    def _behind_dot(self, place: Place) -> bool:
        return self._lines[place[0] - 1][: place[1] - 1].rstrip().endswith(".")


def _file(n: A.Node) -> str:
    return n.span.source.path if n.span is not None else ""


def _property(g: A.GraphType, p: A.Property) -> Meaning:
    return Meaning("property", _file(g), p.name, p.owner)


def _field(s: A.Struct, name: str) -> Meaning:
    return Meaning("field", _file(s), name, s.name)
