"""Types in Python annotations: `int`, `node`, `list[node]`, `unique[list[node]]`, `node["h"]`, `arrays.array[long]`."""

from __future__ import annotations

import ast
import difflib

from irgl.ast import types as T
from irgl.frontends.python.names import Names
from irgl.frontends.python.places import Places
from irgl.notation import LISTS, TYPES

_PLAIN: dict[str, T.Type] = {
    word: T.AUTO if name == "auto" else T.INT if name == "int" else T.LONG if name == "long" else T.NAMES[name]
    for word, name in TYPES.items()
}


class Types:
    """`params`: the names that stand for types inside a library's declaration."""

    def __init__(self, names: Names, params: tuple[str, ...] = ()) -> None:
        self.names = names
        self.places: Places = names.places
        self._params = params

    def type(self, node: ast.expr) -> T.Type:
        """The type of an annotation. IrglError where it is none."""
        match node:
            case ast.Constant(value=None):
                return T.VOID
            case ast.Constant(value=str(text)):
                return self.type(self.quoted(node, text))
            case ast.Subscript():
                return self._with_arguments(node)
            case ast.Attribute(value=ast.Name(id=name)) if name in self.names.includes:
                return self._named(node.attr, node)
            case ast.Name() | ast.Attribute():
                found = self.plain(node)
                if found is not None:
                    return found
        raise self.places.refused(
            "this is no type", node, "types read int, node, list[node], Graph; see docs/python.md"
        )

    def plain(self, node: ast.expr) -> T.Type | None:
        """The type that a name is; None where it is a word that is none."""
        word = self.names.word(node)
        if word is not None:
            if word in LISTS:
                raise self.places.refused(f"'{word}' of what?", node, f"write {word}[node]")
            return _PLAIN.get(word)
        return self._named(node.id, node) if isinstance(node, ast.Name) else None

    def _named(self, name: str, node: ast.expr) -> T.Type:
        kind = self.names.kind(name)
        if name in self._params or kind in ("struct", "graph", "library"):
            return T.Named(self.names.real(name))
        what = self.names.foreign.get(name) or (f"a {kind}" if kind is not None else None)
        if what is not None:
            raise self.places.refused(
                f"'{name}' is {what}, and no type of a program",
                node,
                "types read int, long, double, node, edge, list[node], or a class with @irgl.struct",
            )
        types = [n for n, (k, _) in self.names.declared.items() if k in ("struct", "graph", "library")]
        near = difflib.get_close_matches(name, sorted([*types, *_PLAIN, *LISTS]), 1)
        if name in ("str", "dict", "tuple", "object", "complex", "bytes", "Any"):
            raise self.places.refused(
                f"a program has no type '{name}'", node,
                "there are int, long, float, double, bool, node, edge and lists of them: list[node]")
        raise self.places.refused(
            f"unknown type '{name}'",
            node,
            f"did you mean '{near[0]}'?" if near else "types are declared by @irgl.graph and @irgl.struct, or included",
        )

    def quoted(self, node: ast.Constant, text: str) -> ast.expr:
        """The expression in a string, at its place in the source."""
        try:
            inner = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError):
            raise self.places.refused("this is no type", node, "types read int, node, list[node], Graph") from None
        for part in ast.walk(inner):
            if isinstance(part, ast.expr) and part.lineno == 1 and node.lineno == node.end_lineno:
                part.lineno = part.end_lineno = node.lineno
                part.col_offset += node.col_offset + 1
                part.end_col_offset = (part.end_col_offset or 0) + node.col_offset + 1
            else:
                ast.copy_location(part, node)
        return inner

    def _with_arguments(self, node: ast.Subscript) -> T.Type:
        args = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        word = self.names.word(node.value)
        if word in ("node", "edge"):
            graph = self._graph_name(args, node)
            return T.NodeT(graph) if word == "node" else T.EdgeT(graph=graph)
        if word == "unique":
            inner = self.type(args[0])
            if not isinstance(inner, T.Worklist) or len(args) > 1:
                raise self.places.refused("only a list is unique", node.slice, "write unique[list[node]]")
            return T.Worklist(inner.kind, inner.item, True)
        if word == T.QUEUE:
            return self._ordered(args, node)
        if word == "vector":
            of = self.type(args[0])
            for length in reversed(args[1:]):
                of = self.vector(of, length)
            if not isinstance(of, T.Vector):
                raise self.places.refused("how many values has the vector?", node, "write vector[float32, 16]")
            return of
        if word in LISTS:
            if len(args) != 1:
                raise self.places.refused(f"'{word}' holds items of one type", node.slice, f"write {word}[node]")
            return T.Worklist(str(word), self.type(args[0]))
        outer = self.type(node.value) if word is None else None
        if not isinstance(outer, T.Named) or outer.args:
            raise self.places.refused("this type takes no others in [ ]", node)
        return T.Named(outer.name, tuple(self.type(a) for a in args))

    def vector(self, of: T.Type, length: ast.expr) -> T.Type:
        """So many values of a type: a number, one that Python has a name for, or a constant of the program."""
        match length:
            case ast.Constant(value=int(many)) if not isinstance(many, bool):
                return T.Vector(of, many)
            case ast.Name(id=name) if type(self.names.constants.get(name)) is int:
                return T.Vector(of, int(self.names.constants[name]))
            case ast.Name(id=name) if self.names.kind(name) == "constant":
                return T.Vector(of, 0, self.names.real(name))
        raise self.places.refused("how many values there are is a plain number, or a constant", length,
                                  "declare one: K = irgl.constant(16)")

    def _ordered(self, args: list[ast.expr], node: ast.Subscript) -> T.Type:
        """A priority queue, with what it goes by in quotes."""
        match args:
            case [item, ast.Constant(value=str(text))]:
                by = T.Priority.parse(text)
                if by is not None:
                    return T.Worklist(T.QUEUE, self.type(item), by=by)
        raise self.places.refused(
            "a queue is ordered by a property, or by one divided by a parameter", node.slice,
            'write priority_queue[node, "distance / delta"] or priority_queue[node, "higher_first level"]')

    def _graph_name(self, args: list[ast.expr], node: ast.Subscript) -> str:
        match args:
            case [ast.Name(id=name)] | [ast.Constant(value=str(name))] if name.isidentifier():
                return name
        raise self.places.refused("a node belongs to one graph, by its variable", node.slice, 'write node["g"]')
