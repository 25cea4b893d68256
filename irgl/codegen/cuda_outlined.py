"""Loops that run as one kernel (outlining): the host's statements and invocations, by all threads of the grid."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from irgl.analysis.effects import kernel_effects
from irgl.analysis.symbols import Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.codegen.cuda_expressions import OutlinedExpressions
from irgl.codegen.cuda_launch import Work, kernel_range, launch_bounds, reservation, written
from irgl.codegen.host import HostCxx
from irgl.codegen.names import cxx_type, name, pipe_type, property_name, zero
from irgl.passes.lower_cuda import Lowered
from irgl.plan import Plan


class OutlinedCuda(HostCxx):
    """A Pipe or Iterate that all threads of the grid run together: the same statements, on the device."""

    on = "t"
    wl = "s.wl"

    def __init__(self, low: Lowered, loop: A.Iterate | A.Pipe, sources: dict[str, int], graph: str,
                 plan: Plan) -> None:
        super().__init__(low.checked)
        self.low = low
        self.plan = plan
        self.loop = loop
        self.ex: OutlinedExpressions = OutlinedExpressions(low.checked)
        self.ex.sources = sources
        self.ex.graph = graph
        self.ex.on_host = False
        self.ex.invoke = self._invoked
        self.points = 0
        self.flags: list[str] = []
        self.indent = 3
        calls = [n for n in walk(loop) if isinstance(n, A.Invoke | A.Iterate | A.InvokeResult)]
        self.invoked = [low.checked.kernels[n.kernel] for n in calls]
        self.uses_wl = any(low.checked.facts[k.name].uses_worklist for k in self.invoked)
        self.state = self._state()
        inside = {low.checked.symbols[n] for n in walk(loop) if isinstance(n, A.VarDecl)}
        self.read = self._read()
        self.outside = [v for v, _ in self.state if v not in inside]
        self.graphs = self._used_graphs()

    def _state(self) -> list[tuple[Symbol, str]]:
        """The variables of the host that the loop uses or declares, with their names in the state."""
        found: dict[Symbol, str] = {}
        taken: set[str] = {"wl", "at"}
        nodes = [n for n in walk(self.loop) if isinstance(n, A.Name | A.VarDecl | A.For)]
        declared = {self.checked.symbols[n] for n in nodes if isinstance(n, A.VarDecl)}
        initial = set(walk(self.loop.initial)) if self.loop.initial is not None else set()
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

    def _read(self) -> set[tuple[str, str]]:
        """The scalars and properties that the loop's own statements mention."""
        found: set[tuple[str, str]] = set()
        for n in walk(self.loop):
            if isinstance(n, A.Name) and n in self.checked.symbols and self.checked.symbols[n].kind == "global":
                found.add(("scalar", n.id))
            elif isinstance(n, A.Member):
                t = self.checked.types.get(n.object)
                if isinstance(t, T.NodeT | T.EdgeT):
                    found.add(("node" if isinstance(t, T.NodeT) else "edge", n.name))
        return found

    def _used_graphs(self) -> list[str]:
        names: dict[str, None] = {}
        for n in walk(self.loop):
            v = self.checked.symbols.get(n) if isinstance(n, A.Name) else None
            if v is not None and isinstance(v.type, T.Named) and v.type.name in self.checked.graph_types:
                names[v.name] = None
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
        params = ["Device c", *(f"{self._graph_type(g)} {name(g)}" for g in self.graphs), f"{word}_state* saved"]
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
        self._loop_once()
        return [
            *self._struct(word, "one kernel", [*members, *inner], ["  int at = 0;  // where it goes on"]),
            "",
            f"__global__ void {launch_bounds(self.plan, 1)} {word}_kernel({', '.join(params)}) {{",
            "  irgl::Thread t(c);",
            f"  {word}_state s = *saved;",
            "  switch (s.at) {",
            "    case 0:",
            *self.lines,
            "  }",
            "  irgl::leave(t, saved, s, 0);",
            "}",
        ]

    def _struct(self, word: str, how: str, variables: list[str], own: list[str]) -> list[str]:
        """The loop's state: its variables, whether its While and Until loops go on, and what its runner needs."""
        span = self.loop.span
        line = f" of line {span.line}" if span is not None else ""
        return [
            f"// The {type(self.loop).__name__}{line} runs as {how}. What outlives a round:",
            f"struct {word}_state {{",
            *variables,
            *(f"  bool {flag}{{}};" for flag in self.flags),
            *own,
            "};",
        ]

    def run(self, word: str, graphs: str) -> str:
        """The host's statement that runs the loop until it ends or a list has to grow."""
        return f"c.run_outlined({word}_kernel, s{graphs});"

    def outside_first(self) -> list[tuple[Symbol, str]]:
        return [(v, m) for v, m in self.state if v in self.outside]

    def _member_type(self, v: Symbol) -> str:
        if isinstance(v.type, T.Worklist):
            return f"irgl::View<{cxx_type(v.type, self.checked)}>"
        return self.type(v.type)

    def _graph_type(self, graph: str) -> str:
        for n in walk(self.checked.program):
            if isinstance(n, A.Param | A.VarDecl) and n.name == graph:
                t = self.checked.symbols[n].type
                if isinstance(t, T.Named) and t.name in self.checked.graph_types:
                    return name(t.name)
        raise AssertionError(graph)

    def _own_effects(self) -> list[str]:
        from_statements = [n for n in walk(self.loop) if isinstance(n, A.Assign | A.Reduce)]
        found = []
        for n in from_statements:
            if isinstance(n.target, A.Name) and self.checked.symbols[n.target].kind == "global":
                found.append("c.wrote_scalars();")
            elif isinstance(n.target, A.Member):
                t = self.checked.types[n.target.object]
                if isinstance(t, T.NodeT | T.EdgeT):
                    found.append(f"c.wrote({self.ex.graph_of(t)}.{property_name(n.target.name)});")
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

    def leave_if_halted(self) -> None:
        self.put("if (t.halted) break;")

    def not_halted(self) -> str:
        return "!t.halted"

    def count_round(self) -> None:
        self.put("++t.rounds;")

    def call_kernel(self, s: A.Invoke | A.Iterate) -> None:
        facts = self.checked.facts[s.kernel]
        self._wait_for_readers(s)
        if facts.retries:
            with self.block("do {", s, "} while (s.wl.more(t));"):
                self._room(s)
                self._invoke_kernel(s)
        else:
            self._room(s)
            self._invoke_kernel(s)
        if not facts.uses_worklist:
            self.put("t.sync();")

    def _invoke_kernel(self, s: A.Invoke | A.Iterate) -> None:
        self.put(f"{self._call(s.kernel, s.args)};", s)

    def _wait_for_readers(self, s: A.Invoke | A.Iterate) -> None:
        """A barrier before a kernel that writes what the statements around it, which all threads run, read."""
        writes = kernel_effects(self.checked, self.checked.kernels[s.kernel]).writes
        if any((p.kind, p.name) in self.read for p in writes):
            self.put("t.sync();", s)

    def take_value(self, s: A.Iterate, again: str, more: str) -> None:
        self._wait_for_readers(s)
        self._room(s)
        self.put("irgl::once(t, [&] { c.globals->value = irgl::Value(); });", s)
        self._invoke_kernel(s)
        with self.block("{"):
            self.put("t.sync();")
            self.put("const irgl::Value value = c.globals->value;")
            self.put(f"{again} = {more};")

    def keep_going(self, again: str) -> tuple[str, str]:
        self.flags.append(again)
        return f"s.{again}", f"s.{again}"

    def _room(self, s: A.Invoke | A.Iterate) -> None:
        """Before an invocation: where a list has no room for all that may come, the kernel ends and comes back here."""
        k = self.checked.kernels[s.kernel]
        found = self.low.bounds[k.name]
        if not found:
            return
        self.points += 1
        self.put(f"case {self.points}:  // where it comes back to, with more room")
        given = {p.name: a for p, a in zip(k.params, s.args, strict=True)}
        work = self._host_range(k, given)
        tests = [reservation(self.wl if key == "WL" else self.ex.value(given[key]), b, k, "t", work)
                 for key, b in found.items()]
        self.put(f"if (!({' & '.join(tests)})) return irgl::leave(t, saved, s, {self.points});")

    def _host_range(self, k: A.Kernel, given: dict[str, A.Expr]) -> Work | None:
        return kernel_range(self.checked, k, {p: self.ex.value(a) for p, a in given.items()}, "s.wl.", "t")

    def _call(self, kernel: str, args: tuple[A.Expr, ...]) -> str:
        k = self.checked.kernels[kernel]
        values = [
            self.ex.value(a, p.type if isinstance(p.type, T.NodeT | T.EdgeT) else self.checked.types[a])
            for a, p in zip(args, k.params, strict=True)
        ]
        lists = ["s.wl"] if self.checked.facts[kernel].uses_worklist else []
        return f"{name(kernel)}({', '.join(['t', 'c', *values, *lists])})"

    def variable(self, s: A.VarDecl) -> None:
        v = self.checked.symbols[s]
        value = zero(v.type, self.checked) if s.init is None else self.ex.value(s.init, v.type)
        self.put(f"s.{self.ex.members[v]} = {value};", s)

    def stmt(self, s: A.Stmt) -> None:
        if isinstance(s, A.Assign | A.ExprStmt) and self._is_shared(s):
            with self.once(s):
                super().stmt(s)
        else:
            super().stmt(s)

    @contextmanager
    def once(self, s: A.Stmt) -> Iterator[None]:
        with self.block("irgl::once(t, [&] {", s, "});"):
            yield

    def _is_shared(self, s: A.Assign | A.ExprStmt) -> bool:
        """Does the statement store what all threads share, so that one of them does it?"""
        e: A.Node = s.value
        if isinstance(s, A.Assign):
            return not (isinstance(s.target, A.Name) and self.checked.symbols[s.target].kind != "global")
        if isinstance(e, A.Reduce):
            return not (isinstance(e.target, A.Name) and self.checked.symbols[e.target].kind != "global")
        return isinstance(e, A.Call) and e.function == "cas"
