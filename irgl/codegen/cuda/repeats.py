"""Kernels whose ForAll runs again for the items that come back, in CUDA C++, with what is done once beside it.

Each round is the whole kernel (a launch, or a call in an outlined loop). What stands before the ForAll is done in the
first round, what stands behind it in the last; the variables in between are kept where the grid shares its scalars.

    if (wl.tries == 0) {
      before = ...;
    }
    if (wl.tries != 0) irgl::kept(c, before, sum);
    irgl::for_each(...)
    if (!wl.again.empty(t)) irgl::keep(t, c, before, sum);
    if (wl.again.empty(t)) {
      ...
    }

Whether a bucket is drained is known only when all that waits has been looked at: there a further round without items is
the last one, `wl.last`.
"""

from __future__ import annotations

from irgl.analysis.flow.kernels import done_once, is_loop, kept_between_rounds
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.ast import nodes as A
from irgl.codegen.cuda.grid_kernels import GridKernelCuda
from irgl.codegen.cxx.names import name, zero


class RepeatedKernelCuda(GridKernelCuda):
    """Writes such a kernel."""

    kept: tuple[Symbol, ...] = ()

    def whole(self, k: A.Kernel) -> None:
        """The kernel's body."""
        at = next(i for i, s in enumerate(k.body) if is_loop(s))
        before, loop, behind = k.body[:at], k.body[at], k.body[at + 1:]
        self.kept = tuple(kept_between_rounds(self.checked, k))
        names = ", ".join(name(v.name) for v in self.kept)
        for v in self.kept:
            if v.kind != "param":
                self.put(f"{self.type(v.type)} {name(v.name)} = {zero(v.type, self.checked)};")
        if before:
            with self.block("if (wl.tries == 0) {", before[0]):
                self.body(before)
        if names:
            self.put(f"if (wl.tries != 0) irgl::kept(c, {names});")
        self.put("t.sync();")
        self.body((loop,))
        last = "wl.last" if self.checked.facts[k.name].drains else "wl.again.empty(t)"
        if names:
            self.put(f"if (!{last}) irgl::keep(t, c, {names});")
        if behind:
            with self.block(f"if ({last}) {{", behind[0]):
                self.body(behind)

    def variable(self, s: A.VarDecl) -> None:
        v = self.checked.symbols[s]
        if v in self.kept:
            value = zero(v.type, self.checked) if s.init is None else self.ex.value(s.init, v.type)
            self.put(f"{name(v.name)} = {value};", s)
        else:
            super().variable(s)


def has_last_round(checked: Checked, k: A.Kernel) -> bool:
    """Is there a further round, without items, when a bucket is drained, for what is done once behind the ForAll?"""
    return checked.facts[k.name].drains and done_once(checked, k) is not None and not is_loop(k.body[-1])


def kept_words(checked: Checked) -> int:
    """Words of 8 bytes for the variables that the rounds of one kernel share, of the kernel with the most."""
    return max((sum(max(1, len(checked.fields(v.type) or ())) for v in kept_between_rounds(checked, k))
                for k in checked.kernels.values() if done_once(checked, k) is not None), default=0)
