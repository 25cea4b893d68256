"""Numbers and values of vectors in expressions, and what has to be computed in front of the statement they stand in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import TypeVar

from irgl.analysis.names.conversions import literal_value
from irgl.analysis.names.symbols import fail
from irgl.analysis.vectors.shapes import TO_NUMBER, Shapes
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.dump_expr import expression
from irgl.ast.fresh import Fresh
from irgl.ast.visit import copied, rebuild, walk

#: Writes a statement of single values.
Make = Callable[[tuple[A.Expr, ...]], A.Stmt]
N = TypeVar("N", bound=A.Node)

_HINT = "vectors are stored, updated and given in arithmetic: v = a * x + b; ask single values: v[k]"
_WHAT = {A.Function: "function", A.Kernel: "kernel", A.Entry: "Program"}
#: What is more than a variable or a number as it is written.
_COMPUTED = (A.Member, A.Index, A.Call, A.MethodCall, A.Reduce, A.Relaxed)


class Values:
    """The expressions of one function, kernel or Program."""

    def __init__(self, program: A.Program, decl: A.Function | A.Kernel | A.Entry, shapes: Shapes,
                 params: dict[str, tuple[A.Param, ...]]) -> None:
        self.decl, self.shapes, self.params = decl, shapes, params
        self.fresh = Fresh(program, decl)
        self.k = ""  # of the loop that is being written
        self.before: list[A.Stmt] = []  # what has to be computed in front of the statement that is being written
        self.asked = False  # may that not be computed, because the statement asks something first?

    def loop(self, s: A.Stmt, t: T.Vector, parts: tuple[A.Expr, ...], make: Make) -> A.Stmt:
        """`make` of each value of the vectors among `parts`, one after the other."""
        at, around = s.span, self.k
        self.k = self.fresh.bare("k")
        each = make(tuple(self.component(p) for p in parts))
        loop = A.For(self.k, A.Call("range", (A.IntLit(t.length, T.INT, span=at),), span=at), (each,), span=at)
        self.k = around
        return loop

    def value_of(self, e: A.Expr, k: A.Expr | None = None) -> A.Expr:
        """The value of a variable, a property or a row that a loop is at."""
        k = k or (A.Name(self.k, span=e.span) if self.k else A.IntLit(0, T.INT, span=e.span))
        if isinstance(e, A.Index) and isinstance(e.object, A.Name) and e.object.id in self.shapes.params:
            return self._in_row(e, k)
        return A.Index(e, k, span=e.span)

    def _in_row(self, row: A.Index, k: A.Expr) -> A.Expr:
        """A value of one of a parameter's rows, which lie one behind the other."""
        assert isinstance(row.object, A.Name)
        t = self.shapes.variable(row.object.id)
        assert t is not None and isinstance(t.of, T.Vector)
        self._refuse_outside(row.index, t.length, row.object.id)
        self._refuse_outside(k, t.of.length, row.object.id)
        at, row_index, k = row.span, self._once(row.index, row.object.id), self._once(k, row.object.id)
        begin = A.Binary("*", row_index, A.IntLit(t.of.length, T.LONG, span=at), span=at)
        place: A.Expr = A.Binary("+", begin, k, span=at)
        unsure = [(e, length) for e, length in ((row_index, t.length), (k, t.of.length)) if not self._is_in(e, length)]
        if unsure:  # who is outside in one direction may be inside of the whole
            zero, none = A.IntLit(0, T.INT, span=at), A.Unary("-", A.IntLit(1, T.INT, span=at), span=at)
            tests = [A.Binary(op, copied(e), bound, span=e.span) for e, length in unsure
                     for op, bound in ((">=", zero), ("<", A.IntLit(length, T.INT, span=at)))]
            both = reduce(lambda a, b: A.Binary("&&", a, b, span=at), tests)
            place = A.Conditional(both, place, none, span=at)
        return A.Index(row.object, place, span=at)

    def _once(self, e: A.Expr, name: str) -> A.Expr:
        """Which row or value of `name`, to be written several times: what may do something besides is done before."""
        called = {*self.shapes.helpers, "cas", "random", "clock"}
        if not any(isinstance(n, A.Reduce | A.MethodCall | A.InvokeResult) or (
                isinstance(n, A.Call) and n.function in called) for n in walk(e)):
            return e
        if self.asked:
            fail(f"'{name}' may not be asked here, and a call says which of its values", e,
                 "compute that into a variable first")
        return self._before(e)

    def _is_in(self, e: A.Expr, length: int) -> bool:
        """Does the text tell that it is one of so many numbers from 0 on?"""
        known = literal_value(e)
        if known is not None:
            return 0 <= known < length
        return isinstance(e, A.Name) and (e.id == self.k or 0 < self.shapes.below(e.id) <= length)

    def _refuse_outside(self, e: A.Expr, length: int, name: str) -> None:
        known = literal_value(e)
        if known is not None and not 0 <= known < length:
            fail(f"'{name}' has {length} values there, and none at {known}", e,
                 f"they are counted from 0 to {length - 1}")

    def component(self, e: A.Expr) -> A.Expr:
        """The value of an expression that a loop over its values is at; numbers in it are computed before."""
        if self.shapes.of(e) is None:
            return self._before(self.number(e))
        match e:
            case A.Name():
                return self.value_of(copied(e))
            case A.Member():
                return self.value_of(replace(e, object=self.number(e.object)))
            case A.Index():
                return self.value_of(replace(e, index=self._before(self.number(e.index))))
            case A.Conditional():
                return replace(e, test=self._before(self.number(e.test)), then=self.component(e.then),
                               orelse=self.component(e.orelse))
            case _:
                return rebuild(e, lambda n: self.component(n) if isinstance(n, A.Expr) else n)

    def _before(self, e: A.Expr) -> A.Expr:
        """A number as the loop knows it: one that is more than variables and literals is computed in front of it."""
        scalars = self.shapes.globals
        if not any(isinstance(n, _COMPUTED) or (isinstance(n, A.Name) and n.id in scalars) for n in walk(e)):
            return e
        word = self.fresh.numbered("number")
        self.before.append(A.VarDecl(T.AUTO, word, e, span=e.span))
        return A.Name(word, span=e.span)

    def number(self, e: A.Expr) -> A.Expr:
        """An expression that is no vector, with what it has of them done."""
        match e:
            case A.Call(function=name) if name in TO_NUMBER and name not in self.shapes.helpers:
                return self._sum(e)
            case A.Index(object=A.Index(object=A.Name(id=name)) as row) if name in self.shapes.params:
                return self._in_row(replace(row, index=self.number(row.index)), self.number(e.index))
            case A.Index(object=of) if (t := self.shapes.of(of)) is not None:
                return self._one_of(e, t)
            case A.Binary(op="&&" | "||", left=left, right=right):
                return with_parts(e, left=self.number(left), right=self.may_not(right))
            case A.Conditional(test=test, then=a, orelse=b) if self.shapes.of(e) is None:
                return with_parts(e, test=self.number(test), then=self.may_not(a), orelse=self.may_not(b))
            case A.Call() if e.function in self.params:
                return with_parts(e, args=self.arguments(e.function, e.args))
            case A.InvokeResult():
                return with_parts(e, args=self.arguments(e.kernel, e.args))
        t = self.shapes.of(e)
        if t is not None and isinstance(e, A.Member):
            fail(f"'{e.name}' has {t.length} values for each node", e, f"name one: {expression(e)}[0]")
        if t is not None:
            fail("a vector can't stand here", e, _HINT)
        if isinstance(e, A.MethodCall) and isinstance(e.object, A.Name) and e.object.id in self.shapes.params:
            fail(f"'{e.object.id}' is a vector, which has no '{e.name}'", e, "it is as long as the program says")
        return rebuild(e, self.part)

    def part(self, n: A.Node) -> A.Node:
        """A part of something that takes no whole vectors."""
        return self.number(n) if isinstance(n, A.Expr) else rebuild(n, self.part)

    def _one_of(self, e: A.Index, t: T.Vector) -> A.Expr:
        """One value of a variable, a property or a parameter."""
        of = e.object
        if isinstance(of, A.Name) and of.id in self.shapes.params:
            self._refuse_outside(e.index, t.length, of.id)
        if not isinstance(of, A.Name | A.Member):
            fail("this is computed, and has no values of its own", of, "keep it in a variable, and ask that")
        return with_parts(e, object=rebuild(of, self.part), index=self.number(e.index))

    def arguments(self, called: str, args: tuple[A.Expr, ...]) -> tuple[A.Expr, ...]:
        """What a helper or kernel is given: a vector as a whole only where that is a parameter on both sides."""
        wanted = self.params.get(called, ())
        types = [p.type for p in wanted] if len(wanted) == len(args) else [T.VOID for _ in args]
        made = [self._argument(a, t, called) for a, t in zip(args, types, strict=True)]
        return args if all(a is b for a, b in zip(made, args, strict=True)) else tuple(made)

    def _argument(self, e: A.Expr, t: T.Type, called: str) -> A.Expr:
        if not isinstance(t, T.Vector):
            return self.number(e)
        of = self.shapes.of(e)
        if of is None or not isinstance(e, A.Name) or e.id not in self.shapes.params:
            fail(f"'{called}' takes several values, as a parameter alone has them", e,
                 f"give it a parameter of this {self._what()}, or single values")
        if of != t:
            fail(f"'{called}' takes {t}, and this is {of}", e, "both have to be of one shape")
        return e

    def _what(self) -> str:
        return _WHAT[type(self.decl)]

    def _sum(self, e: A.Call) -> A.Expr:
        """dot(a, b) or sum(a): added up before the statement."""
        two = e.function == "dot"
        if len(e.args) != 1 + two or any(self.shapes.of(a) is None for a in e.args):
            fail(f"{e.function} takes {'two vectors' if two else 'a vector'}", e, "write dot(a, b), sum(a)")
        added = A.Binary("*", e.args[0], e.args[1], span=e.span) if two else e.args[0]
        t = self.shapes.of(added)
        assert t is not None
        if self.asked:
            fail(f"{e.function} stands where it may not be computed", e, "compute it into a variable first")
        word, at = self.fresh.numbered(e.function), e.span
        kind = self.shapes.numbers(added)
        zero = A.IntLit(0, T.INT, span=at) if kind is not None else self.nothing_of(added)
        loop = self.loop(A.ExprStmt(e, span=at), t, (added,), lambda values: A.ExprStmt(
            A.Reduce("+", A.Name(word, span=at), values[0], span=at), span=at))
        self.before += [A.VarDecl(T.AUTO if kind is None else T.promoted(kind), word, zero, span=at), loop]
        return A.Name(word, span=at)

    def nothing_of(self, e: A.Expr) -> A.Expr:
        """0, of the type that a vector's values have, which nothing declared tells: no value is computed for that."""
        around, self.k = self.k, ""
        first = self.component(e)
        self.k = around
        at = e.span
        return A.Conditional(A.BoolLit(True, span=at), A.IntLit(0, T.INT, span=at), first, span=at)

    def may_not(self, e: A.Expr) -> A.Expr:
        """An expression that may not be computed."""
        around, self.asked = self.asked, True
        made = self.number(e)
        self.asked = around
        return made


def with_parts(node: N, **parts: object) -> N:
    """`node` with these parts; itself where they are what it has."""
    same = all(getattr(node, name) is value for name, value in parts.items())
    return node if same else replace(node, **parts)  # type: ignore[arg-type]
