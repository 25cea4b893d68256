"""Which expressions are vectors, and of what, by what is declared alone: nothing has a type yet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from irgl.analysis.names import members as M
from irgl.analysis.names.symbols import fail
from irgl.ast import nodes as A
from irgl.ast import types as T

#: Functions of numbers that take vectors component by component.
ELEMENTWISE = (*M.FLOAT_FUNCTIONS, *M.FLOAT_FUNCTIONS_OF_TWO, "min", "max", "abs")
#: Functions of vectors that give a number.
TO_NUMBER = ("dot", "sum")
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "&&", "||")


class Shapes:
    """What is in scope: `variables` by name, parameters that are vectors among them (`params`)."""

    def __init__(self, program: A.Program) -> None:
        self.helpers = {d.name for d in program.decls if isinstance(d, A.Function)}
        self.libraries = {d.name for d in program.decls if isinstance(d, A.Library)}
        self.globals = {d.name: d.type for d in program.decls if isinstance(d, A.Global)}
        self.properties: dict[str, T.Vector] = {}
        self.numbers_of: dict[str, T.Type] = {"id": T.LONG, "degree": T.LONG, "in_degree": T.LONG,
                                            "out_degree": T.LONG}
        self.open: set[str] = set()  # names of properties that are vectors of one graph or struct, and not of another
        self.scopes: list[dict[str, T.Type]] = []
        self._below: list[dict[str, int]] = []
        self.params: set[str] = set()
        fields = [f for d in program.decls if isinstance(d, A.Struct) for f in d.fields]
        plain = {f.name for f in fields}
        for f in fields:
            self._note(f.name, f.type)
        for p in (p for d in program.decls if isinstance(d, A.GraphType) for p in d.properties):
            if not isinstance(p.type, T.Vector):
                plain.add(p.name)
                self._note(p.name, p.type)
            elif self.properties.setdefault(p.name, p.type) != p.type:
                self.open.add(p.name)
        self.open |= plain & self.properties.keys()

    def _note(self, name: str, t: T.Type) -> None:
        """What something that has a name is: of two types none is told."""
        self.numbers_of[name] = t if self.numbers_of.get(name, t) == t else T.VOID

    @contextmanager
    def scope(self) -> Iterator[None]:
        self.scopes.append({})
        self._below.append({})
        yield
        self.scopes.pop()
        self._below.pop()

    def declare(self, name: str, t: T.Type) -> None:
        self.scopes[-1][name] = t

    def loop(self, s: A.For | A.ForAll) -> None:
        """The variable of a loop, in its scope."""
        self.declare(s.var, T.AUTO)
        match s.iterator:
            case A.Call(function="range", args=(A.IntLit(value=many),)) if isinstance(s, A.For):
                self._below[-1][s.var] = many

    def below(self, name: str) -> int:
        """Below what a loop's variable is that begins at 0; 0: that isn't known."""
        for scope, below in zip(reversed(self.scopes), reversed(self._below), strict=True):
            if name in scope:
                return below.get(name, 0)
        return 0

    def variable(self, name: str) -> T.Vector | None:
        t = self._declared(name)
        return t if isinstance(t, T.Vector) else None

    def _declared(self, name: str) -> T.Type | None:
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), self.globals.get(name))

    def of(self, e: A.Expr) -> T.Vector | None:
        """The vector that an expression is; None for a number, or anything else. Raises IrglError where vectors of
        different lengths meet, and where there is no such thing of vectors."""
        match e:
            case A.Name(id=name):
                return self.variable(name)
            case A.Member(name=name) if name in self.properties:
                if name in self.open:
                    fail(f"'{name}' is a vector of some, and not of others", e, "give the two different names")
                return self.properties[name]
            case A.Index(object=of):
                row = self.of(of)
                return row.of if row is not None and isinstance(row.of, T.Vector) else None
            case A.Relaxed(location=of) | A.Cast(operand=of):
                return self.of(of)
            case A.Unary(op=op, operand=of):
                found = self.of(of)
                if found is not None and op == "!":
                    fail("'!' asks a vector", e, "ask one of its values: v[k]")
                return found
            case A.Binary(op=op, left=left, right=right):
                found = self._together((left, right), e)
                if found is not None and op in _COMPARISONS:
                    fail(f"'{op}' compares vectors", e, "compare single values, or a dot(a, b) or sum(a) of them")
                return found
            case A.Conditional(test=test, then=a, orelse=b):
                self._refuse(test, "a condition")
                return self._together((a, b), e)
            case A.Call(function=name, args=args) if name not in self.helpers and name in ELEMENTWISE:
                return self._together(args, e)
            case _:
                return None

    def _together(self, parts: tuple[A.Expr, ...], at: A.Expr) -> T.Vector | None:
        found = [t for p in parts if (t := self.of(p)) is not None]
        for t in found:
            if isinstance(t.of, T.Vector):
                fail("a vector of rows takes no part in arithmetic", at, "name one row: w[k]")
            if t.length != found[0].length:
                fail(f"a vector of {found[0].length} values meets one of {t.length}", at,
                     "vectors are combined with numbers, and with others as long")
        return found[0] if found else None

    def _refuse(self, e: A.Expr, what: str) -> None:
        if self.of(e) is not None:
            fail(f"{what} is a vector", e, "ask one of its values: v[k]")

    def numbers(self, e: A.Expr) -> T.Type | None:
        """The type of a number, or of a vector's values, as C's conversions make it; None where what is declared
        doesn't say it: of what `auto`, helpers and methods give."""
        match e:
            case A.IntLit(type=t) | A.FloatLit(type=t) | A.Cast(type=t):
                return t
            case A.BoolLit():
                return T.BOOL
            case A.Name(id=name):
                return _number(self._declared(name))
            case A.Member(name=name):
                return _number(self.properties.get(name) or self.numbers_of.get(name))
            case A.Index(object=of):
                return self.numbers(of)
            case A.Relaxed(location=of):
                return self.numbers(of)
            case A.Unary(op=op, operand=of):
                return T.BOOL if op == "!" else self._common((of,))
            case A.Binary(op=op, left=a, right=b):
                return T.BOOL if op in _COMPARISONS else self._common((a,) if op in ("<<", ">>") else (a, b))
            case A.Conditional(then=a, orelse=b):
                both = self.numbers(a) == self.numbers(b) == T.BOOL
                return T.BOOL if both else self._common((a, b))
            case A.Call(function=name, args=args) if name in ELEMENTWISE and name not in self.helpers:
                if name in ("min", "max", "abs"):
                    return self._common(args)
                kinds = [self.numbers(a) for a in args]
                return None if None in kinds else T.FLOAT if set(kinds) == {T.FLOAT} else T.DOUBLE
            case _:
                return None

    def _common(self, parts: tuple[A.Expr, ...]) -> T.Type | None:
        kinds = [self.numbers(p) for p in parts]
        known = [T.promoted(t) for t in kinds if t is not None]
        return None if len(known) < len(kinds) else known[0] if len(known) == 1 else T.common(*known)


def _number(t: T.Type | None) -> T.Type | None:
    while isinstance(t, T.Vector):
        t = t.of
    return t if isinstance(t, T.Int | T.Float | T.Bool) else None
