"""Invocations in loops that run as one kernel: the barriers and arguments of calls by all threads of the grid.

What the threads read for a statement or an argument they have read before a kernel changes it.
"""

from __future__ import annotations

from collections.abc import Iterator

from irgl.analysis.effects.effects import by_kind, changed_variables, effects_of
from irgl.analysis.flow.outline import Loop, initial_of
from irgl.analysis.names.methods import is_object, of_library
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.codegen.cuda.expressions import OutlinedExpressions
from irgl.codegen.cuda.launch import little, reservation
from irgl.codegen.cuda.repeats import has_last_round
from irgl.codegen.cxx.host import HostCxx
from irgl.codegen.cxx.names import made, name, type_name
from irgl.codegen.openmp.unit import graph_params
from irgl.passes.lowering.lower_cuda import Lowered

#: What threads read of an invocation that returns a value, and the next one that does writes.
_VALUE = frozenset({("value", "")})


class CallsCuda(HostCxx):
    """Calls the kernels of one loop; the loop's variables are members of its state."""

    on = "t"

    def __init__(self, low: Lowered, loop: Loop) -> None:
        super().__init__(low.checked)
        self.low = low
        self.loop = loop
        self.ex: OutlinedExpressions = OutlinedExpressions(low.checked)
        taken = set(self._named())
        self.s, self.saved = made("s", taken), made("saved", taken)
        self.handle = made("loop", taken)
        self.ex.state, self.wl = self.s, f"{self.s}.wl"
        self.again = made("regrouped", taken)
        self.regroups = False  # may its first block run a round alone?
        self.regrouped = False
        self.points = 0
        self.calls = 0
        self.met = False  # have all threads met, and read nothing since?
        self.kept: list[str] = []  # members for arguments that outlive what they are computed from
        self.swaps = any(isinstance(n, A.MethodCall) and n.name == "swap" for n in walk(loop))
        self.read = self._read()

    def _named(self) -> Iterator[str]:
        """What the loop names without an object: variables, types, functions and kernels, and the Program's graphs."""
        assert self.checked.entry is not None
        yield from (type_name(word) for word in (*self.checked.structs, *self.checked.graph_types))
        yield from (name(p.name) for p in graph_params(self.checked, self.checked.entry.params))
        initial = set(walk(first)) if (first := initial_of(self.loop)) is not None else set()
        for n in (n for n in walk(self.loop) if n not in initial):
            match n:
                case A.Name() if n in self.checked.symbols and self.checked.symbols[n].kind != "global":
                    yield name(n.id)
                case A.VarDecl():
                    yield name(n.name)
                case A.Call():
                    yield name(n.function)
                case A.Invoke() | A.Iterate() | A.InvokeResult():
                    yield name(n.kernel)
                case _:
                    pass

    def _read(self) -> set[tuple[str, str]]:
        """The scalars, properties and lists that the loop's own statements ask for something."""
        found: set[tuple[str, str]] = set()
        for n in walk(self.loop):
            if isinstance(n, A.InvokeResult) or (isinstance(n, A.Iterate) and n.mode != "worklist"):
                found |= _VALUE
            if isinstance(n, A.Name) and n in self.checked.symbols and self.checked.symbols[n].kind == "global":
                found.add(("scalar", n.id))
            elif isinstance(n, A.Member):
                t = self.checked.types.get(n.object)
                if isinstance(t, T.NodeT | T.EdgeT):
                    found.add(("node" if isinstance(t, T.NodeT) else "edge", n.name))
                elif isinstance(t, T.Worklist):
                    found |= by_kind(effects_of(self.checked, [n.object]).reads)
            elif (isinstance(n, A.MethodCall) and n.name == "contains") or (
                    isinstance(n, A.Index) and of_library(self.checked, self.checked.types[n.object])):
                found |= by_kind(effects_of(self.checked, [n]).reads)
        return self._lists_as_one(found)

    def _lists_as_one(self, places: set[tuple[str, str]]) -> set[tuple[str, str]]:
        """The places, all lists as one where the loop swaps some, so that any may be called what another was."""
        if not self.swaps:
            return places
        return {(kind, "" if kind == "list" else word) for kind, word in places}

    def call_kernel(self, s: A.Invoke | A.Iterate) -> None:
        self._rounds(s, self._before(s, _VALUE if self.checked.facts[s.kernel].returns else frozenset()))
        facts = self.checked.facts[s.kernel]
        if not facts.ends_round or (facts.worklist.by is not None and not facts.reads):
            self.put("t.sync();")

    def _rounds(self, s: A.Invoke | A.Iterate | A.InvokeResult, given: list[str], first: str = "") -> None:
        """One invocation, again as long as items come back; `first` stands before it."""
        facts = self.checked.facts[s.kernel]
        if facts.worklist.by is not None and facts.reads and not isinstance(s, A.Iterate):  # which has asked
            self.put(f"{self.wl}.choose(t);", s)
        self.note_range(s)
        if facts.comes_back:
            if first:
                self.put(first, s)
            last = ", true" * has_last_round(self.checked, self.checked.kernels[s.kernel])
            with self.block("do {", s, f"}} while ({self.wl}.more(t{last}));"):
                self._regroup(s)
                self._room(s)
                self._invoke_kernel(s, given)
        else:
            self._regroup(s)
            self._room(s)
            if first:
                self.put(first, s)
            self._invoke_kernel(s, given)

    def _before(self, s: A.Invoke | A.Iterate | A.InvokeResult,
                also: frozenset[tuple[str, str]] = frozenset()) -> list[str]:
        """What stands before an invocation; what the kernel is given. `also`: what it writes that no name tells."""
        written = self._written(s)
        given = self._arguments(s, written)
        self._wait_for_readers(s, written | also)
        return given

    def _arguments(self, s: A.Invoke | A.Iterate | A.InvokeResult, written: set[tuple[str, str]]) -> list[str]:
        """What the kernel is given. What it may change itself, or what changes by being asked, is taken before."""
        self.calls += 1
        k, values = self.checked.kernels[s.kernel], []
        clashing = self.ex.clashing(s)
        for i, (p, a) in enumerate(zip(k.params, s.args, strict=True)):
            value = self.ex.value(a, p.type if isinstance(p.type, T.NodeT | T.EdgeT) else self.checked.types[a])
            if self._is_kept(a, written, clashing):
                member = f"argument_{self.calls}_{i + 1}"
                self.kept.append(f"  {self.type(self.checked.symbols[p].type)} {member};")
                self.put(f"{self.s}.{member} = {value};", s)
                self.met = False
                value = f"{self.s}.{member}"
            values.append(value)
        return values

    def _is_kept(self, a: A.Expr, written: set[tuple[str, str]], clashing: list[A.Expr]) -> bool:
        """Must the argument be taken before the kernel begins, of which this is `written`?"""
        if is_object(self.checked, self.checked.types[a]):
            return False
        found = effects_of(self.checked, [a])
        changes = bool(found.writes) or a in clashing or bool(changed_variables(self.checked, [a]))
        return changes or not self._lists_as_one(by_kind(found.reads)).isdisjoint(written)

    def _written(self, s: A.Invoke | A.Iterate | A.InvokeResult) -> set[tuple[str, str]]:
        """What the kernel writes, its lists as they are called here."""
        return self._lists_as_one(by_kind(effects_of(self.checked, [A.Invoke(s.kernel, s.args, None)]).writes))

    def _invoke_kernel(self, s: A.Invoke | A.Iterate | A.InvokeResult, given: list[str]) -> None:
        self.put(self._kernel_call(s, given), s)

    def _kernel_call(self, s: A.Invoke | A.Iterate | A.InvokeResult, given: list[str]) -> str:
        lists = [self.wl] if self.checked.facts[s.kernel].uses_worklist else []
        return f"{name(s.kernel)}({', '.join(['t', 'c', *given, *lists])});"

    def _wait_for_readers(self, s: A.Stmt | A.InvokeResult, written: set[tuple[str, str]]) -> None:
        """A barrier before what writes what the statements around it, which all threads run, read."""
        if not self.met and not self.read.isdisjoint(written):
            self.put("t.sync();", s)

    def take_value(self, s: A.Iterate | A.InvokeResult, again: str, more: str) -> None:
        self._rounds(s, self._before(s), "irgl::once(t, [&] { c.globals->value = irgl::Value(); });")
        with self.block("{"):
            self.put("t.sync();")
            self.put("const irgl::Value value = c.globals->value;")
            self.put(f"{again} = {more};")

    def _regroup(self, s: A.Invoke | A.Iterate | A.InvokeResult) -> None:
        """Before an invocation: its first block runs it alone where there is little to do, or all run it again."""
        if not self.regroups:
            return
        k = self.checked.kernels[s.kernel]
        given = {p.name: self.ex.value(a) for p, a in zip(k.params, s.args, strict=True) if isinstance(a, A.Name)}
        few = little(self.low, k, given, f"{self.wl}.", "t") or "false" * self._wants_all(k)
        if few:
            self.points += 1
            self.put(f"case {self.points}:  // where all blocks go on")
            goes = f"goto {self.again};"
            if self.rounds:
                goes = f"{{ irgl::rejoin_round(); {goes} }}"
            self.put(f"if (irgl::regroup(t, {self.saved}, {self.s}, {self.points}, {few})) {goes}")
            self.regrouped = True

    def _wants_all(self, k: A.Kernel) -> bool:
        """Does it sweep a form, whose parts all blocks share, where the first block may still be by itself?"""
        if not any(n in self.low.sweeps for n in walk(k)):
            return False
        calls = [n for n in walk(self.loop) if isinstance(n, A.Invoke | A.Iterate | A.InvokeResult)]
        others = [self.checked.kernels[word] for word in dict.fromkeys(n.kernel for n in calls)]
        return any(little(self.low, one, {p.name: p.name for p in one.params}, "", "t") for one in others)

    def _room(self, s: A.Invoke | A.Iterate | A.InvokeResult) -> None:
        """Before an invocation: where a list has no room for all that may come, the kernel ends and comes back here."""
        k = self.checked.kernels[s.kernel]
        found = self.low.bounds[k.name]
        if not found:
            return
        given = {p.name: a for p, a in zip(k.params, s.args, strict=True)}
        values = {p: self.ex.value(a) for p, a in given.items()}
        tests = [reservation(self.checked, self.wl if key == "WL" else values[key], rooms, k, values,
                             f"{self.wl}.", "t") for key, rooms in found.items()]
        self._leave_unless(f"({' & '.join(tests)})")

    def _leave_unless(self, test: str) -> None:
        """A place to come back to, and the way out where there is no room."""
        self.points += 1
        self.put(f"case {self.points}:  // where it comes back to, with more room")
        self.put(f"if (!{test}) return irgl::leave(t, {self.saved}, {self.s}, {self.points});")
