"""Loops whose iterations several lanes run together, side by side along their vectors, in CUDA C++ (row_lanes.cuh).

Where an iteration has all lanes of a warp, and its vectors fewer values, these are several groups: they know the same,
and each takes some of the iteration's edges.
"""

from __future__ import annotations

from collections.abc import Mapping

from irgl.analysis.effects.effects import stored_in
from irgl.analysis.flow.combines import FAMILY
from irgl.analysis.names.methods import of_object
from irgl.analysis.names.vectors import location, of_vector, variable_of
from irgl.analysis.vectors.beside import lanes_for, vector_loops
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.codegen.cuda.statements import KernelCuda
from irgl.codegen.cxx.names import name

_OPS = {"sum": "Add", "min_of": "Min", "max_of": "Max", "bit_or": "Or", "bit_and": "And"}


class VectorLanesCuda(KernelCuda):
    """Writes a kernel's loops; `by_lanes` are the outermost ones whose iterations have so many lanes each."""

    by_lanes: Mapping[A.ForAll, int] = {}
    vectors: Mapping[A.For, int] = {}
    outermost: A.ForAll  # whose iterations have lanes,
    width = 0  # and how many: more than ex.lanes are several groups
    dealt: A.ForAll | None = None  # the loop around of whose items each group has some

    def for_all(self, s: A.ForAll) -> None:
        if s not in self.by_lanes:
            super().for_all(s)
            return
        self.ex.lanes, self.vectors = lanes_for(self.checked, s), vector_loops(self.checked, s)
        self.outermost, self.width = s, self.by_lanes[s]
        super().for_all(s)
        self.ex.lanes = self.width = 0

    def _runs(self, s: A.ForAll, scope: str, cut: bool) -> str:
        return f"irgl::for_each_row<{self.by_lanes[s]}>" if s in self.by_lanes else super()._runs(s, scope, cut)

    @property
    def _alike(self) -> bool:
        """Do several groups run this with the same values?"""
        return self.ex.lanes < self.width and self.dealt is None

    def _alone(self, s: A.ForAll) -> None:
        t = self.checked.types[s.iterator]
        of_list = isinstance(s.iterator, A.Member) and of_object(self.checked, s.iterator)
        if not self._alike or not isinstance(t, T.Range) or not isinstance(t.item, T.EdgeT) or of_list:
            super()._alone(s)
            return
        combined = [(name(v.name), f"irgl::detail::{_OPS[how]}") for v, how in self.checked.combined[s]
                    if v.kind != "global"]
        meets = any(not isinstance(location(self.checked, e), A.Name) for e in stored_in(s.body))
        if meets:  # what one group has stored another may change
            self.put("__syncwarp();", s)
        for word, op in combined:
            self.put(f"irgl::apart<{self.ex.lanes}, {op}>({word});", s)
        depths, self.dealt = dict(self.ex.shared_depths), s
        self.ex.shared_depths[self.depth + 1] = "true"
        super()._alone(s)
        self.ex.shared_depths, self.dealt = depths, None
        if meets:
            self.put("__syncwarp();", s)
        for word, op in combined:
            self.put(f"irgl::joined<{self.ex.lanes}, {op}>({word});", s)

    def _edges_of(self, s: A.ForAll, iterator: A.Expr, test: str = "true") -> str:
        edges = super()._edges_of(s, iterator, test)
        return f"irgl::dealt<{self.ex.lanes}>({edges})" if s is self.dealt else edges

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
        if self.ex.value_turn:
            with self.block(f"if (irgl::in_first<{self.ex.lanes}>()) {{", s):
                super().stmt(s)
            return
        leads = f"irgl::leads<{self.width if self._alike else self.ex.lanes}>()"
        asked = [n for n in walk(s) if of_vector(n, self.checked) and isinstance(n.object, A.Name)]
        if not asked:
            with self.block(f"if ({leads}) {{", s):
                super().stmt(s)
            return
        with self.ex.computing(asked) as lines, self.block("{", s):
            for line in lines:
                self.put(line, s)
            with self.block(f"if ({leads}) {{"):
                super().stmt(s)

    def _stores(self, s: A.Stmt) -> bool:
        """Does it store what all lanes know, or all groups?"""
        update = s.value if isinstance(s, A.ExprStmt) else s
        if (self.ex.value_turn and not self._alike) or not isinstance(update, A.Assign | A.Reduce):
            return False
        variable = variable_of(self.checked, update.target)
        of_iteration = variable is not None and self.checked.symbols[variable].depth > 0
        return not of_iteration

    def _is_read(self, s: A.For) -> bool:
        """Does the iteration read anywhere what this loop over values stores?"""
        stored = {of.name for e in stored_in(s.body) if isinstance(of := location(self.checked, e), A.Member)}
        targets = {location(self.checked, e) for e in stored_in([self.outermost])}
        return any(isinstance(n, A.Member) and n.name in stored and n not in targets for n in walk(self.outermost))

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
        meets = self._alike and self._is_read(s)
        if meets:  # the first group stores what all of them read
            self.put("__syncwarp();", s)
        around, self.ex.value_turn = self.ex.value_turn, {self.checked.symbols[s]: turn}
        with self.block(f"for (int {turn} = 0; {turn} < irgl::turns<{length}, {self.ex.lanes}>; ++{turn}) {{", s):
            there = f"irgl::is_there<{length}, {self.ex.lanes}>({k})"
            with self.block(f"if (const int64_t {k} = irgl::value_of<{self.ex.lanes}>({turn}); {there}) {{"):
                self.loop_body(s, s.body)
        self.ex.value_turn = around
        if meets:
            self.put("__syncwarp();", s)
        for word, op in sums.items():
            all_ = f"irgl::together<{self.ex.lanes}, irgl::detail::{_OPS[FAMILY[op]]}>({word})"
            added = f"irgl::detail::Add{{}}(before_{word}, {all_})"
            self.put(f"{word} = {added if op in ('+', '-') else all_};")
