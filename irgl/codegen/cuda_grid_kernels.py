"""Kernels of several parallel loops in CUDA C++: what stands between the loops is run by all threads of the grid."""

from __future__ import annotations

from irgl.analysis.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, walk
from irgl.codegen.cuda_statements import KernelCuda
from irgl.codegen.names import name


class GridKernelCuda(KernelCuda):
    """A kernel of more than one ForAll: all threads of the grid run its own level together, one of them writes.

    What all of them read there is read behind a barrier, and before the next one stands a loop that may store it.
    """

    reads_before = False  # has something been read that the next loop may store, since the last barrier?

    def body(self, stmts: tuple[A.Stmt, ...]) -> None:
        if self.depth:
            super().body(stmts)
            return
        alone: list[A.Stmt] = []
        reads = self.reads_before

        def flush() -> None:
            nonlocal reads
            if alone:
                reads = False
                with self.block("irgl::once(t, [&] {", alone[0], "});"):
                    self.depth += 1
                    super(GridKernelCuda, self).body(tuple(alone))
                    self.depth -= 1
                alone.clear()

        for s in stmts:
            inner = s.body if isinstance(s, A.Labeled) else s
            if isinstance(inner, A.ForAll):
                flush()
                if reads:
                    self.put("t.sync();")
                super().body((s,))
                self.put("t.sync();")
                reads = False
            elif isinstance(s, A.VarDecl) and s.init is not None and _has_effects(self.checked, s.init):
                flush()
                t = self.checked.symbols[s].type
                self.put(f"{self.type(t)} {name(s.name)} = irgl::from_first<{self.type(t)}>(t, c, [&] {{ "
                         f"return {self.ex.value(s.init, t)}; }});", s)
            elif self._is_local(s):
                flush()
                reads = reads or self._reads_shared(s)
                before, self.reads_before = self.reads_before, reads
                super().body((s,))
                self.reads_before = before
            else:
                alone.append(s)
        flush()

    def _reads_shared(self, node: A.Node) -> bool:
        """Does `node`, without the ForAlls in it, mention what other threads may store: scalars, properties, lists?"""
        if isinstance(node, A.ForAll):
            return False
        if isinstance(node, A.Name) and node in self.checked.symbols and self.checked.symbols[node].kind == "global":
            return True
        of = self.checked.types.get(node.object) if isinstance(node, A.Member) else None
        if isinstance(of, T.NodeT | T.EdgeT | T.Worklist):
            return True
        return any(self._reads_shared(child) for child in children(node))

    def _is_local(self, s: A.Stmt) -> bool:
        """Does `s` touch nothing but variables of the kernel, or steer what does more?"""
        match s:
            case A.VarDecl():
                return True
            case A.Assign(target=A.Name() as target, value=value) | A.ExprStmt(
                value=A.Reduce(target=A.Name() as target, value=value)
            ):
                return self.checked.symbols[target].kind != "global" and not _has_effects(self.checked, value)
            case A.If() | A.While() | A.DoWhile() | A.For() | A.CFor() | A.Block():
                return any(isinstance(n, A.ForAll) for n in walk(s)) or _stores_locals(self.checked, s)
            case A.Break() | A.Continue() | A.Return() | A.SyncRunningThreads():
                return True
            case _:
                return False


def _has_effects(checked: Checked, e: A.Node) -> bool:
    return any(
        isinstance(n, A.Reduce) or (isinstance(n, A.Call) and (n.function == "cas" or n.function in checked.functions))
        for n in walk(e)
    )


def _stores_locals(checked: Checked, s: A.Stmt) -> bool:
    """Does `s` assign a variable that is declared outside it?"""
    inside = {checked.symbols[n] for n in walk(s) if isinstance(n, A.VarDecl)}
    for n in walk(s):
        target = n.target if isinstance(n, A.Assign | A.Reduce) else None
        symbol = checked.symbols[target] if isinstance(target, A.Name) else None
        if symbol is not None and symbol.kind != "global" and symbol not in inside:
            return True
    return False
