"""Nested parallel loops come to the top of their operator, so that all threads of a unit reach them together.

What it does: a nested ForAll over edges that stands under conditions moves out of them; what stood beside it is guarded
by the same conditions, and the loop runs over no edges where they don't hold (uniform-branch construction; listing 9).
An Exclusive, for which all threads meet, too, comes to the top under one guard.

    if (n.p == INF) {                       bool in_1 = n.p == INF;
        int k = 0;                          int k = 0;
        ForAll (e In n.edges) { k += 1; } => ForAll (e In n.edges.when(in_1)) { k += 1; }
        n.q = k;                            if (in_1) { n.q = k; }
    }

When it applies: to the loops that `wanted` names, whose operator no sequential loop, Atomic or Exclusive stands around.
What it needs and keeps: iterations that all reach their end (turn_continues). Every expression is evaluated as often as
before, in the same order; variables get new names where two of one name come to stand side by side.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

from irgl.analysis.names.members import gives_position
from irgl.analysis.names.symbols import Checked, Symbol
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.fresh import Fresh
from irgl.ast.visit import rebuild, transform, walk

N = TypeVar("N", bound=A.Node)


def run(checked: Checked, wanted: Collection[A.Stmt]) -> A.Program:
    """The program with the nested loops and Exclusives in `wanted` at the top of their operators."""

    def decl(node: A.Node) -> A.Node:
        return _kernel(checked, node, wanted) if isinstance(node, A.Kernel) else node

    return rebuild(checked.program, decl)


def _kernel(checked: Checked, kernel: A.Kernel, wanted: Collection[A.Stmt]) -> A.Kernel:
    guards = _Guards(checked, wanted, Fresh(checked.program, kernel))

    def outermost(node: A.Node) -> A.Node:
        return guards.operator(node) if isinstance(node, A.ForAll) else rebuild(node, outermost)

    return rebuild(kernel, outermost)


class _Guards:
    def __init__(self, checked: Checked, wanted: Collection[A.Stmt], fresh: Fresh) -> None:
        self.checked = checked
        self.wanted = wanted
        self.fresh = fresh
        self.declared: set[str] = set()
        self.renamed: dict[Symbol, str] = {}
        self.out: list[A.Stmt] = []

    def operator(self, loop: A.ForAll, guard: str | None = None) -> A.ForAll:
        """The loop with its body flattened; it runs over nothing where `guard` doesn't hold."""
        iterator = self._copied(loop.iterator)
        if guard is not None:
            iterator = A.MethodCall(iterator, "when", (A.Name(guard, span=loop.span),), span=loop.span)
        kept, self.out = self.out, []
        self._flatten(loop.body, None)
        body, self.out = tuple(self.out), kept
        return A.ForAll(loop.var, iterator, body, span=loop.span)

    def _flatten(self, stmts: tuple[A.Stmt, ...], guard: str | None) -> None:
        for s in stmts:
            if not any(n in self.wanted for n in walk(s)):
                self._simple(s, guard)
                continue
            match s:
                case A.If():
                    inside = self._condition("in", self._and(guard, self._copied(s.test)), s)
                    outside = None
                    if s.orelse:
                        otherwise = A.Unary("!", self._name(inside, s), span=s.span)
                        outside = self._condition("else", self._and(guard, otherwise), s)
                    self._flatten(s.body, inside)
                    if outside is not None:
                        self._flatten(s.orelse, outside)
                case A.Block():
                    self._flatten(s.body, guard)
                case A.ForAll():
                    self.out.append(self.operator(s, guard))
                case A.Exclusive():
                    new = self._copied(s)
                    self.out.append(new if guard is None else A.If(self._name(guard, s), (new,), (), span=s.span))
                case A.Labeled() if isinstance(s.body, A.ForAll):
                    self.out.append(A.Labeled(s.label, self.operator(s.body, guard), span=s.span))
                case _:
                    raise AssertionError(s)

    def _simple(self, s: A.Stmt, guard: str | None) -> None:
        """A statement without such a loop: under the guard, a variable declared for all that follows."""
        if isinstance(s, A.VarDecl):
            self.out.append(self._declaration(s, guard))
            return
        s = self._copied(s)
        if guard is None:
            self.out.append(s)
            return
        last = self.out[-1] if self.out else None
        mergeable = isinstance(last, A.If) and not last.orelse and not isinstance(last.body[0], A.Exclusive)
        if mergeable and isinstance(last, A.If) and isinstance(last.test, A.Name) and last.test.id == guard:
            self.out[-1] = A.If(last.test, (*last.body, s), (), span=last.span)
        else:
            self.out.append(A.If(self._name(guard, s), (s,), (), span=s.span))

    def _declaration(self, s: A.VarDecl, guard: str | None) -> A.VarDecl:
        symbol = self.checked.symbols[s]
        name = s.name if s.name not in self.declared else self.fresh.numbered(s.name.removesuffix("_1"))
        init = None if s.init is None else self._copied(s.init)
        self.declared.add(name)
        if name != s.name:
            self.renamed[symbol] = name
        plain = T.of_each(s.type) != T.AUTO or isinstance(symbol.type, T.Range)
        t = s.type if plain else symbol.type
        if guard is not None and s.init is not None and init is not None and not self._harmless(s.init):
            init = self._guarded(T.of_each(symbol.type), self.checked.types[s.init], self._name(guard, s), init)
        return A.VarDecl(t, name, init, span=s.span)

    def _guarded(self, t: T.Type, own: T.Type, guard: A.Expr, init: A.Expr) -> A.Expr:
        """`init`, of type `own`, for a variable of type `t` where the guard holds; something harmless elsewhere."""
        at = init.span
        match t:
            case _ if isinstance(own, T.Id):
                assert isinstance(init, A.Member)  # nothing else but a variable is an id
                item = A.Conditional(guard, init.object, _nothing(own.of, init), span=at)
                return item if isinstance(t, T.NodeT | T.EdgeT) else A.Member(item, init.name, span=at)
            case T.Range() if isinstance(init, A.Call):
                none = A.Cast(T.LONG, A.IntLit(0, T.INT, span=at), span=at)
                bounds = (A.Conditional(guard, A.Cast(T.LONG, a, span=at), none, span=at) for a in init.args)
                return A.Call(init.function, tuple(bounds), span=at)
            case T.Range() if isinstance(init, A.MethodCall) or (
                    isinstance(init, A.Member) and isinstance(t.item, T.EdgeT) and init.name != "items"):
                return A.MethodCall(init, "when", (guard,), span=at)
            case T.Range():  # all of a list or a graph
                return init
            case T.Bool():
                return A.Binary("&&", guard, init, span=at)
            case T.Int() | T.Float():
                chosen = A.Conditional(guard, A.Cast(t, init, span=at), _nowhere(t, init), span=at)
                return A.Cast(t, chosen, span=at)
            case T.NodeT() | T.EdgeT():
                return A.Conditional(guard, init, _nothing(t, init), span=at)
            case _:
                fields = self.checked.fields(t)
                assert fields is not None
                empty = A.StructLit(t, tuple(_nothing(f, init) for f in fields.values()), span=at)
                return A.Conditional(guard, init, empty, span=at)

    def _harmless(self, e: A.Expr) -> bool:
        """May `e` be computed anywhere: is it made of numbers, INF, NONE, variables and their ids alone?"""
        match e:
            case A.Name() if e in self.checked.symbols:
                return self.checked.symbols[e].kind in ("local", "loop", "param")
            case A.Member(name="id"):
                return isinstance(self.checked.types[e], T.Id) and self._harmless(e.object)
            case A.StructLit():
                return all(map(self._harmless, e.values))
            case _:
                return _constant(e)

    def _condition(self, stem: str, test: A.Expr, at: A.Stmt) -> str:
        name = self.fresh.numbered(stem)
        self.declared.add(name)
        self.out.append(A.VarDecl(T.BOOL, name, test, span=at.span))
        return name

    def _and(self, guard: str | None, test: A.Expr) -> A.Expr:
        return test if guard is None else A.Binary("&&", A.Name(guard, span=test.span), test, span=test.span)

    def _name(self, name: str, at: A.Node) -> A.Name:
        return A.Name(name, span=at.span)

    def _copied(self, node: N) -> N:
        """`node` with renamed variables under their new names."""
        if not self.renamed:
            return node

        def rename(n: A.Node) -> A.Node:
            symbol = self.checked.symbols.get(n) if isinstance(n, A.Name) else None
            name = None if symbol is None else self.renamed.get(symbol)
            return n if name is None else A.Name(name, span=n.span)

        return transform(node, rename)


def _nothing(t: T.Type, at: A.Expr) -> A.Expr:
    """The value of a variable of type `t`, no struct, without a first value."""
    match t:
        case T.NodeT() | T.EdgeT():
            return A.Name("NONE", span=at.span)
        case T.Bool():
            return A.BoolLit(False, span=at.span)
        case _:
            return A.Cast(t, A.IntLit(0, T.INT, span=at.span), span=at.span)


def _nowhere(t: T.Type, init: A.Expr) -> A.Expr:
    """The same of a number, which is no position where `init` is that of an append."""
    if t == T.LONG and gives_position(init):
        return A.Cast(t, A.Unary("-", A.IntLit(1, T.INT, span=init.span), span=init.span), span=init.span)
    return _nothing(t, init)


def _constant(e: A.Expr) -> bool:
    """Is `e` made of numbers, INF and NONE alone, so that it may be evaluated anywhere?"""
    match e:
        case A.IntLit() | A.FloatLit() | A.BoolLit():
            return True
        case A.Name():
            return e.id in ("INF", "NONE")
        case A.Unary():
            return _constant(e.operand)
        case A.StructLit():
            return all(_constant(v) for v in e.values)
        case _:
            return False
