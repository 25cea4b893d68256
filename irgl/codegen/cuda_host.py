"""The Program in CUDA C++: host statements, launches, and loops that run as one kernel of their own (outlining)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from irgl.analysis.effects import Effects, kernel_effects
from irgl.analysis.symbols import Checked, Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.codegen.cuda_expressions import HostExpressions, OutlinedExpressions
from irgl.codegen.cuda_statements import is_simple
from irgl.codegen.host import HostCxx
from irgl.codegen.names import cxx_type, name, pipe_type, property_name
from irgl.passes.lower_cuda import Lowered
from irgl.passes.make_room import Room
from irgl.source import IrglError


def graph_params(checked: Checked, params: tuple[A.Param, ...]) -> list[A.Param]:
    return [p for p in params if isinstance(p.type, T.Named) and p.type.name in checked.graph_types]


def written(effects: Effects, graph: dict[str, str], returns: bool) -> list[str]:
    """The statements that tell the host which of its copies are stale; `graph`: the graph variables' C++ names."""
    lines = []
    for place in effects.writes:
        if place.kind in ("node", "edge"):
            lines.append(f"c.wrote({graph.get(place.of, name(place.of))}.{property_name(place.name)});")
    if any(p.kind == "scalar" for p in effects.writes) or returns:
        lines.append("c.wrote_scalars();")
    return lines


def launcher(low: Lowered, k: A.Kernel, ranges: str | None) -> list[str]:
    """The host function that launches a kernel: room for what it pushes, the launch, what it has written."""
    checked, facts = low.checked, low.checked.facts[k.name]
    params = ["Context& c", *(_host_param(checked, p) for p in k.params)]
    if facts.uses_worklist:
        params.append(f"{pipe_type(facts.worklist, checked)}& wl")
    lines = [f"static void {name(k.name)}({', '.join(params)}) {{"]
    body = [f"{reservation(checked, low.bounds[k.name], key, 'c', ranges)};" for key in low.bounds[k.name]]
    arguments = ", ".join(["c.device()", *(_passed(checked, p) for p in k.params), *(["wl.view()"] if facts.uses_worklist else [])])
    if not is_simple(k) and any(isinstance(n, A.ForAll) for n in walk(k)):
        body.append(f"c.launch_cooperative({name(k.name)}_kernel, {arguments});")
    else:
        count = "1" if ranges is None else f"({ranges}).size()"
        sets = sum(isinstance(n, A.VarDecl) and isinstance(checked.symbols[n].type, T.Worklist) for n in walk(k))
        if sets:
            universe = f"size_t({name(graph_params(checked, k.params)[0].name)}.n)"
            body.append(f"c.launch_scratch({name(k.name)}_kernel, {count}, {universe}, {sets}, {arguments});")
        else:
            body.append(f"c.launch({name(k.name)}_kernel, {count}, {arguments});")
    graphs = {p.name: name(p.name) for p in graph_params(checked, k.params)}
    if facts.retries:
        lines += ["  do {", *("    " + line for line in body), "  } while (wl.more(c));"]
    else:
        lines += ["  " + line for line in body]
    lines += ["  " + line for line in written(kernel_effects(checked, k), graphs, facts.returns)]
    return [*lines, "}"]


def reservation(checked: Checked, found: dict[str, Room], key: str, on: str, ranges: str | None, prefix: str = "") -> str:
    """The call that makes (on the host) or checks (outlined) room in a list for one invocation."""
    b = found[key]
    target = f"{prefix}wl" if key == "WL" else f"{prefix}{name(key)}" if not prefix else name(key)
    word = "reserve_for" if on == "c" else "fits"
    edges = "irgl::bound{-1, -1}" if not b.known else f"irgl::bound{{{b.per_item}, {b.per_edge}}}"
    return f"{target}.{word}({on}, {edges}, {ranges or 'irgl::range<int64_t>(0, 1)'})"


