"""Numbers and blocks of GraphIt's main: stores, variables, sums, what is printed; branches and loops."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from support import gt_pieces as P
from support.gt_functions import UPDATES
from support.gt_numbers import FLOATS, KINDS, WHOLE, converted
from support.gt_pieces import E, Local, S, World
from support.gt_queues import Queues

#: First values by their kind.
FIRST = {"int": ("0", "-1", "7", "2147483647"), "uint": ("0", "5"), "uint_64": ("0", "9"), "float": ("0", "0.5", "1.0"),
         "double": ("0.0", "1.5", "-2"), "bool": ("false", "true")}


class Blocks(Queues):
    """Statements with statements in them, and those about numbers."""

    def number(self) -> list[S]:
        """A store to a scalar, a variable, or a vertex's value."""
        c, host = self.c, self.host()
        way = c.below(3)
        if way == 0 and self.locals:
            place = c.pick(self.locals)
            put: Callable[..., Any] = P.to_local(place.text)
        elif way == 1:
            x, at = c.pick([v for v in self.vectors if not v.role]), c.pick(host.vertices)
            place, put = x.at(at), P.to_element(x.name, at)
        else:
            word, kind = c.pick(self.scalars)
            place, put = P.scalar(kind, word), P.to_scalar(word)
        return [P.stored(place, c.pick(("=", "=", *UPDATES[place.kind])), host.of(place.kind), put)]

    def variable(self) -> list[S]:
        kind, name = self.c.pick(KINDS), self.fresh("n")
        made = P.declared(kind, name, self.host().of(kind))
        self.locals.append(P.local(kind, name))
        return [made]

    def whole(self) -> list[S]:
        value, name = self._of_all((*WHOLE, *FLOATS)), self.fresh("n")
        self.locals.append(P.local(value.kind, name))
        return [P.declared(value.kind, name, value)]

    def _of_all(self, kinds: Collection[str]) -> E:
        """The sum, or the largest, of a vector's values."""
        x = self.c.pick([v for v in self.vectors if v.kind in kinds and not v.role])
        word, of = self.c.pick((("sum", sum), ("max", max)))
        return E(x.kind, f"{x.name}.{word}()", P.ATOM, lambda w, _: converted(of(w.vectors[x.name]), x.kind))

    def print(self) -> list[S]:
        host = self.host()
        if self.c.chance(20):
            return [S(('print "so far";',), lambda w, _: w.printed.append("so far"))]
        return [printed(host.of(self.c.pick(KINDS)))]

    # Blocks

    def branch(self) -> list[S]:
        c, host = self.c, self.host()
        also = (host.truth(), self.statements(1)) if c.chance(30) else None
        orelse = self.statements(1) if c.chance(50) else []
        return [P.when(host.truth(), self.statements(c.between(1, 2)), orelse, also)]

    def count(self) -> list[S]:
        """A loop over numbers, perhaps left by break."""
        c, i = self.c, self.fresh("i")
        low = P.literal("int", "0", 0)
        high = c.pick((P.literal("int", "2", 2), P.local("int", "times"), P.literal("int", "3", 3)))
        outer = list(self.locals)
        body = self.statements(c.between(1, 2))
        if c.chance(20):
            test = P.infix(c.pick(("==", ">")), P.local("int", i), P.local("int", "times"))
            body.insert(c.pick((0, len(body))), P.when(test, [P.left()]))  # in the middle any of several might stay
        self.locals = outer
        return [P.counted(i, low, high, body, c.pick(("for", "for", "for", "par_for")))]

    def repeat(self) -> list[S]:
        """while or do, as often as a counter says."""
        c, i = self.c, self.fresh("k")
        place = P.local("int", i)
        more = P.stored(place, "+=", P.literal("int", "1", 1), P.to_local(i))
        test = P.infix("<", place, c.pick((P.literal("int", "2", 2), P.local("int", "times"))))
        if c.chance(30):
            test = P.infix("and", test, P.infix(c.pick(("!=", "<", ">")), self._of_all(WHOLE), self.host().leaf(False)))
        body = self.statements(c.between(1, 2))
        return [P.declared("int", i, P.literal("int", "0", 0)), P.repeated(test, [*body, more], first=c.chance(40))]


def printed(e: E) -> S:
    """What std::cout writes: 6 digits, truths as 0 and 1."""
    def run(w: World, at: Local) -> None:
        value = e.value(w, at)
        w.printed.append(f"{value:g}" if isinstance(value, float) else str(int(value)))

    return S((f"print {e.text};",), run)


def argument(k: int) -> E:
    return E("int", f"atoi(argv[{k}])", P.ATOM, lambda w, _: w.args[f"argv{k}"])


def constant(text: str, kind: str) -> E:
    return E(kind, text, P.ATOM, lambda _w, _my: value_of(text, kind))


def value_of(text: str, kind: str) -> Any:
    return converted({"true": 1, "false": 0}.get(text) if text in ("true", "false") else float(text)
                     if "." in text or kind in FLOATS else int(text), kind)
