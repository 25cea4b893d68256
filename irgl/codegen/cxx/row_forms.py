"""Loops over a node's edges that take them from a form in C++: an item is a place and a far end (row_form.hpp)."""

from __future__ import annotations

from collections.abc import Mapping

from irgl.ast import nodes as A
from irgl.codegen.cxx.for_all import ForAllCxx, uses_word
from irgl.codegen.cxx.names import called, form_of, name
from irgl.codegen.cxx.places import PlacedEdge
from irgl.passes.parts.laid import Laid


class RowFormsCxx(ForAllCxx):
    """Writes loops; `row_forms` are the nested ones that take their edges from forms."""

    row_forms: Mapping[A.ForAll, Laid] = {}

    def _item(self, s: A.ForAll, uses: str) -> str:
        if s not in self.row_forms:
            return super()._item(s, uses)
        return f"irgl::Placed {item_of(s)}" if uses_word(uses, item_of(s)) else "irgl::Placed"

    def counts_at_once(self, s: A.For | A.ForAll) -> bool:
        return s not in self.row_forms and super().counts_at_once(s)

    def _range(self, s: A.ForAll, outermost: bool, noted: bool) -> str:
        use = self.row_forms.get(s)
        if use is None:
            return super()._range(s, outermost, noted)
        assert isinstance(s.iterator, A.Member)
        of = s.iterator.object
        return f"irgl::edges({form_in(use)}, {self.ex.item(of, self.checked.types[of], s.iterator)})"

    def _weighing(self, loop: A.For | A.ForAll, graph: str, incoming: bool) -> str:
        use = self.row_forms.get(loop) if isinstance(loop, A.ForAll) else None
        return super()._weighing(loop, graph, incoming) if use is None else form_in(use)

    def _operator(self, s: A.ForAll) -> list[str]:
        use = self.row_forms.get(s)
        if use is None:
            return super()._operator(s)
        edge = self.checked.symbols[s]
        self.ex.placed[edge] = of = placed_in(use, s)
        operator = super()._operator(s)
        del self.ex.placed[edge]
        if use.numbered:
            number = f"irgl::number({of.form}, {of.place})"
            operator.insert(0, f"{'  ' * (self.indent + 1)}const edge_t {name(s.var)} = {number};")
        return operator


def form_in(use: Laid) -> str:
    """The form that a loop runs over, or its rows, some at once."""
    if use.lanes:
        return f"irgl::lanes<{lanes_in(use)}>({form_of(name(use.graph), use.incoming)})"
    return f"{name(use.graph)}.{use.member}"


def lanes_in(use: Laid) -> str:
    """How many rows are taken at once: `auto` is what the unit is built with (cpu_rt/lanes.hpp)."""
    return "irgl::lanes_here" if use.lanes == "auto" else use.lanes


def copied_as(word: str) -> str:
    """What copies of a property at edges' places are called."""
    return called("copied", word)


def item_of(s: A.ForAll) -> str:
    """What stands for the loop's edge."""
    return called("placed", s.var)


def placed_in(use: Laid, s: A.ForAll) -> PlacedEdge:
    """The edge that the loop is at."""
    weights = use.weights.name if use.weights is not None else ""
    return PlacedEdge(form_in(use), weights, f"{item_of(s)}.far", f"{item_of(s)}.place")
