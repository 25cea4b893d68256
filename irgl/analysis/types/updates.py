"""Locations, and the updates of them: `X.p += v`, `min=`, `xchg=`, cas."""

from __future__ import annotations

from typing import NoReturn

from irgl.analysis.names import hints
from irgl.analysis.names import members as M
from irgl.analysis.names.conversions import PACKED_HINT, literal_value, packed_bytes
from irgl.analysis.names.symbols import fail
from irgl.analysis.types.access import Access
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.properties import takes_weights

_SHARED_UPDATES = ("+", "-", "|", "&", "^", "min", "max", "xchg")
_OUTER_UPDATES = ("+", "-", "|", "&", "min", "max")
_OF_NUMBERS = ("*", "/", "%", "<<", ">>")


class Updates(Access):
    """Types updates, and tells what a location is."""

    def is_location(self, e: A.Expr) -> bool:
        """Is `e` shared memory: a property, a program scalar, an array's element? (its parts must have types)"""
        match e:
            case A.Member():
                t = self.type(e.object)
                if isinstance(t, T.NodeT | T.EdgeT):
                    table = M.node_members("") if isinstance(t, T.NodeT) else M.edge_members("")
                    return e.name not in table and not M.is_reverse(e, self.checked)
                return False
            case A.Name():
                symbol = self.lookup(e.id)
                return symbol is not None and symbol.kind == "global"
            case A.Index():
                return self.value_of_variable(e) is None and isinstance(self.before_index(e), T.Named | T.Vector)
            case _:
                return False

    def value_of_variable(self, e: A.Expr) -> A.Name | None:
        """The variable of which `e` is one of several values; None for anything else."""
        if not isinstance(e, A.Index) or not isinstance(e.object, A.Name):
            return None
        symbol = self.lookup(e.object.id)
        return e.object if symbol is not None and isinstance(symbol.type, T.Vector) else None

    def _updated(self, target: A.Expr) -> T.Type:
        """The type of an update's target; that a ForAll reduces into it already is no reading of it."""
        of = self.value_of_variable(target)
        if not isinstance(target, A.Name) and of is None:
            return self.type(target)
        if isinstance(target, A.Index):
            self.type(target.index)  # which may not read it either
        reducing, self.reducing = self.reducing, {}
        t = self.type(target)
        self.reducing = reducing
        return t

    def reduce(self, e: A.Reduce) -> T.Type:
        self.settle_home(e.target, e.value)
        t = self._updated(e.target)
        of = self.value_of_variable(e.target) or e.target
        if isinstance(of, A.Name) and not self.is_location(of):
            return self._reduce_local(e, of, t)
        if not self.is_location(e.target):
            self._refuse_target(e.target)
        if e.op not in _SHARED_UPDATES:
            hint = "make it a statement of its own, of a location that no call or method finds"
            fail(f"'{e.op}=' is no atomic update", e, hint)
        if isinstance(t, T.Lock):
            fail("a lock is taken by Atomic, not updated", e, "write Atomic (n.lock) { ... }")
        self.refuse_weights(e.target, e)
        self._update_value(e, t)
        return T.Reduced(t)

    def _refuse_target(self, target: A.Expr) -> NoReturn:
        if not isinstance(target, A.Member) or self.checked.fields(self.checked.types[target.object]) is None:
            fail("this can't be updated", target, "update a property, a program scalar, an array element or a variable")
        if isinstance(target.object, A.Name):
            field = f"{target.object.id}.{target.name}"
            fail("one field of a struct can't be updated", target, f"store it: {field} = {field} + ...")
        hint = "make a property of the field, or change a copy of the struct, and store that"
        fail("one field of a shared struct can't be updated alone", target, hint)

    def refuse_weights(self, location: A.Expr, where: A.Node) -> None:
        """The file's weights are shared with other runs, and are not written."""
        if not isinstance(location, A.Member):
            return
        t = self.checked.types.get(location.object)
        if isinstance(t, T.EdgeT):
            prop = self.checked.property_of(self.owner_graph(t.graph, location).name, "edge", location.name)
            if prop is not None and takes_weights(prop):
                fail(
                    f"'{location.name}' holds the file's weights, which can't be changed",
                    where,
                    "copy them to an edge property that has an initial value",
                )

    def _update_value(self, e: A.Reduce, t: T.Type) -> None:
        fields = self.checked.fields(t)
        if fields is not None:
            if e.op not in ("min", "max", "xchg"):
                fail(f"'{e.op}=' has no meaning for struct {t}", e, "a struct takes min= max= and xchg=")
            widths = [f.bits if isinstance(f, T.Int | T.Float) else 32 for f in fields.values()]
            if e.op != "xchg" and (len(widths) != 2 or any(w > 32 for w in widths)):
                fail(f"'{e.op}=' wants a struct of two fields of 32 bits", e, "only those pack into one 64-bit atomic")
            if packed_bytes(fields) is None:
                fail(f"{t} is no unit of an atomic update", e, PACKED_HINT)
        elif not (T.is_number(t) or (isinstance(t, T.NodeT | T.EdgeT) and e.op in ("min", "max", "xchg"))):
            fail(f"'{e.op}=' has no meaning for {T.bare(t)}", e, "nodes and edges take min= max= and xchg=")
        elif e.op in ("|", "&", "^") and isinstance(t, T.Float):
            fail(f"'{e.op}=' wants integers", e, "floats take += -= min= max= and xchg=")
        self.value(e.value, t, f"'{e.op}='")
        self.at_home(e.value, e.target)
        self._of_bool(e, t)

    def _of_bool(self, e: A.Reduce, t: T.Type) -> None:
        """A bool is combined with bools: C computes with the bits of a number, and those of a bool are 0 and 1."""
        of = self.checked.types[e.value]
        if t == T.BOOL and e.op in ("+", "-", "|", "&", "^") and of != T.BOOL and literal_value(e.value) not in (0, 1):
            fail(f"'{e.op}=' of a bool wants a bool, not {T.bare(of)}", e.value, "write what it asks: (...) != 0")

    def _reduce_local(self, e: A.Reduce, target: A.Name, t: T.Type) -> T.Type:
        symbol = self.checked.symbols.get(target)
        if symbol is None:
            fail(
                f"'{target.id}' can't be changed",
                e,
                "push to it, or swap it" if target.id == "WL" else "it is a constant",
            )
        if symbol.kind == "loop":
            fail(f"the loop's variable '{symbol.name}' can't be changed", e, f"take a copy: auto x = {symbol.name};")
        struct = self.checked.fields(t) is not None
        if struct:
            self._update_value(e, t)
        elif not T.is_number(t) and not (isinstance(t, T.NodeT | T.EdgeT) and e.op in ("min", "max")):
            hint = "variables of nodes and edges take min= and max=" if isinstance(t, T.NodeT | T.EdgeT) else None
            fail(f"'{e.op}=' has no meaning for {T.bare(t)}", e, hint or hints.number_from(self.checked, t))
        if symbol.depth < self.depth:
            if e.op not in _OUTER_UPDATES:
                fail(
                    f"'{e.op}=' can't combine what the iterations of a ForAll give",
                    e,
                    "use + - | & min max on a variable from outside",
                )
            self.reducing.setdefault(symbol, e)
        if e.op in _OF_NUMBERS and t == T.BOOL:
            fail(f"'{e.op}=' has no meaning for a bool", e, "combine it by &= |= ^=")
        if e.op in _OF_NUMBERS and e is not self.statement:
            fail(f"'{e.op}=' has no value", e, "make it a statement of its own")
        symbol.assigned = True
        if struct:
            return T.Reduced(t)
        if isinstance(t, T.Int) and isinstance(self.type(e.value, t), T.Float):
            fail(
                f"'{e.op}=' wants {t}, not {T.bare(self.checked.types[e.value])}",
                e.value,
                f"it may not fit: write ({t})(...) to convert it",
            )
        if (T.is_number(t) and (not isinstance(t, T.Int) or e.op in ("min", "max", "xchg"))) or isinstance(
            t, T.NodeT | T.EdgeT
        ):
            self.value(e.value, t, f"'{e.op}='")
        else:
            self.number(e.value, f"'{e.op}='")
        self._of_bool(e, t)
        return T.Reduced(t)
