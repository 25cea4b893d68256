"""A ForAll in C++: a call of for_each with the operator as a lambda (cpu_rt/executor.hpp)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from irgl.analysis.effects.effects import effects_of
from irgl.analysis.flow.kernels import helpers_of
from irgl.analysis.loops.far_ends import ROWS, far_ends, first_edges, members_there
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.codegen.cxx.locks import LocksCxx
from irgl.codegen.cxx.names import form_of, inner, name, property_name, scalar_name
from irgl.codegen.cxx.rounds import Slot


class ForAllCxx(LocksCxx):
    """Writes parallel loops. `ahead` tells of nested ones how many edges before its turn an edge's end is fetched."""

    ahead: Mapping[A.ForAll, int] = {}
    #: What the plan says of outermost loops alone: by member of the runtime, what it is during the loop (knobs.hpp).
    knobs: Mapping[A.ForAll, Mapping[str, str]] = {}
    #: Those of which threads take equally many nodes, whatever their edges.
    by_nodes: Collection[A.ForAll] = ()
    #: The updates whose values say which respawned items go first.
    ranks: Mapping[A.Respawn, A.Reduce] = {}
    #: May one that came back be dropped where it came back with a better value, too?
    drops = False
    #: The loops that a profile tells of, in a unit that notes it.
    counted: Mapping[A.Node, Slot] = {}

    def item_type(self, s: A.For | A.ForAll) -> str:
        return self.type(self.checked.symbols[s].type)

    def for_all(self, s: A.ForAll) -> None:
        """A ForAll is a call of for_each, in a block with its own knobs where the plan has some."""
        own = self.knobs.get(s, {}) if self.depth == 0 else {}
        if not own:
            self._for_all(s)
            return
        with self.block("{"):
            self.put("const irgl::Knobs _own(c);  // what the plan says of this loop alone")
            for knob, value in own.items():
                self.put(f"c.{knob} = {value};")
            self._for_all(s)

    def _for_all(self, s: A.ForAll) -> None:
        """The call, with the operator as a lambda (cpu_rt/executor.hpp)."""
        combined = self.checked.combined[s]
        outermost = self.depth == 0
        slot = self.counted.get(s)
        self.depth += 1
        self.ex.on_host = False
        before = set(self.ex.accumulators)
        targets = [self._combined_target(symbol) for symbol, _ in combined]
        reducers = [f"irgl::{how}({target})" for (_, how), target in zip(combined, targets, strict=True)]
        accumulators = [f"{self.type(symbol.type)}& {name(symbol.name)}" for symbol, _ in combined]
        if any(isinstance(n, A.ReduceAndReturn) for n in walk(s)):
            value = "value." if outermost else ""
            reducers += [f"irgl::any({value}any)", f"irgl::all({value}all)"]
            accumulators += ["bool& any", "bool& all"]
        if slot is not None:
            reducers.append("irgl::counts(_run)" if outermost else
                            f"irgl::counts<IRGL_SHARED({inner(self.depth - 1)})>({counts_of(self.depth - 1)})")
            accumulators.append(f"irgl::Counts<{slot.loops}>&{f' {counts_of(self.depth)}' * (slot.slot >= 0)}")
        self.ex.accumulators |= {symbol.name for symbol, _ in combined}
        again = outermost and self.facts is not None and self.facts.comes_back and not self.facts.together
        returns = outermost and self.facts is not None and self.facts.returns
        once = returns and bool(effects_of(self.checked, [s.iterator]).writes)  # what computing it changes changes once
        if returns and not once:
            self.put(f"value.items = value.items || irgl::has_items({self.ex.iterator(s.iterator)});", s)
        if outermost and slot is not None:
            self.put("{")
            self.indent += 1
            self.put(f"irgl::LoopRun<{slot.loops}> _run(c, {slot.site});")
        self.put("", s)
        head = len(self.lines) - 1
        around, self.ex.inner = self.ex.inner, inner(self.depth)
        operator = self._operator(s)
        self.ex.inner = around  # what the loop goes over is computed outside of it
        uses = "\n".join(operator)
        params = [
            f"irgl::Thread&{' t' if uses_word(uses, 't') else ''}",
            f"auto&{' ' + inner(self.depth) if uses_word(uses, inner(self.depth)) else ''}",
            self._item(s, uses),
            *accumulators,
        ]
        apart = "_alone_apart" if "IRGL_RACED(" in uses else ""
        target = f"irgl::for_each{apart}(c" if outermost else f"{inner(self.depth - 1)}.for_each(t"
        capture = self._captures(s, uses) if outermost else "&"
        arguments = ", ".join([target, self._range(s, outermost, once), *reducers])
        looked_up = self._looked_up(s, uses) if outermost else None
        if looked_up is not None:
            self.lines.insert(head, looked_up)
            head += 1
        self.lines[head] += f"{'do ' if again else ''}{arguments}, [{capture}]({', '.join(params)}) {{"
        self.lines += operator
        self.put("});")
        if again:
            self.put("while (!c.halted() && wl.more());")
        if outermost and slot is not None:
            self.indent -= 1
            self.put("}")
        self.ex.accumulators = before
        self.depth -= 1
        self.ex.on_host = self.depth == 0

    def _looked_up(self, s: A.ForAll, uses: str) -> str | None:
        """Before a loop that asks the edges of a list for their sources: all may be looked up at once."""
        t = self.checked.types[s.iterator]
        item = self.checked.symbols[s].type
        item = item.list.item if isinstance(item, T.Position) else item
        if not isinstance(item, T.EdgeT) or item.incoming or not isinstance(t, T.Worklist | T.Range):
            return None
        g = self.ex.graph_of(item)
        if f"irgl::source({g}, " not in uses or self.ex.rows(g) != g or self._derives():
            return None
        return f"{'  ' * self.indent}{g}.sources = c.sources.of(c, {g}, {self.ex.iterator(s.iterator)}.size());"

    def _derives(self) -> bool:
        """Does the Program make graphs, whose rows may lie where those of another were?"""
        entry = self.checked.entry
        return entry is not None and any(isinstance(n, A.Call) and n.function == "oriented" for n in walk(entry))

    def _combined_target(self, symbol: Symbol) -> str:
        if symbol.kind == "global" and symbol.name not in self.ex.accumulators:
            return f"c.{scalar_name(symbol.name)}"
        return name(symbol.name)

    def _item(self, s: A.ForAll, uses: str) -> str:
        """The operator's parameter that is the item."""
        return f"{self.item_type(s)} {name(s.var)}" if uses_word(uses, name(s.var)) else self.item_type(s)

    def _operator(self, s: A.ForAll) -> list[str]:
        kept, self.lines = self.lines, []
        self.indent += 1
        self.loop_body(s, s.body)
        self.indent -= 1
        operator, self.lines = self.lines, kept
        return operator

    def _captures(self, s: A.ForAll, uses: str) -> str:
        """Everything by value, so that each thread works on its own copies; the context and lists by reference."""
        references = ["&c"] if uses_word(uses, "c") else []
        if uses_word(uses, "wl"):
            references.append("&wl")
        shared: dict[str, None] = {}
        own = {self.checked.symbols[n] for n in walk(s) if isinstance(n, A.VarDecl)}
        for n in walk(s):
            if isinstance(n, A.Name) and (symbol := self.checked.symbols.get(n)) is not None and symbol not in own:
                t = symbol.type
                library = isinstance(t, T.Named) and t.name in self.checked.libraries
                if (isinstance(t, T.Worklist) and t.kind != "scratch") or library:
                    shared[name(symbol.name)] = None
        return ", ".join(["=", *references, *(f"&{n}" for n in shared if uses_word(uses, n))])

    def _range(self, s: A.ForAll, outermost: bool, noted: bool) -> str:
        text = f"irgl::noted(value.items, {self.ex.iterator(s.iterator)})" if noted else self.ex.iterator(s.iterator)
        if not outermost:
            if self.counts_at_once(s):
                text = f"irgl::ran({counts_of(self.depth - 1)}.ran[{self.counted[s].slot}], {text})"
            return self._ahead(s, text) if s in self.ahead else text
        if self.ranks and text == "wl.items()":
            text = f"wl.items({self._rank_of_items()})"
        weight = _edge_loop(s, self.checked)
        if weight is None or s in self.checked.none:  # NONE has no edges to count
            return self._by_first_edges(s, f"irgl::costly({text}, 4)" if self._walks(s) else text)
        if s in self.by_nodes:
            return text
        loop, graph, incoming = weight
        graph = name(graph or self.ex.graph)
        form = self._weighing(loop, graph, incoming)
        if isinstance(loop, A.For):
            return f"irgl::even({form}, {text})"
        beside = self._beside(loop, graph, incoming) if form == form_of(graph, incoming) else []
        return f"irgl::by_degree({', '.join([form, text, *beside])})"

    def _by_first_edges(self, s: A.ForAll, nodes: str) -> str:
        """The nodes, with what is fetched ahead where each one's first edges are taken by number."""
        found = first_edges(self.checked, s)
        if found is None:
            return nodes
        g = self.ex.graph_of(self.checked.symbols[s].type)
        there = [f"{g}.{property_name(p)}" for p in found.properties]
        return f"irgl::first_edges<{found.count}>({', '.join([self.ex.form(g, found.incoming), nodes, *there])})"

    def counts_at_once(self, s: A.For | A.ForAll) -> bool:
        """Is it known how many iterations a counted loop has when it begins, so that none counts itself?"""
        t = self.checked.types[s.iterator]
        rows = isinstance(t, T.Range) and isinstance(t.item, T.EdgeT)
        return rows and isinstance(s, A.ForAll) and self.depth > 1 and s in self.counted

    def _beside(self, loop: A.ForAll, graph: str, incoming: bool) -> list[str]:
        """What lies beside the far ends of the rows that a loop runs over, and is read with them."""
        read = [property_name(p) for p in self._read_by_edge(loop) if not incoming or p in self.ex.in_weights]
        return [f"{graph}.{'_in_' * incoming}{p}" for p in read]

    def _read_by_edge(self, loop: A.ForAll) -> list[str]:
        """Properties of the edges that a loop runs over which it reads by their numbers, in the order of the text."""
        edge = self.checked.symbols[loop]
        known = {p.name for g in self.checked.graph_types.values() for p in g.properties
                  if p.owner == "edge" and not isinstance(p.type, T.Lock)}
        read = (n for s in loop.body for n in walk(s) if isinstance(n, A.Member) and n.name in known)
        return list(dict.fromkeys(n.name for n in read if self.checked.symbols.get(n.object) is edge))

    def _weighing(self, loop: A.For | A.ForAll, graph: str, incoming: bool) -> str:  # noqa: ARG002
        """The form in which the edges of a loop's node are counted."""
        return form_of(graph, incoming)

    def _rank_of_items(self) -> str:
        """The function that tells an item's rank; of NONE, which has none, any."""
        update = next(iter(self.ranks.values()))
        assert isinstance(update.target, A.Member)
        t = self.checked.types[update.target.object]
        element = self.ex.element(self.ex.graph_of(t), property_name(update.target.name), "IRGL_x")
        rank = self.ranked(update, element)
        return (f"irgl::ranked<{str(self.drops).lower()}>([=]({self.type(t)} IRGL_x) {{ "
                f"return IRGL_x < 0 ? 0 : {rank}; }})")

    def ranked(self, update: A.Reduce, location: str) -> str:
        """The rank that the value in a location gives."""
        return f"irgl::rank_{'least' if update.op == 'min' else 'most'}(irgl::load({location}))"

    def _ahead(self, s: A.ForAll, edges: str) -> str:
        """The edges, and what is fetched of those to come: properties and rows of their other ends."""
        t = self.checked.symbols[s].type
        assert isinstance(t, T.EdgeT)
        g, e = self.ex.graph_of(t), name(s.var)
        end = f"irgl::other({self.ex.form(g, t.incoming)}, {e})"
        found = far_ends(self.checked, s)
        forms = dict.fromkeys(self.ex.form(g, member.startswith("in_")) for member in found if member in ROWS)
        several = {e.name: of.length for e in members_there(self.checked, s)
                   if isinstance(of := self.checked.types[e], T.Vector)}

        def first(member: str) -> str:
            return f"irgl::slot<{several[member]}>({end}, 0)" if member in several else end

        wanted = [f"irgl::prefetch_row({form}, {end});" for form in forms]
        wanted += [f"irgl::prefetch{'_to_write' * overwritten}("
                   f"{self.ex.element(g, property_name(member), first(member))});"
                   for member, overwritten in found.items() if member not in ROWS]
        return f"irgl::ahead<{self.ahead[s]}>({g}, {edges}, [&](edge_t {e}) {{ {' '.join(wanted)} }})"

    def _walks(self, s: A.Node) -> bool:
        """Does an iteration loop on its own account (a while, or a helper with one), so that it costs several edges?"""
        parts = [s, *helpers_of(self.checked, [s])]
        return any(isinstance(n, A.While | A.DoWhile) for part in parts for n in walk(part))