def _host_param(checked: Checked, p: A.Param) -> str:
    t = checked.symbols[p].type
    library = isinstance(t, T.Named) and t.name in checked.libraries
    reference = "&" if isinstance(t, T.Worklist) or library else ""
    return f"[[maybe_unused]] {cxx_type(t, checked)}{reference} {name(p.name)}"


def _passed(checked: Checked, p: A.Param) -> str:
    t = checked.symbols[p].type
    library = isinstance(t, T.Named) and t.name in checked.libraries
    return f"{name(p.name)}.view()" if isinstance(t, T.Worklist) or library else name(p.name)


class HostCuda(HostCxx):
    """The Program on the host."""

    on = "c"

    def __init__(self, low: Lowered, sources: dict[str, int]) -> None:
        super().__init__(low.checked)
        self.low = low
        self.ex = HostExpressions(low.checked)
        self.ex.sources = sources
        self.ex.invoke = self._invoked
        self.kernels: list[str] = []  # texts of outlined loops

    def stmt(self, s: A.Stmt) -> None:
        if s in self.low.outlined and isinstance(s, A.Iterate | A.Pipe):
            self._outlined(s)
        else:
            super().stmt(s)

    def first_items(self, initial: A.Initial | None, t: T.Worklist) -> None:
        priority = ", 0" if t.kind == "buckets" else ""
        match initial:
            case None:
                pass
            case A.InitialItems():
                for e in initial.items:
                    self.put(f"wl.in_push(c, {self.ex.value(e, t.item)}{priority});")
            case A.InitialIterator():
                self.put(f"wl.in_update(c, {self.ex.iterator(initial.iterator)}{priority});")

    def take_value(self, s: A.Iterate, again: str, more: str) -> None:
        self.put("c.write().value = irgl::Value();", s)
        self.put(f"{self._call(s.kernel, s.args)};")
        self.put("const irgl::Value value = c.read().value;")
        self.put(f"{again} = {more};")

    def _invoked(self, e: A.InvokeResult) -> str:
        facts = self.checked.facts[e.kernel]
        advance = f"{self._advance(facts)} " if facts.uses_worklist else ""
        return (f"[&] {{ c.write().value = irgl::Value(); {self._call(e.kernel, e.args)}; {advance}"
                f"return c.read().value.{e.reduction}; }}()")

    def _graph_variable(self, s: A.VarDecl, t: T.Named) -> None:
        """A graph made from another, with properties of its own."""
        if not (isinstance(s.init, A.Call) and s.init.function == "oriented"):
            super()._graph_variable(s, t)
            return
        h = name(s.name)
        self._graphs += 1
        self.put(f"const irgl::OwnedGraph owned_{self._graphs} = irgl::oriented(c, {self.ex.value(s.init.args[0])});", s)
        self.put(f"{name(t.name)} {h};")
        self.put(f"static_cast<irgl::Csr&>({h}) = owned_{self._graphs}.csr;")
        for p in self.checked.graph_types[t.name].properties:
            size = f"size_t({h}.{'n' if p.owner == 'node' else 'm'})"
            if isinstance(p.type, T.Lock):
                self.put(f"{h}.{property_name(p.name)} = c.locks({size});")
                continue
            if p.owner == "edge" and p.init is None:
                raise IrglError("GPU code can't give an oriented graph the weights of the one that it is made from", s.span,
                                "use --target cpu, or a graph type without the edge property")
            word = self.type(p.type)
            self.put(f"{h}.{property_name(p.name)} = c.property<{word}>(c.keep({size} * sizeof({word})), {size});")
        self.put(f"initialise(c, {h});")

    # Outlining

    def _outlined(self, s: A.Iterate | A.Pipe) -> None:
        """The loop as one kernel: its state goes there and back, and again where a list had to grow."""
        writer = OutlinedCuda(self.low, s, self.ex.sources, self.ex.graph)
        word = self.low.outlined[s]
        own = writer.uses_wl and not self.pipes
        text, state, effects = writer.kernel(word, own)
        self.kernels.append(text)
        with self.block("{", s):
            if own:
                self._lists(s.initial, s)
            values = [*(f"{self._state_value(v)}" for v, _ in state), *(["wl.view()"] if writer.uses_wl else [])]
            self.put(f"{word}_state s{{{', '.join(values)}}};")
            views = [(v, m) for v, m in state if isinstance(v.type, T.Worklist)]
            with self.block("do {", tail="} while (s.at != 0 && !c.halted());"):
                for v, m in views:
                    self.put(f"s.{m} = {name(v.name)}.view();")
                if writer.uses_wl:
                    self.put("s.wl = wl.view();")
                graphs = ", ".join(name(g) for g in writer.graphs)
                self.put(f"c.run_outlined({word}_kernel, s{', ' * bool(graphs)}{graphs});")
                for v, m in views:
                    self.put(f"{name(v.name)}.adopt(c, s.{m});")
                if writer.uses_wl:
                    self.put("wl.adopt(c, s.wl);")
            for v, m in state:
                if v.assigned and not isinstance(v.type, T.Worklist) and v in writer.outside:
                    self.put(f"{name(v.name)} = s.{m};")
            for line in effects:
                self.put(line)

    def _state_value(self, v: Symbol) -> str:
        if isinstance(v.type, T.Worklist):
            return f"{name(v.name)}.view()"
        return name(v.name)


