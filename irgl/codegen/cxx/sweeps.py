"""Sweeps in C++: a ForAll over nodes whose inner one takes its edges part by part, as a form keeps them (sweep.hpp)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager

from irgl.analysis.loops.lanes import in_lanes
from irgl.analysis.loops.row_lanes import shares_nothing
from irgl.analysis.names.symbols import Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.codegen.cxx.code import UNARY
from irgl.codegen.cxx.for_all import uses_word
from irgl.codegen.cxx.names import called, inner, name, property_name
from irgl.codegen.cxx.places import PlacedEdge
from irgl.codegen.cxx.row_forms import RowFormsCxx, copied_as, form_in, lanes_in
from irgl.passes.sweep_edges import Use
from irgl.passes.sweep_edges import copies as copies_in


class SweepsCxx(RowFormsCxx):
    """Writes loops; `sweeps` are the outermost ones that run over forms."""

    sweeps: Mapping[A.ForAll, Use] = {}

    def _item(self, s: A.ForAll, uses: str) -> str:
        return "irgl::Part part" if s in self.sweeps else super()._item(s, uses)

    def _range(self, s: A.ForAll, outermost: bool, noted: bool) -> str:
        return f"irgl::parts({form_in(self.sweeps[s])})" if s in self.sweeps else super()._range(s, outermost, noted)

    def _operator(self, s: A.ForAll) -> list[str]:
        use = self.sweeps.get(s)
        if use is None:
            return super()._operator(s)
        kept, self.lines = self.lines, []
        self.indent += 1
        self.loops.append(s)
        self._sweep(s, use)
        self.loops.pop()
        self.indent -= 1
        operator, self.lines = self.lines, kept
        return operator

    def _sweep(self, s: A.ForAll, use: Use) -> None:
        at = next(i for i, x in enumerate(s.body) if x is use.sweep.inner or (
            isinstance(x, A.Labeled) and x.body is use.sweep.inner))
        before, behind = s.body[:at], s.body[at + 1 :]
        kept = use.sweep.kept
        for symbol in kept:
            if use.lanes:
                self.put(f"irgl::InLanes<{self.type(symbol.type)}, {lanes_in(use)}> {_kept(symbol)};", s)
            else:
                self.put(f"irgl::Kept<{self.type(symbol.type)}> {_kept(symbol)}(t, {form_in(use)}, part);", s)
        condition = use.sweep.inner.iterator
        if isinstance(condition, A.MethodCall):
            self.put("bool wanted = false;  // does any node of the part come to its edges?")
        if before or isinstance(condition, A.MethodCall):
            with self._rows(s, use):
                self.body(before)
                for symbol in kept:
                    self.put(f"{_kept(symbol)}[kth] = {name(symbol.name)};")
                if isinstance(condition, A.MethodCall):
                    self.put(f"wanted |= {self.ex.truth(condition.args[0])};")
        if isinstance(condition, A.MethodCall):
            self.put("if (wanted)")
        self._edges(use)
        if behind:
            with self._rows(s, use, in_lanes(self.checked, s, behind)):
                used = {self.checked.symbols.get(n) for x in behind for n in walk(x)}
                for symbol in kept:
                    if symbol in used:
                        self.put(f"{self.type(symbol.type)} {name(symbol.name)} = {_kept(symbol)}[kth];")
                self.body(behind)

    def _rows(self, s: A.ForAll, use: Use, sums: Sequence[Symbol] | None = None) -> AbstractContextManager[None]:
        """A loop over the part's nodes; `kth` counts them. `sums`: what they add up, if several are taken at once."""
        params = f"[[maybe_unused]] node_t {name(s.var)}, [[maybe_unused]] size_t kth"
        if sums is not None:
            params += "".join(f", {self.type(v.type)}& {name(v.name)}" for v in sums)
            tail = "".join(f", {name(v.name)}" for v in sums)
            return self.block(f"irgl::rows_in_lanes({form_in(use)}, part, [&]({params}) {{", s, f"}}{tail});")
        return self.block(f"irgl::each_row({form_in(use)}, part, [&]({params}) {{", s, "});")

    def _edges(self, use: Use) -> None:
        """A loop over the part's edges: what is kept for their node is at hand under the variables' names."""
        edges, form = use.sweep.inner, form_in(use)
        combined = [symbol for symbol, _ in self.checked.combined[edges]]
        before, around = set(self.ex.accumulators), self.ex.inner
        self.depth += 1
        self.ex.accumulators |= {symbol.name for symbol in combined}
        self.ex.inner = inner(self.depth)
        edge = self.checked.symbols[edges]
        self.ex.placed[edge] = PlacedEdge(form, use.weights.name if use.weights is not None else "")
        copies: dict[A.Expr, str] = {
            e: f"{copied_as(p)}[place]" for p, reads in copies_in(self.checked, use).items() for e in reads}
        self.ex.computed |= copies
        text = self._operator(edges)
        for e in copies:
            del self.ex.computed[e]
        ahead = [f"{self.type(v.type)}& {name(v.name)} = {_kept(v)}[kth];" if v in combined else
                 f"const {self.type(v.type)} {name(v.name)} = {_kept(v)}[kth];" for v in use.sweep.inside]
        if isinstance(edges.iterator, A.MethodCall):
            ahead.append(f"if (!{self.ex.code(edges.iterator.args[0], T.BOOL).at(UNARY)}) return;")
        if uses_word("\n".join(text), inner(self.depth)):
            ahead.append(f"auto& {inner(self.depth)} = {inner(self.depth - 1)};")
        if use.lanes and uses_word("\n".join(text), name(edges.var)):
            ahead.append(f"const edge_t {name(edges.var)} = place;")
        elif use.numbered and not use.lanes:
            ahead.append(f"const edge_t {name(edges.var)} = irgl::number({form}, place);")
        lines = "\n".join([*ahead, *text])
        params = ", ".join(w if uses_word(lines, w.split()[-1]) else f"[[maybe_unused]] {w}" for w in (
            f"node_t {name(use.sweep.loop.var)}", "size_t kth", "node_t far", "edge_t place"))
        tail = "});"
        if use.lanes:  # along a row each lane has values of its own
            params += "".join(f", auto&& {_kept(v)}" for v in combined)
            into = "".join(f", irgl::{how}({_kept(v)})" for v, how in self.checked.combined[edges])
            tail = f"}}{into});"
        together = "<true>" if not use.lanes and shares_nothing(self.checked, use.sweep) else ""
        thread = "t, " if use.lanes else ""
        with self.block(f"irgl::each_edge{together}({thread}{form}, part, [&]({params}) {{", edges, tail):
            for line in ahead:
                self.put(line)
            self.lines += text
        del self.ex.placed[edge]
        self.ex.inner, self.ex.accumulators = around, before
        self.depth -= 1

    def _looked_up(self, s: A.ForAll, uses: str) -> str | None:
        use = self.sweeps.get(s)
        copies = {} if use is None else copies_in(self.checked, use)
        if use is None or not copies:
            return super()._looked_up(s, uses)
        own, self.lines = self.lines, []
        form = form_in(use)
        for k, (word, reads) in enumerate(copies.items()):
            of = self.type(self.checked.types[reads[0]])
            self.put(f"{of}* const {copied_as(word)} = c.copies.of<{of}>({k}, irgl::place_count({form}));")
        of_tiles = f"irgl::for_each(c, irgl::tiles({form}), [=](irgl::Thread&, auto&, irgl::Tile tile) {{"
        with (self.block(of_tiles, tail="});"),
              self.block(f"irgl::each_far({form}, tile, [&](node_t far, edge_t place) {{", tail="});")):
            for word in copies:
                self.put(f"{copied_as(word)}[place] = {self.ex.element(name(use.graph), property_name(word), 'far')};")
        if s.span is not None:
            self.lines.append(f"#line {s.span.line}")
        text, self.lines = self.lines, own
        return "\n".join(text)


def _kept(symbol: Symbol) -> str:
    return called("kept", symbol.name)
