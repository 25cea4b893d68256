"""Where threads of a GPU wait or meet in statements: Atomic, Exclusive, and searches in which warps join."""

from __future__ import annotations

from irgl.analysis.names.symbols import Checked, KernelFacts
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.codegen.cuda.expressions import DeviceExpressions
from irgl.codegen.cxx.expressions import UPDATES
from irgl.codegen.cxx.names import made, property_name
from irgl.codegen.cxx.statements import StatementsCxx
from irgl.passes.parts.intersections import WARP, sums
from irgl.source import IrglError


class LockedCuda(StatementsCxx):
    """Writes what runs under locks; stores there go past the processor's cache."""

    def __init__(self, checked: Checked, facts: KernelFacts | None) -> None:
        super().__init__(checked, facts)
        self.ex: DeviceExpressions = DeviceExpressions(checked)

    def atomic(self, s: A.Atomic) -> None:
        """Locks without waiting inside a divergent branch: the body is a function, run where the lock is held."""
        assert isinstance(s.lock, A.Member)
        for n in (n for held in s.body for n in walk(held)):
            if isinstance(n, A.Break | A.Continue | A.Return) and not _jumps_inside(s, n):
                raise IrglError(f"a {type(n).__name__.lower()} from under a lock, which GPU code can't do", n.span,
                                "set a variable, and test it after the block")
        item = s.lock.object
        t = self.checked.types[item]
        index = self.ex.item(item, T.NODE if isinstance(t, T.NodeT) else T.EDGE, s.lock)
        lock = f"{self.ex.graph_of(t)}.{property_name(s.lock.name)}[{index}]"
        if s.blocking:
            with self.block(f"irgl::locked(t, {lock}, [&] {{", s, "});"):
                self._under_lock(s.body)
            return
        self.put(f"if (!irgl::try_locked(t, {lock}, [&] {{", s)
        self.indent += 1
        self._under_lock(s.body)
        self.indent -= 1
        self.put("})) {")
        self.indent += 1
        self.body(s.orelse)
        self.indent -= 1
        self.put("}")

    def _under_lock(self, stmts: tuple[A.Stmt, ...]) -> None:
        self.ex.locked = True
        self.body(stmts)
        self.ex.locked = False

    def _assign(self, s: A.Assign) -> None:
        if self.ex.locked and not isinstance(s.target, A.Name):
            value = self.ex.value(s.value, self.checked.types[s.target])
            self.put(f"irgl::store({self.ex.location(s.target)}, {value});", s)
        else:
            super()._assign(s)

    def _update(self, e: A.Reduce, s: A.Stmt) -> None:
        if self.ex.locked and not isinstance(e.target, A.Name) and e.op in UPDATES:
            self.put(f"{self.ex.value(e)};", s)
        else:
            super()._update(e, s)

    def _exclusive_together(self, s: A.Exclusive, guard: str) -> None:
        """All threads of the grid name their elements; who has won them all goes on (cuda_rt/exclusive.cuh)."""
        t = self.checked.types[s.object]
        owner = self.ex.value(s.object)
        library = isinstance(t, T.Named) and t.name in self.checked.libraries
        marks = f"{owner}.marks()" if library else f"{owner}.exclusive"
        self.held += 1
        mine = f"mine_{self.held}"
        add = made("add", {symbol.name for symbol in self.checked.symbols.values()})
        named = self._named_once(s, guard)
        self.ex.computed |= named
        with self.block(f"const bool {mine} = irgl::exclusive(t, {marks}, {guard}, [&](auto&& {add}) {{", s, "});"):
            self.name_elements(s, add)
        for e in named:
            del self.ex.computed[e]
        self.either(mine, s.body, s.orelse, otherwise=f"else if ({guard})")
        self.put("t.sync();")

    def _named_once(self, s: A.Exclusive, guard: str) -> dict[A.Expr, str]:
        """Variables for the elements where some are computed: once more, that might change or find something else."""
        if all(isinstance(e, A.Name) and self.checked.symbols[e].kind != "global" for e in s.elements):
            return {}
        types = {e: self.checked.types[e] for e in s.elements}
        types = {e: t for e, t in types.items() if not isinstance(t, T.Named)}
        named = {e: f"held_{self.held}_{i}" for i, e in enumerate(types)}
        for e, word in named.items():
            self.put(f"{self.type(types[e])} {word} = {{}};")
        with self.block(f"if ({guard}) {{", s):
            for e, word in named.items():
                self.put(f"{word} = {self.ex.value(e, types[e])};", e)
        return named


def _jumps_inside(s: A.Stmt, jump: A.Break | A.Continue | A.Return) -> bool:
    """Does the jump end in a loop that stands in `s`?"""
    if isinstance(jump, A.Return):
        return False
    loops = (n for n in walk(s) if isinstance(n, A.For | A.CFor | A.While | A.DoWhile))
    return any(n is jump for loop in loops for n in walk(loop))


def exclusive_in(s: A.Stmt) -> A.Exclusive | None:
    """The Exclusive at the top of an operator, bare or under its guard."""
    if isinstance(s, A.If) and len(s.body) == 1 and not s.orelse and isinstance(s.test, A.Name):
        s = s.body[0]
    return s if isinstance(s, A.Exclusive) else None


class JoinsCuda(LockedCuda):
    """Writes calls of `common` in which the threads of a warp join (cuda_rt/joined.cuh): who asks says so where the
    call stands, and what is found is added up at the end of the operator, where all threads of the warp are. `asked`:
    the variable of each statement whose operator is being written."""

    asked: dict[A.Stmt, tuple[str, A.Call]]
    joins = 0

    def joined(self, loop: A.ForAll) -> dict[A.Call, A.ExprStmt]:
        """The calls of a loop in which warps join, each with the statement that adds it to something."""
        return {call: s for call, s in sums(loop).items() if self.ex.intersections.get(call) == WARP}

    def begin_joins(self, loop: A.ForAll) -> None:
        """At the beginning of the loop's operator: nobody asks yet."""
        for call, s in self.joined(loop).items():
            self.joins += 1
            self.asked[s] = f"asked_{self.joins}", call
            self.put(f"irgl::Asked asked_{self.joins};", s)

    def end_joins(self, loop: A.ForAll) -> None:
        """At its end: all threads of the warp search, and who asked adds what was found."""
        for call, s in self.joined(loop).items():
            word, _ = self.asked.pop(s)
            self.put(f"{word}.meet({self.ex.rows_of_common(call)});  // all threads of the warp", s)
            self.ex.found = call, f"{word}.found"
            self.either(f"{word}.asks", (s,), (), s)
            self.ex.found = None

    def stmt(self, s: A.Stmt) -> None:
        if s in self.asked:
            word, call = self.asked[s]
            self.put(f"{word}.ask({', '.join(self.ex.common_arguments(call))});", s)
        else:
            super().stmt(s)