class OutlinedCuda(HostCxx):
    """A Pipe or Iterate that all threads of the grid run together: the same statements, on the device."""

    on = "t"
    wl = "s.wl"

    def __init__(self, low: Lowered, loop: A.Iterate | A.Pipe, sources: dict[str, int], graph: str) -> None:
        super().__init__(low.checked)
        self.low = low
        self.loop = loop
        self.ex: OutlinedExpressions = OutlinedExpressions(low.checked)
        self.ex.sources = sources
        self.ex.graph = graph
        self.ex.on_host = False
        self.ex.invoke = self._invoked
        self.points = 0
        self.flags: list[str] = []
        self.indent = 3
        self.invoked = [low.checked.kernels[n.kernel] for n in walk(loop) if isinstance(n, A.Invoke | A.Iterate | A.InvokeResult)]
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
        initial = {n for n in walk(self.loop.initial)} if self.loop.initial is not None else set()
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

    def kernel(self, word: str, own: bool) -> tuple[str, list[tuple[Symbol, str]], list[str]]:
        """The kernel's text, its state, and what the host must know of its effects."""
        members = [f"  {self._member_type(v)} {m};" for v, m in self.outside_first()]
        if self.uses_wl:
            t = self.checked.lists[self.loop] if own else self.checked.facts[self.invoked[0].name].worklist
            t = next((self.checked.facts[k.name].worklist for k in self.invoked if self.checked.facts[k.name].uses_worklist), t)
            members.append(f"  irgl::View<{pipe_type(t, self.checked)}> wl;")
        inner = [f"  {self._member_type(v)} {m}{{}};" for v, m in self.state if v not in self.outside]
        params = ["Device c", *(f"{self._graph_type(g)} {name(g)}" for g in self.graphs), f"{word}_state* saved"]
        self._loop_once()
        effects: list[str] = []
        for k in dict.fromkeys(self.invoked):
            calls = [n for n in walk(self.loop) if isinstance(n, A.Invoke | A.Iterate | A.InvokeResult) and n.kernel == k.name]
            for call in calls:
                graphs = {p.name: a.id for p, a in zip(k.params, call.args, strict=True) if isinstance(a, A.Name)}
                effects += written(kernel_effects(self.checked, k), {p: name(g) for p, g in graphs.items()},
                                   self.checked.facts[k.name].returns)
        effects += self._own_effects()
        span = self.loop.span
        line = f" of line {span.line}" if span is not None else ""
        lines = [
            f"// The {type(self.loop).__name__}{line} runs as one kernel. What outlives a round:",
            f"struct {word}_state {{",
            *members,
            *inner,
            *(f"  bool {flag}{{}};" for flag in self.flags),
            "  int at = 0;  // where it goes on",
            "};",
            "",
            f"__global__ void __launch_bounds__(irgl::block_size) {word}_kernel({', '.join(params)}) {{",
            "  irgl::Thread t(c);",
            f"  {word}_state s = *saved;",
            "  switch (s.at) {",
            "    case 0:",
            *self.lines,
            "  }",
            "  irgl::leave(t, saved, s, 0);",
            "}",
        ]
        return "\n".join(lines), self.outside_first(), list(dict.fromkeys(effects))

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
        call = f"{self._call(s.kernel, s.args)};"
        self._wait_for_readers(s)
        if facts.retries:
            with self.block("do {", s, "} while (s.wl.more(t));"):
                self._room(s)
                self.put(call)
        else:
            self._room(s)
            self.put(call, s)
        if not facts.uses_worklist:
            self.put("t.sync();")

    def _wait_for_readers(self, s: A.Invoke | A.Iterate) -> None:
        """A barrier before a kernel that writes what the statements around it, which all threads run, read."""
        writes = kernel_effects(self.checked, self.checked.kernels[s.kernel]).writes
        if any((p.kind, p.name) in self.read for p in writes):
            self.put("t.sync();", s)

    def take_value(self, s: A.Iterate, again: str, more: str) -> None:
        self._wait_for_readers(s)
        self._room(s)
        self.put("irgl::once(t, [&] { c.globals->value = irgl::Value(); });", s)
        self.put(f"{self._call(s.kernel, s.args)};")
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
        self.put(f"case {self.points}:")
        given = {p.name: a for p, a in zip(k.params, s.args, strict=True)}
        tests = []
        for key in found:
            word = "wl" if key == "WL" else self.ex.value(given[key]).removeprefix("s.")
            bound = found[key]
            one = reservation(self.checked, {key: bound}, key, "t", self._host_range(k, given), "s.")
            tests.append(one if key == "WL" else one.replace(name(key) + ".", f"s.{word}.", 1))
        self.put(f"if (!({' & '.join(tests)})) return irgl::leave(t, saved, s, {self.points});")

    def _host_range(self, k: A.Kernel, given: dict[str, A.Expr]) -> str | None:
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
        zero = f"{self.type(v.type)}(-1)" if isinstance(v.type, T.NodeT | T.EdgeT) else f"{self.type(v.type)}()"
        value = zero if s.init is None else self.ex.value(s.init, v.type)
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


