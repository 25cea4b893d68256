"""Sweeps in CUDA C++: a ForAll over nodes whose inner one takes its edges as a form keeps them (cuda_rt/swept.cuh)."""

from __future__ import annotations

from collections.abc import Mapping

from irgl.analysis.loops.copies import size_of
from irgl.ast import nodes as A
from irgl.codegen.cuda.loops.row_forms import RowFormsCuda
from irgl.codegen.cxx.names import name, property_name
from irgl.codegen.cxx.places import PlacedEdge
from irgl.codegen.cxx.row_forms import copied_as, form_in
from irgl.passes.sweep_edges import Use, copies


class SweepsCuda(RowFormsCuda):
    """Writes a kernel's loops; `sweeps` are the outermost ones whose inner one runs over a form."""

    sweeps: Mapping[A.ForAll, Use] = {}
    copied: Mapping[A.Expr, str] = {}  # what the edges of the sweep find at their places

    def _use(self, inner: A.ForAll) -> Use | None:
        return next((use for use in self.sweeps.values() if use.sweep.inner is inner), None)

    def _units(self, loop: A.ForAll) -> str:
        return super()._units(loop) if self._use(loop) is None else "irgl::Sweep"

    def _shares(self, s: A.ForAll) -> str:
        use = self._use(s)
        return super()._shares(s) if use is None else f"irgl::forms::{use.form}::shared"

    def _items(self, s: A.ForAll) -> str:
        use = self.sweeps.get(s)
        return super()._items(s) if use is None else f"irgl::rows({form_in(use)}, {name(use.graph)})"

    def _outermost(self, s: A.ForAll) -> None:
        use = self.sweeps.get(s)
        self.copied = {} if use is None else self._copy_ahead(s, use)
        super()._outermost(s)

    def _copy_ahead(self, s: A.ForAll, use: Use) -> dict[A.Expr, str]:
        """All threads of the grid copy what the edges want of their far ends; where each finds it then."""
        found: dict[A.Expr, str] = {}
        lines, before, form = [], 0, form_in(use)
        for word, reads in copies(self.checked, use).items():
            self.slots[copied_as(word)] += 1
            number = self.slots[copied_as(word)]
            t, at = self.type(self.checked.types[reads[0]]), copied_as(word if number == 1 else f"{number}_{word}")
            self.put(f"{t}* const {at} = irgl::copies<{t}>({form}, {before});", s)
            lines.append(f"{at}[place] = {self.ex.element(name(use.graph), property_name(word), 'far')};")
            found |= dict.fromkeys(reads, f"{at}[place]")
            before += size_of(self.checked, reads[0])
        if lines:
            with self.block(f"irgl::each_far({form}, [&](node_t far, edge_t place) {{", s, "});"):
                for line in lines:
                    self.put(line)
            self.put("t.sync();")
        return found

    def scope(self, loop: A.ForAll) -> str:
        use = self.sweeps.get(loop)
        return "Grid" if use is not None and use.is_segmented else super().scope(loop)

    def _outer_item(self, s: A.ForAll) -> str:
        return "irgl::Kth kth" if s in self.sweeps else super()._outer_item(s)

    def _scheduler(self, s: A.ForAll) -> tuple[str, list[str], list[str]]:
        use = self._use(s)
        if use is None:
            return super()._scheduler(s)
        _, wanted, _ = self._guarded(s)
        item = [f"[[maybe_unused]] {word}" for word in ("node_t far", "edge_t place")]
        return "swept_by_segments<" if use.is_segmented else "swept<", ["kth", wanted, form_in(use)], item

    def _operator_body(self, s: A.ForAll, scope: str) -> None:
        if s in self.sweeps:
            self.put(f"[[maybe_unused]] const node_t {name(s.var)} = kth.node;")
        use = self._use(s)
        if use is None:
            super()._operator_body(s, scope)
            return
        if use.numbered:
            number = f"irgl::number({form_in(use)}, place)"
            guarded = number if scope == "One" else f"valid ? {number} : edge_t(-1)"
            self.put(f"const edge_t {name(s.var)} = {guarded};")
        edge = self.checked.symbols[s]
        self.ex.placed[edge] = PlacedEdge(form_in(use), use.weights.name if use.weights is not None else "")
        self.ex.computed |= self.copied
        super()._operator_body(s, scope)
        for e in self.copied:
            del self.ex.computed[e]
        del self.ex.placed[edge]
