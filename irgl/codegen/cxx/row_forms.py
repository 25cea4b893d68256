"""Loops over a node's edges that take them from a form in C++: an item is a place and a far end (row_form.hpp)."""

from __future__ import annotations

from collections.abc import Mapping

from irgl.ast import nodes as A
from irgl.codegen.cxx.for_all import ForAllCxx, uses_word
from irgl.codegen.cxx.names import name
from irgl.codegen.cxx.places import PlacedEdge
from irgl.passes.parts.laid import RowUse


class RowFormsCxx(ForAllCxx):
    """Writes loops; `row_forms` are the nested ones that take their edges from forms."""

    row_forms: Mapping[A.ForAll, RowUse] = {}

    def _edges_in(self, use: RowUse) -> str:
        return f"{name(use.of.graph)}.{use.member}"

    def _item(self, s: A.ForAll, uses: str) -> str:
        if s not in self.row_forms:
            return super()._item(s, uses)
        return f"irgl::Placed {_item_of(s)}" if uses_word(uses, _item_of(s)) else "irgl::Placed"

    def _range(self, s: A.ForAll, outermost: bool, noted: bool) -> str:
        use = self.row_forms.get(s)
        if use is None:
            return super()._range(s, outermost, noted)
        assert isinstance(s.iterator, A.Member)
        of = s.iterator.object
        return f"irgl::edges({self._edges_in(use)}, {self.ex.item(of, self.checked.types[of], s.iterator)})"

    def _weighing(self, loop: A.For | A.ForAll, graph: str, incoming: bool) -> str:
        use = self.row_forms.get(loop) if isinstance(loop, A.ForAll) else None
        return super()._weighing(loop, graph, incoming) if use is None else self._edges_in(use)

    def _operator(self, s: A.ForAll) -> list[str]:
        use = self.row_forms.get(s)
        if use is None:
            return super()._operator(s)
        edge, form = self.checked.symbols[s], self._edges_in(use)
        place = f"{_item_of(s)}.place"
        self.ex.placed[edge] = PlacedEdge(form, use.weights.name if use.weights else "", f"{_item_of(s)}.far", place)
        operator = super()._operator(s)
        del self.ex.placed[edge]
        if use.numbered:
            operator.insert(0, f"{'  ' * (self.indent + 1)}const edge_t {name(s.var)} = irgl::number({form}, {place});")
        return operator


def _item_of(s: A.ForAll) -> str:
    return f"placed_{s.var}"
