"""Loops over a node's edges that take them from a form in CUDA C++: an item is a place and a far end (row_form.cuh)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from irgl.analysis.names.symbols import Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.codegen.cuda import boards
from irgl.codegen.cuda.loops.vector_lanes import VectorLanesCuda
from irgl.codegen.cxx.names import name
from irgl.codegen.cxx.row_forms import form_in, item_of, placed_in
from irgl.passes.parts.laid import Laid


class RowFormsCuda(VectorLanesCuda):
    """Writes a kernel's loops; `row_forms` are the nested ones that take their edges from forms."""

    row_forms: Mapping[A.ForAll, Laid] = {}

    def _edges_of(self, s: A.ForAll, iterator: A.Expr, test: str = "true") -> str:
        use = self.row_forms.get(s)
        if use is None:
            return super()._edges_of(s, iterator, test)
        if isinstance(iterator, A.MethodCall):  # a condition that guard_loops has put on them
            test, iterator = self.ex.code(iterator.args[0], T.BOOL).at(3), iterator.object
        assert isinstance(iterator, A.Member)
        form, of = form_in(use), iterator.object
        given = f"{form}, {self.ex.item(of, self.checked.types[of], iterator)}"
        if test == "true":
            return f"irgl::edges({given})"
        return f"irgl::edges_in({form}, {test} ? irgl::row_at({given}) : irgl::no_row({form}))"

    def _declared_item(self, s: A.ForAll) -> str:
        return f"irgl::Placed {item_of(s)}" if s in self.row_forms else super()._declared_item(s)

    def _board(self, s: A.ForAll, closure: Sequence[str], parts: Sequence[str]) -> str:
        use = self.row_forms.get(s)
        form = "" if use is None else f"irgl::forms::{use.form}"
        if form and self.schedulers.get(s) == "even":
            form = f"irgl::CutRows<{form}>"
        return boards.place(self.depth - 1, self._units(s), closure, parts, form)

    def _carried(self, v: Symbol) -> list[tuple[str, str]]:
        """Of an edge of a form that a loop around is at: where it is, and its number where that is known."""
        loop = next((s for s in self.loops if isinstance(s, A.ForAll) and self.checked.symbols[s] is v), None)
        use = self.row_forms.get(loop) if loop is not None else None
        if use is None or loop is None:
            return super()._carried(v)
        return [("irgl::Placed", item_of(loop)), *(super()._carried(v) if use.numbered else [])]

    def _operator_body(self, s: A.ForAll, scope: str) -> None:
        with self._at_edge(s, scope):
            super()._operator_body(s, scope)

    def _alone_body(self, s: A.ForAll) -> None:
        with self._at_edge(s, "One"):
            super()._alone_body(s)

    @contextmanager
    def _at_edge(self, s: A.ForAll, scope: str) -> Iterator[None]:
        """Inside, the loop's edge is one of a form, whose number those know that have an edge."""
        use = self.row_forms.get(s)
        if use is None:
            yield
            return
        edge, at = self.checked.symbols[s], placed_in(use, s)
        if use.numbered:
            number = f"irgl::number({at.form}, {at.place})"
            self.put(f"const edge_t {name(s.var)} = {number if scope == 'One' else f'valid ? {number} : edge_t(-1)'};")
        self.ex.placed[edge] = at
        yield
        del self.ex.placed[edge]
