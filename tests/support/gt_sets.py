"""Sentences of GraphIt's main about vertexsets: applies to edges, what they change, filters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from support import gt_pieces as P
from support.choices import Choices
from support.gt_applied import Applied
from support.gt_functions import Function, Scope, Vector
from support.gt_numbers import converted
from support.gt_pieces import E, Local, S, World

Meant = Callable[[World, Local], set[int]]


class Sets(Applied):
    """sets: vertexsets that are declared here; locals: numbers; own: vectors of main's; way: the last apply's edges."""

    def __init__(self, c: Choices, weighted: bool) -> None:
        super().__init__(c, weighted)
        self.sets: list[str] = []
        self.locals: list[E] = []
        self.own: list[Vector] = []
        self.given = 0
        self.way = "edges", False

    def host(self) -> Scope:
        source = P.local("int", "source")
        numbers = [P.local("int", "times"), *(P.scalar(k, n) for n, k in self.scalars), *self.locals]
        numbers += [E("int", f"{s}.{self.c.pick(('size', 'getVertexSetSize'))}()", P.ATOM,
                      lambda _, my, s=s: len(my[s])) for s in self.sets]
        zero = P.literal("int", "0", 0)
        return Scope(self.c, [source, zero], numbers, [*self.vectors, *self.own], self.edges,
                     self.helpers)

    def fresh(self, word: str) -> str:
        self.given += 1
        return f"{word}{self.given}"

    def chain(self, touched: set[str], *, to: bool = True) -> tuple[str, Callable[..., Any]]:
        """What stands before an apply, and which edges it means: by the world and main's names, pairs of functions."""
        c = self.c
        graph, reverse = c.pick((("edges", False), ("edges", False), ("back", True), ("edges.transpose()", True),
                                 ("back.transpose()", False)))
        self.way = graph, reverse
        ends: dict[str, tuple[str, Any]] = {}
        for word, other in (("from", "srcFilter"), ("to", "dstFilter")):
            way = 0 if not to and word == "to" else c.below(4)
            if way == 1:
                name = c.pick([*self.sets, "vertices"])
                ends[word] = (f".{word}({name})", name)
            elif way == 2:
                f = self.asking(touched, self.host())
                ends[word] = (f".{c.pick((word, other))}({f.named()})", f)
        parts = [text for text, _ in ends.values()]
        if c.chance(30):
            parts.reverse()

        def through(w: World, at: Local, body: Function, also: Function | None = None) -> None:
            asks = {word: question(w, at, what) for word, (_, what) in ends.items()}
            if also is not None:
                asks["to"] = question(w, at, also)
            given = body.begun(w, at)
            for src in w.nodes:
                if "from" in asks and not asks["from"](src):
                    continue
                for dst, weight in list(w.edges_of(src, reverse)):
                    if "to" not in asks or asks["to"](dst):
                        mine = {**given, body.params[0]: src, body.params[1]: dst}
                        if len(body.params) == 3:
                            mine["weight"] = converted(weight, body.kinds[2])
                        body.body.run(w, mine)

        return graph + "".join(parts), through

    def applied(self) -> tuple[str, Function, Callable[..., Any]]:
        old = [f for f in self.functions if f.name.startswith("along") and not f.bound]
        f = self.c.pick(old) if old and self.c.chance(30) else self.edge_function(self.host())
        chain, through = self.chain(f.touched)
        return chain, f, through

    def apply(self) -> list[S]:
        chain, f, through = self.applied()
        return [S((f"{chain}.apply({f.named()});",), lambda w, my: through(w, my, f))]

    def modified(self) -> list[S]:
        chain, f, through = self.applied()
        vector = self.c.pick(sorted(t for t in f.touched if t.startswith(("x", "own"))) or ["x0"])
        meant = changes(vector, lambda w, my: through(w, my, f))
        return self.to_set(f"{chain}.applyModified({f.named()}, {vector})", meant)

    def to_set(self, text: str, meant: Meant) -> list[S]:
        """A set goes to one that is there, or to a new one."""
        name = self.c.pick(self.sets) if self.c.chance(50) else self.fresh("set")
        var = name not in self.sets

        def run(w: World, at: Local) -> None:
            at[name] = set(meant(w, at))

        if var:
            self.sets.append(name)
        return [S((f"var {name} : vertexset{{Vertex}} = {text};" if var else f"{name} = {text};",), run)]

    def new_set(self) -> list[S]:
        c = self.c
        way = c.below(5)
        if way == 0:
            return self.to_set("new vertexset{Vertex}(0)", lambda _w, _my: set())
        if way == 1:
            size = c.pick(("vertices.size()", "vertices.getVertexSetSize()"))
            return self.to_set(f"new vertexset{{Vertex}}({size})", lambda w, _: set(w.nodes))
        if way == 2:
            name = c.pick(self.sets)
            return self.to_set(name, lambda _, my: my[name])
        name, f = c.pick([*self.sets, "vertices"]), self.asking(set(), self.host(), writes=c.chance(25))
        return self.to_set(f"{name}.{c.pick(('filter', 'where'))}({f.named()})",
                            lambda w, my: set(filter(question(w, my, f), sorted(members(w, my, name)))))

    def add(self) -> list[S]:
        name, v = self.c.pick(self.sets), self.c.pick((P.local("int", "source"), P.literal("int", "1", 1)))
        return [S((f"{name}.addVertex({v.text});",), lambda w, my: my[name].add(v.value(w, my)))]

    def vertices(self) -> list[S]:
        c = self.c
        old = [f for f in self.functions if f.name.startswith("at") and not f.bound]
        f = c.pick(old) if old and c.chance(30) else self.vertex_function(self.host())
        name = c.pick(("vertices", *self.sets))
        if c.chance(15):
            some = self.asking(set(), self.host())
            text = f"{name}.{c.pick(('filter', 'where'))}({some.named()}).apply({f.named()});"
            return [S((text,), lambda w, my: over(
                w, my, [v for v in members(w, my, name) if question(w, my, some)(v)], f))]
        return [S((f"{name}.apply({f.named()});",), lambda w, my: over(w, my, sorted(members(w, my, name)), f))]


    def every(self, f: Function) -> S:
        """Applies a function to all vertices."""
        return S((f"vertices.apply({f.named()});",), lambda w, my: over(w, my, list(w.nodes), f))


def members(w: World, at: Local, name: str) -> set[int]:
    return set(w.nodes) if name == "vertices" else at[name]


def question(w: World, at: Local, asked: Function | str) -> Callable[[int], bool]:
    """What a set or a function says of a vertex, where it is named."""
    if isinstance(asked, str):
        some = members(w, at, asked)
        return lambda v: v in some
    given = asked.begun(w, at)
    return lambda v: asked.holds(w, given, v)


def over(w: World, at: Local, some: list[int], f: Function) -> None:
    """Applies a function to vertices."""
    given = f.begun(w, at)
    for v in some:
        f.body.run(w, {**given, "v": v})


def changes(vector: str, through: Callable[[World, Local], None]) -> Meant:
    """The vertices whose value changes."""
    def meant(w: World, at: Local) -> set[int]:
        w.tracked, w.changed = vector, set()
        through(w, at)
        w.tracked = ""
        return w.changed

    return meant
