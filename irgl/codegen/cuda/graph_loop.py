"""Loops as CUDA graphs: the host's statements as a kernel of one thread, which says what is invoked next.

The statements are those of an outlined loop (outlined.py). At an invocation the thread leaves, and the graph runs
the kernels, of which each but the one that is meant returns at once; then the thread goes on behind the invocation. No
bound is asked for: all lists have a spill, and grow between rounds.
"""

from __future__ import annotations

import re

from irgl.analysis.names.symbols import Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.codegen.cuda.launch import launch_bounds
from irgl.codegen.cuda.outlined import OutlinedCuda


class GraphLoopCuda(OutlinedCuda):
    """Writes the control kernel, and the frame of each kernel that the loop invokes."""

    def text(self, word: str, members: list[str], inner: list[str], params: list[str]) -> list[str]:
        self.word = word
        self.frames: list[str] = []
        self.params = params
        self._loop_once()
        control = ", ".join([*params, f"cudaGraphConditionalHandle {self.handle}"])
        own = [*self.kept, "  int at = 0;    // where it goes on", "  int call = 0;  // which invocation comes next"]
        return [
            *self._struct(word, "a CUDA graph", [*members, *inner], own),
            *self.frames,
            "",
            f"__global__ void {word}_control({control}) {{",
            "  irgl::Thread t(c, irgl::alone);",
            f"  {word}_state {self.s} = *{self.saved};",
            f"  switch ({self.s}.at) {{",
            "    case 0:",
            *self.lines,
            "  }",
            f"  irgl::end_loop(t, {self.saved}, {self.s}, 0, {self.handle});",
            "}",
        ]

    def run(self, word: str, graphs: str) -> str:
        calls = ", ".join(f"(void*){word}_call_{k + 1}" for k in range(len(self.frames)))
        return f"c.run_graph({self.s}, (void*){word}_control, irgl::calls({calls}){graphs});"

    def _room(self, s: A.Invoke | A.Iterate | A.InvokeResult) -> None:
        """What is in a spill comes home before it is read: the loop ends and goes on here, with a larger list."""
        facts = self.checked.facts[s.kernel]
        if facts.reads or facts.asks:
            self.points += 1
            self.put(f"case {self.points}:;  // where it comes back to, with more room")
            ends = f"irgl::end_loop(t, {self.saved}, {self.s}, {self.points}, {self.handle})"
            self.put(f"if ({self.wl}.spilled(t)) return {ends};")

    def _wait_for_readers(self, s: A.Stmt | A.InvokeResult, _: set[tuple[str, str]]) -> None:
        """The one thread has read."""

    def _is_kept(self, a: A.Expr, _: set[tuple[str, str]], __: list[A.Expr]) -> bool:
        """The kernel is given what lies in the state."""
        return not (isinstance(a, A.Name) and (self._is_object(self.checked.types[a]) or self._is_state(a)))

    def _invoke_kernel(self, s: A.Invoke | A.Iterate | A.InvokeResult, given: list[str]) -> None:
        number, self.points = self.calls, self.points + 1
        params = ", ".join(self.params)
        call = self._kernel_call(s, given)
        self.frames.append("\n".join([
            "",
            f"__global__ void {launch_bounds(self.plan)} {self.word}_call_{number}({params}) {{",
            f"  if ({self.saved}->call != {number}) return;",
            "  irgl::Thread t(c);",
            *([f"  {self.word}_state {self.s} = *{self.saved};"] if re.search(rf"\b{self.s}\.", call) else []),
            f"  {call}",
            "}",
        ]))
        self.put(f"return irgl::invoke(t, {self.saved}, {self.s}, {number}, {self.points});", s)
        self.put(f"case {self.points}:;  // where it goes on behind the invocation")

    def _is_object(self, t: T.Type) -> bool:
        graph = isinstance(t, T.Named) and t.name in self.checked.graph_types
        return graph or isinstance(t, T.Worklist)

    def _is_state(self, a: A.Name) -> bool:
        symbol: Symbol | None = self.checked.symbols.get(a)
        return symbol is not None and symbol.kind != "global"
