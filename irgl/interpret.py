"""The meaning of the language: a sequential interpreter of checked programs, slow and plain, for small graphs.

What the compiler's targets do is right when it agrees with this file; docs/language.md says the same in words. Numbers,
items, lists and library objects are in irgl/reference. Parallel loops run in order, or in an order shuffled by `order`,
which no result of a race-free program may depend on. Atomic and Exclusive always succeed; Respawn and Retry run their
item again after the loop's other items.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, assert_never

from irgl.analysis.check import DEFAULT_WORKLIST
from irgl.analysis.names.symbols import Checked, wants_node
from irgl.analysis.ownership.respawns import over_wl
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.reference import arithmetic as N
from irgl.reference import values as V
from irgl.reference.control import Invocation, Jump, Outcome, Returned, located, taken
from irgl.reference.queues import Queue
from irgl.reference.worklists import Lists, Position, Worklist
from irgl.reference.world import Env, Result, World
from irgl.source import IrglError


def run(checked: Checked, graphs: Mapping[str, V.GraphLike], params: Mapping[str, Any] | None = None, *,
        worklist_capacity: int | None = None, seed: int = 0, order: int | None = None,
        max_steps: int = 10_000_000) -> Result:
    """Runs the entry on `graphs` (by parameter name) and `params` (numbers; nodes as ids; the rest by default).
    Raises IrglError at the expression that divides by zero, follows NONE, leaves a range or repeats an item of a unique
    list, at a missing parameter, and where `max_steps` statements have run.
    """
    return Interpreter(checked, worklist_capacity, seed, order, max_steps).run(graphs, params or {})


class Interpreter(World):
    def __init__(self, checked: Checked, capacity: int | None, seed: int, order: int | None, max_steps: int) -> None:
        super().__init__(checked, capacity, seed)
        self.max_steps, self.order = max_steps, None if order is None else random.Random(order)
        self.lists: Lists | Queue | None = None  # of the Pipe or Iterate around
        self.kernel = Invocation()

    def run(self, graphs: Mapping[str, V.GraphLike], params: Mapping[str, Any]) -> Result:
        entry = self.checked.entry
        assert entry is not None, "require_entry comes first"
        env = self.begin(entry, graphs, params)
        if not any(env[p.name][0] is None for p in entry.params if wants_node(p)):
            self.block(entry.body, env)
        return self.result(entry, env)

    # Statements

    def block(self, body: Iterable[A.Stmt], env: Env) -> Outcome:
        env = dict(env)
        for s in body:
            jump = self.stmt(s, env)
            if jump is not None:
                return jump
        return None

    def step(self, at: A.Node) -> None:
        self.stats["steps"] += 1
        if self.stats["steps"] > self.max_steps:
            raise IrglError(f"stopped after {self.max_steps} steps: does the program end?", at.span)

    @located
    def stmt(self, s: A.Stmt, env: Env) -> Outcome:
        self.step(s)
        match s:
            case A.VarDecl():
                t = self.checked.symbols[s].type
                if isinstance(t, T.Vector):
                    first = self.zero(t.of) if s.init is None else self.converted(s.init, t.of, env)
                    env[s.name] = [[first] * t.length]
                else:
                    env[s.name] = [self.first(s, env) if s.init is None else self.converted(s.init, t, env)]
            case A.Assign():
                value = self.converted(s.value, self.checked.types[s.target], env)
                box, at = self.place(s.target, env)
                box[at] = value
            case A.ExprStmt():
                self.value(s.value, env)
            case A.Block() | A.Sections():
                return self.block(s.body, env)
            case A.If():
                return self.block(s.body if self.truth(s.test, env) else s.orelse, env)
            case A.While() | A.DoWhile() | A.CFor():
                return self.loop(s, env)
            case A.For():
                for item in self.items(s.iterator, env):
                    jump = self.block(s.body, env | {s.var: [item]})
                    if jump not in (None, Jump.CONTINUE):
                        return None if jump is Jump.BREAK else jump
            case A.ForAll():
                self.for_all(s, env)
            case A.Break() | A.Continue():
                return Jump.BREAK if isinstance(s, A.Break) else Jump.CONTINUE
            case A.Return():
                return Returned(None if s.value is None else self.value(s.value, env))
            case A.Labeled():
                return self.stmt(s.body, env)
            case A.Atomic() | A.Exclusive():
                for e in s.elements if isinstance(s, A.Exclusive) else (s.lock,):
                    taken(self.value(e, env))
                return self.block(s.body, env)
            case A.SyncRunningThreads():
                pass
            case A.ReduceAndReturn():
                value = self.truth(s.value, env)
                self.kernel.any, self.kernel.all = self.kernel.any or value, self.kernel.all and value
            case A.Retry() | A.Respawn():
                assert isinstance(self.lists, Lists)  # a queue has no Respawn
                self.lists.respawn(self.value(s.item, env))
                return Jump.END_ITEM if isinstance(s, A.Retry) else None
            case A.CBlock():
                raise IrglError("the reference interpreter can't run raw C++ text", s.span, "write it in IrGL")
            case A.Invoke():
                self.invoke(s, env)
            case A.Iterate() | A.Pipe():
                return self.orchestrate(s, env)
            case _:
                assert_never(s)
        return None

    def loop(self, s: A.While | A.DoWhile | A.CFor, env: Env) -> Outcome:
        """C's loops."""
        env, first = dict(env), isinstance(s, A.DoWhile)
        for part in s.init if isinstance(s, A.CFor) else ():
            self.stmt(part, env)
        while first or s.test is None or self.truth(s.test, env):
            first = False
            self.step(s)
            jump = self.block(s.body, env)
            if jump not in (None, Jump.CONTINUE):
                return None if jump is Jump.BREAK else jump
            for part in s.step if isinstance(s, A.CFor) else ():
                self.stmt(part, env)
        return None

    def items(self, iterator: A.Expr, env: Env) -> Sequence[Any]:
        """A snapshot of what a loop runs over: of a list itself, its positions."""
        over = self.value(iterator, env)
        return tuple(Position(x) for x in over.items) if isinstance(over, Worklist | Lists | Queue) else over

    def for_all(self, s: A.ForAll, env: Env) -> None:
        """Every item; then, of an outermost loop, those that came back to its list, until there are none; in an order
        of chance those of a plain list come among the others."""
        kernel, items = self.kernel, self.items(s.iterator, env)
        positions, drains = isinstance(self.checked.types[s.iterator], T.Worklist), over_wl(s)
        kernel.depth += 1
        comes_back = kernel.depth == 1 and self.lists is not None and not kernel.together
        while items:
            kernel.worked = True
            items = [*items] if self.order is None else self.order.sample(items, len(items))
            for k, item in enumerate(items):
                if drains and isinstance(self.lists, Queue) and not self.lists.begin(item):
                    continue
                self.block(s.body, env | {s.var: [item]})
                if self.order is not None and comes_back and not isinstance(self.lists, Queue):
                    for x in self.back(positions, drains=drains):
                        items.insert(self.order.randint(k + 1, len(items)), x)
            items = self.back(positions, drains=drains) if comes_back else []
        kernel.depth -= 1

    def back(self, positions: bool, *, drains: bool) -> list[Any]:
        """What has come back to the lists that a loop runs over."""
        assert self.lists is not None
        found, self.lists.retry = [*self.lists.retry, *(self.lists.refiled() if drains else [])], []
        return [Position(x) if positions else x for x in found]

    # Orchestration

    def invoke(self, s: A.Invoke | A.InvokeResult | A.Iterate, env: Env) -> Invocation:
        """One run of a kernel; then its worklists, if it uses them, swap."""
        kernel, facts = self.checked.kernels[s.kernel], self.checked.facts[s.kernel]
        frame = self.frame(kernel.params, s.args, env)
        self.kernel = done = Invocation(facts.together)
        around = self.lists
        if isinstance(s, A.Invoke) and s.queue is not None:
            self.lists = env[s.queue][0]
            if facts.reads:
                self.lists.choose()
        self.block(kernel.body, frame)
        while facts.together and isinstance(self.lists, Lists) and self.lists.comes_again():
            self.block(kernel.body, frame)
        if facts.ends_round and self.lists is not None:
            self.lists.end_round(facts.reads)
        self.lists = around
        self.stats["invocations"] += 1
        return done

    def frame(self, params: Iterable[A.Param], args: Iterable[A.Expr], env: Env) -> Env:
        return self.globals | {p.name: [self.converted(a, p.type, env)] for p, a in zip(params, args, strict=True)}

    def orchestrate(self, s: A.Iterate | A.Pipe, env: Env) -> Outcome:
        """Iterate and Pipe: on worklists of their own, or on those of the statement around."""
        outer = self.lists
        if outer is None:
            inner = [n for n in walk(s) if isinstance(n, A.Invoke | A.Iterate | A.InvokeResult)]
            used = [f for f in (self.checked.facts[n.kernel] for n in inner) if f.uses_worklist]
            t = used[0].worklist if used else DEFAULT_WORKLIST
            self.lists = self.queue(s, env) if t.kind == T.QUEUE else self.pair(t)
            if isinstance(s.initial, A.InitialIterator):
                first = self.value(s.initial.iterator, env)
            else:
                first = [self.value(e, env) for e in s.initial.items] if s.initial is not None else []
            for item in first:
                (self.lists if isinstance(self.lists, Queue) else self.lists.into).push(item)
        jump, again = None, True
        while again and self.has_work(s):
            self.step(s)
            self.stats["rounds"] += 1
            done = self.invoke(s, env) if isinstance(s, A.Iterate) else None
            jump = self.block(s.body, env)
            again = jump in (None, Jump.CONTINUE) and self.goes_on(s, done)
        self.lists = outer
        return jump if isinstance(jump, Returned) else None

    def has_work(self, s: A.Iterate | A.Pipe) -> bool:
        """Before a round: are there items, if the round takes its items from the worklist?"""
        assert self.lists is not None
        takes = not s.once if isinstance(s, A.Pipe) else s.mode == "worklist" or self.checked.facts[s.kernel].reads
        return not takes or (self.lists.choose() if isinstance(self.lists, Queue) else self.lists.into.size > 0)

    @located
    def queue(self, s: A.Iterate | A.Pipe | A.VarDecl, env: Env) -> Queue:
        """A priority queue: that of an outermost Pipe or Iterate, or a variable."""
        t = self.checked.symbols[s].type if isinstance(s, A.VarDecl) else self.checked.lists[s]
        assert isinstance(t, T.Worklist) and t.by is not None
        return Queue(t, V.convert(env[t.by.delta][0], T.LONG) if t.by.delta else 1, self.stats)

    def pair(self, t: T.Worklist) -> Lists:
        return Lists(self.zero(t), self.zero(t))

    def first(self, s: A.VarDecl, env: Env) -> Any:
        """What a variable without initial value holds."""
        t = self.checked.symbols[s].type
        if isinstance(t, T.Worklist) and t.by is not None:
            return self.queue(s, env) if t.kind == T.QUEUE else self.pair(t)
        return self.zero(t)

    def goes_on(self, s: A.Iterate | A.Pipe, done: Invocation | None) -> bool:
        """After a round: does the kernel's value ask for another?"""
        if isinstance(s, A.Pipe) or done is None:
            return isinstance(s, A.Pipe) and not s.once
        value = done.value(s.reduction)
        return s.mode == "worklist" or (value if s.mode == "while" else done.worked and not value)

    # Expressions

    def truth(self, e: A.Expr, env: Env) -> bool:
        return bool(self.converted(e, T.BOOL, env))

    def converted(self, e: A.Expr, to: T.Type, env: Env) -> Any:
        return V.convert(self.value(e, env), to)

    @located
    def value(self, e: A.Expr, env: Env) -> Any:
        t = self.checked.types[e]
        match e:
            case A.Name(id="INF"):
                return N.infinity(t)
            case A.Name():
                return None if e.id == "NONE" else self.lists if e.id == "WL" else env[e.id][0]
            case A.IntLit() | A.BoolLit() | A.StringLit():
                return e.value
            case A.FloatLit():
                return V.convert(float(e.text), e.type)
            case A.Unary():
                operand = self.converted(e.operand, t, env)
                return not operand if e.op == "!" else N.negate(e.op, operand, t)
            case A.Binary(op="&&"):
                return self.truth(e.left, env) and self.truth(e.right, env)
            case A.Binary(op="||"):
                return self.truth(e.left, env) or self.truth(e.right, env)
            case A.Binary():
                of = self.checked.types[e.left], self.checked.types[e.right]
                return V.binary(e.op, self.value(e.left, env), self.value(e.right, env), of, t)
            case A.Conditional():
                return self.converted(e.then if self.truth(e.test, env) else e.orelse, t, env)
            case A.Cast():
                return self.converted(e.operand, e.type, env)
            case A.StructLit():
                types = (self.checked.fields(e.type) or {}).values()
                return tuple(self.converted(v, f, env) for v, f in zip(e.values, types, strict=True))
            case A.Call():
                return self.call(e, t, env)
            case A.MethodCall(name="when") if isinstance(t, T.Range):
                return self.value(e.object, env) if self.truth(e.args[0], env) else []
            case A.MethodCall():
                o, params = self.value(e.object, env), self.checked.params[e]
                return V.method(o, e.name, [self.converted(a, p, env) for a, p in zip(e.args, params, strict=True)])
            case A.Member():
                owner, fields = self.value(e.object, env), self.checked.fields(self.checked.types[e.object])
                if isinstance(owner, Queue | Lists) and owner is not self.lists:
                    owner.choose()
                return V.member(owner, e.name) if fields is None else owner[list(fields).index(e.name)]
            case A.Index():
                box, at = self.place(e, env)
                return box[at]
            case A.Relaxed():
                return self.value(e.location, env)
            case A.Reduce():
                of = self.checked.types[e.target], self.checked.types[e.value]
                (box, at), given = self.place(e.target, env), self.value(e.value, env)
                box[at], reduction = V.update(e.op, box[at], given, of)
                return reduction
            case A.InvokeResult():
                return self.invoke(e, env).value(e.reduction)
            case _:
                assert_never(e)

    @located
    def place(self, e: A.Expr, env: Env) -> tuple[Any, Any]:
        """Where a location is kept: a container and the key in it."""
        match e:
            case A.Name():
                return env[e.id], 0
            case A.Index() if isinstance(self.checked.types[e.object], T.Vector):
                box, at = self.place(e.object, env)
                return box[at], V.check_index(self.converted(e.index, T.LONG, env), len(box[at]), "value")
            case A.Index():
                return V.element_place(self.value(e.object, env), self.converted(e.index, T.LONG, env))
            case A.Member():
                fields = self.checked.fields(self.checked.types[e.object])
                if fields is None:
                    return V.property_place(self.value(e.object, env), e.name)
                return V.FieldOf(self.place(e.object, env), list(fields).index(e.name)), 0
            case _:
                raise AssertionError(e)

    def call(self, e: A.Call, t: T.Type, env: Env) -> Any:
        f = self.checked.functions.get(e.function)
        if f is not None:
            end = self.block(f.body, self.frame(f.params, e.args, env))
            return V.convert(end.value, f.returns) if isinstance(end, Returned) else None
        if e.function == "cas":
            box, at = self.place(e.args[0], env)
            expected, desired = (self.converted(a, self.checked.types[e.args[0]], env) for a in e.args[1:])
            same: bool = V.key(box[at]) == V.key(expected)
            box[at] = desired if same else box[at]
            return same
        return self.builtin(e, [self.value(a, env) for a in e.args], t)
