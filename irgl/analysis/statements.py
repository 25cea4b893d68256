"""Checks statements: what may stand where, in kernels, in helper functions and in the Program."""

from __future__ import annotations

from typing import assert_never

from irgl.analysis import members as M
from irgl.analysis.conversions import arguments, bind, graph_of, same_graph
from irgl.analysis.expressions import Expressions
from irgl.analysis.methods import effect_of, is_object
from irgl.analysis.symbols import Checked, KernelFacts, Symbol, fail
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
                    fail(
                        f"label '{s.label}' marks neither a loop nor an orchestration statement",
                        s,
                        "only what a plan can tell how to run is labelled",
                    )
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
                    t = self.ex.type(e)
                    if not self.ex.is_location(e):
                        fail(
                            f"a CBlock declares properties, scalars and elements that it uses, not {M.a(T.bare(t))}",
                            e,
                            "variables of the iteration need no mention",
                        )
                for e in s.writes:
                    self.ex.refuse_weights(e, e)
            case A.Invoke() | A.Iterate() | A.Pipe():
                self._orchestration(s)
            case _:
                assert_never(s)

    # Variables

    def _variable(self, s: A.VarDecl) -> None:
        declared = self.resolve(s.type, s)
        if s.init is not None and isinstance(s.type, T.NodeT | T.EdgeT) and not s.type.graph:
            declared = s.type  # the initialiser tells the graph
        t = declared
        if isinstance(declared, T.Worklist) or (
            isinstance(declared, T.Named) and declared.name in self.checked.libraries
        ):
            scratch = isinstance(declared, T.Worklist) and declared.kind == "scratch"
            if scratch and (self.ex.place != "kernel" or self.ex.depth == 0):
                fail(
                    "a scratch set is declared inside a ForAll", s, "it lives for one iteration; use a set or a bitmap"
                )
            if scratch:
                self._count_scratch(s)
            if self.ex.place != "entry" and not scratch:
                fail(f"{M.a(declared)} is declared in the Program", s, f"pass it to the {self.ex.place} as a parameter")
            if s.init is not None:
                fail(f"{M.a(declared)} starts empty", s, "fill it by push, append or update")
        elif self._is_graph(declared):
            self._graph_variable(s)
        if s.init is not None:
            if isinstance(declared, T.Auto):
                t = self._own_type(s, s.init)
            else:
                self.ex.value(s.init, declared, f"'{s.name}'")
                t = self._with_graph(declared, self.checked.types[s.init])
        symbol = Symbol(s.name, t, "local", self.ex.depth, s.span, origin=s.init)
        self.ex.declare(symbol, s)

    def _is_graph(self, t: T.Type) -> bool:
        return isinstance(t, T.Named) and t.name in self.checked.graph_types

    def _graph_variable(self, s: A.VarDecl) -> None:
        if self.ex.place != "entry":
            fail(f"a graph is declared in a {self.ex.place}", s, "derive it in the Program and pass it as a parameter")
        if not (isinstance(s.init, A.Call) and s.init.function == "oriented"):
            fail(f"graph '{s.name}' is made from no other graph", s, "write Graph h = oriented(g);")
        self.ex.statement = s.init

    def _count_scratch(self, s: A.VarDecl) -> None:
        """A thread keeps four scratch sets (cpu_rt/scratch.hpp)."""
        live = [
            symbol
            for scope in self.ex.scopes
            for symbol in scope.values()
            if isinstance(symbol.type, T.Worklist) and symbol.type.kind == "scratch"
        ]
        if len(live) == 4:
            fail("a fifth scratch set is alive here", s, "four at once is the limit: use one again after clear()")

    def _own_type(self, s: A.VarDecl, init: A.Expr) -> T.Type:
        """The type that `auto` stands for."""
        if isinstance(init, A.Call) and init.function == "oriented":
            self._graph_variable(s)
        t = self.ex.type(init)
        match t:
            case T.Inf() | T.Nothing() | T.Void() | T.String():
                fail(f"{t} does not tell the type of '{s.name}'", s, "write the type instead of auto")
            case T.Reduced():
                fail(
                    "an update has two values",
                    s,
                    "write .old for the value before it, .changed for whether it did anything",
                )
            case T.Position():
                fail("a position can't be kept in a variable", s, "keep the item: WL.pop(position)")
            case T.EdgeT():
                return T.EdgeT(False, t.graph)
            case T.Named() if self._is_graph(t):
                self._graph_variable(s)
            case T.Worklist() | T.Lock() | T.Named():
                if self.checked.fields(t) is None:
                    fail(f"{M.a(T.bare(t))} can't be copied", s, "use it by its own name")
            case _:
                pass
        return t

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
                    if t.name in T.KINDS:
                        fail(f"a {t.name} holds items of one type, not {len(t.args)}", node, f"write {t.name}<node>")
                    fail(f"no type '{t.name}'", node, "types are declared outside all braces, or imported")
                if t.name in c.libraries and len(t.args) != len(c.libraries[t.name].params):
                    wanted = len(c.libraries[t.name].params)
                    fail(
                        f"{t.name} takes {wanted} type argument{'s' * (wanted != 1)}, not {len(t.args)}",
                        node,
                        f"write {t.name}<{', '.join(c.libraries[t.name].params)}>",
                    )
                args = tuple(self.resolve(arg, node) for arg in t.args)
                for arg in args:
                    if not (T.is_scalar(arg) or c.fields(arg) is not None):
                        fail(
                            f"{M.a(t.name)} can't hold {T.bare(arg)}",
                            node,
                            "it holds numbers, bools, nodes, edges and structs",
                        )
                return T.Named(t.name, args)
            case T.Worklist():
                item = self.resolve(t.item, node)
                if t.kind == "scratch" and not isinstance(node, A.VarDecl):
                    fail(
                        "a scratch set is declared inside a ForAll",
                        node,
                        "it lives for one iteration, and is not passed on",
                    )
                if t.unique and t.kind not in ("list", "buckets"):
                    fail(
                        f"{M.a(t.kind)} can't be unique",
                        node,
                        "leave the word out: only lists and buckets could hold an item twice"
                        if t.kind == "count"
                        else "leave the word out: it holds no item twice anyway",
                    )
                if t.kind in ("set", "bitmap", "bytemap", "scratch") and not isinstance(item, T.NodeT):
                    fail(f"a {t.kind} holds nodes, not {T.bare(item)}", node, "use a list")
                if not (T.is_scalar(item) or self.checked.fields(item) is not None):
                    fail(
                        f"a worklist can't hold {T.bare(item)}",
                        node,
                        "it holds numbers, bools, nodes, edges and structs",
                    )
                return T.Worklist(t.kind, item, t.unique)
            case T.NodeT() | T.EdgeT() if t.graph:
                symbol = self.ex.lookup(t.graph)
                if t.graph not in self.ex.graphs and (symbol is None or not self._is_graph(symbol.type)):
                    fail(
                        f"'{t.graph}' is no graph that is known here",
                        node,
                        "write the name of a graph parameter or variable: node<g>",
                    )
            case T.Void() if not isinstance(node, A.Function):
                fail("nothing can be of type void", node, "only a function returns it")
            case T.Lock() if not isinstance(node, A.Property):
                fail("a lock is a property of a node or an edge", node, "graph Graph { node lock guard; }")
            case _:
                return self.ex.of_graph(t, self.ex.graph)
        return t

    def _assign(self, s: A.Assign) -> None:
        target = self.ex.type(s.target)
        if isinstance(s.target, A.Name) and not self.ex.is_location(s.target):
            symbol = self.checked.symbols.get(s.target)
            if symbol is None or symbol.kind == "loop" or isinstance(target, T.Worklist):
                what = (
                    "the loop's variable"
                    if symbol is not None and symbol.kind == "loop"
                    else "the list"
                    if (symbol is not None or s.target.id == "WL")
                    else "the word"
                )
                fail(
                    f"{what} '{s.target.id}' can't be assigned",
                    s,
                    f"take a copy: auto x = {s.target.id};"
                    if what == "the loop's variable"
                    else "use swap, update or clear"
                    if what == "the list"
                    else None,
                )
            if s.access != "plain":
                fail(f"{s.access} marks a store to shared memory, not to a variable", s, "leave the word out")
            if symbol.depth < self.ex.depth:
                fail(
                    f"a ForAll stores into '{symbol.name}', which all its iterations share",
                    s,
                    "reduce into it (+= min= max= |= &=), or declare it inside",
                )
            if isinstance(target, T.Range) or (isinstance(target, T.Named) and self.checked.fields(target) is None):
                fail(f"{M.a(T.bare(target))} can't be assigned", s, "declare another variable")
            symbol.assigned = True
        elif isinstance(s.target, A.Member) and self.checked.fields(self.checked.types[s.target.object]) is not None:
            self._assign_field(s, s.target)
        elif not self.ex.is_location(s.target):
            fail("this can't be stored to", s.target, "store to a variable, a property, a scalar or an element")
        if isinstance(target, T.Lock):
            fail("a lock is taken by Atomic, not assigned", s, "write Atomic (n.lock) { ... }")
        self.ex.refuse_weights(s.target, s)
        name = s.target.id if isinstance(s.target, A.Name) else s.target.name if isinstance(s.target, A.Member) else ""
        self.ex.value(s.value, target, f"'{name}'" if name else "the element")

    def _assign_field(self, s: A.Assign, target: A.Member) -> None:
        root = target.object
        if not isinstance(root, A.Name) or self.ex.is_location(root):
            fail("one field of a shared struct can't be stored alone", s, "store the whole struct: (Type){...}")
        symbol = self.checked.symbols[root]
        if symbol.depth < self.ex.depth:
            fail(f"a ForAll stores into '{symbol.name}', which all its iterations share", s, "declare it inside")
        symbol.assigned = True

    def _expression(self, s: A.ExprStmt) -> None:
        e = s.value
        self.ex.statement = e
        t = self.ex.type(e)
        match e:
            case A.Call():
                useful = e.function in self.checked.functions or e.function in ("cas", "print")
            case A.MethodCall():
                useful = t == T.VOID or (
                    is_object(self.checked, self.checked.types[e.object]) and effect_of(self.checked, e) != "reads"
                )
            case A.Reduce() | A.InvokeResult():
                useful = True
            case _:
                useful = False
        if not useful:
            fail(
                f"a value of type {T.bare(t)} is computed and dropped",
                s,
                "did you mean an assignment?"
                if isinstance(e, A.Binary) and e.op == "=="
                else "use it, or leave it out",
            )

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
            fail(
                f"{word} stands outside every loop",
                s,
                "write return to end the Program" if self.ex.place == "entry" else "it belongs in a loop",
            )
        if isinstance(inner, A.ForAll) and isinstance(s, A.Break):
            fail("break can't end a ForAll", s, "its iterations run at once: use For, or a condition")

    def _return(self, s: A.Return) -> None:
        if self.ex.place == "kernel":
            fail("return stands in a kernel", s, "use continue to end an iteration, ReduceAndReturn for a value")
        if s.value is None:
            if self.returns != T.VOID:
                fail(f"return without a value where {T.bare(self.returns)} is wanted", s, "write return VALUE;")
        elif self.returns == T.VOID:
            fail(
                "return with a value where none is wanted",
                s,
                "results are properties and program scalars"
                if self.ex.place == "entry"
                else "write the type of the value instead of void",
            )
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
            fail(
                f"Exclusive wants a graph or a library object, not {T.bare(t)}", s.object, "write Exclusive (g, [n, m])"
            )
        if self.locked:
            fail("Exclusive stands under another lock", s, "take all elements at once")
        for e in s.elements:
            item = self.ex.type(e)
            listed = isinstance(item, T.Named) and item.name in self.checked.libraries
            if not isinstance(item, T.NodeT) and not (library and T.is_integer(item)) and not listed:
                fail(
                    f"Exclusive locks {'elements by their numbers' if library else 'nodes'}, not {M.a(T.bare(item))}",
                    e,
                    "for edges, lock the node that they leave"
                    if isinstance(item, T.EdgeT)
                    else "write their numbers"
                    if library
                    else "write Exclusive (g, [n, m])",
                )
        self.locked += 1
        self.body(s.body)
        self.locked -= 1
        self.body(s.orelse)

    def _sync(self, s: A.SyncRunningThreads) -> None:
        if self.ex.place != "kernel":
            fail("SyncRunningThreads stands outside a kernel", s, "kernels end with a barrier anyway")
        if self.ex.depth > 0:
            fail(
                "SyncRunningThreads stands in a ForAll",
                s,
                "not every iteration has a thread of its own: put it between two ForAlls",
            )
        if self.loops or len(self.ex.scopes) > 1:
            fail(
                "SyncRunningThreads stands under a condition or loop",
                s,
                "every thread must meet it: put it straight into the kernel's body",
            )

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
                    fail(
                        f"Iterate without a worklist: '{s.kernel}' neither takes nor makes work",
                        s,
                        "write Iterate While Any, or use WL in the kernel",
                    )
                if s.mode != "worklist" and not facts.returns:
                    fail(f"'{s.kernel}' returns no value to test", s, "use ReduceAndReturn in the kernel")
                lists = self._lists((s,))
                if s.initial is not None and not lists:
                    fail(
                        "no kernel here uses the list that Initial fills",
                        s.initial,
                        "leave Initial out, or use WL in the kernel",
                    )
                if lists:
                    self._initial(s, lists[0][1])
                if not self.pipes and s.initial is None and facts.reads:
                    fail(f"nothing fills the worklist of '{s.kernel}'", s, "write Initial [...] or put it in a Pipe")
                self._inside(s, lists)
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
        lists = self._lists(s.body)
        if not s.once and not self.pipes and not lists:
            fail("a looping Pipe whose kernels use no worklist would never end", s, "write while (...) or Pipe Once")
        if not s.once and not self.pipes and s.initial is None:
            fail(
                "an outermost looping Pipe starts with an empty worklist",
                s,
                "write Pipe Initial [...], or put it in a Pipe Once after a kernel that fills the list",
            )
        if s.initial is not None:
            if not lists:
                fail(
                    "no kernel here uses the list that Initial fills",
                    s.initial,
                    "leave Initial out, or use WL in the kernel",
                )
            self._initial(s, lists[0][1])
        self._inside(s, lists)

    def _inside(self, s: A.Pipe | A.Iterate, lists: list[tuple[A.Node, T.Worklist]]) -> None:
        """The body of an outermost Pipe or Iterate, all of whose kernels share lists, or of one inside it."""
        if not self.pipes:
            for node, t in lists[1:]:
                (first, kind), name = lists[0], _kernel_of(node)
                if T.bare(kind) != T.bare(t) or not same_graph(graph_of(kind), graph_of(t)):
                    fail(
                        f"kernels of one {type(s).__name__} share lists, but '{_kernel_of(first)}' has "
                        f"{T.beside(kind, t)} and '{name}' has {T.beside(t, kind)}",
                        node,
                        f"give both the same: Kernel {name}(...) WL {T.bare(kind)}",
                    )
        self.pipes.append(s)
        self._loop_body(s, s.body)
        self.pipes.pop()

    def _lists(self, stmts: tuple[A.Stmt, ...]) -> list[tuple[A.Node, T.Worklist]]:
        """The places that run kernels with worklists, in order, with the list's type as we see it."""
        found: list[tuple[A.Node, T.Worklist]] = []
        for n in (n for s in stmts for n in walk(s)):
            if isinstance(n, A.Invoke | A.Iterate | A.InvokeResult) and n.kernel in self.checked.facts:
                facts, params = self.checked.facts[n.kernel], self.checked.kernels[n.kernel].params
                if facts.uses_worklist:
                    graphs = {
                        p.name: a.id
                        for a, p in zip(n.args, params, strict=False)
                        if isinstance(a, A.Name) and self._is_graph(p.type)
                    }
                    t = bind(facts.worklist, graphs, next(iter(graphs.values()), ""))
                    assert isinstance(t, T.Worklist)
                    found.append((n, t))
        return found

    def _wants_lists(self, s: A.Stmt | A.Expr, facts: KernelFacts) -> None:
        if facts.uses_worklist and not self.pipes:
            fail("this kernel works on a worklist, and there is none", s, "put it in a Pipe, or write Iterate")

    def invocation(self, s: A.Invoke | A.Iterate | A.InvokeResult) -> KernelFacts:
        """Checks kernel and arguments; the kernel's facts."""
        kernel = self.checked.kernels.get(s.kernel)
        if kernel is None:
            if s.kernel in self.checked.functions:
                fail(f"'{s.kernel}' is a function, not a kernel", s, f"call it: {s.kernel}(...);")
            fail(f"no kernel '{s.kernel}'", s, M.nearest(s.kernel, self.checked.kernels))
        if len(kernel.params) != len(s.args):
            fail(
                f"kernel '{s.kernel}' takes {arguments(len(kernel.params))}, not {len(s.args)}",
                s,
                f"it reads: Kernel {s.kernel}({', '.join(f'{p.type} {p.name}' for p in kernel.params)})",
            )
        self.ex.arguments(s.args, kernel.params)
        lists = [a.id for a in s.args if isinstance(a, A.Name) and is_object(self.checked, self.checked.types[a])]
        for name in lists:
            if lists.count(name) > 1:
                fail(f"'{name}' is given twice to '{s.kernel}'", s, "what is read and what is written must differ")
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
                over = t.item if isinstance(t, T.Range) else T.VOID
                if T.bare(over) != T.bare(worklist.item) or not same_graph(graph_of(over), graph_of(worklist)):
                    wanted = T.beside(worklist.item, over)
                    hint = (
                        "write LIST.items"
                        if isinstance(t, T.Worklist)
                        else "single items stand in brackets: Initial [src]"
                        if (not isinstance(t, T.Range))
                        else f"the kernel reads: WL {T.bare(worklist)}"
                    )
                    fail(
                        f"Initial wants an iterator over {wanted}, not {T.beside(t, worklist.item)}",
                        s.initial.iterator,
                        hint,
                    )


def _kernel_of(node: A.Node) -> str:
    assert isinstance(node, A.Invoke | A.Iterate | A.InvokeResult)
    return node.kernel
