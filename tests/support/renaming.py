"""A program with every name that it declares replaced: no meaning may hang on what things are called."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import field_names, walk

#: Fields that hold the name of a value, a kernel or a function; those that hold a property's or a struct field's.
_VALUES = {
    (A.Global, "name"), (A.Function, "name"), (A.Kernel, "name"), (A.Entry, "name"), (A.Param, "name"),
    (A.VarDecl, "name"), (A.For, "var"), (A.ForAll, "var"), (A.Labeled, "label"), (A.Invoke, "kernel"),
    (A.Invoke, "queue"), (A.Iterate, "kernel"), (A.InvokeResult, "kernel"), (A.Call, "function"), (A.Name, "id"),
}
_MEMBERS = {(A.Property, "name"), (A.Field, "name"), (A.Member, "name")}
_TYPES = {(A.Struct, "name"), (A.GraphType, "name")}


class Renaming:
    """`values`, `members` and `types` map the old names to new ones; names of the language itself are not in them."""

    def __init__(self, program: A.Program) -> None:
        values: set[str] = set()
        members: set[str] = set()
        types: set[str] = set()
        for node in walk(program):
            match node:
                case A.Global() | A.Function() | A.Kernel() | A.Entry() | A.Param() | A.VarDecl():
                    values.add(node.name)
                case A.For() | A.ForAll():
                    values.add(node.var)
                case A.Labeled():
                    values.add(node.label)
                case A.Property() | A.Field():
                    members.add(node.name)
                case A.Struct() | A.GraphType():
                    types.add(node.name)
                case _:
                    pass
        self.values = {name: f"v{k}_" for k, name in enumerate(sorted(values))}
        self.members = {name: f"m{k}_" for k, name in enumerate(sorted(members))}
        self.types = {name: f"T{k}_" for k, name in enumerate(sorted(types))}

    def tree(self, node: Any) -> Any:
        """The tree under the new names."""
        if isinstance(node, tuple):
            return tuple(self.tree(x) for x in node)
        if isinstance(node, A.Node):
            if isinstance(node, A.Role):
                return replace(node, value=self._role(node.value))
            return replace(node, **{f: self._field(type(node), f, getattr(node, f)) for f in field_names(type(node))})
        return self.type(node)

    def _role(self, value: A.Expr) -> A.Expr:
        # A role's name may mean a property, which is looked for first, as the checker does.
        if isinstance(value, A.Name) and value.id in self.members:
            return replace(value, id=self.members[value.id])
        renamed: A.Expr = self.tree(value)
        return renamed

    def _field(self, kind: type[A.Node], field: str, value: Any) -> Any:
        for table, names in ((_VALUES, self.values), (_MEMBERS, self.members), (_TYPES, self.types)):
            if (kind, field) in table:
                return names.get(value, value)
        return value if isinstance(value, str) else self.tree(value)

    def type(self, t: Any) -> Any:
        """A type of the language under the new names; anything else as it is."""
        match t:
            case T.Named():
                return T.Named(self.types.get(t.name, t.name), tuple(self.type(a) for a in t.args))
            case T.NodeT():
                return T.NodeT(self.values.get(t.graph, t.graph))
            case T.EdgeT():
                return T.EdgeT(t.incoming, self.values.get(t.graph, t.graph))
            case T.Worklist():
                by = t.by and replace(t.by, property=self.members[t.by.property],
                                      delta=self.values.get(t.by.delta, t.by.delta))
                return T.Worklist(t.kind, self.type(t.item), t.unique, by=by)
            case _:
                return t
