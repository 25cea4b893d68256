"""Checks statements: what may stand where, in kernels, in helper functions and in the Program."""

from __future__ import annotations

from typing import assert_never

from irgl.analysis.expressions import Expressions, fail
from irgl.analysis.symbols import Checked, KernelFacts, Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk

_LABELLED = (A.ForAll, A.For, A.While, A.DoWhile, A.CFor, A.Invoke, A.Iterate, A.Pipe, A.Atomic, A.Exclusive)


class Statements:
    """Walks the body of one function, kernel or entry in the scope that `ex` holds."""

    def __init__(self, checked: Checked, ex: Expressions, returns: T.Type) -> None:
        self.checked = checked
        self.ex = ex
        self.returns = returns
        self.loops: list[A.Stmt] = []
        self.labels: set[str] = set()
        self.pipes: list[A.Pipe | A.Iterate] = []
        self.locked = 0
        ex.invoke = self._invoke_result

    def body(self, stmts: tuple[A.Stmt, ...], *, own_scope: bool = True) -> None:
        """A block. Parameters and loop variables share the scope of the body they head (own_scope = False)."""
        if own_scope:
            self.ex.scopes.append({})
        for s in stmts:
            self.stmt(s)
        if own_scope:
            self.ex.scopes.pop()

    def stmt(self, s: A.Stmt) -> None:
        match s:
            case A.VarDecl():
                self._variable(s)
            case A.Assign():
                self._assign(s)
            case A.ExprStmt():
                self._expression(s)
            case A.Block():
                self.body(s.body)
            case A.If():
                self.ex.truth(s.test, "if")
                self.body(s.body)
                self.body(s.orelse)
            case A.While() | A.DoWhile():
                self.ex.truth(s.test, "while")
                self._loop_body(s, s.body)
            case A.CFor():
                self.ex.scopes.append({})
                for part in s.init:
                    self.stmt(part)
                if s.test is not None:
                    self.ex.truth(s.test, "for")
                for part in s.step:
                    self.stmt(part)
                self._loop_body(s, s.body, own_scope=False)
                self.ex.scopes.pop()
            case A.For():
                self._iterate_over(s)
            case A.ForAll():
                if self.ex.place != "kernel":
                    where = "helper function" if self.ex.place == "function" else "Program"
                    fail(f"ForAll stands in a {where}", s, "parallel loops belong in kernels")
                self._iterate_over(s)
            case A.Break() | A.Continue():
                self._jump(s)
            case A.Return():
                self._return(s)
            case A.Labeled():
                if s.label in self.labels:
                    fail(f"label '{s.label}' stands twice", s, "a plan must tell them apart")
                if not isinstance(s.body, _LABELLED):
                    fail(f"label '{s.label}' marks neither a loop nor an orchestration statement", s, None)
                self.labels.add(s.label)
                self.stmt(s.body)
            case A.Atomic():
                self._atomic(s)
            case A.Exclusive():
                self._exclusive(s)
            case A.SyncRunningThreads():
                self._sync(s)
            case A.ReduceAndReturn():
                self._only_in_forall(s, "ReduceAndReturn")
                assert self.ex.facts is not None
                self.ex.facts.returns = True
                self.ex.truth(s.value, "ReduceAndReturn")
            case A.Retry() | A.Respawn():
                self._retry(s)
            case A.CBlock():
                for e in (*s.reads, *s.writes):
                    self.ex.type(e)
            case A.Invoke() | A.Iterate() | A.Pipe():
                self._orchestration(s)
            case _:
                assert_never(s)

    # Variables

    def _variable(self, s: A.VarDecl) -> None:
        declared = self.resolve(s.type, s)
        t = declared
        if isinstance(declared, T.Worklist) or (isinstance(declared, T.Named) and declared.name in self.checked.libraries):
            scratch = isinstance(declared, T.Worklist) and declared.kind == "scratch"
            if scratch and (self.ex.place != "kernel" or self.ex.depth == 0):
                fail("a scratch set is declared inside a ForAll", s, "it lives for one iteration; use a set or a bitmap")
            if self.ex.place != "entry" and not scratch:
                fail(f"a {declared} is declared in the Program", s, "pass it to the kernel as a parameter")
            if s.init is not None:
                fail(f"a {declared} starts empty", s, "fill it by push or update")
        elif isinstance(declared, T.Named) and declared.name in self.checked.graph_types and s.init is None:
            fail(f"graph '{s.name}' has no value", s, "write Graph h = oriented(g);")
        if s.init is not None:
            if isinstance(declared, T.Auto):
                t = self.ex.type(s.init)
                if isinstance(t, T.Inf | T.Nothing | T.Void | T.String):
                    fail(f"{t} does not tell the type of '{s.name}'", s, "write the type instead of auto")
                t = t.of if isinstance(t, T.Reduced) else t
            else:
                self.ex.value(s.init, declared, f"'{s.name}'")
                t = self._with_graph(declared, self.checked.types[s.init])
        symbol = Symbol(s.name, t, "local", self.ex.depth, s.span, origin=s.init)
        self.ex.declare(symbol, s)

    def _with_graph(self, declared: T.Type, given: T.Type) -> T.Type:
        inner = given.of if isinstance(given, T.Id) else given
        if isinstance(declared, T.NodeT) and isinstance(inner, T.NodeT):
            return T.NodeT(declared.graph or inner.graph or self.ex.graph)
        if isinstance(declared, T.EdgeT) and isinstance(inner, T.EdgeT):
            return T.EdgeT(False, declared.graph or inner.graph or self.ex.graph)
        return declared

    def resolve(self, t: T.Type, node: A.Node) -> T.Type:
        """`t`, checked to name things that exist; nodes without a graph get the one in scope."""
        match t:
            case T.Named():
                c = self.checked
                if t.name not in c.structs and t.name not in c.graph_types and t.name not in c.libraries:
                    fail(f"no type '{t.name}'", node, None)
                if t.name in c.libraries and len(t.args) != len(c.libraries[t.name].params):
                    fail(f"{t.name} takes {len(c.libraries[t.name].params)} type arguments, not {len(t.args)}", node, None)
                for arg in t.args:
                    self.resolve(arg, node)
            case T.Worklist():
                item = self.resolve(t.item, node)
                if t.kind in ("set", "bitmap", "bytemap", "scratch") and not isinstance(item, T.NodeT):
                    fail(f"a {t.kind} holds nodes, not {T.bare(item)}", node, "use a list")
                if not (T.is_scalar(item) or self.checked.fields(item) is not None):
                    fail(f"a worklist can't hold {T.bare(item)}", node, None)
                return T.Worklist(t.kind, item, t.unique)
            case T.Void() if not isinstance(node, A.Function):
                fail("nothing can be of type void", node, None)
            case T.Lock() if not isinstance(node, A.Property):
                fail("a lock is a property of a node or an edge", node, "graph Graph { node lock guard; }")
            case _:
                return self.ex.of_graph(t, self.ex.graph)
        return t

    def _assign(self, s: A.Assign) -> None:
        target = self.ex.type(s.target)
        if isinstance(s.target, A.Name) and not self.ex.is_location(s.target):
            symbol = self.checked.symbols.get(s.target)
            if symbol is None or symbol.kind in ("loop", "worklist"):
                fail(f"'{s.target.id}' can't be assigned", s, "take a copy: int x = ...;")
            if s.access != "plain":
                fail(f"{s.access} marks a store to shared memory, not to a variable", s, "leave the word out")
            if symbol.depth < self.ex.depth:
                fail(f"a ForAll stores into '{symbol.name}', which all its iterations share", s,
                     "reduce into it (+= min= max= |= &=), or declare it inside")
            if isinstance(target, T.Worklist) or (isinstance(target, T.Named) and self.checked.fields(target) is None):
                fail(f"a {T.bare(target)} can't be assigned", s, "use swap or update" if isinstance(target, T.Worklist) else None)
            symbol.assigned = True
        elif isinstance(s.target, A.Member) and self.checked.fields(self.checked.types[s.target.object]) is not None:
            self._assign_field(s, s.target)
        elif not self.ex.is_location(s.target):
            fail("this can't be stored to", s.target, "store to a variable, a property, a scalar or an element")
        if isinstance(target, T.Lock):
            fail("a lock is taken by Atomic, not assigned", s, None)
        self.ex.refuse_weights(s.target, s)
        self.ex.value(s.value, target, "the store")

    def _assign_field(self, s: A.Assign, target: A.Member) -> None:
        root = target.object
        if not isinstance(root, A.Name) or self.ex.is_location(root):
            fail("one field of a shared struct can't be stored alone", s, "store the whole struct: (Type){...}")
        symbol = self.checked.symbols[root]
        if symbol.depth < self.ex.depth:
            fail(f"a ForAll stores into '{symbol.name}', which all its iterations share", s, "declare it inside")
        symbol.assigned = True

    def _expression(self, s: A.ExprStmt) -> None:
        t = self.ex.type(s.value)
        if not isinstance(s.value, A.Reduce | A.Call | A.MethodCall | A.InvokeResult):
            fail(f"a value of type {T.bare(t)} is computed and dropped", s, "did you mean an assignment?"
                 if isinstance(s.value, A.Binary) and s.value.op == "==" else None)

    # Loops

    def _loop_body(self, loop: A.Stmt, stmts: tuple[A.Stmt, ...], *, own_scope: bool = True) -> None:
        self.loops.append(loop)
        self.body(stmts, own_scope=own_scope)
        self.loops.pop()

    def _iterate_over(self, s: A.For | A.ForAll) -> None:
        t = self.ex.type(s.iterator)
        word = "ForAll" if isinstance(s, A.ForAll) else "For"
        match t:
            case T.Range():
                item = t.item
            case T.Worklist() if t.kind in ("list", "buckets"):
                item = T.Position(t)
                if isinstance(s.iterator, A.Name) and s.iterator.id == "WL" and self.ex.facts is not None:
                    self.ex.facts.reads = True
            case T.Worklist():
                fail(f"a {t.kind} has no positions", s, f"write {word} ({s.var} In ....items)")
            case _:
                fail(f"{word} can't run over {T.bare(t)}", s, "use g.nodes, n.edges, WL, list.items or range(n)")
        parallel = isinstance(s, A.ForAll)
        if parallel and self.locked:
            fail("ForAll stands under a lock", s, "the iterations would wait for each other: use For")
        self.ex.depth += parallel
        self.ex.scopes.append({})
        self.ex.declare(Symbol(s.var, item, "loop", self.ex.depth, s.span, origin=s.iterator, loop=s), s)
        outer = dict(self.ex.reducing)
        self._loop_body(s, s.body, own_scope=False)
        if parallel:
            self.ex.reducing = outer
        self.ex.scopes.pop()
        self.ex.depth -= parallel

    def _jump(self, s: A.Break | A.Continue) -> None:
        word = "break" if isinstance(s, A.Break) else "continue"
        inner = self.loops[-1] if self.loops else None
        if inner is None:
            fail(f"{word} stands outside every loop", s, None)
        if isinstance(inner, A.ForAll) and isinstance(s, A.Break):
            fail("break can't end a ForAll", s, "its iterations run at once: use For, or a condition")

    def _return(self, s: A.Return) -> None:
        if self.ex.place == "kernel":
            fail("return stands in a kernel", s, "use continue to end an iteration, ReduceAndReturn for a value")
        if s.value is None:
            if self.returns != T.VOID:
                fail(f"return without a value where {self.returns} is wanted", s, None)
        elif self.returns == T.VOID:
            fail("return with a value where none is wanted", s, None)
        else:
            self.ex.value(s.value, self.returns, "return")

    # Kernel constructs

    def _only_in_forall(self, s: A.Stmt, word: str) -> None:
        if self.ex.place != "kernel":
            fail(f"{word} stands outside a kernel", s, "it belongs in a kernel's ForAll")
        if self.ex.depth == 0:
            fail(f"{word} stands outside every ForAll", s, "it says something of one iteration")

    def _atomic(self, s: A.Atomic) -> None:
        self._only_in_forall(s, "Atomic")
        t = self.ex.type(s.lock)
        if not isinstance(t, T.Lock):
            fail(f"Atomic wants a lock, not {T.bare(t)}", s.lock, "declare a property: node lock guard;")
        if self.locked:
            fail("Atomic stands under another lock", s, "two threads could wait for each other: use one Exclusive")
        self.locked += 1
        self.body(s.body)
        self.locked -= 1
        self.body(s.orelse)

    def _exclusive(self, s: A.Exclusive) -> None:
        self._only_in_forall(s, "Exclusive")
        t = self.ex.type(s.object)
        library = isinstance(t, T.Named) and t.name in self.checked.libraries
        if not library and not (isinstance(t, T.Named) and t.name in self.checked.graph_types):
            fail(f"Exclusive wants a graph or a library object, not {T.bare(t)}", s.object, None)
        if self.locked:
            fail("Exclusive stands under another lock", s, "take all elements at once")
        for e in s.elements:
            item = self.ex.type(e)
            listed = isinstance(item, T.Named) and item.name in self.checked.libraries
            if not isinstance(item, T.NodeT) and not (library and T.is_integer(item)) and not listed:
                fail(f"Exclusive locks nodes, not {T.bare(item)}", e, None)
        self.locked += 1
        self.body(s.body)
        self.locked -= 1
        self.body(s.orelse)

    def _sync(self, s: A.SyncRunningThreads) -> None:
        if self.ex.place != "kernel":
            fail("SyncRunningThreads stands outside a kernel", s, "kernels end with a barrier anyway")
        if self.ex.depth > 0:
            fail("SyncRunningThreads stands in a ForAll", s,
                 "not every iteration has a thread of its own: put it between two ForAlls")
        if self.loops or len(self.ex.scopes) > 1:
            fail("SyncRunningThreads stands under a condition or loop", s,
                 "every thread must meet it: put it straight into the kernel's body")

    def _retry(self, s: A.Retry | A.Respawn) -> None:
        word = "Retry" if isinstance(s, A.Retry) else "Respawn"
        self._only_in_forall(s, word)
        assert self.ex.facts is not None
        self.ex.facts.retries = True
        if self.locked:
            fail(f"{word} stands under a lock", s, "set a variable, and retry after the block")
        if self.ex.facts.worklist.kind == "buckets":
            fail(f"{word} in a kernel on buckets", s, "push the item with the current priority")
        self.ex.value(s.item, self.ex.facts.worklist.item, word)

    # Orchestration

    def _orchestration(self, s: A.Invoke | A.Iterate | A.Pipe) -> None:
        word = type(s).__name__
        if self.ex.place != "entry":
            fail(f"{word} stands in a {self.ex.place}", s, "kernels are orchestrated by the Program")
        match s:
            case A.Invoke():
                facts = self.invocation(s)
                self._wants_lists(s, facts)
            case A.Iterate():
                facts = self.invocation(s)
                if s.mode == "worklist" and not facts.uses_worklist:
                    fail(f"Iterate without a worklist: '{s.kernel}' neither takes nor makes work", s,
                         "write Iterate While Any, or use WL in the kernel")
                if s.mode != "worklist" and not facts.returns:
                    fail(f"'{s.kernel}' returns no value to test", s, "use ReduceAndReturn in the kernel")
                self._initial(s, facts.worklist)
                if not self.pipes and s.initial is None and facts.reads:
                    fail(f"nothing fills the worklist of '{s.kernel}'", s, "write Initial [...] or put it in a Pipe")
                self.pipes.append(s)
                self._loop_body(s, s.body)
                self.pipes.pop()
            case A.Pipe():
                self._pipe(s)
            case _:
                assert_never(s)

    def _invoke_result(self, e: A.InvokeResult) -> None:
        facts = self.invocation(e)
        if not facts.returns:
            fail(f"'{e.kernel}' returns no value to test", e, "use ReduceAndReturn in the kernel")
        self._wants_lists(e, facts)

    def _pipe(self, s: A.Pipe) -> None:
        lists = list(_pipe_lists(s.body, self.checked))
        if not self.pipes:
            for first, other in zip(lists, lists[1:], strict=False):
                a, b = first[1].worklist, other[1].worklist
                if (a.kind, T.bare(a.item)) != (b.kind, T.bare(b.item)):
                    fail(f"kernels of one Pipe share lists, but '{first[0]}' has {a} and '{other[0]}' has {b}", s, None)
        if not s.once and not self.pipes and not lists:
            fail("a looping Pipe whose kernels use no worklist would never end", s, "write while (...) or Pipe Once")
        if not s.once and not self.pipes and s.initial is None:
            fail("an outermost looping Pipe starts with an empty worklist", s,
                 "write Pipe Initial [...], or put it in a Pipe Once after a kernel that fills the list")
        if s.initial is not None:
            if not lists:
                fail("no kernel of this Pipe uses the list that Initial fills", s, None)
            self._initial(s, lists[0][1].worklist)
        self.pipes.append(s)
        self._loop_body(s, s.body)
        self.pipes.pop()

    def _wants_lists(self, s: A.Stmt | A.Expr, facts: KernelFacts) -> None:
        if facts.uses_worklist and not self.pipes:
            fail("this kernel works on a worklist, and there is none", s, "put the Invoke in a Pipe")

    def invocation(self, s: A.Invoke | A.Iterate | A.InvokeResult) -> KernelFacts:
        """Checks kernel and arguments; the kernel's facts."""
        kernel = self.checked.kernels.get(s.kernel)
        if kernel is None:
            what = "a function" if s.kernel in self.checked.functions else "not declared"
            fail(f"kernel '{s.kernel}' is {what}", s, "call it without Invoke" if what == "a function" else None)
        if len(kernel.params) != len(s.args):
            fail(f"kernel '{s.kernel}' takes {len(kernel.params)} arguments, not {len(s.args)}", s, None)
        for arg, p in zip(s.args, kernel.params, strict=True):
            self.ex.value(arg, self.checked.symbols[p].type if not isinstance(p.type, T.NodeT | T.EdgeT | T.Worklist)
                          else p.type, f"parameter '{p.name}'")
        lists = [a.id for a in s.args if isinstance(a, A.Name) and isinstance(self.checked.types[a], T.Worklist)]
        for name in lists:
            if lists.count(name) > 1:
                fail(f"list '{name}' is given twice to '{s.kernel}'", s, "what is read and what is written must differ")
        return self.checked.facts[s.kernel]

    def _initial(self, s: A.Iterate | A.Pipe, worklist: T.Worklist) -> None:
        if s.initial is None:
            return
        if self.pipes:
            fail("Initial stands on a nested statement", s, "the lists are those of the Pipe around it: put it there")
        match s.initial:
            case A.InitialItems():
                for e in s.initial.items:
                    self.ex.value(e, worklist.item, "Initial")
            case A.InitialIterator():
                t = self.ex.type(s.initial.iterator)
                if not isinstance(t, T.Range) or T.bare(t.item) != T.bare(worklist.item):
                    fail(f"Initial wants an iterator over {T.bare(worklist.item)}, not {T.bare(t)}", s.initial, None)


def _pipe_lists(stmts: tuple[A.Stmt, ...], checked: Checked) -> list[tuple[str, KernelFacts]]:
    """The kernels with worklists that a Pipe's body runs, in order."""
    found: list[tuple[str, KernelFacts]] = []
    for s in stmts:
        for n in walk(s):
            if isinstance(n, A.Invoke | A.Iterate | A.InvokeResult) and n.kernel in checked.facts:
                facts = checked.facts[n.kernel]
                if facts.uses_worklist:
                    found.append((n.kernel, facts))
    return found
