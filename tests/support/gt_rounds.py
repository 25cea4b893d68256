"""Rounds of GraphIt's programs: searches, values that settle, layers of sets."""

from __future__ import annotations

from collections.abc import Callable, Collection

from support import gt_pieces as P
from support.gt_applied import DST, SRC, V
from support.gt_functions import Function, Vector
from support.gt_numbers import WHOLE
from support.gt_pieces import E, Local, S, World
from support.gt_sets import Sets, changes, question

ONE, NONE = P.literal("int", "1", 1), P.literal("int", "-1", -1)


class Rounds(Sets):
    """Makes sentences that go on in rounds."""

    def statements(self, count: int) -> list[S]:
        raise NotImplementedError

    # Any of several

    def choose(self) -> list[S]:
        """Each vertex is seen by one of those that may; who that is, nobody asks."""
        c = self.c
        text, run, modified = self._seeing()
        made: list[S] = []
        if c.chance(30):
            made += self._reset()
        if c.chance(70):
            once = ", true" * c.chance(30)
            made += self.to_set(f"{text}.applyModified({modified}, seen{once})", changes("seen", run))
        else:
            made.append(S((f"{text}.apply({modified});",), run))
        return [*made, *self._seen()]

    def _seeing(self) -> tuple[str, Callable[[World, Local], None], str]:
        see = self.choosing()
        guarded = "if" in " ".join(see.body.lines)
        chain, through = self.chain(see.touched, to=False)
        if guarded and self.c.chance(50):
            return chain, lambda w, my: through(w, my, see), see.named()
        to = self.unseen()
        return f"{chain}.to({to.named()})", lambda w, my: through(w, my, see, to), see.named()

    def _seen(self) -> list[S]:
        """What any answer says: how many were seen, and by a neighbour."""
        made: list[S] = []
        p, count = Vector("seen", "int"), next((n for n, k in self.scalars if k in WHOLE), "")
        if count and self.c.chance(40):
            kind = dict(self.scalars)[count]
            more = P.stored(P.scalar(kind, count), "+=", ONE, P.to_scalar(count))
            test = P.infix("==", p.at(DST), SRC)
            agree = Function(self.name("agree"), ["src", "dst"], P.block([P.when(test, [more])]), {count},
                         kinds=("Vertex", "Vertex"))
            self.functions.append(agree)
            graph, reverse = self.way
            made.append(S((f"{graph}.apply({agree.name});",), lambda w, _: along(w, w.nodes, agree, None, reverse)))
        at = p.at(V)
        f = Function(self.name("settle"), ["v"], P.block([P.when(P.infix("!=", at, NONE), [
            P.stored(at, "=", ONE, P.to_element("seen", V))])]), {"seen"}, kinds=("Vertex",))
        self.functions.append(f)
        return [*made, self.every(f)]

    def _reset(self) -> list[S]:
        at = Vector("seen", "int").at(V)
        f = Function(self.name("reset"), ["v"], P.block([P.stored(at, "=", NONE, P.to_element("seen", V))]), {"seen"},
                     kinds=("Vertex",))
        self.functions.append(f)
        return [self.every(f)]

    # Until nothing changes

    def search(self) -> list[S]:
        """A set grows along edges to those that nobody has seen."""
        c = self.c
        name, depth = self.fresh("wave"), self.fresh("depth")
        see, to = self.choosing(), self.unseen()
        self.way = graph, reverse = c.pick((("edges", False), ("back", True)))
        follows = c.chance(50)
        find = changes("seen", lambda w, my: along(w, my[name], see, to, reverse))
        settle = self._seen()

        def run(w: World, at: Local) -> None:
            at[f"next_{name}" if follows else name] = find(w, at)

        def move(_: World, at: Local) -> None:
            at[name] = at[f"next_{name}"]

        found = f"{graph}.from({name}).to({to.name}).applyModified({see.named()}, seen{', true' * c.chance(50)});"
        body = [S((f"var next_{name} : vertexset{{Vertex}} = {found}" if follows else f"{name} = {found}",), run),
                *settle]
        if follows:
            body.append(S((*((f"delete {name};",) if c.chance(60) else ()), f"{name} = next_{name};"), move))
        body.append(P.stored(P.local("int", depth), "+=", ONE, P.to_local(depth)))
        size = E("int", f"{name}.{c.pick(('getVertexSetSize', 'size'))}()", P.ATOM, lambda _, my: len(my[name]))
        begin = S((f"var {name} : vertexset{{Vertex}} = new vertexset{{Vertex}}(0);", f"{name}.addVertex(source);",
                   "seen[source] = 1;"), _begins(name))
        self.locals.append(P.local("int", depth))
        test = P.infix(c.pick(("!=", ">")), size, P.literal("int", "0", 0))
        loop = P.repeated(test, body)
        return [begin, P.declared("int", depth, P.literal("int", "0", 0)),
                S((f"#{depth}#", *loop.lines), loop.run) if c.chance(30) else loop]

    def settle(self) -> list[S]:
        """Values are handed on until nothing changes; how often, nobody asks."""
        c = self.c
        some = [v for v in self.vectors if v.kind in (*WHOLE, "double") and not v.role]
        x, name, op = c.pick(some), self.fresh("front"), c.pick(("min=", "max="))
        value = x.at(SRC)
        if op == "max=" and c.chance(40):
            limit = P.literal("int", "7", 7)
            value = E(P.infix("+", value, limit).kind, f"max({value.text}, 7)", P.ATOM,
                      lambda w, my: max(w.vectors[x.name][my["src"]], 7))
        f = Function(self.name("hand_on"), ["src", "dst"], P.block([P.stored(x.at(DST), op, value, P.to_element(
            x.name, DST))]), {x.name}, kinds=("Vertex", "Vertex"))
        self.functions.append(f)
        graph, reverse = c.pick((("edges", False), ("back", True), ("edges.transpose()", True)))
        find = changes(x.name, lambda w, my: along(w, my[name], f, None, reverse))

        def run(w: World, at: Local) -> None:
            at[name] = find(w, at)

        def everybody(w: World, at: Local) -> None:
            at[name] = set(w.nodes)

        size = E("int", f"{name}.getVertexSetSize()", P.ATOM, lambda _, my: len(my[name]))
        body = [S((f"{name} = {graph}.from({name}).applyModified({f.name}, {x.name});",), run)]
        return [S((f"var {name} : vertexset{{Vertex}} = new vertexset{{Vertex}}(vertices.size());",),
                  lambda w, my: my.update({name: set(w.nodes)})),
                P.repeated(P.infix("!=", size, P.literal("int", "0", 0)), body, first=c.chance(40))]

    # Layers

    def layers(self) -> list[S]:
        """Sets go onto a list, and come back, the last one first."""
        c = self.c
        name, top, i = self.fresh("levels"), self.fresh("top"), self.fresh("i")
        count = c.between(1, 3)

        made = [S((f"var {name} : list{{vertexset{{Vertex}}}} = new list{{vertexset{{Vertex}}}}();",),
                  lambda _, my: my.update({name: []}))]
        for _ in range(count):
            which = c.pick(self.sets)
            made += self.statements(1)
            word = c.pick(("append", "append", "insert"))
            made.append(S((f"{name}.{word}({which});",), lambda _, my, which=which: my[name].append(set(my[which]))))

        self.sets.append(top)
        popped = S((f"{top} = {name}.pop();",) if c.chance(70) else (f"{name}.retrieve({top});",),
                   lambda _, my: my.update({top: my[name].pop()}))
        body = [popped, *self.vertices()]
        low, high = P.literal("int", "0", 0), P.literal("int", str(count), count)
        made.append(S((f"var {top} : vertexset{{Vertex}} = new vertexset{{Vertex}}(0);",),
                      lambda _, my: my.update({top: set()})))
        return [*made, P.counted(i, low, high, body)]


def along(w: World, sources: Collection[int], f: Function, to: Function | None, reverse: bool) -> None:
    may = question(w, {}, to) if to is not None else None
    for src in sorted(sources):
        for dst, _ in w.edges_of(src, reverse):
            if may is None or may(dst):
                f.body.run(w, {"src": src, "dst": dst})


def _begins(name: str) -> Callable[[World, Local], None]:
    def run(w: World, at: Local) -> None:
        at[name] = {at["source"]}
        w.vectors["seen"][at["source"]] = 1

    return run
