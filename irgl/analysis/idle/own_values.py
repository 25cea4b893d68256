"""What an iteration of a ForAll over all nodes knows of its own node alone, while rounds go on."""

from __future__ import annotations

from collections.abc import Collection

from irgl.analysis.loops.edge_bodies import PURE
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import written
from irgl.ast.visit import children

#: Methods of ranges, graphs and nodes, of which each gives the same for the same.
_FIXED = ("skip", "node", "nodes", "edge", "edge_to")


class OwnValues:
    """Tells which expressions of a loop stay what they are as long as its node's own values do.

    changed: the properties and scalars, by kind and name, that a round may change; outside: those that it changes
    elsewhere than in the loop. varying: the kernel's parameters that aren't given the same in each round. inputs: the
    properties of the node, of those that change, that all expressions asked for so far are made of.
    """

    def __init__(self, checked: Checked, loop: A.ForAll, changed: Collection[tuple[str, str]],
                 outside: Collection[tuple[str, str]], varying: Collection[str]) -> None:
        self.checked = checked
        self.loop = loop
        self.changed = changed
        self.outside = outside
        self.varying = varying
        self.inputs: dict[str, None] = {}

    def why_not(self, e: A.Expr) -> str | None:
        """Why an expression may be another although none of the node's own values has changed; None: it is the same."""
        match e:
            case A.Name():
                return self._name(e)
            case A.Member():
                return self._member(e)
            case A.Index() if isinstance(self.checked.types[e.object], T.Range):
                return self._all(e)
            case A.MethodCall() if e.name in _FIXED:
                return self._all(e)
            case A.Call() if e.function in PURE:
                return self._all(e)
            case A.IntLit() | A.FloatLit() | A.BoolLit():
                return None
            case A.Unary() | A.Binary() | A.Conditional() | A.Cast() | A.StructLit() | A.Relaxed():
                return self._all(e)
            case _:
                return "it computes what nobody can see to stay the same"

    def _all(self, e: A.Expr) -> str | None:
        return next((r for x in children(e) if isinstance(x, A.Expr) and (r := self.why_not(x)) is not None), None)

    def is_node(self, e: A.Node) -> bool:
        """Is it the node that the loop is at?"""
        if not isinstance(e, A.Name):
            return False
        symbol = self.checked.symbols.get(e)
        return symbol is not None and symbol is self.checked.symbols[self.loop]

    def meant(self, e: A.Expr) -> A.Expr:
        """What a variable that never changes stands for, or else the expression itself."""
        symbol = self.checked.symbols.get(e) if isinstance(e, A.Name) else None
        if symbol is None or symbol.kind != "local" or symbol.assigned or symbol.origin is None:
            return e
        same = T.bare(symbol.type) == T.bare(self.checked.types[symbol.origin])
        return self.meant(symbol.origin) if same else e

    def own(self, e: A.Expr) -> A.Member | None:
        """The property of the loop's node that an expression is; None: it is something else."""
        e = self.meant(e)
        e = e.location if isinstance(e, A.Relaxed) else e
        known = isinstance(e, A.Member) and self.is_node(e.object) and self.checked.has_property("node", e.name)
        return e if known and isinstance(e, A.Member) else None

    def _name(self, e: A.Name) -> str | None:
        symbol: Symbol | None = self.checked.symbols.get(e)
        if symbol is None:
            return None if e.id in ("INF", "NONE") else f"'{e.id}' may be another in each round"
        word = written(symbol.name, symbol.span)
        if symbol.kind == "loop":
            return None
        if symbol.kind == "global":
            return f"'{word}' changes while the loop goes on" if ("scalar", e.id) in self.changed else None
        if symbol.kind == "param":
            if isinstance(symbol.type, T.Named) and symbol.type.name in self.checked.graph_types:
                return None
            if symbol.assigned or not T.is_scalar(symbol.type):
                return f"'{word}' may be another in each round"
            return f"'{word}' is another in each round" if e.id in self.varying else None
        if symbol.kind != "local" or symbol.assigned or symbol.origin is None:
            return f"'{word}' is computed step by step"
        return self.why_not(symbol.origin)

    def _member(self, e: A.Member) -> str | None:
        t = self.checked.types[e.object]
        kind = "node" if isinstance(t, T.NodeT) else "edge" if isinstance(t, T.EdgeT) else ""
        if not (kind and self.checked.has_property(kind, e.name)) or (kind, e.name) not in self.changed:
            whole = isinstance(t, T.Worklist) or (isinstance(t, T.Named) and t.name in self.checked.libraries)
            return "it asks a list or an object" if whole else self.why_not(e.object)
        if not T.is_scalar(self.checked.types[e]):
            return f"'{e.name}' is no single number"
        if kind == "node" and self.is_node(e.object):
            self.inputs[e.name] = None
            return None
        of = "other nodes" if kind == "node" else "edges"
        return f"it depends on '{e.name}' of {of}, which changes while the loop goes on"
