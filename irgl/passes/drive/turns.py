"""The two lists of rounds: whose turn it is now, and whose later; and whether it is everybody's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.source import Span


@dataclass(frozen=True, slots=True)
class Turns:
    """The names of the lists in a kernel or the Program, and of the flag that says that all nodes have work."""

    whole: str
    now: str
    later: str
    at: Span | None

    @staticmethod
    def new(fresh: Callable[[str], str], at: Span | None) -> Turns:
        """Under new names."""
        return Turns(fresh("whole"), fresh("now"), fresh("later"), at)

    def params(self, kind: T.Worklist) -> tuple[A.Param, ...]:
        """A kernel's parameters, behind its own."""
        types = ((T.BOOL, self.whole), (kind, self.now), (kind, self.later))
        return tuple(A.Param(t, name, None, (), span=self.at) for t, name in types)

    def args(self, whole: A.Expr) -> tuple[A.Expr, ...]:
        """What a kernel is given for them."""
        return whole, A.Name(self.now, span=self.at), A.Name(self.later, span=self.at)

    def lists(self, kind: T.Worklist) -> tuple[A.Stmt, ...]:
        """The lists, declared."""
        return tuple(A.VarDecl(kind, name, None, span=self.at) for name in (self.now, self.later))

    def flag(self, value: bool) -> A.Stmt:
        """The flag, declared."""
        return A.VarDecl(T.BOOL, self.whole, A.BoolLit(value, span=self.at), span=self.at)

    def turned(self, *, whole: bool) -> tuple[A.Stmt, ...]:
        """What stands between two rounds; whole: the next is over all nodes, unless something is said yet."""
        swap = called(self.now, "swap", self.at, A.Name(self.later, span=self.at))
        return self._flagged(A.BoolLit(whole, span=self.at)), swap, called(self.later, "clear", self.at)

    def all_unless(self, test: A.Expr) -> A.Stmt:
        """Whether the next round is over all nodes: unless a condition holds."""
        return self._flagged(A.Unary("!", test, span=self.at))

    def _flagged(self, value: A.Expr) -> A.Stmt:
        return A.Assign(A.Name(self.whole, span=self.at), value, "plain", span=self.at)

    def push(self, node: A.Expr) -> A.Stmt:
        """Puts a node into the list of those whose turn is later."""
        return called(self.later, "push", self.at, node)

    def listed(self, node: A.Expr) -> A.Stmt:
        """Puts a node into the list of those whose turn is now."""
        return called(self.now, "push", self.at, node)


def called(name: str, method: str, at: Span | None, *args: A.Expr) -> A.Stmt:
    """A list's method, as a statement."""
    return A.ExprStmt(A.MethodCall(A.Name(name, span=at), method, args, span=at), span=at)
