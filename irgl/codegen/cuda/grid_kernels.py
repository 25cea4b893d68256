"""Kernels of several parallel loops in CUDA C++: what stands between the loops is run by all threads of the grid."""

from __future__ import annotations

from collections.abc import Iterable

from irgl.analysis.effects.effects import changed_variables, effects_of, kernel_effects, stored_variable
from irgl.analysis.names.methods import is_object
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, walk
from irgl.codegen.cuda.loops.sweeps import SweepsCuda
from irgl.codegen.cxx.names import name
from irgl.passes.lift_objects import emptied


class GridKernelCuda(SweepsCuda):
    """A kernel of more than one ForAll: all threads of the grid run its own level together, one of them writes.

    What all of them read there is read behind a barrier, and before the next one stands a loop that may store it.
    """

    reads_before = False  # has something been read that the next loop may store, since the last barrier?
    walked: frozenset[str] = frozenset()  # see walked_objects
    at_end = False  # does nothing follow in the kernel? The threads then meet behind it, if they have to

    def body(self, stmts: tuple[A.Stmt, ...]) -> None:
        if self.depth:
            super().body(stmts)
            return
        alone: list[A.Stmt] = []
        reads, at_end = self.reads_before, self.at_end

        def flush() -> None:
            nonlocal reads
            if alone:
                reads = False
                with self.block("irgl::once(t, [&] {", alone[0], "});"):
                    self.depth += 1
                    super(GridKernelCuda, self).body(tuple(alone))
                    self.depth -= 1
                for line in self.ex.hand_out(alone):
                    self.put(line)
                self._refresh(alone)
                alone.clear()

        for s in stmts:
            inner = s.body if isinstance(s, A.Labeled) else s
            if isinstance(inner, A.ForAll):
                flush()
                if reads:
                    self.put("t.sync();")
                super().body((s,))
                if not (at_end and s is stmts[-1]):
                    self.put("t.sync();")
                    self._refresh((s,))
                reads = False
            elif (word := emptied(s)) is not None:
                flush()
                if reads:
                    self.put("t.sync();")
                self.put(f"{name(word)}.wipe(t);", s)
                reads = False
            elif self._is_local(s):
                flush()
                inside = reads or self._reads_shared(s.test if isinstance(s, A.If) else s)
                reads = reads or self._reads_shared(s)
                before, self.reads_before = self.reads_before, inside
                self.at_end = at_end and s is stmts[-1] and isinstance(s, A.If | A.Block)
                super().body((s,))
                self.reads_before, self.at_end = before, at_end
            else:
                alone.append(s)
        flush()

    def leave_if_faulted(self) -> None:
        """Where all threads run a loop, they leave it together: by what a barrier has told them all."""
        if self.depth:
            super().leave_if_faulted()
        else:
            self.put("t.sync();")
            self.put("if (t.halted) break;")

    def _reads_shared(self, node: A.Node) -> bool:
        """Does `node`, without the ForAlls in it, mention what other threads may store: scalars, properties, objects?

        What a ForAll runs over is settled before it begins (analysis/flow/kernels.py).
        """
        if isinstance(node, A.ForAll) or self._is_size(node):
            return False
        if isinstance(node, A.Name) and node in self.checked.symbols and (
                self.checked.symbols[node].kind == "global" or is_object(self.checked, self.checked.types[node])):
            return True
        called = self.checked.functions.get(node.function) if isinstance(node, A.Call) else None
        if called is not None and kernel_effects(self.checked, called).reads:
            return True
        if isinstance(node, A.Member) and isinstance(self.checked.types.get(node.object), T.NodeT | T.EdgeT):
            return True
        return any(self._reads_shared(child) for child in children(node))

    def _is_size(self, node: A.Node) -> bool:
        """Is it the number of the Pipe's items, which no kernel changes in whose rounds none come back?"""
        match node:
            case A.Member(name="size", object=A.Member(name="items", object=A.Name(id="WL"))):
                return self.facts is not None and not self.facts.comes_back
            case _:
                return False

    def _refresh(self, stmts: Iterable[A.Stmt]) -> None:
        """Behind what appends to library objects: all threads look how many items there are by now."""
        for place in effects_of(self.checked, stmts).writes:
            if place.kind == "object" and place.name in self.walked:
                self.put(f"{name(place.name)}.refresh(t);")

    def _is_local(self, s: A.Stmt) -> bool:
        """Does `s` touch nothing but variables of the kernel, or steer what does more?"""
        match s:
            case A.VarDecl():
                return True
            case A.Assign(target=target) | A.ExprStmt(value=A.Reduce(target=target)):
                return stored_variable(self.checked, target) is not None
            case A.If() | A.While() | A.DoWhile() | A.For() | A.CFor() | A.Block():
                return (any(isinstance(n, A.ForAll) for n in walk(s)) or bool(changed_variables(self.checked, [s]))
                        or _jumps_out(s))
            case A.Break() | A.Continue() | A.Return() | A.SyncRunningThreads():
                return True
            case _:
                return False


def _jumps_out(s: A.Node) -> bool:
    """Does `s` hold a jump that ends a loop around it, or an iteration of it?"""
    if isinstance(s, A.While | A.DoWhile | A.For | A.CFor):
        return False
    return isinstance(s, A.Break | A.Continue) or any(map(_jumps_out, children(s)))