def _edge_loop(s: A.ForAll, checked: Checked) -> tuple[A.For | A.ForAll, str, bool] | None:
    """Whether `s` runs over nodes and loops over their edges: (loop, graph, incoming?); parallel ones first."""
    item = checked.symbols[s].type
    item = item.list.item if isinstance(item, T.Position) else item
    if not isinstance(item, T.NodeT):
        return None
    found: list[tuple[A.For | A.ForAll, str, bool]] = []
    for n in walk(s):
        if isinstance(n, A.For | A.ForAll) and n is not s:
            t = checked.types[n.iterator]
            if isinstance(t, T.Range) and isinstance(t.item, T.EdgeT) and t.item.graph == item.graph:
                found.append((n, item.graph, t.item.incoming))
    return max(found, key=lambda f: isinstance(f[0], A.ForAll), default=None)


def counts_of(depth: int) -> str:
    """What a profile counts in the ForAll at that depth and those in it."""
    return f"_k{depth}"


def uses_word(text: str, word: str) -> bool:
    """Does the word stand in a piece of C++ by itself, and not as a member of something?"""
    at = text.find(word)
    while at >= 0:
        before = text[at - 1] if at > 0 else " "
        after = text[at + len(word)] if at + len(word) < len(text) else " "
        if not (before.isalnum() or before in "_.") and not (after.isalnum() or after == "_"):
            return True
        at = text.find(word, at + 1)
    return False
