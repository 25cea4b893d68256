"""Lists of numbers in random programs of GraphIt's: what main and applied functions put there, and who takes it off."""

from __future__ import annotations

from collections.abc import Callable

from support import gt_pieces as P
from support.gt_applied import DST, SRC, V
from support.gt_blocks import Blocks, printed
from support.gt_functions import Function
from support.gt_numbers import converted
from support.gt_pieces import E, Local, S, World
from support.gt_rounds import along
from support.gt_sets import members

ZERO = P.literal("int", "0", 0)
SIZE = E("int", "kept.size()", P.ATOM, lambda w, _: len(w.kept))
POPPED = E("int", "kept.pop()", P.ATOM, lambda w, _: w.kept.pop())
SOME = P.infix(">", SIZE, ZERO)


class Lists(Blocks):
    """lists: is there `kept`, a list{int} that all functions know?"""

    lists = False

    def listed(self) -> list[S]:
        """A sentence about the list."""
        self.lists = True
        options: list[Callable[[], list[S]]] = [self._append, self._append, self._collect, self._collect, self._pop,
                                                self._asked, self._emptied]
        return self.c.pick(options)()

    def _append(self) -> list[S]:
        c, value = self.c, self.host().of("int", 1)
        return [_appended(value, c.pick(("append", "append", "insert")))]

    def _collect(self) -> list[S]:
        """An applied function puts numbers there, by those of vertices."""
        c = self.c
        if c.chance(50):
            value = self.scope([V], set()).of("int", 1)
            f = Function(self.name("keep"), ["v"], P.block(self._maybe([V], _appended(value))), {"kept"},
                         kinds=("Vertex",))
            name = c.pick(("vertices", *self.sets))
            self.functions.append(f)
            return [S((f"{name}.apply({f.name});",), lambda w, my: _each(w, sorted(members(w, my, name)), f))]
        value = self.scope([SRC, DST], set()).of("int", 1)
        f = Function(self.name("keep"), ["src", "dst"], P.block(self._maybe([SRC, DST], _appended(value))), {"kept"},
                     kinds=("Vertex", "Vertex"))
        self.functions.append(f)
        graph, reverse = c.pick((("edges", False), ("back", True)))
        return [S((f"{graph}.apply({f.name});",), lambda w, _: along(w, w.nodes, f, None, reverse))]

    def _maybe(self, ends: list[E], body: S) -> list[S]:
        return [P.when(self.scope(ends, set()).truth(1), [body])] if self.c.chance(40) else [body]

    def _taken(self) -> E:
        """A number that takes one off, and what else is computed from left to right."""
        c = self.c
        way = c.below(3)
        if way == 0:
            return POPPED
        return P.infix(c.pick("+-"), *((SIZE, POPPED) if way == 1 else (POPPED, self.host().leaf(False))))

    def _pop(self) -> list[S]:
        c, (word, kind) = self.c, self.c.pick(self.scalars)
        if c.chance(30):
            take = S(("kept.pop();",), lambda w, _: w.kept.pop())
        elif c.chance(40):
            take = S((f"kept.retrieve({word});",),
                     lambda w, _: w.scalars.update({word: converted(w.kept.pop(), kind)}))
        else:
            take = P.stored(P.scalar(kind, word), "=", self._taken(), P.to_scalar(word))
        return [P.when(SOME, [take])]

    def _asked(self) -> list[S]:
        """One goes where a condition comes to it."""
        c = self.c
        test = P.infix(c.pick(("<", "==", ">")), POPPED, self.host().leaf(False))
        none = P.infix("==", SIZE, ZERO)
        both = P.infix("and", SOME, test) if c.chance(50) else P.infix("or", none, test)
        return [P.when(both, [printed(SIZE)], self.statements(1) if c.chance(30) else [])]

    def _emptied(self) -> list[S]:
        shown = printed(POPPED)
        return [P.repeated(P.infix(">", SIZE, P.literal("int", "2", 2)), [shown])] if self.c.chance(70) else [
            S(("kept = new list{int}();",), lambda w, _: w.kept.clear())]


def _appended(value: E, word: str = "append") -> S:
    return S((f"kept.{word}({value.text});",), lambda w, my: w.kept.append(converted(value.value(w, my), "int")))


def _each(w: World, some: list[int], f: Function) -> None:
    for v in some:
        at: Local = {"v": v}
        f.body.run(w, at)
