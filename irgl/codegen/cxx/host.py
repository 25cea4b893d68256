"""The Program's body in C++: host statements, and the orchestration of kernels over worklists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

from irgl.analysis.effects.beside import Group
from irgl.analysis.effects.effects import effects_of
from irgl.analysis.effects.in_edges import are_in_edges, in_edges_used
from irgl.analysis.names.symbols import Checked, KernelFacts
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, walk
from irgl.codegen.cxx.code import Code
from irgl.codegen.cxx.names import cxx_type, form_of, made, name, order_of, pipe_type, scalar_name, type_name, words_of
from irgl.codegen.cxx.rounds import Noted, run_over
from irgl.codegen.cxx.statements import StatementsCxx


class HostCxx(StatementsCxx):
    """As StatementsCxx, for the one body that may orchestrate.

    `on` is who orchestrates, as an argument of lists' methods, and `wl` the implicit list's pair. viewed: what makes of
    an array what kernels take, where that is something else. rounds: the loops whose rounds are noted, none in an
    ordinary unit. invocations: those that are noted as rounds, too, for a profile. apart: the Sections whose parts run
    side by side. keeps, own_context: how a context keeps a scalar that a part's own has, and the type of that one.
    """

    watches_faults = False
    on = ""
    wl = "wl"
    viewed = ""
    #: Is it noted what rounds run over, where they are noted?
    measured = True
    keeps = "c.{0} = own.{0};"
    own_context = "const Context&"

    def __init__(self, checked: Checked) -> None:
        super().__init__(checked, None)
        self.ex.invoke = self._invoked
        self.pipes: list[str] = []
        self.rounds: Mapping[A.Stmt, Noted] = {}
        self.invocations: Mapping[A.Node, Noted] = {}
        self.apart: Mapping[A.Sections, Group] = {}
        self._graphs = 0

    # What differs between targets

    def leave_if_halted(self) -> None:
        """Before each round: a fault or the user's interrupt ends the program."""
        self.put("if (c.halted()) return;")

    def not_halted(self) -> str:
        return "!c.halted()"

    def count_round(self) -> None:
        self.put("++c.rounds;")

    def call_kernel(self, s: A.Invoke | A.Iterate) -> None:
        """One invocation of a kernel whose value nobody asks for."""
        self.note_range(s)
        self.put(f"{self._call(s)};", s)

    def take_value(self, s: A.Iterate, again: str, more: str) -> None:
        """One invocation of a kernel, and whether there is to be another."""
        self.note_range(s)
        self.put(f"const irgl::Value value = {self._call(s)};", s)
        self.put(f"{again} = {more};")

    def given_lists(self, t: T.Worklist) -> list[str]:
        """What the lists of an outermost Pipe or Iterate are made of."""
        order = [] if t.by is None else [order_of(t, self.viewed)]
        return ["c", self.universe(t), *order, *self.buckets_apart(t)]

    def first_items(self, s: A.Stmt, initial: A.Initial | None, t: T.Worklist) -> None:
        """The first items of the list `wl`, which belongs to `s`."""
        buckets = t.kind == "buckets"
        item = cxx_type(t.item, self.checked)
        priority = ", 0" if buckets and t.by is None else ""  # a queue knows it
        target = "wl" if buckets else "wl.in"
        match initial:
            case None:
                pass
            case A.InitialItems():
                for e in initial.items:
                    self.put(f"{target}.push(c.host(), {self.first_item(e, s, t)}{priority});")
            case A.InitialIterator():
                graph = self.graph_of_in_edges(initial)
                x = made("x", words_of(graph or "") | self.checked.kernels.keys())
                some = ""
                if initial in self.checked.none:
                    self.put(f"{self.ex.refuse_none(initial.iterator, s)};")
                    some = f"if ({x} >= 0) "
                pushed = x if graph is None else f"irgl::id({form_of(graph, True)}, {x})"
                self.put(
                    f"irgl::for_each(c, {self.ex.iterator(initial.iterator)}, [&](irgl::Thread& t, auto&, {item} {x}) "
                    f"{{ {some}{target}.push(t, {pushed}{priority}); }});"
                )

    def first_item(self, e: A.Expr, s: A.Stmt, t: T.Worklist) -> str:
        text = self.ex.value(e, t.item)
        return self.ex.some(text, s) if e in self.checked.none else text

    def graph_of_in_edges(self, initial: A.InitialIterator) -> str | None:
        """The graph whose in-edges are the first items; None: they are something else."""
        t = self.checked.types[initial.iterator]
        return self.ex.graph_of(t.item) if isinstance(t, T.Range) and are_in_edges(t) else None

    # Values that only the host can compute

    def variable(self, s: A.VarDecl) -> None:
        t = self.checked.symbols[s].type
        match t:
            case T.Named() if t.name in self.checked.graph_types:
                self._graph_variable(s, t)
            case T.Worklist() if t.by is not None:
                self.put(f"{pipe_type(t, self.checked)} {name(s.name)}({', '.join(self.given_lists(t))});", s)
            case _:
                super().variable(s)

    def _graph_variable(self, s: A.VarDecl, t: T.Named) -> None:
        assert s.init is not None
        if isinstance(s.init, A.Call) and s.init.function == "oriented":
            self._graphs += 1
            owned = f"owned_{self._graphs}"
            properties = self.checked.graph_types[t.name].properties
            weighted = any(p.owner == "edge" and p.init is None and not isinstance(p.type, T.Lock) for p in properties)
            oriented = "oriented<true>" if weighted else "oriented"  # weights are those of the edges that it keeps
            self.put(f"irgl::OwnedGraph {owned} = irgl::{oriented}(c, {self.ex.value(s.init.args[0])});", s)
            if in_edges_used(self.checked)[0]:
                self.put(f"const irgl::OwnedGraph {owned}_in = irgl::add_transpose(c, {owned}.csr);")
            source = self.ex.value(s.init.args[0])
            self.put(f"Storage<{type_name(t.name)}> stored_{self._graphs}(c, {owned}, {source});")
            self.put(f"const {type_name(t.name)} {name(s.name)} = stored_{self._graphs}._graph;")
        else:
            self.put(f"const {type_name(t.name)} {name(s.name)} = {self.ex.value(s.init)};", s)

    def _invoked(self, e: A.InvokeResult) -> str:
        facts = self.checked.facts[e.kernel]
        call = f"{self._call(e)}.{e.reduction}"
        note = self.run_over(e)
        if not facts.ends_round:
            return f"({note[:-1]}, {call})" if note else call
        return f"[&] {{ {note}{' ' * bool(note)}const bool value = {call}; {self._advance(facts)} return value; }}()"

    def stmt(self, s: A.Stmt) -> None:
        self._statement(s)
        self._end_rounds(s)

    def _statement(self, s: A.Stmt) -> None:
        match s:
            case A.While():
                with self.block(f"while ({self.ex.truth(s.test)}) {{", s):
                    self.leave_if_halted()
                    self.loop_body(s, s.body)
            case A.DoWhile():
                with self.block("do {", s, f"}} while ({self.not_halted()} && ({self.ex.truth(s.test)}));"):
                    self.loop_body(s, s.body)
            case _:
                super().stmt(s)

    def loop_body(self, loop: A.Stmt, stmts: tuple[A.Stmt, ...]) -> None:
        if isinstance(loop, A.CFor | A.For):
            self.leave_if_halted()
        if not isinstance(loop, A.Iterate | A.Pipe):
            self._begin_round(loop)
        super().loop_body(loop, stmts)

    # Rounds that are noted

    def _begin_round(self, loop: A.Stmt) -> None:
        noted = self.rounds.get(loop)
        if noted is not None:
            self.put(f"irgl::begin_round({noted.number}, {noted.depth});")

    def _end_rounds(self, loop: A.Stmt) -> None:
        noted = self.rounds.get(loop)
        if noted is not None and not noted.again:
            self.put(f"irgl::end_rounds({noted.depth});")

    def run_over(self, e: A.Invoke | A.Iterate | A.InvokeResult) -> str:
        """What stands before an invocation in a unit that notes rounds, "" in others."""
        if not (self.rounds or self.invocations) or not self.measured:
            return ""
        k = self.checked.kernels[e.kernel]
        given = {p.name: self.ex.value(a) for p, a in zip(k.params, e.args, strict=True) if isinstance(a, A.Name)}
        told, noted = run_over(self.checked, e, given, f"{self._own_list(e)}.", self.on), self.invocations.get(e)
        return told if noted is None else f"irgl::begin_round({noted.number}, {noted.depth}); {told}"

    def note_range(self, s: A.Invoke | A.Iterate | A.InvokeResult) -> None:
        note = self.run_over(s)
        if note:
            self.put(note)

    # Orchestration

    def _call(self, e: A.Invoke | A.Iterate | A.InvokeResult) -> str:
        return self.ex.in_order(e, lambda: Code(self._direct_call(e))).text

    def _direct_call(self, e: A.Invoke | A.Iterate | A.InvokeResult) -> str:
        k = self.checked.kernels[e.kernel]
        values = [
            self.ex.value(a, p.type if isinstance(p.type, T.NodeT | T.EdgeT) else self.checked.types[a])
            for a, p in zip(e.args, k.params, strict=True)
        ]
        lists = [self._own_list(e)] if self.checked.facts[e.kernel].uses_worklist else []
        return f"{name(e.kernel)}({', '.join(['c', *values, *lists])})"

    def _own_list(self, e: A.Invoke | A.Iterate | A.InvokeResult) -> str:
        """What a kernel's WL is: that of the Pipe or Iterate around, or a variable."""
        return self.wl if not isinstance(e, A.Invoke) or e.queue is None else name(e.queue)

    def _advance(self, facts: KernelFacts) -> str:
        """What was pushed becomes the list; what a kernel that runs no bucket pushes joins the one that is to run."""
        if not facts.ends_round or facts.worklist.by is not None:
            return ""  # a queue chooses when it has to
        filled = facts.worklist.kind == "buckets" and not facts.reads
        return f"{self.wl}.{'join' if filled else 'advance'}({self.on});"

    def sections(self, s: A.Sections) -> None:
        if s in self.apart:
            self.put_parts(self.apart[s])
        else:
            super().sections(s)

    def put_parts(self, group: Group, call: str = "beside") -> None:
        """Parts that run side by side, each with what the Program keeps of its scalars."""
        self.put(f"irgl::{call}(c,")
        self.indent += 1
        for part, own in zip(group.parts, group.own, strict=True):
            written = [scalar_name(p.name) for p in effects_of(self.checked, part).writes if p.kind == "scalar"]
            kept = " ".join(self.keeps.format(word) for word in dict.fromkeys(written))
            params = f"Context& c, {self.own_context} own" if kept else f"Context&, {self.own_context}"
            keep = f"[]({params}) {{{f' {kept} ' if kept else ''}}}"
            end = ");" if part is group.parts[-1] else ","
            moved = self.moved(part) if call != "beside" else None
            with self.block(f"irgl::{'part' if moved is None else 'moving_part'}([&](Context& c) {{", part[0],
                            f"}}, {keep}){end}"):
                if moved is None:
                    self.body((*own, *part))
                    continue
                with self.block(f"[&]({moved[0]}) {{", tail=f"}}({moved[1]});"):
                    self.body((*own, *part))
        self.indent -= 1
        self.leave_if_halted()

    def moved(self, part: Sequence[A.Stmt]) -> tuple[str, str] | None:  # noqa: ARG002
        """The graphs that a section takes to another device, as parameters, and what it makes of them there; None: it
        stays."""
        return None

    def orchestrate(self, s: A.Invoke | A.Iterate | A.Pipe) -> None:
        match s:
            case A.Invoke():
                self.call_kernel(s)
                advance = self._advance(self.checked.facts[s.kernel])
                if advance:
                    self.put(advance)
            case A.Iterate():
                self._iterate(s)
            case A.Pipe():
                self._pipe(s)
            case _:
                assert_never(s)

    def _lists(self, initial: A.Initial | None, s: A.Stmt) -> None:
        """The lists of an outermost Pipe or Iterate, and their first items."""
        t = self.checked.lists[s]
        self.put(f"{pipe_type(t, self.checked)} wl({', '.join(self.given_lists(t))});", s)
        self.first_items(s, initial, t)
        if t.kind == "buckets" and t.by is None:
            self.put(f"wl.advance({self.on});")

    def _iterate(self, s: A.Iterate) -> None:
        facts = self.checked.facts[s.kernel]
        shared = facts if facts.uses_worklist else self._pipe_facts(s.body)
        own = shared is not None and not self.pipes
        if own:
            self.put("{", s)
            self.indent += 1
            self._lists(s.initial, s)
        self.pipes.append(s.kernel)
        empty = f"{self.wl}.empty({self.on})" if facts.reads else ""
        if s.mode == "worklist":
            with self.block(f"while (!{empty or f'{self.wl}.empty({self.on})'}) {{", s):
                self._round(s, facts)
        else:
            # The value is kept before the statements run, so that `continue` in them can't lose it.
            again, declared = self.flag(f"again_{len(self.pipes)}")
            self.put(f"for ({declared} = true; {again}{' && !' + empty if empty else ''};) {{", s)
            self.indent += 1
            more = f"value.{s.reduction}" if s.mode == "while" else f"!value.{s.reduction} && value.items"
            self._round(s, facts, again, more)
            self.indent -= 1
            self.put("}")
        self.pipes.pop()
        if own:
            self.indent -= 1
            self.put("}")

    def _round(self, s: A.Iterate, facts: KernelFacts, again: str = "", more: str = "") -> None:
        self.leave_if_halted()
        self._begin_round(s)
        if again:
            self.take_value(s, again, more)
        else:
            self.call_kernel(s)
        self.count_round()
        advance = self._advance(facts)
        if advance:
            self.put(advance)
        self.loop_body(s, s.body)

    def _pipe(self, s: A.Pipe) -> None:
        facts = self._pipe_facts(s.body)
        own = facts is not None and not self.pipes
        if own:
            self.put("{", s)
            self.indent += 1
            self._lists(s.initial, s)
        self.pipes.append("")
        if s.once:
            jumps = any(isinstance(n, A.Break | A.Continue) for n in walk(s))
            with self.block("do {" if jumps else "{", s, "} while (false);" if jumps else "}"):
                self.loop_body(s, s.body)
        else:
            with self.block(f"while (!{self.wl}.empty({self.on})) {{" if facts is not None else "for (;;) {", s):
                self.leave_if_halted()
                self._begin_round(s)
                self.count_round()
                self.loop_body(s, s.body)
        self.pipes.pop()
        if own:
            self.indent -= 1
            self.put("}")

    def _pipe_facts(self, nodes: Iterable[A.Node]) -> KernelFacts | None:
        for s in nodes:
            found: KernelFacts | None = None
            match s:
                case A.Invoke() | A.Iterate():
                    facts = self.checked.facts[s.kernel]
                    found = facts if facts.uses_worklist else None
                case A.InvokeResult():
                    facts = self.checked.facts[s.kernel]
                    found = facts if facts.uses_worklist else None
                case _:
                    found = self._pipe_facts(children(s))
            if found is not None:
                return found
        return None
