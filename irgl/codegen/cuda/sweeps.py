"""Sweeps in CUDA C++: a ForAll over nodes whose inner one takes its edges as a form keeps them (cuda_rt/swept.cuh)."""

from __future__ import annotations

from collections.abc import Mapping

from irgl.ast import nodes as A
from irgl.codegen.cuda.statements import KernelCuda
from irgl.codegen.cxx.names import name
from irgl.codegen.cxx.places import PlacedEdge
from irgl.passes.sweep_edges import Use


class SweepsCuda(KernelCuda):
    """Writes a kernel's loops; `sweeps` are the outermost ones whose inner one runs over a form."""

    sweeps: Mapping[A.ForAll, Use] = {}

    def _use(self, inner: A.ForAll) -> Use | None:
        return next((use for use in self.sweeps.values() if use.sweep.inner is inner), None)

    def _form(self, use: Use) -> str:
        return f"{name(use.sweep.graph)}.{use.member}"

    def _units(self, loop: A.ForAll) -> str:
        return super()._units(loop) if self._use(loop) is None else "irgl::Sweep"

    def _shares(self, s: A.ForAll) -> str:
        use = self._use(s)
        return super()._shares(s) if use is None else f"irgl::forms::{use.form}::shared"

    def _items(self, s: A.ForAll) -> str:
        use = self.sweeps.get(s)
        return super()._items(s) if use is None else f"irgl::rows({self._form(use)}, {name(use.sweep.graph)})"

    def _outer_item(self, s: A.ForAll) -> str:
        return "irgl::Kth kth" if s in self.sweeps else super()._outer_item(s)

    def _scheduler(self, s: A.ForAll) -> tuple[str, list[str], list[str]]:
        use = self._use(s)
        if use is None:
            return super()._scheduler(s)
        _, wanted, _ = self._guarded(s)
        item = [f"[[maybe_unused]] {word}" for word in ("node_t far", "edge_t place")]
        return "swept<", ["kth", wanted, self._form(use)], item

    def _operator_body(self, s: A.ForAll, scope: str) -> None:
        if s in self.sweeps:
            self.put(f"[[maybe_unused]] const node_t {name(s.var)} = kth.node;")
        use = self._use(s)
        if use is None:
            super()._operator_body(s, scope)
            return
        if use.numbered:
            number = f"irgl::number({self._form(use)}, place)"
            guarded = number if scope == "One" else f"valid ? {number} : edge_t(-1)"
            self.put(f"const edge_t {name(s.var)} = {guarded};")
        edge = self.checked.symbols[s]
        self.ex.placed[edge] = PlacedEdge(self._form(use), use.weights.name if use.weights is not None else "")
        super()._operator_body(s, scope)
        del self.ex.placed[edge]
