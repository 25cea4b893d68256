"""Loops whose iterations several lanes run together, side by side along their vectors, in CUDA C++ (row_lanes.cuh)."""

from __future__ import annotations

from collections.abc import Mapping

from irgl.analysis.names.vectors import location, of_vector, variable_of
from irgl.analysis.vectors.beside import vector_loops
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.codegen.cuda.statements import KernelCuda
from irgl.codegen.cxx.names import name

_OPS = {"+": "Add", "-": "Add", "min": "Min", "max": "Max", "|": "Or", "&": "And"}


class VectorLanesCuda(KernelCuda):
    """Writes a kernel's loops; `by_lanes` are the outermost ones whose iterations have so many lanes each."""

    by_lanes: Mapping[A.ForAll, int] = {}
    vectors: Mapping[A.For, int] = {}

    def for_all(self, s: A.ForAll) -> None:
        if s not in self.by_lanes:
            super().for_all(s)
            return
        self.ex.lanes, self.vectors = self.by_lanes[s], vector_loops(self.checked, s)
        super().for_all(s)
        self.ex.lanes = 0

    def _runs(self, s: A.ForAll, scope: str, cut: bool) -> str:
        return f"irgl::for_each_row<{self.by_lanes[s]}>" if s in self.by_lanes else super()._runs(s, scope, cut)

    def variable(self, s: A.VarDecl) -> None:
        t = self.checked.symbols[s].type
        if not self.ex.lanes or not isinstance(t, T.Vector):
            super().variable(s)
            return
        first = "" if s.init is None else self.ex.converted(s.init, t.of)
        self.put(f"irgl::Beside<{self.type(t.of)}, {t.length}, {self.ex.lanes}> {name(s.name)}{{{first}}};", s)

    def stmt(self, s: A.Stmt) -> None:
        if self.ex.lanes and isinstance(s, A.For) and s in self.vectors:
            self._by_value(s)
        elif self.ex.lanes and self._stores(s):
            self._by_first(s)
        else:
            super().stmt(s)

    def _by_first(self, s: A.Stmt) -> None:
        """A store of what all lanes know; values that other lanes have are asked for before, by all."""
        asked = [n for n in walk(s) if of_vector(n, self.checked) and isinstance(n.object, A.Name)]
        if not asked:
            with self.block(f"if (irgl::leads<{self.ex.lanes}>()) {{", s):
                super().stmt(s)
            return
        with self.ex.computing(asked) as lines, self.block("{", s):
            for line in lines:
                self.put(line, s)
            with self.block(f"if (irgl::leads<{self.ex.lanes}>()) {{"):
                super().stmt(s)

    def _stores(self, s: A.Stmt) -> bool:
        """Does it store what all lanes know, outside of loops over values?"""
        update = s.value if isinstance(s, A.ExprStmt) else s
        if self.ex.value_turn or not isinstance(update, A.Assign | A.Reduce):
            return False
        variable = variable_of(self.checked, update.target)
        of_iteration = variable is not None and self.checked.symbols[variable].depth > 0
        return not of_iteration

    def _by_value(self, s: A.For) -> None:
        """A loop over the values of vectors: each lane has some."""
        length, k = self.vectors[s], name(s.var)
        turn = f"turn_{k}"
        sums = {}
        for n in (n for one in s.body for n in walk(one) if isinstance(n, A.Reduce)):
            of = location(self.checked, n.target)
            if isinstance(of, A.Name) and not of_vector(n.target, self.checked) and (
                    self.checked.symbols[of].depth > 0):
                sums[name(of.id)] = n.op
        for word, op in sums.items():
            if op in ("+", "-"):
                self.put(f"const auto before_{word} = {word};", s)
                self.put(f"{word} = 0;")
        around, self.ex.value_turn = self.ex.value_turn, {self.checked.symbols[s]: turn}
        with self.block(f"for (int {turn} = 0; {turn} < irgl::turns<{length}, {self.ex.lanes}>; ++{turn}) {{", s):
            there = f"irgl::is_there<{length}, {self.ex.lanes}>({k})"
            with self.block(f"if (const int64_t {k} = irgl::value_of<{self.ex.lanes}>({turn}); {there}) {{"):
                self.loop_body(s, s.body)
        self.ex.value_turn = around
        for word, op in sums.items():
            all_ = f"irgl::together<{self.ex.lanes}, irgl::detail::{_OPS[op]}>({word})"
            added = f"irgl::detail::Add{{}}(before_{word}, {all_})"
            self.put(f"{word} = {added if op in ('+', '-') else all_};")
