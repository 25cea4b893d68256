"""Calls of `common` in which the threads of a warp join (cuda_rt/joined.cuh): who asks says so where the call stands,
and what is found is added up at the end of the operator, where all threads of the warp are."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.codegen.cuda.locks import LockedCuda
from irgl.passes.parts.intersections import WARP, sums


class JoinsCuda(LockedCuda):
    """What of a kernel's text that takes. `asked`: the variable of each statement whose operator is being written."""

    asked: dict[A.Stmt, tuple[str, A.Call]]
    joins = 0

    def joined(self, loop: A.ForAll) -> dict[A.Call, A.ExprStmt]:
        """The calls of a loop in which warps join, each with the statement that adds it to something."""
        return {call: s for call, s in sums(loop).items() if self.ex.intersections.get(call) == WARP}

    def begin_joins(self, loop: A.ForAll) -> None:
        """At the beginning of the loop's operator: nobody asks yet."""
        for call, s in self.joined(loop).items():
            self.joins += 1
            self.asked[s] = f"asked_{self.joins}", call
            self.put(f"irgl::Asked asked_{self.joins};", s)

    def end_joins(self, loop: A.ForAll) -> None:
        """At its end: all threads of the warp search, and who asked adds what was found."""
        for call, s in self.joined(loop).items():
            word, _ = self.asked.pop(s)
            self.put(f"{word}.meet({self.ex.rows_of_common(call)});  // all threads of the warp", s)
            self.ex.found = call, f"{word}.found"
            self.either(f"{word}.asks", (s,), (), s)
            self.ex.found = None

    def stmt(self, s: A.Stmt) -> None:
        if s in self.asked:
            word, call = self.asked[s]
            self.put(f"{word}.ask({', '.join(self.ex.common_arguments(call))});", s)
        else:
            super().stmt(s)
