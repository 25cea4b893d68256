"""Random functions that are applied to edges and vertices, and those that say which of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from support import gt_pieces as P
from support.choices import Choices
from support.gt_functions import UPDATES, Function, Helper, Scope, Vector, in_turn, once, same_for_all, update
from support.gt_numbers import FLOATS, WHOLE
from support.gt_pieces import E, S

SRC, DST, V, WEIGHT = P.local("int", "src"), P.local("int", "dst"), P.local("int", "v"), P.local("int", "weight")


Bound = tuple[str, str, E | Vector]


class Applied:
    """Makes functions over vectors and scalars of a program, whose texts come into `functions`."""

    def __init__(self, c: Choices, weighted: bool) -> None:
        self.c = c
        self.weighted = weighted
        self.functions: list[Function] = []
        self.vectors: list[Vector] = []
        self.scalars: list[tuple[str, str]] = []
        self.edges = ["edges", "back"]
        self.helpers: list[Helper] = []
        self.seen = Vector("seen", "int", "chosen")

    def name(self, word: str) -> str:
        return f"{word}{len(self.functions)}"

    def scope(self, vertices: list[E], touched: set[str], numbers: list[E] | None = None) -> Scope:
        """What may be asked where `touched` is stored."""
        mine = [P.scalar(k, n) for n, k in self.scalars if n not in touched]
        return Scope(self.c, vertices, [*mine, *(numbers or ())], [v for v in self.vectors if v.name not in touched],
                     self.edges,
                     [h for h in self.helpers if h[1] == "int" or not touched])

    def bound(self, host: Scope, touched: set[str]) -> tuple[list[Bound], Scope]:
        """What a functor is bound to, sometimes: a number of the caller's, a vector."""
        found: list[Bound] = []
        inner = self.scope([], touched)
        if self.c.chance(30):
            kind = self.c.pick(("int", "double", "uint"))
            found.append(("bound", kind, host.of(kind)))
            inner.numbers.append(P.local(kind, "bound"))
        free = [v for v in host.vectors if v.name not in touched]
        if free and self.c.chance(30):
            v = self.c.pick(free)
            found.append(("z", f"vector{{Vertex}}({'Vertex' if v.role == 'far' else v.kind})", v))
            inner.vectors.append(replace(v, shown="z"))
        return found, inner

    def _targets(self, host: Scope, counts: Sequence[int]) -> tuple[list[Vector], list[Bound]]:
        """Vectors to store to, one of them perhaps under a name of the function's own."""
        c = self.c
        free = [v for v in self.vectors if v.role == ""]
        found = list(dict.fromkeys(c.pick(free) for _ in range(c.pick(counts))))
        if c.chance(70):
            return found, []
        one = c.pick([v for v in host.vectors if v.role == ""])
        return [replace(one, shown="y"), *(t for t in found if t.name != one.name)], [
            ("y", f"vector{{Vertex}}({one.kind})", one)]

    def edge_function(self, host: Scope) -> Function:
        """A function of edges: stores to some vectors and scalars, each in one way."""
        c, name = self.c, self.name("along")
        targets, alias = self._targets(host, (1, 1, 2, 3))
        scalars = [c.pick(self.scalars)] if c.chance(30) else []
        touched = {t.name for t in targets} | {n for n, _ in scalars}
        bound, scope = self.bound(host, touched)
        bound += alias
        scope.vertices = [SRC, DST]
        params, kinds = ["src", "dst"], ["Vertex", "Vertex"]
        if self.weighted and c.chance(60):
            kind = c.pick(("int", "int", "double", "float", "uint"))
            params.append("weight")
            kinds.append(kind)
            scope.numbers += [replace(WEIGHT, kind=kind)] * 2
        body: list[S] = []
        if c.chance(25):
            kind = c.pick(("int", "double", "bool", "uint", "uint_64"))
            body.append(P.declared(kind, "t", scope.of(kind)))
            scope.numbers.append(P.local(kind, "t"))
        body += self._effects(scope, targets, [SRC, DST], edge=True)
        for word, kind in scalars:
            body.append(self._to_scalar(scope, word, kind))
        made = Function(name, params, P.block(self._shaped(scope, body)), touched, bound, kinds=tuple(kinds))
        self.functions.append(made)
        return made

    def _effects(self, scope: Scope, targets: list[Vector], ends: list[E], *, edge: bool) -> list[S]:
        c, made = self.c, list[S]()
        for i, t in enumerate(targets):
            way, end = c.below(10), c.pick(ends)
            other = targets[i + 1] if i + 1 < len(targets) else None
            if way == 0 and t.kind in WHOLE and other is not None and other.kind in WHOLE:
                made += once(t, other, end, f"t{i}")
                break
            if way < 3 and edge:
                made.append(in_turn(scope, t, SRC))
            elif way < 5:
                made.append(same_for_all(scope, t, end))
            else:
                made.append(update(scope, t, end))
        return made

    def _to_scalar(self, scope: Scope, word: str, kind: str) -> S:
        c, place = self.c, P.scalar(kind, word)
        if c.chance(25):
            value = P.literal("bool", "true", True) if kind == "bool" else P.literal("int", "5", 5)
            return P.stored(place, "=", value, P.to_scalar(word))
        return P.stored(place, c.pick(UPDATES[kind]), scope.of(kind), P.to_scalar(word))

    def _shaped(self, scope: Scope, body: list[S]) -> list[S]:
        """The same under conditions or in a loop, sometimes. What declares a variable keeps its place."""
        c = self.c
        at = next((i for i, s in enumerate(body) if not s.lines[0].startswith("var ")), len(body))
        first, rest = body[:at], body[at:]
        way = c.below(10)
        if not rest or any(line.startswith("var ") for s in rest for line in s.lines):
            return body
        if way == 0:
            return [*first, P.when(scope.truth(), rest)]
        if way == 1:
            return [*first, P.when(scope.truth(), rest[:1], rest[1:] or rest, (scope.truth(), rest))]
        none, two, i = P.literal("int", "0", 0), P.literal("int", "2", 2), P.local("int", "ti")
        if way == 2:
            return [*first, P.counted("ti", none, two, rest)]
        if way == 3:
            enough = P.when(P.infix(">", i, two), [P.left()])
            return [*first, P.counted("ti", none, P.literal("int", "7", 7), [enough, *rest])]
        if way == 4:
            more = P.stored(i, "+=", P.literal("int", "1", 1), P.to_local("ti"))
            return [*first, P.declared("int", "ti", none), P.repeated(P.infix("<", i, two), [*rest, more],
                                                                      first=c.chance(30))]
        return body

    def choosing(self) -> Function:
        """src becomes the one that saw dst, if nobody did: any of those that may."""
        name, p = self.name("see"), self.seen
        body: list[S] = [P.stored(p.at(DST), "=", SRC, P.to_element(p.name, DST))]
        if self.c.chance(40):
            unseen = P.infix("==", p.at(DST), P.literal("int", "-1", -1))
            body = [P.when(unseen, body)]
        touched = {p.name}
        flags = [v for v in self.vectors if v.role == "" and v.kind == "bool"]
        if flags and self.c.chance(40):
            flag = self.c.pick(flags)
            touched.add(flag.name)
            body.append(P.stored(flag.at(DST), "=", P.literal("bool", "true", True), P.to_element(flag.name, DST)))
            if self.c.chance(50):
                body.reverse()
        made = Function(name, ["src", "dst"], P.block(body), touched, chosen=p, kinds=("Vertex", "Vertex"))
        self.functions.append(made)
        return made

    def vertex_function(self, host: Scope) -> Function:
        """A function of vertices: each stores to its own values as it likes, and reduces others'."""
        c, name = self.c, self.name("at")
        targets, alias = self._targets(host, (1, 2, 3))
        scalars = [c.pick(self.scalars)] if c.chance(30) else []
        touched = {t.name for t in targets} | {n for n, _ in scalars}
        bound, scope = self.bound(host, touched)
        bound += alias
        scope.vertices = [V]
        body: list[S] = []
        own = [t for t in targets if not c.chance(20)]
        for t in targets:
            if t not in own:
                body.append(update(scope, t, scope.vertex()))
                continue
            value = scope.of(t.kind)
            alike = [o for o in own if (o.kind in FLOATS) == (t.kind in FLOATS)]
            if c.chance(50):
                value = P.infix("xor" if t.kind == "bool" else "+", c.pick(alike).at(V), value)
            body.append(P.stored(t.at(V), c.pick(("=", "=", *UPDATES[t.kind])), value, P.to_element(t.name, V)))
        for word, kind in scalars:
            body.append(self._to_scalar(scope, word, kind))
        made = Function(name, ["v"], P.block(self._shaped(scope, body)), touched, bound, kinds=("Vertex",))
        self.functions.append(made)
        return made

    def asking(self, touched: set[str], host: Scope, *, writes: bool = False) -> Function:
        """A function that says yes or no of a vertex; writes: it stores to that vertex, too."""
        c = self.c
        bound, scope = self.bound(host, touched)
        scope.vertices = [V]
        yes = P.local("bool", "output")
        put = P.to_local("output")
        body = [P.stored(yes, "=", scope.truth(), put)]
        if c.chance(25):
            value = P.literal("bool", "true", True)
            body.append(P.when(scope.truth(), [P.stored(yes, "=", value, put)],
                               [P.stored(yes, "=", scope.truth(), put)] if c.chance(50) else []))
        if writes:
            x = c.pick([v for v in self.vectors if v.role == ""])
            rest = replace(scope, vectors=[v for v in scope.vectors if v.name != x.name])
            body.append(P.stored(x.at(V), c.pick(("=", *UPDATES[x.kind])), rest.of(x.kind), P.to_element(x.name, V)))
            own = [v for v in scope.vectors if v.name == x.name]
            test = replace(scope, vectors=[*rest.vectors, *own]).truth()
            free = all(f"{v.shown or v.name}[far" not in test.text for v in own)
            body[0] = P.stored(yes, "=", test if free else rest.truth(), put)
        made = Function(self.name("holds"), ["v"], P.block(body), set(), bound, ("output", "bool"), kinds=("Vertex",))
        self.functions.append(made)
        return made

    def unseen(self) -> Function:
        test = P.infix("==", self.seen.at(V), P.literal("int", "-1", -1))
        made = Function(self.name("unseen"), ["v"], P.block([P.stored(P.local("bool", "output"), "=", test,
                        P.to_local("output"))]), set(), result=("output", "bool"), kinds=("Vertex",))
        self.functions.append(made)
        return made

