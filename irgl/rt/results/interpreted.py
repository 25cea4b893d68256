"""What the interpreter's loops do, counted as compiled programs count it: a profile without times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from irgl.analysis.effects.working import adds, changes_if, own_variables, works
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children
from irgl.codegen.cxx.rounds import Slot, noted_loops
from irgl.codegen.openmp.sites import sites_of
from irgl.interpret import Interpreter
from irgl.reference.control import Invocation, Outcome
from irgl.reference.world import Env
from irgl.rt.manifests.manifest import Site
from irgl.rt.results.profile import Profile, of_counts


class Counting(Interpreter):
    """An interpreter that counts rounds, invocations and iterations, and which iterations do something."""

    def __init__(self, checked: Checked, capacity: int | None, seed: int) -> None:
        super().__init__(checked, capacity, seed, None, 10_000_000)
        assert checked.entry is not None
        rounds = noted_loops(checked.entry)
        self.sites = sites_of(checked, rounds)
        self.times: dict[int, int] = {}  # by site: how often it ran
        self.runs: dict[int, list[list[int]]] = {}  # by loop that threads would run together: the counts of each run
        self._rounds = {s: n.number for s, n in rounds.items()}
        self._bodies: dict[int, Slot] = {}
        self._turns = {id(s.body): n for s, n in self._rounds.items() if isinstance(s, A.For) and s.body}
        self._always: set[A.Stmt] = set()
        for loop, slot in self.sites.loops.items():
            assert isinstance(loop, A.For | A.ForAll)
            if loop.body:
                self._bodies[id(loop.body)] = slot
                own = own_variables(checked, loop)
                self._always |= {s for s in _directly_in(loop.body) if works(checked, s, own)}
        self._counts: list[int] = []
        self._open: list[bool] = []  # the iterations that run, by depth: has each done something?
        self._calls = 0  # of helpers, that run

    def profile(self, edges: int) -> Profile:
        """Of a run on graphs of which the largest has so many edges."""
        return of_counts([Site(**asdict(s)) for s in self.sites.all], self.times, self.runs, edges)

    def _ran(self, site: int, times: int = 1) -> None:
        self.times[site] = self.times.get(site, 0) + times

    def step(self, at: A.Node) -> None:
        if isinstance(at, A.Stmt) and at in self._rounds and not isinstance(at, A.For):
            self._ran(self._rounds[at])
        super().step(at)

    def stmt(self, s: A.Stmt, env: Env) -> Outcome:
        if s in self._rounds and not isinstance(s, A.For):
            self._ran(self._rounds[s], -1)  # which is a step, too, and no round
        if self._open and s in self._always:
            self._open[-1] = True
        return super().stmt(s, env)

    def block(self, body: Iterable[A.Stmt], env: Env) -> Outcome:
        if id(body) in self._turns:
            self._ran(self._turns[id(body)])
        slot = self._bodies.get(id(body))
        if slot is None or not self._counts:
            return super().block(body, env)
        self._open.append(False)
        jump = super().block(body, env)
        self._counts[2 * slot.slot] += 1
        self._counts[2 * slot.slot + 1] += self._open.pop()
        return jump

    def for_all(self, s: A.ForAll, env: Env) -> None:
        slot = self.sites.loops.get(s)
        if self._counts or slot is None:
            super().for_all(s, env)
            return
        self._counts = [0] * (2 * slot.loops)
        super().for_all(s, env)
        self._ran(slot.site)
        self.runs.setdefault(slot.site, []).append(self._counts)
        self._counts = []

    def invoke(self, s: A.Invoke | A.InvokeResult | A.Iterate, env: Env) -> Invocation:
        if s.kernel in self.sites.kernels:
            self._ran(self.sites.kernels[s.kernel])
        return super().invoke(s, env)

    def value(self, e: A.Expr, env: Env) -> Any:
        found = super().value(e, env)
        match e:
            case A.Reduce() if (found.changed and changes_if(self.checked, e)) or adds(self.checked, e):
                self._worked()
            case A.Call(function="cas") if found:
                self._worked()
            case _:
                pass
        return found

    def _worked(self) -> None:
        if self._open and not self._calls:
            self._open[-1] = True

    def call(self, e: A.Call, t: T.Type, env: Env) -> Any:
        own = e.function in self.checked.functions
        self._calls += own
        found = super().call(e, t, env)
        self._calls -= own
        return found


def _directly_in(stmts: Iterable[A.Node]) -> Iterator[A.Stmt]:
    """Statements and those in them, without what stands in loops over items."""
    for s in stmts:
        if isinstance(s, A.Stmt):
            yield s
        if not isinstance(s, A.For | A.ForAll):
            yield from _directly_in(children(s))
