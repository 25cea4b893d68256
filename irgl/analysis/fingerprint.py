"""What a program says, as a digest: the same for every copy of it under other names, and another for another program.

A tuner remembers by it which plan was fast for which program.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace

from irgl.analysis.names import members as M
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import field_names

#: Changes with what is digested, or how.
VERSION = "1"


def fingerprint(checked: Checked, own: Sequence[str] = ()) -> str:
    """The digest, 32 hexadecimal digits, of a checked program as it is written: before any pass.

    Its own names are numbered in the order in which they come, each variable by itself, so that it does not matter how
    they are called; names of the language, of library types and their methods stay. Left out is what does not change
    how it runs: comments, places, labels, and by what an answer is verified. Another order of declarations is another
    program. A CBlock's text is taken as it is, with the names in it, and so is `own`, the C++ of library types that are
    the program's own.
    """
    digest = hashlib.sha256()
    for word in (VERSION, *_Words(checked).of(checked.program), *own):
        digest.update(f"{len(word)}:{word}".encode())
    return digest.hexdigest()[:32]


class _Words:
    """The words of a program, its own names numbered. Each node is its kind and its fields, each list its length."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.decls = {d.name: f"decl {k}" for k, d in enumerate(checked.program.decls)
                      if not isinstance(d, A.Import | A.Library)}
        self.numbers: dict[Symbol, str] = {}
        self.variables: dict[str, Symbol] = {}  # of one declaration, as types name the graphs among them

    def of(self, node: A.Node) -> Iterator[str]:
        match node:
            case A.Labeled():
                yield from self.of(node.body)
            case A.Library():
                features = tuple(f for f in node.features if not isinstance(f, A.Own | A.Stays))  # they only allow
                yield from self._plainly(replace(node, features=features))
            case A.Kernel() | A.Function() | A.Entry():
                self.variables = {p.name: self.checked.symbols[p] for p in node.params}
                yield from self._fields(node, "clauses")
            case _:
                yield from self._fields(node)

    def _fields(self, node: A.Node, left_out: str = "") -> Iterator[str]:
        yield type(node).__name__
        for name in field_names(type(node)):
            if name != left_out and not (name in ("given", "hidden", "axis", "queue") and (
                    getattr(node, name) is None or getattr(node, name) is False)):
                yield from self._value(node, name, getattr(node, name))

    def _value(self, node: A.Node, field: str, value: object) -> Iterator[str]:
        if isinstance(value, A.Node):
            yield from self.of(value)
        elif isinstance(value, tuple):
            yield str(len(value))
            for one in value:
                yield from self._value(node, "", one)
        elif isinstance(value, str):
            yield self._name(node, field, value)
        elif isinstance(value, T.Type):
            yield from self._type(value)
        else:
            yield repr(value)

    def _name(self, node: A.Node, field: str, name: str) -> str:
        """A string in a node: a number where it is a name of the program's own."""
        match node, field:
            case (A.VarDecl() | A.Param() | A.Global(), "name") | ((A.For() | A.ForAll()), "var") | (A.Name(), "id"):
                return self._variable(node, name)
            case (A.Struct() | A.GraphType() | A.Function() | A.Kernel() | A.Entry(), "name"):
                return ""  # its place among the declarations says which it is
            case (A.Property() | A.Field(), "name"):
                return ""
            case ((A.Invoke() | A.InvokeResult() | A.Iterate()), "kernel") | (A.Call(), "function"):
                return self.decls.get(name, name)
            case A.Invoke(), "queue":
                return self._variable(node, name)
            case A.Member(), "name" if not M.is_reverse(node, self.checked):
                return self._member(self.checked.types[node.object], name)
            case _:
                return name

    def _variable(self, node: A.Node, name: str) -> str:
        symbol = self.checked.symbols.get(node)
        if symbol is None:
            return name  # WL, INF, NONE
        if not isinstance(node, A.Name | A.Global):
            self.variables[name] = symbol
        return self._number(symbol)

    def _number(self, symbol: Symbol) -> str:
        return self.numbers.setdefault(symbol, f"variable {len(self.numbers)}")

    def _member(self, of: T.Type, name: str) -> str:
        if isinstance(of, T.Named) and of.name in self.checked.structs:
            return f"field {list(self.checked.fields(of) or ()).index(name)}"
        if not isinstance(of, T.NodeT | T.EdgeT) or name in (*M.node_members(""), *M.edge_members("")):
            return name
        owner = "node" if isinstance(of, T.NodeT) else "edge"
        places = [f"{self.decls[g.name]} {k}" for g in self.checked.graph_types.values()
                  for k, p in enumerate(g.properties) if p.owner == owner and p.name == name]
        return f"property {', '.join(places)}"

    def _type(self, t: T.Type) -> Iterator[str]:
        match t:
            case T.Named():
                yield f"type {self.decls.get(t.name, t.name)}"
                yield str(len(t.args))
                for arg in t.args:
                    yield from self._type(arg)
            case T.NodeT() | T.EdgeT():
                graph = self.variables.get(t.graph)
                yield f"{type(t).__name__} {isinstance(t, T.EdgeT) and t.incoming}"
                yield t.graph if graph is None else self._number(graph)
            case T.Worklist():
                yield f"{t.kind} {t.unique}"
                yield from self._type(t.item)
                if t.by is not None:
                    delta = self.variables.get(t.by.delta)
                    yield f"{t.by.higher} {'' if delta is None else self._number(delta)}"
                    yield self._member(T.NODE, t.by.property)
            case _:
                yield repr(t)

    def _plainly(self, node: A.Node) -> Iterator[str]:
        """All that a library says, names included, but those of its methods' parameters: they are its header's."""
        yield type(node).__name__
        for name in field_names(type(node)):
            value = "" if isinstance(node, A.Param) and name == "name" else getattr(node, name)
            for one in value if isinstance(value, tuple) else (value,):
                yield from self._plainly(one) if isinstance(one, A.Node) else (repr(one),)
            yield "."
