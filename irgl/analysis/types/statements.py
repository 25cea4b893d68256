"""Checks statements: what may stand where, in kernels, in helper functions and in the Program."""

from __future__ import annotations

from typing import assert_never

from irgl.analysis.names import members as M
from irgl.analysis.names.methods import effect_of, is_object
from irgl.analysis.names.symbols import Checked, Symbol, fail
from irgl.analysis.types.expressions import Expressions
from irgl.analysis.types.orchestration import Orchestration
from irgl.ast import nodes as A
from irgl.ast import types as T

_LABELLED = (A.ForAll, A.For, A.While, A.DoWhile, A.CFor, A.Invoke, A.Iterate, A.Pipe, A.Atomic, A.Exclusive)


class Statements(Orchestration):
    """Walks the body of one function, kernel or entry in the scope that `ex` holds."""

    def __init__(self, checked: Checked, ex: Expressions, returns: T.Type) -> None:
        super().__init__(checked, ex, returns)
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
            case A.Sections():
                self._sections(s)
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

    def _expression(self, s: A.ExprStmt) -> None:
        e = s.value
        self.ex.statement = e
        t = self.ex.type(e)
        match e:
            case A.Call():
                useful = e.function in self.checked.functions or e.function in ("cas", "print", "stop")
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

    def _iterate_over(self, s: A.For | A.ForAll) -> None:
        if isinstance(s, A.For):
            self.ex.iterated = s.iterator
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
                if M.is_common(s.iterator, self.checked.functions):
                    fail("a ForAll can't run over common neighbours: they are found one after the other", s,
                         f"write For ({s.var} In common(...)); the ForAll around it is parallel")
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
        self.ex.ended[s.var] = self.ex.checked.symbols[s]
        self.ex.depth -= parallel

    def _sections(self, s: A.Sections) -> None:
        if self.ex.place != "entry":
            where = "kernel" if self.ex.place == "kernel" else "helper function"
            fail(f"Sections stand in a {where}", s, "they are parts of the Program")
        if self.in_sections:
            fail("Sections stand in a section", s, "write all of them as sections of one")
        if self.pipes:
            fail("Sections stand in a Pipe or Iterate, whose list they would share", s, "give each a loop of its own")
        loops, self.loops, self.in_sections = self.loops, [], True
        self.body(s.body)
        self.loops, self.in_sections = loops, False

    def _jump(self, s: A.Break | A.Continue) -> None:
        word = "break" if isinstance(s, A.Break) else "continue"
        inner = self.loops[-1] if self.loops else None
        if inner is None and self.in_sections:
            fail(f"{word} would leave a section", s, "a section runs to its end: write a condition")
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
        if self.in_sections:
            fail("return stands in a section", s, "a section runs to its end: write a condition")
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
            self.ex.at_home(s.value, self.ex.graph)
