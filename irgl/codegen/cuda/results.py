"""Values of invocations in loops that run as one kernel.

All threads of the grid call the invoked one, and where a list has no room the loop is left: so the call stands before
the statement that takes its value. analysis/flow/outline.py says which statements may.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from irgl.analysis.flow.outline import taken_value
from irgl.ast import nodes as A
from irgl.codegen.cuda.calls import CallsCuda


class ResultsCuda(CallsCuda):
    """Writes `while` and `do` whose tests are invocations, and what others take of one."""

    @contextmanager
    def with_value(self, s: A.Stmt) -> Iterator[None]:
        """Around the text of a statement, in which the value of an invocation is at hand."""
        e = None if isinstance(s, A.While | A.DoWhile) else taken_value(s)
        if e is None:
            yield
            return
        self._invoke_for(e)
        yield
        self.ex.computed.pop(e)

    def stmt(self, s: A.Stmt) -> None:
        e = taken_value(s)
        match s:
            case A.While() if e is not None:
                with self.block("for (;;) {", s):
                    self.leave_if_halted()
                    self._end_unless(s, e)
                    self.loop_body(s, s.body)
            case A.DoWhile() if e is not None:
                first, declared = self.flag(f"first_{len(self.loops)}")
                self.put(f"{declared} = true;", s)
                with self.block("for (;;) {"):
                    self.leave_if_halted()
                    with self.block(f"if (!{first}) {{"):
                        self._end_unless(s, e)
                    self.put(f"{first} = false;")
                    self.loop_body(s, s.body)
            case _:
                super().stmt(s)

    def _end_unless(self, s: A.While | A.DoWhile, e: A.InvokeResult) -> None:
        self._invoke_for(e)
        self.put(f"if (!({self.ex.truth(s.test)})) break;", s)
        self.ex.computed.pop(e)

    def _invoke_for(self, e: A.InvokeResult) -> None:
        """One invocation, whose value lies in the loop's state from now on."""
        kept, _ = self.flag(f"value_{self.calls + 1}")
        self.take_value(e, kept, f"value.{e.reduction}")
        advance = self._advance(self.checked.facts[e.kernel])
        if advance:
            self.put(advance)
        self.met = False
        self.ex.computed[e] = kept
