"""Loops that run as one kernel (outlining): the host's statements and invocations, by all threads of the grid."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from irgl.analysis.effects.effects import by_kind, effects_of, kernel_effects, stored_in, stored_variable
from irgl.analysis.flow.outline import WORDS, Loop, fills, has_layers, initial_of
from irgl.analysis.names.members import DENSE
from irgl.analysis.names.methods import of_library
from irgl.analysis.names.symbols import Symbol
from irgl.analysis.names.vectors import location
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.codegen.cuda.expressions import view_type
from irgl.codegen.cuda.launch import blocks_for, launch_bounds, written
from irgl.codegen.cuda.results import ResultsCuda
from irgl.codegen.cxx.names import cxx_type, name, pipe_type, property_name, type_name, zero
from irgl.passes.lowering.lower_cuda import Lowered
from irgl.passes.parts import intersections
from irgl.plan import Plan


class OutlinedCuda(ResultsCuda):
    """A loop of the Program that all threads of the grid run together: the same statements, on the device."""

    def __init__(self, low: Lowered, loop: Loop, sources: dict[str, int], graph: str,
                 plan: Plan) -> None:
        super().__init__(low, loop)
        self.plan = plan
        self.ex.sources = sources
        self.ex.graph = graph
        self.ex.on_host = False
        self.ex.intersection = intersections.elsewhere(low.checked, plan)
        self.ex.invoke = self._invoked
        self.has_layers = has_layers(low.checked, loop)
        self.alone = False  # is what is written now done by one thread?
        self.ex.together = lambda: not self.alone
        self.flags: list[str] = []
        self.indent = 3
        calls = [n for n in walk(loop) if isinstance(n, A.Invoke | A.Iterate | A.InvokeResult)]
        self.invoked = [low.checked.kernels[n.kernel] for n in calls]
        self.uses_wl = any(low.checked.facts[k.name].uses_worklist for k in self.invoked)
        self.state = self._state()
        inside = {low.checked.symbols[n] for n in walk(loop) if isinstance(n, A.VarDecl)}
        self.outside = [v for v, _ in self.state if v not in inside]
        self.graphs = self._used_graphs()

    def _state(self) -> list[tuple[Symbol, str]]:
        """The variables of the host that the loop uses or declares, with their names in the state."""
        found: dict[Symbol, str] = {}
        taken = {"wl", "at", "call", *map(type_name, (*self.checked.structs, *self.checked.graph_types))}
        nodes = [n for n in walk(self.loop) if isinstance(n, A.Name | A.VarDecl | A.For)]
        declared = {self.checked.symbols[n] for n in nodes if isinstance(n, A.VarDecl)}
        initial = set(walk(first)) if (first := initial_of(self.loop)) is not None else set()
        order = [n for n in nodes if n not in initial]
        for inner in (False, True):
            for n in order:
                v = self.checked.symbols.get(n)
                if v is None or v.kind == "global" or v in found or (v in declared) != inner:
                    continue
                if isinstance(v.type, T.Named) and v.type.name in self.checked.graph_types:
                    continue
                member, k = name(v.name), 2
                while member in taken:
                    member, k = f"{name(v.name)}_{k}", k + 1
                taken.add(member)
                found[v] = member
        self.ex.members = dict(found)
        return list(found.items())

    def _used_graphs(self) -> list[str]:
        """The graphs that it names, and those of its nodes and edges."""
        names: dict[str, None] = {}
        for n in walk(self.loop):
            v = self.checked.symbols.get(n) if isinstance(n, A.Name) else None
            t = self.checked.types.get(n) if isinstance(n, A.Expr) else None
            if v is not None and isinstance(v.type, T.Named) and v.type.name in self.checked.graph_types:
                names[v.name] = None
            elif isinstance(t, T.NodeT | T.EdgeT) and t.graph:
                names[t.graph] = None
        if self.ex.graph:
            names[self.ex.graph] = None
        return list(names)

    def kernel(self, word: str) -> tuple[str, list[tuple[Symbol, str]], list[str]]:
        """The kernel's text, its state, and what the host must know of its effects."""
        members = [f"  {self._member_type(v)} {m};" for v, m in self.outside_first()]
        if self.uses_wl:
            facts = [self.checked.facts[k.name] for k in self.invoked]
            t = next(f.worklist for f in facts if f.uses_worklist)
            members.append(f"  irgl::View<{pipe_type(t, self.checked)}> wl;")
        inner = [f"  {self._member_type(v)} {m}{{}};" for v, m in self.state if v not in self.outside]
        params = ["Device c", *(f"{self._graph_type(g)} {name(g)}" for g in self.graphs), f"{word}_state* {self.saved}"]
        lines = self.text(word, members, inner, params)
        effects: list[str] = []
        for k in dict.fromkeys(self.invoked):
            calls = [n for n in walk(self.loop)
                     if isinstance(n, A.Invoke | A.Iterate | A.InvokeResult) and n.kernel == k.name]
            for call in calls:
                graphs = {p.name: a.id for p, a in zip(k.params, call.args, strict=True) if isinstance(a, A.Name)}
                names = {p: name(g) for p, g in graphs.items()}
                effects += written(kernel_effects(self.checked, k), names, self.checked.facts[k.name].returns)
        effects += self._own_effects()
        return "\n".join(lines), self.outside_first(), list(dict.fromkeys(effects))

    def text(self, word: str, members: list[str], inner: list[str], params: list[str]) -> list[str]:
        """The state and the kernel."""
        self.regroups = self.low.outlined[self.loop].blocks == "auto"
        self._loop_once()
        return [
            *self._struct(word, "one kernel", [*members, *inner], [*self.kept, "  int at = 0;  // where it goes on"]),
            "",
            f"__global__ void {launch_bounds(self.plan, 1)} {word}_kernel({', '.join(params)}) {{",
            "  irgl::Thread t(c);",
            f"  {word}_state {self.s} = *{self.saved};",
            *([f"  {self.again}:"] if self.regrouped else []),
            f"  switch ({self.s}.at) {{",
            "    case 0:",
            *self.lines,
            "  }",
            f"  irgl::leave(t, {self.saved}, {self.s}, 0);",
            "}",
        ]

    def _struct(self, word: str, how: str, variables: list[str], own: list[str]) -> list[str]:
        """The loop's state: its variables, whether its While and Until loops go on, and what its runner needs."""
        span = self.loop.span
        line = f" of line {span.line}" if span is not None else ""
        what = WORDS.get(type(self.loop), type(self.loop).__name__)
        return [
            f"// The {what}{line} runs as {how}. What outlives a round:",
            f"struct {word}_state {{",
            *variables,
            *(f"  bool {flag}{{}};" for flag in self.flags),
            *own,
            "};",
        ]

    def run(self, word: str, graphs: str) -> str:
        """The host's statement that runs the loop until it ends or a list has to grow."""
        return f"c.run_outlined({word}_kernel, {self._blocks()}, {self.s}{graphs});"

    def _blocks(self) -> str:
        """How many blocks the kernel has at most: by what the loops of its kernels run over, or as the plan says."""
        said = self.low.outlined[self.loop].blocks
        if said != "auto":
            return said
        return blocks_for(self.low, dict.fromkeys(self.invoked), [name(g) for g in self.graphs])

    def outside_first(self) -> list[tuple[Symbol, str]]:
        return [(v, m) for v, m in self.state if v in self.outside]

    def _member_type(self, v: Symbol) -> str:
        if of_library(self.checked, v.type):
            return view_type(v.type, self.checked)
        if not isinstance(v.type, T.Worklist):
            return self.type(v.type)
        if self.view_of(v.type) == "layered_view":
            return f"irgl::LayeredView<{cxx_type(v.type.item, self.checked)}>"
        return view_type(v.type, self.checked)

    def view_of(self, t: T.Type) -> str:
        """The method by which the host gives the loop such a list or object."""
        return "layered_view" if self.has_layers and isinstance(t, T.Worklist) and t.kind == "list" else "view"

    def _graph_type(self, graph: str) -> str:
        assert self.checked.entry is not None
        for n in walk(self.checked.entry):
            if isinstance(n, A.Param | A.VarDecl) and n.name == graph:
                t = self.checked.symbols[n].type
                if isinstance(t, T.Named) and t.name in self.checked.graph_types:
                    return type_name(t.name)
        raise AssertionError(graph)

    def _own_effects(self) -> list[str]:
        found = []
        for target in (location(self.checked, stored) for stored in stored_in([self.loop])):
            if isinstance(target, A.Name) and self.checked.symbols[target].kind == "global":
                found.append("c.wrote_scalars();")
            elif isinstance(target, A.Member):
                t = self.checked.types[target.object]
                if isinstance(t, T.NodeT | T.EdgeT):
                    found.append(f"c.wrote({self.ex.graph_of(t)}.{property_name(target.name)});")
        return found

    # Statements

    def _loop_once(self) -> None:
        """The loop's own statement, without the lists, which are the host's."""
        self.pipes.append("")  # so that the loop takes its list from around
        match self.loop:
            case A.Iterate():
                self._iterate(self.loop)
            case A.Pipe():
                self._pipe(self.loop)
            case _:
                self.stmt(self.loop)
        if isinstance(self.loop, A.Iterate | A.Pipe):
            self._end_rounds(self.loop)

    def leave_if_halted(self) -> None:
        self.put("if (t.halted) break;")

    def not_halted(self) -> str:
        return "!t.halted"

    def count_round(self) -> None:
        self.put("++t.rounds;")

    def flag(self, word: str) -> tuple[str, str]:
        if word not in self.flags:  # loops of one depth take turns
            self.flags.append(word)
        return f"{self.s}.{word}", f"{self.s}.{word}"

    def variable(self, s: A.VarDecl) -> None:
        v = self.checked.symbols[s]
        value = zero(v.type, self.checked) if s.init is None else self.ex.value(s.init, v.type)
        self.put(f"{self.s}.{self.ex.members[v]} = {value};", s)

    def body(self, stmts: tuple[A.Stmt, ...]) -> None:
        """Statements that come behind a test, another branch, or the end of a turn: what held there is forgotten."""
        self.met = False
        super().body(stmts)

    def stmt(self, s: A.Stmt) -> None:
        with self.with_value(s):
            self._with_what_it_takes(s)

    def _with_what_it_takes(self, s: A.Stmt) -> None:
        shared = isinstance(s, A.Assign | A.ExprStmt) and self._is_shared(s)
        clears = isinstance(s, A.ExprStmt) and isinstance(s.value, A.MethodCall) and (
            s.value.name == "clear" or fills(s.value, self.checked))
        self.met = self.met and isinstance(s, A.Invoke | A.Labeled)
        if shared:
            with self.once(s):
                super().stmt(s)
        else:
            super().stmt(s)
        self.met = shared or clears or isinstance(s, A.Invoke) or (self.met and isinstance(s, A.Labeled))

    def expression(self, s: A.ExprStmt) -> None:
        e = s.value
        if self._forgets(e) and not self.met:
            self.put("t.sync();", s)
        if not fills(e, self.checked):
            super().expression(s)
            return
        self._wait_for_readers(s, self._lists_as_one(by_kind(effects_of(self.checked, [e]).writes)))
        self._room_to_fill(e)
        if e.name != "push":
            super().expression(s)
            return
        with self.once(s):
            super().expression(s)

    def _forgets(self, e: A.Expr) -> bool:
        """Does it take from a set what other threads may still ask it for?"""
        t = self.checked.types[e.object] if isinstance(e, A.MethodCall) and e.name == "clear" else None
        return isinstance(t, T.Worklist) and t.kind == "set" and any(
            isinstance(n, A.MethodCall) and n.name == "contains" for n in walk(self.loop))

    def _room_to_fill(self, e: A.MethodCall) -> None:
        """As before an invocation (calls.py), for a list that a statement fills."""
        t, given, other = self.checked.types[e.object], self.ex.value(e.object), self.ex.value(e.args[0])
        if not isinstance(t, T.Worklist) or t.kind in (*DENSE, "count"):
            return
        match e.name:
            case "push":
                test = f"{given}.fits(t, irgl::bound{{1, 0}}, irgl::range<int64_t>(0, 1))"
            case "update":
                test = f"{given}.fits(t, irgl::bound{{1, 0}}, {other}.items())"
            case word:
                test = f"{given}.fits_{'layer' if word == 'stack' else 'unstacked'}(t, {other})"
        self._leave_unless(test)

    @contextmanager
    def once(self, s: A.Stmt) -> Iterator[None]:
        with self.block("irgl::once(t, [&] {", s, "});"):
            self.alone = True
            yield
            self.alone = False
        for line in self.ex.hand_out([s]):
            self.put(line)

    def _is_shared(self, s: A.Assign | A.ExprStmt) -> bool:
        """Does the statement store what all threads share, so that one of them does it?"""
        e: A.Node = s.value
        if isinstance(s, A.Assign):
            return stored_variable(self.checked, s.target) is None
        if isinstance(e, A.Reduce):
            return stored_variable(self.checked, e.target) is None
        return isinstance(e, A.Call) and e.function == "cas"
