"""Statements of vectors as loops over their values: `n.sum += e.dst.x * w` adds value by value.

Numbers in such a statement are computed once, before its values. A parameter that is a vector, or rows of one, is an
array of as many numbers, row behind row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from irgl.analysis.names.symbols import fail
from irgl.analysis.names.vectors import check_length, check_named
from irgl.analysis.vectors.shapes import Shapes
from irgl.analysis.vectors.values import Make, Values, with_parts
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import rebuild, walk

Stmts = tuple[A.Stmt, ...]
S = TypeVar("S", bound=A.Stmt)
_BODIES = (A.Function, A.Kernel, A.Entry)


def spell_vectors(program: A.Program) -> A.Program:
    """The program without statements of whole vectors; `program` itself where it has none. Raises IrglError where a
    vector stands where none can."""
    if not any(isinstance(n, A.VarDecl | A.Param | A.Property) and isinstance(n.type, T.Vector) for n in walk(program)):
        return program  # which says nothing of several values
    shapes = Shapes(program)
    params = {d.name: d.params for d in program.decls if isinstance(d, _BODIES)}
    decls = tuple(_Body(program, d, shapes, params).done() if isinstance(d, _BODIES) else d for d in program.decls)
    same = all(a is b for a, b in zip(decls, program.decls, strict=True))
    return program if same else replace(program, decls=decls)


class _Body(Values):
    """Spells out one function, kernel or Program."""

    def done(self) -> A.Decl:
        self.shapes.params.clear()
        with self.shapes.scope():
            params = tuple(self._param(p) for p in self.decl.params)
            body = self._block(self.decl.body)
        same = all(a is b for a, b in zip(params, self.decl.params, strict=True)) and body is self.decl.body
        return self.decl if same else replace(self.decl, params=params, body=body)

    def _param(self, p: A.Param) -> A.Param:
        self.shapes.declare(p.name, p.type)
        if not isinstance(p.type, T.Vector):
            return p
        of: T.Type = p.type
        lengths: list[int] = []
        while isinstance(of, T.Vector):
            check_named(of, p)
            check_length(of, p)
            lengths.append(of.length)
            of = of.of
        if len(lengths) > 2 or not isinstance(of, T.Int | T.Float | T.Bool):
            fail(f"'{p.name}' is no vector, and no row of vectors", p, "they are numbers or bools: float w[16][4]")
        if "array" not in self.shapes.libraries:
            fail(f"'{p.name}' is an array of {' x '.join(map(str, lengths))} values", p, 'import "array.irgl";')
        self.shapes.params.add(p.name)
        return replace(p, type=T.Named("array", (of,), tuple(lengths)))

    # Statements

    def _block(self, stmts: Stmts) -> Stmts:
        with self.shapes.scope():
            return self._stmts(stmts)

    def _stmts(self, stmts: Stmts) -> Stmts:
        out: list[A.Stmt] = []
        for s in stmts:
            out += self._stmt(s)
        return stmts if len(out) == len(stmts) and all(a is b for a, b in zip(out, stmts, strict=True)) else tuple(out)

    def _stmt(self, s: A.Stmt) -> Sequence[A.Stmt]:
        """A statement, behind what it needs."""
        around, self.before = self.before, []
        made = self._own(s)
        found = [*self.before, *made]
        self.before = around
        return found

    def _own(self, s: A.Stmt) -> Sequence[A.Stmt]:
        match s:
            case A.VarDecl():
                return self._variable(s)
            case A.Assign(target=target, value=value) if (t := self._target(target)) is not None:
                return [self._each(s, t, (target, value), lambda of: replace(s, target=of[0], value=of[1]))]
            case A.ExprStmt(value=A.Reduce(target=target, value=value) as update) if (
                    t := self._target(target)) is not None:
                return [self._each(s, t, (target, value), lambda of: A.ExprStmt(
                    replace(update, target=of[0], value=of[1]), span=s.span))]
            case A.Block() | A.Pipe() | A.Sections():
                return [with_parts(self._headed(s), body=self._block(s.body))]
            case A.If():
                return [with_parts(s, test=self.number(s.test), body=self._block(s.body), orelse=self._block(s.orelse))]
            case A.While() | A.DoWhile():
                return [with_parts(s, test=self.may_not(s.test), body=self._block(s.body))]
            case A.CFor():
                with self.shapes.scope():
                    init = tuple(self._in_header(x) for x in s.init)
                    step = tuple(self._in_header(x) for x in s.step)
                    test = None if s.test is None else self.may_not(s.test)
                    return [with_parts(s, init=init, step=step, test=test, body=self._block(s.body))]
            case A.For() | A.ForAll():
                iterator = self.number(s.iterator)
                with self.shapes.scope():
                    self.shapes.loop(s)
                    body = self._stmts(s.body)
                return [with_parts(s, iterator=iterator, body=body)]
            case A.Labeled():
                *before, last = self._stmt(s.body)
                self.before += before
                return [with_parts(s, body=last)]
            case A.Atomic() | A.Exclusive():
                return [with_parts(self._headed(s), body=self._block(s.body), orelse=self._block(s.orelse))]
            case A.Iterate():
                head = self._headed(replace(s, args=()))
                return [with_parts(head, args=self.arguments(s.kernel, s.args), body=self._block(s.body))]
            case A.Invoke():
                return [with_parts(s, args=self.arguments(s.kernel, s.args))]
            case _:
                return [rebuild(s, self.part)]

    def _headed(self, s: S) -> S:
        """A statement with its own expressions done, and its body still to do."""
        return rebuild(s, lambda n: n if isinstance(n, A.Stmt) else self.part(n))

    def _in_header(self, s: A.Stmt) -> A.Stmt:
        """A statement in the head of a for."""
        made = self._stmt(s)
        if len(made) != 1 or type(made[0]) is not type(s) or (
                isinstance(s, A.VarDecl) and isinstance(s.type, T.Vector)):
            fail("a vector stands in the head of a for", s, "write it before the loop, or in its body")
        return made[0]

    def _variable(self, s: A.VarDecl) -> Sequence[A.Stmt]:
        t = s.type
        of = None if s.init is None else self.shapes.of(s.init)
        if t == T.AUTO and of is not None and s.init is not None:
            t = T.Vector(self.shapes.numbers(s.init) or T.AUTO, of.length)
        if of is None:
            init = None if s.init is None else self.number(s.init)
            self.shapes.declare(s.name, t)
            return [with_parts(s, init=init)]
        assert s.init is not None
        if not isinstance(t, T.Vector):
            fail(f"'{s.name}' is {t}, and this is a vector", s.init, f"declare {T.declaration(of, s.name)}")
        self._as_long(t, of, s.init)
        first = self.nothing_of(s.init) if t.of == T.AUTO else None
        loop = self.loop(s, t, (s.init,), lambda of: A.Assign(
            self.value_of(A.Name(s.name, span=s.span)), of[0], "plain", span=s.span))
        self.shapes.declare(s.name, t)
        return [A.VarDecl(t, s.name, first, span=s.span), loop]

    def _target(self, target: A.Expr) -> T.Vector | None:
        t = self.shapes.of(target)
        if t is None:
            return None
        if isinstance(t.of, T.Vector):
            fail("this names many vectors", target, "name one row: w[k]")
        return t

    def _each(self, s: A.Stmt, t: T.Vector, parts: tuple[A.Expr, A.Expr], make: Make) -> A.Stmt:
        of = self.shapes.of(parts[1])
        if of is not None:
            self._as_long(t, of, parts[1])
        return self.loop(s, t, parts, make)

    def _as_long(self, t: T.Vector, of: T.Vector, at: A.Expr) -> None:
        if isinstance(of.of, T.Vector):
            fail("this names many vectors", at, "name one row: w[k]")
        if of.length != t.length:
            fail(f"a vector of {t.length} values gets one of {of.length}", at, "both have to be as long")
