"""The Program in CUDA C++: host statements and launches, and kernels between whose loops the host chooses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgl.analysis.effects.effects import effects_of, home_graph
from irgl.analysis.effects.in_edges import in_edges_used, weights_of_in_edges
from irgl.analysis.flow.outline import LOOPS, Loop, initial_of
from irgl.analysis.names.methods import is_object
from irgl.analysis.names.symbols import Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.codegen.cuda.expressions import HostExpressions
from irgl.codegen.cuda.graph_loop import GraphLoopCuda
from irgl.codegen.cuda.launch import head, reservations
from irgl.codegen.cuda.outlined import OutlinedCuda
from irgl.codegen.cxx.host import HostCxx
from irgl.codegen.cxx.names import form_of, made, name, property_name, type_name, zero
from irgl.codegen.cxx.rounds import ways
from irgl.options import BUCKETS
from irgl.passes.lowering.lower_cuda import Lowered
from irgl.passes.parts import intersections
from irgl.passes.parts.packed import packed
from irgl.plan import Plan


class HostCuda(HostCxx):
    """The Program on the host."""

    on = "c"
    viewed = ".view()"
    sequence_args = ("c",)
    keeps = "c.write().{0} = own.read().{0};"
    own_context = "Context&"

    def __init__(self, low: Lowered, sources: dict[str, int], plan: Plan) -> None:
        super().__init__(low.checked)
        self.low = low
        self.plan = plan
        self.ex = HostExpressions(low.checked)
        self.ex.sources = sources
        self.ex.invoke = self._invoked
        self.ex.intersection = intersections.elsewhere(low.checked, plan)
        self.packs = packed(low.checked, plan)
        self.kernels: list[str] = []  # texts of outlined loops

    def buckets_apart(self, t: T.Worklist) -> list[str]:
        return [self.plan.text_of(BUCKETS)] if t.kind == "buckets" else []

    def leave_if_halted(self) -> None:
        self.put(f"if (c.halted()) return{'' if self.returns == T.VOID else ' ' + zero(self.returns, self.checked)};")

    def stmt(self, s: A.Stmt) -> None:
        if s in self.low.outlined and isinstance(s, LOOPS):
            self._outlined(s)  # which ends its rounds, too
        else:
            super().stmt(s)

    def first_items(self, s: A.Stmt, initial: A.Initial | None, t: T.Worklist) -> None:
        priority = ", 0" if t.kind == "buckets" and t.by is None else ""  # a queue knows it
        match initial:
            case None:
                pass
            case A.InitialItems():
                for e in initial.items:
                    self.put(f"wl.in_push(c, {self.first_item(e, s, t)}{priority});")
            case A.InitialIterator():
                if initial in self.checked.none:
                    self.put(f"{self.ex.refuse_none(initial.iterator, s)};")
                items, graph = self.ex.iterator(initial.iterator), self.graph_of_in_edges(initial)
                items = items if graph is None else f"irgl::edges_at({form_of(graph, True)}, {items})"
                self.put(f"wl.in_update(c, {items}{priority});")

    def sections(self, s: A.Sections) -> None:
        if s in self.apart:
            self.put_parts(self.apart[s], "sections")
        else:
            super().sections(s)

    def moved(self, part: Sequence[A.Stmt]) -> tuple[str, str] | None:
        assert self.checked.entry is not None
        effects = effects_of(self.checked, part, self.ex.graph)
        types = {p.name: self.checked.graph_types[str(p.type)] for p in self.checked.entry.params
                 if str(p.type) in self.checked.graph_types}
        touched = [q.of for q in (*effects.reads, *effects.writes) if q.kind in ("node", "edge")]
        used = {*touched, *self._graphs_of(part)}
        if not used <= types.keys():
            return None  # it uses a graph that the program makes
        if self.low.laid or any(types[g].name in self.packs for g in used):
            return None  # what kernels take of edges, or of nodes, is no plain array
        params, given = [], []
        for g in sorted(used):
            to = made("to", (name(g),))
            one, lines = f"{type_name(types[g].name)} {name(g)}", [f"{to}.rows({name(g)});"]
            for p in types[g].properties:
                word = next((w for w, places in (("writes", effects.writes), ("reads", effects.reads))
                             if any((q.of, q.name) == (g, p.name) for q in places)), None)
                size = f"size_t({name(g)}.{'n' if p.owner == 'node' else 'm'})"
                times = f" * {p.type.length}" if isinstance(p.type, T.Vector) else ""
                if word is not None:
                    lines.append(f"{to}.{word}({name(g)}.{property_name(p.name)}, {size}{times});")
                if word is not None and p.name in weights_of_in_edges(self.checked):
                    lines.append(f"{to}.reads({name(g)}._in_{property_name(p.name)}, {size});")
            params.append(one)
            take = f"[](auto& {to}, {one.replace(' ', '& ', 1)}) {{ {' '.join(lines)} }}"
            given.append(f"irgl::here(c, {name(g)}, {take})")
        return ", ".join(params), ", ".join(given)

    def _graphs_of(self, part: Sequence[A.Stmt]) -> Iterator[str]:
        """The graphs that statements name, or whose nodes and edges they have."""
        for n in (n for s in part for n in walk(s)):
            t = self.checked.types.get(n) if isinstance(n, A.Expr) else None
            if isinstance(n, A.Name) and isinstance(t, T.Named) and t.name in self.checked.graph_types:
                yield n.id
            elif isinstance(t, T.NodeT | T.EdgeT):
                yield t.graph or self.ex.graph

    def take_value(self, s: A.Iterate, again: str, more: str) -> None:
        self.note_range(s)
        self.put("c.write().value = irgl::Value();", s)
        self.put(f"{self._call(s)};")
        self.put("const irgl::Value value = c.read().value;")
        self.put(f"{again} = {more};")

    def _invoked(self, e: A.InvokeResult) -> str:
        facts = self.checked.facts[e.kernel]
        advance = f"{self._advance(facts)} " if facts.ends_round else ""
        note = self.run_over(e)
        return (f"[&] {{ {note}{' ' * bool(note)}c.write().value = irgl::Value(); {self._call(e)}; {advance}"
                f"return c.read().value.{e.reduction}; }}()")

    def _graph_variable(self, s: A.VarDecl, t: T.Named) -> None:
        """A graph made from another, with properties of its own."""
        if not (isinstance(s.init, A.Call) and s.init.function == "oriented"):
            super()._graph_variable(s, t)
            return
        h = name(s.name)
        self._graphs += 1
        source = self.ex.value(s.init.args[0])
        oriented = f"oriented{'<true>' * in_edges_used(self.checked)[0]}"
        self.put(f"const irgl::OwnedGraph owned_{self._graphs} = irgl::{oriented}(c, {source});", s)
        self.put(f"{type_name(t.name)} {h};")
        self.put(f"static_cast<irgl::Csr&>({h}) = owned_{self._graphs}.csr;")
        together = self.packs.get(t.name, ())
        if together:
            self.put(f"c.pack({h}.{property_name(together[0])}, size_t({h}.n));")
        for p in self.checked.graph_types[t.name].properties:
            times = f" * {p.type.length}" if isinstance(p.type, T.Vector) else ""
            size = f"size_t({h}.{'n' if p.owner == 'node' else 'm'}){times}"
            if isinstance(p.type, T.Lock):
                self.put(f"{h}.{property_name(p.name)} = c.locks({size});")
                continue
            if p.owner == "edge" and p.init is None:
                word = property_name(p.name)
                self.put(f"{h}.{word} = irgl::along(c, owned_{self._graphs}, {source}.{word});")
                continue
            word, member = self.type(T.of_each(p.type)), f"{h}.{property_name(p.name)}"
            kept = f"c.keep({size} * sizeof({word}))"
            if p.name in together:
                self.put(f"irgl::property(c, {member}, {kept}, {size});")
                continue
            self.put(f"{member} = c.property<{word}>({kept}, {size});")
        self.put(f"initialise(c, {h});")

    # Outlining

    def _outlined(self, s: Loop) -> None:
        """The loop as one kernel: its state goes there and back, and again where a list had to grow."""
        chosen = self.low.outlined[s]
        kind = GraphLoopCuda if chosen.as_graph else OutlinedCuda
        writer = kind(self.low, s, self.ex.sources, self.ex.graph, self.plan)
        writer.rounds, writer.invocations = self.rounds, self.invocations
        word, held = chosen.name, writer.s
        own = writer.uses_wl and not self.pipes
        text, state, effects = writer.kernel(word)
        self.kernels.append(text)
        with self.block("{", s):
            if own:
                self._lists(initial_of(s), s)
            values = [*(self._state_value(v, writer) for v, _ in state), *(["wl.view()"] if writer.uses_wl else [])]
            views = [(v, m) for v, m in state if isinstance(v.type, T.Worklist)]
            if chosen.as_graph:
                for word_of_list in [*(name(v.name) for v, _ in views), *(["wl"] if writer.uses_wl else [])]:
                    self.put(f"{word_of_list}.spill();")
            self.put(f"{word}_state {held}{{{', '.join(values)}}};")
            with self.block("do {", tail=f"}} while ({held}.at != 0 && !c.halted());"):
                for v, m in views:
                    self.put(f"{held}.{m} = {self._state_value(v, writer)};")
                if writer.uses_wl:
                    self.put(f"{held}.wl = wl.view();")
                self.put(writer.run(word, "".join(f", {name(g)}" for g in writer.graphs)))
                for v, m in views:
                    self.put(f"{name(v.name)}.adopt(c, {held}.{m});")
                if writer.uses_wl:
                    self.put(f"wl.adopt(c, {held}.wl);")
            for v, m in state:
                if v.assigned and not isinstance(v.type, T.Worklist) and v in writer.outside:
                    self.put(f"{name(v.name)} = {held}.{m};")
            for line in effects:
                self.put(line)

    def _state_value(self, v: Symbol, writer: OutlinedCuda) -> str:
        if is_object(self.checked, v.type):
            return f"{name(v.name)}.{writer.view_of(v.type)}()"
        return name(v.name)


class ChoiceCuda(HostCuda):
    """What stands between the loops of a kernel that the host runs loop by loop (passes/lowering/split_kernels.py)."""

    def __init__(self, low: Lowered, k: A.Kernel, sources: dict[str, int], plan: Plan) -> None:
        super().__init__(low, sources, plan)
        self.facts = low.checked.facts[k.name]
        self.parts = low.split[k.name]

    def for_all(self, s: A.ForAll) -> None:
        word = self.parts[s]
        k = self.checked.kernels[word]
        lists = ["wl"] if self.checked.facts[word].uses_worklist else []
        self.put(f"{name(word)}({', '.join(['c', *(name(p.name) for p in k.params), *lists])});", s)


def chooser(low: Lowered, k: A.Kernel, sources: dict[str, int], plan: Plan, noted: bool) -> list[str]:
    """The host's function of such a kernel. noted: it says which way its loops go."""
    writer = ChoiceCuda(low, k, sources, plan)
    writer.ex.graph = home_graph(low.checked, k.params)
    writer.ways = ways(k) if noted else {}
    writer.body(k.body)
    return [head(low.checked, k), *("  " + line for line in reservations(low, k)), *writer.lines, "}"]