def kernel_range(checked: Checked, k: A.Kernel, given: dict[str, str], wl: str, on: str) -> str | None:
    """What the kernel's one ForAll runs over, as its caller sees it; None where that isn't plain to see."""
    if not is_simple(k):
        return None
    loop = k.body[0]
    loop = loop.body if isinstance(loop, A.Labeled) else loop
    assert isinstance(loop, A.ForAll)
    e = loop.iterator
    t = checked.types[e]
    text: str
    graphs = graph_params(checked, k.params)
    g = given[graphs[0].name] if graphs else ""
    match e:
        case A.Member(name="nodes" | "edges", object=A.Name()) if not isinstance(checked.types[e.object], T.NodeT):
            assert isinstance(e.object, A.Name)
            of = given[e.object.id]
            text = f"irgl::nodes({of})" if e.name == "nodes" else f"irgl::range<edge_t>(0, {of}.m)"
        case A.Member(name="items", object=A.Name(id="WL")) | A.Name(id="WL"):
            text = f"{wl}items({on if on == 'c' else ''})"
        case A.Member(name="items", object=A.Name()) if isinstance(checked.types[e.object], T.Worklist):
            assert isinstance(e.object, A.Name)
            text = f"{given[e.object.id]}.items({on if on == 'c' else ''})"
        case A.Call(function="range"):
            return None
        case _:
            return None
    item = t.item if isinstance(t, T.Range) else None
    if not isinstance(item, T.NodeT) and not (isinstance(t, T.Worklist) and isinstance(t.item, T.NodeT)):
        return text
    incoming = any(
        isinstance(n, A.Member) and n.name == "in_edges" for n in walk(loop)
    )
    return f"irgl::by_{'in' if incoming else 'out'}({g}, {text})" if g else text
