"""Which vertexsets nobody asks for any more, so that `frontier = output` may exchange the two: frontier reuse, as in
A. Brahmakshatriya, the Unified GraphIt Framework, section 5.1.1."""

from __future__ import annotations

from collections.abc import Sequence

from irgl.frontends.gt import tree as G

Live = frozenset[str]


def exchanges(body: Sequence[G.Stmt], kept: Live) -> set[G.Assign]:
    """The stores of one variable into another, of a function's body, behind which the other's value is not asked for.

    kept: the names whose values are asked for behind the body. O(statements * depth of loops).
    """
    found = _Backwards()
    found.block(body, kept, kept)
    return {s for s, dead in found.dead.items() if dead}


class _Backwards:
    def __init__(self) -> None:
        self.dead: dict[G.Assign, bool] = {}

    def block(self, body: Sequence[G.Stmt], after: Live, leave: Live) -> Live:
        """What is live before a block. leave: what is live behind the loop around it."""
        for s in reversed(body):
            after = self._stmt(s, after, leave)
        return after

    def _stmt(self, s: G.Stmt, after: Live, leave: Live) -> Live:
        match s:
            case G.Labeled():
                return self._stmt(s.body, after, leave)
            case G.Var():
                return (after - {s.name}) | _names(s.init)
            case G.Assign(place=G.Name(id=word), op="="):
                if isinstance(s.value, G.Name):
                    self.dead[s] = s.value.id not in after - {word}
                return (after - {word}) | _names(s.value)
            case G.If():
                return self.block(s.body, after, leave) | self.block(s.orelse, after, leave) | _names(s.test)
            case G.While():
                return self._loop(s.body, after, _names(s.test))
            case G.DoWhile():
                return self.block(s.body, self._loop(s.body, after, _names(s.test)), after)
            case G.For():
                return self._loop(s.body, after, _names(s.high)) | _names(s.low)
            case G.Break():
                return leave
            case G.Delete():
                return after
            case G.Assign() | G.ExprStmt() | G.Print():
                return after | _names(s)

    def _loop(self, body: Sequence[G.Stmt], after: Live, test: Live) -> Live:
        live = after | test
        while (more := live | self.block(body, live, after)) != live:
            live = more
        return live


def _names(node: G.Node | None) -> Live:
    return frozenset() if node is None else frozenset(n.id for n in G.walk(node) if isinstance(n, G.Name))
