"""An iteration's text with a push behind all that gives a node something to do (list_changed.py)."""

from __future__ import annotations

from collections.abc import Callable

from irgl.analysis.effects.effects import home_graph
from irgl.analysis.idle.again import update_of
from irgl.analysis.idle.idle import Idle
from irgl.analysis.idle.rounds import Rounds
from irgl.analysis.loops.edge_bodies import accesses, conjuncts
from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.owners import Owners
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import copied, rebuild
from irgl.source import Span

#: Puts a node into the list of the next round.
Push = Callable[[A.Expr], A.Stmt]


class Pushing:
    """Writes pushes into the loop of some rounds."""

    def __init__(self, checked: Checked, rounds: Rounds, idle: Idle, push: Push) -> None:
        self.checked = checked
        self.rounds = rounds
        self.idle = idle
        self.push = push
        self.done: set[A.Expr] = set()  # the locations that are changed, with a push behind

    def body(self) -> tuple[A.Stmt, ...] | str:
        """The loop's body, or why a change can't be told."""
        loop = rebuild(self.rounds.loop, self._visit)
        missed = [a for a in accesses(self.checked, self.rounds.loop.body) if a.kind != "load"
                  and a.key[1] == "node" and a.key[2] in self.idle.inputs and a.expr not in self.done]
        if missed:
            return f"it changes '{missed[0].key[2]}' where nothing can be put behind it that tells of which node"
        return loop.body

    def _visit(self, node: A.Node) -> A.Node | tuple[A.Stmt, ...]:
        match node:
            case A.Assign(target=A.Member() as target) if self._gives(target):
                return node if node is self.idle.ends else (node, self._pushed(target))
            case A.ExprStmt(value=A.Reduce(target=A.Member() as target) as update) if self._gives(target):
                return A.If(update, (self._pushed(target),), (), span=node.span)
            case A.ReduceAndReturn(value=A.Reduce() | A.Member()) if (told := self._updated(node.value)) is not None:
                yes = A.ReduceAndReturn(A.BoolLit(True, span=node.span), span=node.span)
                return A.If(node.value, (self._pushed(told), yes), (), span=node.span)
            case A.If():
                moved = self._updated([*conjuncts(node.test)][-1])
                new = rebuild(node, self._visit)
                if moved is not None:
                    new = A.If(new.test, (self._pushed(moved), *new.body), new.orelse, span=node.span)
                return self._staying(new) if node is self.idle.test else new
            case A.Labeled():
                inner = self._visit(node.body)
                one = A.Block(inner, span=node.span) if isinstance(inner, tuple) else inner
                return rebuild(node, lambda n: one if n is node.body else n)
            case _:
                return rebuild(node, self._visit)

    def _updated(self, e: A.Expr) -> A.Member | None:
        """The property that gives a node something to do where an expression's update did something."""
        update = update_of(e)
        return update.target if update is not None and isinstance(update.target, A.Member) and self._gives(
            update.target) else None

    def _gives(self, target: A.Member) -> bool:
        """Is it such a property of a node that can be named again? It counts as told of then."""
        t = self.checked.types[target.object]
        if not isinstance(t, T.NodeT) or target.name not in self.idle.inputs:
            return False
        if not Owners(self.checked).is_constant(target.object):
            return False
        home = home_graph(self.checked, self.rounds.kernel.params)
        if (t.graph or home) != self.rounds.graph:
            return False
        self.done.add(target)
        return True

    def _pushed(self, target: A.Member) -> A.Stmt:
        return self.push(copied(target.object))

    def _staying(self, test: A.If) -> A.If:
        """The condition around all work, behind which a node stays in the list that has its turn later."""
        stay = self.stay(test.span)
        return test if stay is None else A.If(test.test, test.body, (stay,), span=test.span)

    def has_turn(self, push: Push, at: Span | None) -> A.Stmt | None:
        """Tells `push` of a node whose turn it is, or comes in a later round; None: numbers say nothing of turns."""
        stay = self.stay(at)
        counted = self.idle.counted
        if counted is None or not isinstance(stay, A.If):
            return None
        now = A.Binary("==", copied(counted.own), copied(counted.bound), span=at)
        test = A.Binary("||", now, copied(stay.test), span=at)
        return A.If(test, (push(copied(counted.own.object)),), (), span=at)

    def stay(self, at: Span | None) -> A.Stmt | None:
        """Keeps a node whose turn comes in a later round; None: there is none. That of the largest number never
        comes."""
        counted = self.idle.counted
        if counted is None:
            return None
        later = A.Binary(">", copied(counted.own), copied(counted.bound), span=at)
        ever = A.Binary("!=", copied(counted.own), A.Name("INF", span=at), span=at)
        return A.If(A.Binary("&&", later, ever, span=at), (self.push(copied(counted.own.object)),), (), span=at)
