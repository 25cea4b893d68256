"""Which nodes and edges may be NONE where something of them is used: those accesses are checked, the others are not.

What memory may hold is one fact per place for the whole program: a property, a program scalar, a struct's field, a
parameter, what a helper returns, and the items of all lists together. Facts only grow, and functions are walked until
none is new. Within a function, variables are followed along the control flow, and a test narrows what they may be:

    node m = n.parent;            // NONE, if a parent is ever NONE
    while (m != NONE) {           // not in the body
      m = m.parent;               // perhaps again
    }
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import assert_never

from irgl.analysis.effects.first_stores import stored_first
from irgl.analysis.names.symbols import Checked, wants_node
from irgl.analysis.values.none_values import ITEMS, SETS, Fact, State, Values, follows_none, is_item, join
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children

RESPAWNED: Fact = ("respawned",)


def none_accesses(checked: Checked) -> set[A.Node]:
    """What may be NONE where it is used: the operands of accesses and of pushes into sets, the loops that may have such
    an item, and the updates of sets that may bring one."""
    return Flow(checked).run()


def brings_none(checked: Checked, n: A.Node) -> bool:
    """May what a call or statement puts into a set be NONE?"""
    return not checked.none.isdisjoint((n, *children(n)))


class Flow(Values):
    """Statements. A frame is a loop around: whether it is a ForAll, and the states that leave it or go on in it."""

    def __init__(self, checked: Checked) -> None:
        super().__init__(checked)
        self.frames: list[tuple[bool, list[State], list[State]]] = []
        self.function = ""

    def run(self) -> set[A.Node]:
        self._first_values()
        before = -1
        while before < len(self.facts) + len(self.found):
            before = len(self.facts) + len(self.found)
            for decl in self.checked.program.decls:
                if isinstance(decl, A.Function | A.Kernel | A.Entry):
                    symbols = [self.checked.symbols[p] for p in decl.params if p in self.checked.symbols]
                    self.state = frozenset(s for s in symbols if ("param", s) in self.facts)
                    self.function = decl.name
                    self.body(decl.body)
        return self.found

    def _first_values(self) -> None:
        declared = [p for graph in self.checked.graph_types.values() for p in graph.properties]
        may = {(p.owner, p.name) for p in declared if self._first(p.type, p.init) or (p.given and is_item(p.type))}
        for key in may - stored_first(self.checked, may):
            self.fact(key)
        for g in self.checked.globals.values():
            self.fact(("scalar", g.name), self._first(g.type, g.init))
        for p in self.checked.entry.params if self.checked.entry is not None else ():
            self.fact(("param", self.checked.symbols[p]), isinstance(p.type, T.NodeT) and not wants_node(p))

    def _first(self, t: T.Type, init: A.Expr | None) -> bool:
        """May a variable of type `t` be NONE at first? A struct without a value is so in its fields."""
        if init is not None:
            return self.value(init) and is_item(t)
        for struct in (t, *t.args) if isinstance(t, T.Named) else ():
            for name, of in (self.checked.fields(struct) or {}).items():
                self.fact(("field", str(struct), name), is_item(of))
        return is_item(t)

    # Statements

    def body(self, stmts: Iterable[A.Stmt]) -> None:
        for s in stmts:
            if self.state is None:
                return
            self.stmt(s)

    def stmt(self, s: A.Stmt) -> None:
        match s:
            case A.VarDecl():
                self._variable(s)
            case A.Assign():
                may = self.value(s.value)
                self.place(s.target)
                self.store(s.target, may)
            case A.ExprStmt() | A.ReduceAndReturn():
                self.value(s.value)
            case A.Block() | A.Labeled() | A.Sections():
                self.body((s.body,) if isinstance(s, A.Labeled) else s.body)
            case A.If():
                self.state, otherwise = self.branch(s.test)
                self._either(s.body, s.orelse, otherwise)
            case A.While():
                self._loop(s.body, test=s.test, left=s)
            case A.DoWhile():
                self._loop(s.body, until=s.test, left=s)
            case A.CFor():
                self.body(s.init)
                self._loop(s.body, test=s.test, step=s.step, endless=s.test is None, left=s)
            case A.For() | A.ForAll():
                self._items_of(s)
            case A.Break() | A.Continue():
                _, breaks, rounds = self.frames[-1]
                (breaks if isinstance(s, A.Break) else rounds).append(self.state)
                self.state = None
            case A.Return():
                if s.value is not None:
                    self.fact(("returns", self.function), self.value(s.value))
                self.state = None
            case A.Atomic():
                self.value(s.lock)
                self._either(s.body, s.orelse, None if s.blocking else self.state)
            case A.Exclusive():
                for e in s.elements:
                    self.use(e)
                self._either(s.body, s.orelse, self.state)
            case A.Retry() | A.Respawn():
                may = self.value(s.item)
                self.fact(ITEMS, may)
                self.fact(RESPAWNED, may)
                if isinstance(s, A.Retry):
                    next(f for f in reversed(self.frames) if f[0])[2].append(self.state)
                    self.state = None
            case A.CBlock():
                for e in s.writes:
                    self.store(e, True)
            case A.Invoke():
                self.call(self.checked.kernels[s.kernel].params, s.args)
            case A.Iterate():
                self._first_items(s)
                self._loop(s.body, before=lambda: self.call(self.checked.kernels[s.kernel].params, s.args))
            case A.Pipe():
                self._first_items(s)
                self._loop(s.body, once=s.once)
            case A.SyncRunningThreads():
                pass
            case _:
                assert_never(s)

    def _variable(self, s: A.VarDecl) -> None:
        symbol = self.checked.symbols[s]
        self.set(symbol, self._first(symbol.type, s.init))
        match s.init:
            case A.Conditional(test=A.Name() as test, orelse=A.Name(id="NONE")) if not symbol.assigned:
                guard = self.variable(test)
                if guard is not None and not self.last.get(s.init.then, True):
                    self.guarded.setdefault(guard, set()).add(symbol)
            case _:
                pass

    def _either(self, body: Iterable[A.Stmt], orelse: Iterable[A.Stmt], otherwise: State) -> None:
        self.body(body)
        after, self.state = self.state, otherwise
        self.body(orelse)
        self.state = join(after, self.state)

    def _loop(self, body: Iterable[A.Stmt], *, test: A.Expr | None = None, until: A.Expr | None = None,
              before: Callable[[], None] | None = None, step: Iterable[A.Stmt] = (), once: bool = False,
              endless: bool = False, parallel: bool = False, left: A.Stmt | None = None) -> None:
        """A loop that may end before each round, unless its condition tells when; `left`: also behind a fault."""
        entry = self.state
        while True:
            self.state = entry
            if before is not None:
                before()
            self.state, ends = (self.state, self.state) if test is None else self.branch(test)
            breaks: list[State] = []
            rounds: list[State] = []
            if left is not None and follows_none(self.checked, self.found, left):
                breaks.append(self.state)
            self.frames.append((parallel, breaks, rounds))
            self.body(body)
            self.frames.pop()
            self.state = join(self.state, *rounds)
            self.body(step)
            if until is not None and self.state is not None:
                self.state, ends = self.branch(until)
            elif once:
                ends, self.state = self.state, None
            elif endless or until is not None:
                ends = None
            again = join(entry, self.state)
            if again == entry:
                break
            entry = again
        self.state = join(ends, *breaks)

    def _items_of(self, s: A.For | A.ForAll) -> None:
        self.value(s.iterator)
        symbol = self.checked.symbols[s]
        none = is_item(symbol.type) and self._yields_none(s.iterator)
        if none or (isinstance(symbol.type, T.Position) and self._list_holds_none(symbol.type.list)):
            self.found.add(s)
        self.set(symbol, none)
        self._loop(s.body, parallel=isinstance(s, A.ForAll))

    def _yields_none(self, iterator: A.Expr) -> bool:
        """May a loop over nodes or edges meet NONE?"""
        match iterator:
            case A.Member():
                t = self.checked.types[iterator.object]
                if isinstance(t, T.Worklist):
                    return self._list_holds_none(t)
                return isinstance(t, T.Named) and t.name in self.checked.libraries
            case A.Name():
                symbol = self.checked.symbols.get(iterator)
                return symbol is None or symbol.origin is None or self._yields_none(symbol.origin)
            case _:
                return False  # n.edges.skip(1), n.edges.when(c)

    def _list_holds_none(self, t: T.Worklist) -> bool:
        return (RESPAWNED if t.kind in SETS else ITEMS) in self.facts

    def _first_items(self, s: A.Iterate | A.Pipe) -> None:
        t = self.checked.lists.get(s)
        match s.initial:
            case A.InitialItems():
                for e in s.initial.items:
                    if not self.value(e):
                        continue
                    if t is not None and t.kind in SETS:
                        self.found.add(e)
                    else:
                        self.fact(ITEMS)
            case A.InitialIterator():
                self.value(s.initial.iterator)
                of = self.checked.types[s.initial.iterator]
                none = isinstance(of, T.Worklist) and self._list_holds_none(of)
                if none or (isinstance(of, T.Range) and is_item(of.item) and self._yields_none(s.initial.iterator)):
                    self.fact(ITEMS)
                    if t is not None and t.kind in SETS:
                        self.found.add(s.initial)
            case None:
                pass
