"""Kernels in CUDA C++: a device function each, its operators as lambdas that schedulers call (cuda_rt/nested.cuh).

An operator in which threads meet, to reserve room together or in a nested loop that a scheduler spreads over them, is
called on every thread of the unit with a flag `valid`. What the passes left at its top is then written in three ways:
declarations choose something harmless without an item, collectives stand bare, and everything else is guarded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from irgl.analysis.effects.effects import changed_variables
from irgl.analysis.flow.kernels import moves_its_range
from irgl.analysis.names.methods import of_object
from irgl.analysis.names.symbols import Checked, KernelFacts, Symbol
from irgl.analysis.ownership.own import is_own
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, walk
from irgl.codegen.cuda import boards
from irgl.codegen.cuda.locks import JoinsCuda, exclusive_in
from irgl.codegen.cxx.names import name, starts_as_none, zero
from irgl.options import OFF
from irgl.passes.aggregate_appends import FORMS, level_of, reserves

_SCOPES = ("One", "Warp", "Block", "Grid")
_MET: dict[str | None, str] = {FORMS[unit]: f"  // all threads of the {unit}, one atomic" for unit in ("warp", "block")}
_LITERALS = A.IntLit | A.FloatLit | A.BoolLit
_UNITS = {"tb": "TB", "wp": "WP", "fg": "FG", "wf": "WF", "weaver": "WV", "even": "FG", "serial": "Serial"}


class KernelCuda(JoinsCuda):
    """Writes one kernel.

    `schedulers` gives those of each nested loop, `combine` the level of an outermost loop's reductions; the items that
    those in `backs_off` retry do so (cuda_rt/backoff.cuh).
    """

    def __init__(self, checked: Checked, facts: KernelFacts | None, schedulers: Mapping[A.ForAll, str],
                 combine: Mapping[A.ForAll, str], backs_off: Collection[A.ForAll] = ()) -> None:
        super().__init__(checked, facts)
        self.schedulers = schedulers
        self.combine = combine
        self.backs_off = backs_off
        self.ex.together = lambda: self.depth == 0
        self.met: list[str] = []  # the scope of each operator around
        self.asked = {}
        self.slots = Counter[str]()
        self.ranges = 0  # how many were computed before their loop

    # How far threads meet

    def scope(self, loop: A.ForAll) -> str:
        """The unit whose threads call the loop's operator together."""
        widest = 1 if self.joined(loop) else 0
        for s in loop.body:
            if isinstance(s, A.VarDecl) and reserves(self.checked, s.init):
                level = level_of(self.checked, s.init)
                widest = max(widest, 2 if level == FORMS["block"] else 1 if level == FORMS["warp"] else 0)
            nested = s.body if isinstance(s, A.Labeled) else s
            if exclusive_in(s) is not None:
                widest = 3
            if isinstance(nested, A.ForAll) and self.is_spread(nested):
                alone = self._units(nested) == "irgl::Serial"
                widest = max(widest, min(2, _SCOPES.index(self.scope(nested))) if alone else 2)
        return _SCOPES[widest]

    def is_spread(self, loop: A.ForAll) -> bool:
        """Does a scheduler run this nested loop, and not its own thread alone?"""
        return loop in self.schedulers and (self._units(loop) != "irgl::Serial" or self.scope(loop) != "One")

    def _units(self, loop: A.ForAll) -> str:
        return " | ".join(f"irgl::{_UNITS.get(u, u)}" for u in self.schedulers[loop].split("+"))

    # Loops

    def for_all(self, s: A.ForAll) -> None:
        if self.depth == 0:
            self._outermost(s)
        elif self.is_spread(s):
            self._nested(s)
        else:
            self._alone(s)

    def _slot(self, word: str) -> str:
        """What a variable of the kernel is called while a loop combines it: each time another name."""
        self.slots[word] += 1
        return f"shared_{word}" if self.slots[word] == 1 else f"shared_{self.slots[word]}_{word}"

    def _outermost(self, s: A.ForAll) -> None:
        cc = self.combine[s]
        combined = [v for v in self.checked.combined[s] if cc != OFF or v[0].kind != "global"]
        level = {"warp": "Warp", "block": "Block"}.get(cc, "One")
        locals_ = [symbol for symbol, _ in combined if symbol.kind != "global"]
        items = self._items(s)
        if changed_variables(self.checked, [s.iterator]):
            self.ranges += 1
            self.put(f"const auto operand_{self.ranges} = {items};", s)
            items = f"operand_{self.ranges}"
        shared = {v: self._slot(name(v.name)) for v in locals_}
        for k, (symbol, word) in enumerate(shared.items()):
            t = self.type(symbol.type)
            self.put(f"{t}& {word} = irgl::slot<{t}>(t, c, {k}, {name(symbol.name)});", s)
        targets = [shared[v] if v in shared else self.ex.scalar(v.name) for v, _ in combined]
        reducers = [f"irgl::{how}<irgl::{level}>({at})" for (_, how), at in zip(combined, targets, strict=True)]
        accumulators = [f"{self.type(symbol.type)}& {name(symbol.name)}" for symbol, _ in combined]
        if cc != OFF and any(isinstance(n, A.ReduceAndReturn) for n in walk(s)):
            reducers += [f"irgl::{word}<irgl::{level}>(c.globals->value.{word})" for word in ("any", "all")]
            accumulators += ["bool& any", "bool& all"]
        returns = self.facts is not None and self.facts.returns
        if moves_its_range(self.checked, s):
            items = f"irgl::settled(t, {items})"
            items = f"irgl::noted(t, c.globals->value, {items})" if returns else items
        elif returns:
            self.put(f"if (t.first() && irgl::has_items({items})) {{", s)
            self.put("  irgl::atomic_or(c.globals->value.items, true);")
            self.put("}")
        before = set(self.ex.accumulators)
        self.ex.accumulators |= {symbol.name for symbol, _ in combined}
        scope = self.scope(s)
        item = self._outer_item(s)
        params = ["irgl::Thread& t", "bool valid" if scope != "One" else "bool", item, *accumulators]
        if s in self.backs_off:
            items = f"irgl::backed_off(t, wl, {items})"
        own, cut = f"{self.item_type(s)} {name(s.var)}", self._cut(s)
        edges = [] if cut is None else [f"[&]({own}) {{ return {self._all_edges(cut)}; }}"]
        arguments = ", ".join(["t", items, *edges, *reducers])
        head = self._runs(s, scope, bool(edges))
        with self.block(f"{head}({arguments}, [&]({', '.join(params)}) {{", s, "});"):
            if edges:
                self.put(f"[[maybe_unused]] const {own} = share.item;")
            self._operator_body(s, scope)
        if locals_:
            self.put("t.sync();")
        for symbol in locals_:
            self.put(f"{name(symbol.name)} = {shared[symbol]};")
        self.ex.accumulators = before

    def _nested(self, s: A.ForAll) -> None:
        combined = [(symbol, how) for symbol, how in self.checked.combined[s] if symbol.kind != "global"]
        words = [how.removesuffix("_of").removeprefix("bit_") for _, how in combined]
        into = [f"irgl::into_{word}({name(symbol.name)})" for word, (symbol, _) in zip(words, combined, strict=True)]
        accumulators = [f"{self.type(symbol.type)}& {name(symbol.name)}" for symbol, _ in combined]
        closure = [v for v in self._closure(s) if v not in [symbol for symbol, _ in combined]]
        scope = self.scope(s)
        carried = [c for v in closure for c in self._carried(v)]
        given = [f"{t} {word}" for t, word in carried]
        run, brought, item = self._scheduler(s)
        params = ["irgl::Thread& t", "bool valid" if scope != "One" else "bool", *item, *given, *accumulators]
        captured = f"irgl::closure({', '.join(word for _, word in carried)})"
        arguments = ", ".join(["t", *brought, captured, *into])
        board = self._board(s, [t for t, _ in carried], [self.type(v.type) for v, _ in combined])
        head = f"irgl::{run}irgl::{scope}{board}>({arguments}, [&]({', '.join(params)}) {{"
        before, depths = set(self.ex.accumulators), dict(self.ex.shared_depths)
        self.ex.accumulators |= {symbol.name for symbol, _ in combined}
        if self._units(s) != "irgl::Serial":
            self.ex.shared_depths[self.depth + 1] = self._shares(s)
        with self.block(head, s, "});"):
            self._operator_body(s, scope)
        self.ex.accumulators, self.ex.shared_depths = before, depths

    def _alone(self, s: A.ForAll) -> None:
        """A nested loop that its item's thread runs by itself: the variables that it combines are at hand."""
        before = set(self.ex.accumulators)
        self.ex.accumulators |= {symbol.name for symbol, _ in self.checked.combined[s] if symbol.kind != "global"}
        self.depth += 1
        with self.block(f"for ({self._declared_item(s)} : {self._edges_of(s, s.iterator)}) {{", s):
            self._alone_body(s)
        self.depth -= 1
        self.ex.accumulators = before

    def _alone_body(self, s: A.ForAll) -> None:
        self.loop_body(s, s.body)

    def _operator_body(self, s: A.ForAll, scope: str) -> None:
        self.depth += 1
        self.met.append(scope)
        self.loops.append(s)
        self.begin_joins(s)
        if scope == "One":
            self.body(s.body)
        else:
            self._together(s.body)
        self.end_joins(s)
        self.loops.pop()
        self.met.pop()
        self.depth -= 1

    def _together(self, stmts: tuple[A.Stmt, ...]) -> None:
        """The top of an operator that all threads of a unit run: who has no item does nothing."""
        guarded: list[A.Stmt] = []

        def flush() -> None:
            if guarded:
                with self.block("if (valid) {", guarded[0]):
                    self.body(tuple(guarded))
                guarded.clear()

        for s in stmts:
            loop = s.body if isinstance(s, A.Labeled) else s
            if isinstance(s, A.VarDecl) and reserves(self.checked, s.init):
                flush()
                self.variable(s)
                self.lines[-1] += _MET.get(level_of(self.checked, s.init), "")
            elif isinstance(s, A.VarDecl):
                flush()
                self._declared(s)
            elif isinstance(loop, A.ForAll) and self.is_spread(loop):
                flush()
                self.for_all(loop)
            elif (exclusive := exclusive_in(s)) is not None:
                flush()
                guard = f"valid && {name(s.test.id)}" if isinstance(s, A.If) and isinstance(s.test, A.Name) else "valid"
                self._exclusive_together(exclusive, guard)
            elif _fills_reserved(self.checked, s) or (
                    isinstance(s, A.If) and not s.orelse and self._implies_valid(s.test)):
                flush()
                self.stmt(s)
            else:
                guarded.append(s)
        flush()

    def _implies_valid(self, test: A.Expr) -> bool:
        """Is it a guard, which is false without an item?"""
        symbol = self.checked.symbols.get(test) if isinstance(test, A.Name) else None
        if symbol is None or not isinstance(symbol.type, T.Bool) or symbol.assigned:
            return False
        here = symbol.kind == "local" and symbol.depth == self.depth
        return here and symbol.origin is not None and not isinstance(symbol.origin, _LITERALS)

    def _declared(self, s: A.VarDecl) -> None:
        """A declaration that is evaluated with an item only."""
        symbol = self.checked.symbols[s]
        t = symbol.type
        if s.init is None or isinstance(t, T.Worklist) or isinstance(s.init, _LITERALS) or of_object(
                self.checked, s.init):
            self.variable(s)
            return
        if isinstance(t, T.Range):
            none = f"irgl::Interval<{self.type(t.item)}>()"
            self.put(f"const auto {name(s.name)} = valid ? {self.ex.value(s.init)} : {none};", s)
            return
        each = T.of_each(t)
        init = self.ex.code(s.init, each)
        guarded = f"&& {init.at(5)}" if isinstance(each, T.Bool) else f"? {init.at(3)} : {self._nothing(each)}"
        if isinstance(t, T.Vector):
            self.put(f"{self.type(t)} {name(s.name)}{{{self.type(each)}(valid {guarded})}};", s)
            return
        const = self._quiet(symbol) + ("" if symbol.assigned else "const ")
        self.put(f"{const}{self.type(t)} {name(s.name)} = valid {guarded};", s)

    def _nothing(self, t: T.Type) -> str:
        return f"{self.type(t)}(-1)" if isinstance(t, T.NodeT | T.EdgeT) else f"{self.type(t)}()"

    def _runs(self, s: A.ForAll, scope: str, cut: bool) -> str:  # noqa: ARG002
        """What runs an outermost loop."""
        return f"irgl::for_each{'_even' * cut}<irgl::{scope}>"

    def _items(self, s: A.ForAll) -> str:
        return self.ex.iterator(s.iterator)

    def _outer_item(self, s: A.ForAll) -> str:
        t = self.item_type(s)
        return f"{t} {name(s.var)}" if self._cut(s) is None else f"irgl::Share<{t}> share"

    def _cut(self, s: A.ForAll) -> A.ForAll | None:
        """The loop in it whose edges all blocks share, wherever that cuts a node's (cuda_rt/even.cuh)."""
        return next((n for n in walk(s) if isinstance(n, A.ForAll) and self.schedulers.get(n) == "even"), None)

    def _all_edges(self, s: A.ForAll) -> str:
        """What a loop runs over where no condition stands in the way."""
        edges = s.iterator
        while isinstance(edges, A.MethodCall) and edges.name == "when":
            edges = edges.object
        return self._edges_of(s, edges)

    def _scheduler(self, s: A.ForAll) -> tuple[str, list[str], list[str]]:
        """What runs a nested loop's items, what each thread brings to it, and how the operator is given an item."""
        return f"nested<{self._units(s)}, ", [*self._guarded_range(s)], [self._declared_item(s)]

    def _declared_item(self, s: A.ForAll) -> str:
        """A nested loop's item, as its operator declares it."""
        return f"{self.item_type(s)} {name(s.var)}"

    def _edges_of(self, s: A.ForAll, iterator: A.Expr, test: str = "true") -> str:  # noqa: ARG002
        """What a nested loop runs over, where `test` holds; else nothing."""
        edges = self.ex.iterator(iterator)
        return edges if test == "true" else f"{test} ? {edges} : irgl::no_edges()"

    def _board(self, s: A.ForAll, closure: Sequence[str], parts: Sequence[str]) -> str:
        return boards.place(self.depth - 1, self._units(s), closure, parts)

    def _carried(self, v: Symbol) -> list[tuple[str, str]]:
        """What a variable of an operator around is in C++, type and name, for the threads that run its items."""
        return [(self.type(v.type), name(v.name))]

    def _shares(self, s: A.ForAll) -> str:  # noqa: ARG002
        """Do several threads run the items that one thread has brought? As a constant of the generated text."""
        return "true"

    def _guarded_range(self, s: A.ForAll) -> tuple[str, str]:
        """Whether a thread's item has a range, and the range, asked for only then."""
        valid, test, iterator = self._guarded(s)
        edges = self._edges_of(s, iterator, test)
        return valid, f"irgl::within(share, {edges})" if self.schedulers.get(s) == "even" else edges

    def _guarded(self, s: A.ForAll) -> tuple[str, str, A.Expr]:
        """Whether a thread's item has a range, at least where the second holds; and what it is then."""
        iterator = s.iterator
        valid = test = "valid" if self.met[-1] != "One" else "true"
        if isinstance(iterator, A.MethodCall) and iterator.name == "when":
            wanted = self.ex.code(iterator.args[0], T.BOOL).at(5)
            implied = self._implies_valid(iterator.args[0])
            valid, test = (wanted, wanted) if implied else (valid, f"{valid} && {wanted}")
            iterator = iterator.object
        return valid, test, iterator

    def _closure(self, s: A.ForAll) -> list[Symbol]:
        """The variables of the operators around that the loop's body uses: they differ by item."""
        inside = {self.checked.symbols[n] for n in walk(s) if isinstance(n, A.VarDecl | A.For | A.ForAll)}
        used = (symbol for stmt in s.body for symbol in self._used(stmt))
        return list(dict.fromkeys(
            symbol for symbol in used
            if symbol.kind in ("local", "loop") and symbol not in inside and symbol.depth >= 1
            and not isinstance(symbol.type, T.Worklist)))

    def _used(self, node: A.Node) -> Iterator[Symbol]:
        """The variables in the C++ of a part of the program, where an edge's end may be its loop's node."""
        if isinstance(node, A.Member) and node.name in ("src", "dst"):
            known = self.ex.owners.known_end(node)
            if known is not None:
                yield from self._used(known)
                return
        symbol = self.checked.symbols.get(node) if isinstance(node, A.Name) else None
        if symbol is not None:
            yield symbol
        for child in children(node):
            yield from self._used(child)

    # Statements

    def variable(self, s: A.VarDecl) -> None:
        if is_own(self.checked, s):
            t = self.checked.symbols[s].type
            none = [zero(a, self.checked) for a in t.args if starts_as_none(a, self.checked)] if isinstance(
                t, T.Named) else []
            self.put(f"irgl::Own<{self.type(t)}> {name(s.name)}({', '.join(['c', *none])});", s)
        else:
            super().variable(s)

    def stmt(self, s: A.Stmt) -> None:
        match s:
            case A.Respawn():
                assert self.facts is not None
                self.put(f"wl.respawn(t, {self.ex.value(s.item, self.facts.worklist.item)});", s)
            case A.ReduceAndReturn() if self.combine[next(n for n in self.loops if isinstance(n, A.ForAll))] == OFF:
                self.put(f"irgl::atomic_returned(c.globals->value, {self.ex.truth(s.value)});", s)
            case _:
                super().stmt(s)


def _fills_reserved(checked: Checked, s: A.Stmt) -> bool:
    """Is it the task that fills reserved room, where there is any? Its count is 0 without an item."""
    task = s.body[0] if isinstance(s, A.If) and len(s.body) == 1 and not s.orelse else None
    return isinstance(task, A.ExprStmt) and level_of(checked, task.value) == "task"
